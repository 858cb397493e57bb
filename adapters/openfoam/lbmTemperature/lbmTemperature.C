// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTemperature.H"
#include "fvcSurfaceIntegrate.H"
#include "fvmDdt.H"
#include "fvmDiv.H"
#include "fvmLaplacian.H"
#include "fvmSup.H"
#include "DynamicList.H"
#include "fvOptions.H"
#include "IOdictionary.H"
#include "namedFile.H"
#include "Switch.H"

#include <utility>

namespace
{
    // Of beta (T - TRef): linear and true densities of gases differ by its square
    const Foam::scalar boussinesqRange = 0.1;

    // Steady cases: rooms take many passages of their flow to warm. With T so
    // many ahead the mean T of OpenFOAM's hotRoom has risen by 0.65 after its 1000
    // iterations (by 0.07 without; buoyantBoussinesqSimpleFoam: 0.68)
    const Foam::scalar ahead = 20;
}


Foam::scalar Foam::lbmTemperature::read
(
    const dictionary& transport,
    const word& key,
    const dimensionSet& dimensions
)
{
    const scalar value
    (
        dimensionedScalar(key, dimensions, transport).value()
    );
    const bool positive = key == "Pr" || key == "Prt";
    if (!(mag(value) < GREAT) || (positive && !(value > 0)))
    {
        FatalIOErrorInFunction(transport)
            << "Entry " << key << " is " << value << "; it must be a "
            << (positive ? "positive " : "") << "number" << exit(FatalIOError);
    }
    return value;
}


void Foam::lbmTemperature::refuseRadiation(const fvMesh& mesh)
{
    const IOdictionary radiation
    (
        namedFile::contents
        (
            IOobject
            (
                "radiationProperties",
                mesh.time().constant(),
                mesh,
                IOobject::READ_IF_PRESENT,
                IOobject::NO_WRITE,
                false
            )
        )
    );
    const word model
    (
        radiation.getOrDefault<word>("radiationModel", "none")
    );
    const bool on = radiation.getOrDefault<Switch>("radiation", true);
    if (!on || model == "none") return;
    FatalIOErrorInFunction(radiation)
        << "Entry radiationModel is " << model << ": lbmFoam has no radiation"
        << nl << "Way out: radiationModel none, and what a wall receives as a"
        << " gradient of T or as a source of T (fvOptions)" << exit(FatalIOError);
}


