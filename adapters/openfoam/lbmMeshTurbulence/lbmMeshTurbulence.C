// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshTurbulence.H"
#include "linearViscousStress.H"
#include "nonlinearEddyViscosity.H"
#include "nutWallFunctionFvPatchScalarField.H"

namespace
{

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
        goesByEddyViscosity<incompressible::laminarModel>(*model_)
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
}


bool Foam::lbmMeshTurbulence::isWallFunction(const fvPatchScalarField& nut)
{
    return isA<nutWallFunctionFvPatchScalarField>(nut);
}


bool Foam::lbmMeshTurbulence::isWallFunction(const label patchi) const
{
    return isWallFunction(model_->nut()().boundaryField()[patchi]);
}
