// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFreestream.H"
#include "mixedFvPatchFields.H"

namespace
{

// Share f up to which a face holds the velocity
const Foam::scalar entering = 0.25;

// Of the way to what is right, what is gone in a time step; and the most, of the speed afar
// and its square
const Foam::scalar pace = 0.5;
const Foam::scalar mostAdded = 0.5;

template<class Type>
const Foam::mixedFvPatchField<Type>& mixed(const Foam::fvPatchField<Type>& field)
{
    return Foam::refCast<const Foam::mixedFvPatchField<Type>>(field);
}

void approach(Foam::scalar& value, const Foam::scalar wanted, const Foam::scalar bound)
{
    value += pace*(Foam::max(-bound, Foam::min(bound, wanted)) - value);
}

} // End anonymous namespace


Foam::lbmFreestream::lbmFreestream
(
    const volVectorField& U,
    const volScalarField& p,
    const label patchi
)
:
    U_(U),
    p_(p),
    patchi_(patchi),
    pressure_(U.boundaryField()[patchi].size(), Zero),
    velocity_(pressure_)
{}


Foam::tmp<Foam::scalarField> Foam::lbmFreestream::passingSpeed() const
{
    const fvMesh& mesh = U_.mesh();
    const word& name = U_.name();
    const scalar relaxed =
        mesh.relaxEquation(name) ? mesh.equationRelaxationFactor(name) : 1;
    auto result = tmp<scalarField>::New(patch().size());
    forAll(result(), i)
    {
        const label celli = patch().faceCells()[i];
        // As much leaves the cell as enters it
        scalar passing = 0;
        for (const label facei : mesh.cells()[celli])
        {
            passing += 0.5*mag(U_[celli] & mesh.faceAreas()[facei]);
        }
        result.ref()[i] =
            passing/(relaxed*mesh.V()[celli]*patch().deltaCoeffs()[i]);
    }
    return result;
}


void Foam::lbmFreestream::follow()
{
    const auto& U = mixed(U_.boundaryField()[patchi_]);
    const auto& p = mixed(p_.boundaryField()[patchi_]);
    const vectorField off(U.patchInternalField() - U.refValue());
    const scalarField offP(p.patchInternalField() - p.refValue());
    const vectorField n(patch().nf());
    const scalarField V(passingSpeed());
    forAll(V, i)
    {
        const scalar f = p.valueFraction()[i], gV = U.valueFraction()[i]*V[i];
        const scalar speed = mag(U.refValue()[i]);
        if (f < entering)
        {
            approach(velocity_[i], f*offP[i]/max(gV, SMALL), mostAdded*speed);
        }
        else
        {
            approach(pressure_[i], gV*(off[i] & n[i])/f, mostAdded*sqr(speed));
        }
    }
}


Foam::boolList Foam::lbmFreestream::enters() const
{
    const scalarField& f = mixed(p_.boundaryField()[patchi_]).valueFraction();
    boolList result(f.size());
    forAll(f, i) result[i] = f[i] < entering;
    return result;
}


Foam::tmp<Foam::vectorField> Foam::lbmFreestream::velocity() const
{
    const auto& U = mixed(U_.boundaryField()[patchi_]);
    const vectorField n(patch().nf());
    return U + n*((n & (U.refValue() - U)) + velocity_);
}


Foam::tmp<Foam::scalarField> Foam::lbmFreestream::pressure() const
{
    return mixed(p_.boundaryField()[patchi_]).refValue() + pressure_;
}


Foam::tmp<Foam::vectorField> Foam::lbmFreestream::turned() const
{
    const fvPatchVectorField& U = U_.boundaryField()[patchi_];
    const vectorField n(patch().nf());
    const vectorField gained(U - U.patchInternalField());
    return gained - n*(n & gained);
}


std::string Foam::lbmFreestream::noteName() const
{
    return "freestream." + patch().name();
}


void Foam::lbmFreestream::note(lbm::CheckpointNotes& notes) const
{
    std::vector<double>& values = notes.arrays[noteName()];
    values.assign(pressure_.begin(), pressure_.end());
    values.insert(values.end(), velocity_.begin(), velocity_.end());
}


void Foam::lbmFreestream::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName());
    if
    (
        found == notes.arrays.end()
     || found->second.size() != 2*std::size_t(pressure_.size())
    ) return;
    const auto half = found->second.begin() + pressure_.size();
    std::copy(found->second.begin(), half, pressure_.begin());
    std::copy(half, found->second.end(), velocity_.begin());
}
