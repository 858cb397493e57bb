// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshTurbulence.H"
#include "linearViscousStress.H"
#include "nonlinearEddyViscosity.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "zeroGradientFvPatchFields.H"

namespace
{

const std::string nutNote("turbulence.nut");

using turbulence = Foam::incompressible::turbulenceModel;

template<class Kind>
bool goesByEddyViscosity(const turbulence& model)
{
    return dynamic_cast<const Foam::linearViscousStress<Kind>*>(&model)
        && !dynamic_cast<const Foam::nonlinearEddyViscosity<Kind>*>(&model);
}

} // End anonymous namespace


Foam::lbmMeshTurbulence::lbmMeshTurbulence
(
    const volVectorField& U,
    const surfaceScalarField& phi
)
:
    transport_(U, phi),
    model_(incompressible::turbulenceModel::New(U, phi, transport_))
{
    refuseOtherStress();
    model_->validate();
}


void Foam::lbmMeshTurbulence::refuseOtherStress() const
{
    const bool known =
        dynamic_cast<const incompressible::laminarModel*>(&*model_)
     || goesByEddyViscosity<incompressible::RASModel>(*model_)
     || goesByEddyViscosity<incompressible::LESModel>(*model_);
    if (known) return;

    FatalIOErrorInFunction(*model_)
        << "Model " << model_->type() << " gives stresses that are not those of"
        << " an eddy viscosity, which is all that lbmFoam takes from a model"
        << nl << "Way out: one that has nut alone, such as kEpsilon, kOmegaSST,"
        << " SpalartAllmaras, WALE" << exit(FatalIOError);
}


void Foam::lbmMeshTurbulence::correct()
{
    transport_.correct();
    model_->correct();
    repeatCells();
}


// Where a model bounds a negative value, of k for instance, its boundary gets the
// bound and not what the cell gets: a run that reads the field would go on otherwise
void Foam::lbmMeshTurbulence::repeatCells() const
{
    const fvMesh& mesh = model_->mesh();
    for (const word& name : mesh.sortedNames<volScalarField>())
    {
        auto& patches =
            mesh.lookupObjectRef<volScalarField>(name).boundaryFieldRef();
        for (fvPatchScalarField& faces : patches)
        {
            if (isA<zeroGradientFvPatchScalarField>(faces)) faces.evaluate();
        }
    }
}


void Foam::lbmMeshTurbulence::note(lbm::CheckpointNotes& notes) const
{
    const tmp<volScalarField> nut(model_->nut());
    const scalarField& cells = nut().primitiveField();
    std::vector<double>& values = notes.arrays[nutNote];
    values.assign(cells.begin(), cells.end());
    for (const fvPatchScalarField& faces : nut().boundaryField())
    {
        values.insert(values.end(), faces.begin(), faces.end());
    }
}


void Foam::lbmMeshTurbulence::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(nutNote);
    const fvMesh& mesh = model_->mesh();
    // A model without one makes it up, laminar ones for instance
    const word name(model_->nut()().name());
    if (found == notes.arrays.end() || !mesh.foundObject<volScalarField>(name))
    {
        return;
    }

    volScalarField& nut = mesh.lookupObjectRef<volScalarField>(name);
    label size = nut.size();
    for (const fvPatchScalarField& faces : nut.boundaryField())
    {
        size += faces.size();
    }
    if (found->second.size() != std::size_t(size)) return;

    const double* from = found->second.data();
    const auto take = [&from](const label n)
    {
        const scalarField values(UList<scalar>(const_cast<double*>(from), n));
        from += n;
        return values;
    };
    nut.primitiveFieldRef() = take(nut.size());
    for (fvPatchScalarField& faces : nut.boundaryFieldRef())
    {
        faces == take(faces.size());
    }
}


bool Foam::lbmMeshTurbulence::isWallFunction(const fvPatchScalarField& nut)
{
    return isA<nutWallFunctionFvPatchScalarField>(nut);
}


bool Foam::lbmMeshTurbulence::isWallFunction(const label patchi) const
{
    return isWallFunction(model_->nut()().boundaryField()[patchi]);
}