Foam::lbmTemperature::lbmTemperature
(
    const fvMesh& mesh,
    const dictionary& transport,
    const dictionary& content
)
:
    beta_(read(transport, "beta", dimless/dimTemperature)),
    TRef_(read(transport, "TRef", dimTemperature)),
    Pr_(read(transport, "Pr", dimless)),
    Prt_(read(transport, "Prt", dimless)),
    T_
    (
        IOobject
        (
            "T",
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        mesh,
        content
    ),
    alphat_
    (
        IOobject
        (
            "alphat",
            mesh.time().timeName(),
            mesh,
            IOobject::MUST_READ,
            IOobject::AUTO_WRITE
        ),
        mesh
    ),
    rangeTold_(false),
    negativeTold_(false)
{
    refuseRadiation(mesh);
    tellRange();
}


Foam::tmp<Foam::volScalarField> Foam::lbmTemperature::rhok() const
{
    const dimensionedScalar beta("beta", dimless/dimTemperature, beta_);
    const dimensionedScalar TRef("TRef", dimTemperature, TRef_);
    return 1.0 - beta*(T_ - TRef);
}


Foam::scalar Foam::lbmTemperature::spread() const
{
    const auto around = [](const scalarField& T, const scalarField& weight)
    {
        const scalar all = sum(weight), mean = sum(T*weight)/all;
        return std::make_pair(mean, sum(mag(T - mean)*weight)/all);
    };
    DynamicList<scalar> fixed, areas;
    for (const fvPatchScalarField& on : T_.boundaryField())
    {
        if (!on.fixesValue()) continue;
        fixed.append(on);
        areas.append(on.patch().magSf());
    }
    const auto fluid = around(T_.primitiveField(), T_.mesh().V());
    if (fixed.empty()) return fluid.second;
    const auto patches = around(scalarField(fixed), scalarField(areas));
    return max
    (
        max(fluid.second, patches.second), mag(fluid.first - patches.first)
    );
}


std::pair<Foam::scalar, Foam::point> Foam::lbmTemperature::furthest() const
{
    std::pair<scalar, point> result(TRef_, Zero);
    const auto look = [&](const UList<scalar>& T, const UList<vector>& places)
    {
        forAll(T, i)
        {
            if (!(mag(T[i]) < GREAT))
            {
                FatalErrorInFunction
                    << "Time = " << T_.time().timeName() << ": T at "
                    << places[i] << " is " << T[i]
                    << ": the equation of T has diverged" << nl
                    << "Way out: a smaller deltaT, or upwind for div(phi,T)"
                    << " (system/fvSchemes)" << exit(FatalError);
            }
            if (mag(T[i] - TRef_) > mag(result.first - TRef_))
            {
                result = {T[i], places[i]};
            }
        }
    };
    const fvMesh& mesh = T_.mesh();
    look(T_.primitiveField(), mesh.C().primitiveField());
    forAll(T_.boundaryField(), patchi)
    {
        look(T_.boundaryField()[patchi], mesh.C().boundaryField()[patchi]);
    }
    return result;
}


void Foam::lbmTemperature::tellRange()
{
    const std::pair<scalar, point> far(furthest());
    const scalar change = beta_*(far.first - TRef_);
    if (!rangeTold_ && mag(change) > boussinesqRange)
    {
        rangeTold_ = true;
        WarningInFunction
            << "Time = " << T_.time().timeName() << ": T is " << far.first
            << " at " << far.second << ", where beta (T - TRef) is " << change
            << ": beyond " << boussinesqRange << " Boussinesq's approximation"
            << " is not one of a true fluid" << endl;
    }
    const scalar coldest = min(T_.primitiveField());
    if (!negativeTold_ && coldest < 0 && TRef_ > 0)
    {
        negativeTold_ = true;
        WarningInFunction
            << "Time = " << T_.time().timeName() << ": T is " << coldest
            << " in cell " << findMin(T_.primitiveField()) << " at "
            << T_.mesh().C()[findMin(T_.primitiveField())]
            << ": negative, with TRef " << TRef_ << endl;
    }
}


Foam::tmp<Foam::volScalarField> Foam::lbmTemperature::alphaEff
(
    const incompressible::turbulenceModel& model
)
{
    alphat_ = model.nut()/Prt_;
    alphat_.correctBoundaryConditions();
    return tmp<volScalarField>::New("alphaEff", model.nu()/Pr_ + alphat_);
}


void Foam::lbmTemperature::solve
(
    volScalarField& T,
    const volScalarField& alphaEff,
    const surfaceScalarField& phi,
    const scalar iteration
)
{
    fv::options& options = fv::options::New(T.mesh());
    // What divergence phi keeps would be a source of the whole of T, which is
    // hundreds of times what drives the flow: it is one of the difference from the
    // mean, which makes as little heat in all as the other
    const scalarField& volumes = T.mesh().V();
    const dimensionedScalar mean
    (
        "mean", dimTemperature, sum(T.primitiveField()*volumes)/sum(volumes)
    );
    fvScalarMatrix equation
    (
        fvm::ddt(T) + fvm::div(phi, T) - mean*fvc::surfaceIntegrate(phi)
      - fvm::laplacian(alphaEff, T)
     == options(T)
    );
    data& state = const_cast<fvMesh&>(T.mesh());
    if (iteration > 0)
    {
        const dimensionedScalar rate("rate", dimless/dimTime, 1/(ahead*iteration));
        equation += fvm::Sp(rate, T) - rate*T.oldTime();
    }
    // The word by which fvMatrix finds TFinal
    else state.add("finalIteration", true);
    // Of steady cases the rate above holds T back, which relaxation by the case's share
    // would do again; schemes of second order leave a matrix that solvers such as
    // Gauss-Seidel do not bear as it is, and a share of 1 makes its diagonal dominant
    if (iteration > 0) equation.relax(1);
    else equation.relax();
    options.constrain(equation);
    equation.solve();
    options.correct(T);
    state.remove("finalIteration");
}


void Foam::lbmTemperature::correct
(
    const incompressible::turbulenceModel& model,
    const surfaceScalarField& phi,
    const scalar iteration
)
{
    solve(T_, alphaEff(model)(), phi, iteration);
    tellRange();
}


void Foam::lbmTemperature::attempt
(
    const incompressible::turbulenceModel& model,
    const surfaceScalarField& phi,
    const scalar iteration
)
{
    const volScalarField alphat("lbmTemperature:alphat", alphat_);
    // By its name schemes, solvers and options are found
    volScalarField T
    (
        IOobject
        (
            T_.name(), T_.instance(), T_.mesh(),
            IOobject::NO_READ, IOobject::NO_WRITE, false
        ),
        T_
    );
    solve(T, alphaEff(model)(), phi, iteration);
    alphat_ == alphat;
}


void Foam::lbmTemperature::printPlan() const
{
    Info<< "    temperature     OpenFOAM's equation on the mesh; Pr " << Pr_
        << ", Prt " << Prt_ << ", T from " << min(T_).value() << " to "
        << max(T_).value() << nl;
}
