// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFreestream.H"
#include "mixedFvPatchFields.H"

namespace
{

// Share f up to which a face holds the velocity, and by how much f goes past that before the
// face changes over: a stream at 30 degrees to it has just that share
const Foam::scalar entering = 0.25;
const Foam::scalar past = 0.02;

// Of the way to what is right, the most that is gone in a time step; the most that is added,
// of the speed afar and its square; and by how much the lattice may answer stronger than a
// plane wave: up to three faces of a cell act on it, and it answers a time step later
const Foam::scalar pace = 0.5;
const Foam::scalar mostAdded = 0.5;
const Foam::scalar strongest = 4;

template<class Type>
const Foam::mixedFvPatchField<Type>& mixed(const Foam::fvPatchField<Type>& field)
{
    return Foam::refCast<const Foam::mixedFvPatchField<Type>>(field);
}

Foam::scalar within(const Foam::scalar bound, const Foam::scalar value)
{
    return Foam::max(-bound, Foam::min(bound, value));
}


// answer: by what the value wanted changes back when the one told does, of that change
void approach(Foam::scalar& told, const Foam::scalar wanted, const Foam::scalar answer)
{
    told += Foam::min(pace, 1/(1 + strongest*answer))*(wanted - told);
}

} // End anonymous namespace


Foam::lbmFreestream::lbmFreestream
(
    const volVectorField& U,
    const volScalarField& p,
    const label patchi,
    const bool steady
)
:
    U_(U),
    p_(p),
    patchi_(patchi),
    steady_(steady),
    pressure_(U.boundaryField()[patchi].size(), Zero),
    velocity_(pressure_)
{}


Foam::tmp<Foam::scalarField> Foam::lbmFreestream::impedance
(
    const scalarField& viscosity
) const
{
    const fvMesh& mesh = U_.mesh();
    const word& name = U_.name();
    const scalar relaxed =
        mesh.relaxEquation(name) ? mesh.equationRelaxationFactor(name) : 1;
    const scalar rate = steady_ ? 0 : 1/mesh.time().deltaTValue();
    const scalarField& share = mixed(p_.boundaryField()[patchi_]).valueFraction();
    const scalarField& perDistance = patch().deltaCoeffs();
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
        const scalar momentum =
            passing/(mesh.V()[celli]*perDistance[i]) + viscosity[i]*perDistance[i];
        const scalar flux = momentum/relaxed + rate/perDistance[i];
        const scalar f = share[i], g = 1 - f;
        const scalar yields =
            sqr(f)/max(g*momentum, SMALL) + f/max(flux, SMALL);
        result.ref()[i] = 1/max(yields, SMALL);
    }
    return result;
}


Foam::tmp<Foam::scalarField> Foam::lbmFreestream::rate() const
{
    return mag(mixed(U_.boundaryField()[patchi_]).refValue())*patch().deltaCoeffs();
}


void Foam::lbmFreestream::beginAnew()
{
    pressure_ = Zero;
    velocity_ = Zero;
    enters_.clear();
}


void Foam::lbmFreestream::follow
(
    const scalar soundSpeed,
    const scalarField& nu
)
{
    const auto& U = mixed(U_.boundaryField()[patchi_]);
    const auto& p = mixed(p_.boundaryField()[patchi_]);
    const vectorField off(U.patchInternalField() - U.refValue());
    const scalarField offP(p.patchInternalField() - p.refValue());
    const vectorField n(patch().nf());
    const scalarField R(impedance(nu));
    enters_ = enters();
    forAll(R, i)
    {
        const scalar f = p.valueFraction()[i];
        enters_[i] = f < entering + (enters_[i] ? past : -past);
        const scalar speed = mag(U.refValue()[i]);
        const scalar fastest = mostAdded*speed, highest = fastest*speed;
        const scalar out = off[i] & n[i];
        // The one that is not held is what the flow has, to go on from
        if (enters_[i])
        {
            const scalar wanted = within(fastest, offP[i]/R[i]);
            approach(velocity_[i], wanted, soundSpeed/R[i]);
            pressure_[i] = within(highest, offP[i]);
        }
        else
        {
            const scalar wanted = within(highest, R[i]*out);
            approach(pressure_[i], wanted, R[i]/soundSpeed);
            velocity_[i] = within(fastest, out);
        }
    }
}


Foam::boolList Foam::lbmFreestream::enters() const
{
    if (enters_.size()) return enters_;
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
    values.insert(values.end(), enters_.begin(), enters_.end());
}


void Foam::lbmFreestream::recall(const lbm::CheckpointNotes& notes)
{
    const std::size_t n = pressure_.size();
    const auto found = notes.arrays.find(noteName());
    if (found == notes.arrays.end() || found->second.size() < 2*n) return;
    const auto values = found->second.begin();
    std::copy_n(values, n, pressure_.begin());
    std::copy_n(values + n, n, velocity_.begin());
    // None: no time step had gone
    if (found->second.size() != 3*n) return;
    enters_.setSize(n);
    std::copy_n(values + 2*n, n, enters_.begin());
}
