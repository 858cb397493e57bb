// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTransport.H"
#include "namedFile.H"
#include "lbmTurbulence.H"
#include "surfaceFields.H"
#include "Time.H"
#include "viscosityModel.H"
#include "volFields.H"

namespace
{

using namespace Foam;

const word newtonian("Newtonian");


wordList models()
{
    wordList names(1, newtonian);
    for (const lbm::ClosureDescriptor& closure : lbm::closureDescriptors)
    {
        if (closure.ofShearRate()) names.append(std::string(closure.name));
    }
    return names;
}


// As OpenFOAM's viscosity models have them; its consistencies are viscosities
// at a shear rate of 1/s
dimensionSet dimensionsOf(const lbm::Unit unit)
{
    switch (unit)
    {
        case lbm::Unit::none:
        case lbm::Unit::index: return dimless;
        case lbm::Unit::time: return dimTime;
        case lbm::Unit::stress: return dimViscosity/dimTime;
        case lbm::Unit::viscosity:
        case lbm::Unit::consistency: return dimViscosity;
    }
    return dimless;
}


// BirdCarreau's `a` alone may be missing: 2 is Carreau's model
const word optionalWidth("a");
const scalar carreau = 2;

} // End anonymous namespace


Foam::lbmTransport::lbmTransport
(
    const fvMesh& mesh,
    const lbmControls& controls
)
:
    properties_
    (
        namedFile::contents
        (
            IOobject
            (
                "transportProperties",
                mesh.time().constant(),
                mesh,
                IOobject::MUST_READ,
                IOobject::NO_WRITE
            )
        )
    ),
    turbulenceOnMesh_(false),
    averages_(false),
    modelOnMesh_(false),
    registersModel_(false),
    elastic_(false),
    viscosity_(read(mesh, controls))
{}


Foam::lbmViscosity Foam::lbmTransport::read
(
    const fvMesh& mesh,
    const lbmControls& controls
)
{
    const word model
    (
        properties_.getOrDefault<word>("transportModel", newtonian)
    );
    const lbmTurbulence turbulence(mesh, controls);
    modelOnMesh_ = turbulenceOnMesh_ = turbulence.onMesh();
    averages_ = turbulence.averages();
    elastic_ = turbulence.elastic();
    laws_ = turbulence.laws();
    const bool named =
        model == newtonian && properties_.found("transportModel");
    if (named) eddies_ = turbulence.eddies();
    registersModel_ = modelOnMesh_ || elastic_
     || (turbulence.saysLaminar() && named);
    if (model == newtonian) return turbulence.on(readNu());

    if (elastic_) turbulence.refuseBeside(model);
    const lbm::ClosureDescriptor* closure = lbm::findClosure(model);
    if (!modelOnMesh_ && closure && closure->ofShearRate())
    {
        turbulence.refuseBeside(model);
        return readRheology(model);
    }
    refuseUnknown(model);
    turbulence.refuseBeside(model);
    modelOnMesh_ = registersModel_ = true;
    return lbmViscosity("nodeField", {}, nuAtRest(mesh));
}


void Foam::lbmTransport::refuseUnknown(const word& model) const
{
    const auto& known = *viscosityModel::dictionaryConstructorTablePtr_;
    if (known.found(model)) return;

    FatalIOErrorInFunction(properties_)
        << "Entry transportModel is " << model << "; lbmFoam has "
        << flatOutput(models()) << " on the lattice" << nl
        << "and, on the mesh, OpenFOAM's: " << flatOutput(known.sortedToc())
        << nl << "Others come with entry libs of system/controlDict"
        << exit(FatalIOError);
}


// Small viscosities are what a lattice has to bear; those of the flow are told
// to nodes one by one
Foam::scalar Foam::lbmTransport::nuAtRest(const fvMesh& mesh) const
{
    const auto io = [&](const word& name)
    {
        return IOobject
        (
            name,
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        );
    };
    // By these names schemes are found
    const volVectorField U(io("U"), mesh, dimensionedVector(dimVelocity, Zero));
    const surfaceScalarField phi
    (
        io("phi"), mesh, dimensionedScalar(dimVolume/dimTime, Zero)
    );
    const autoPtr<viscosityModel> model
    (
        viscosityModel::New("nuAtRest", properties_, U, phi)
    );
    const scalar nu = min(model->nu()().primitiveField());
    if (!(nu > 0))
    {
        FatalIOErrorInFunction(properties_)
            << "transportModel " << properties_.get<word>("transportModel")
            << " has a viscosity of " << nu << " in a fluid at rest: it must be"
            << " positive, or else tau <= 0.5" << exit(FatalIOError);
    }
    return nu;
}


Foam::scalar Foam::lbmTransport::readNu() const
{
    const dimensionedScalar nu("nu", properties_);
    if (nu.dimensions() != dimViscosity && !nu.dimensions().dimensionless())
    {
        FatalIOErrorInFunction(properties_)
            << "Entry nu has the dimensions " << nu.dimensions()
            << "; a kinematic viscosity has " << dimViscosity
            << exit(FatalIOError);
    }
    if (!(nu.value() > 0))
    {
        FatalIOErrorInFunction(properties_)
            << "Entry nu is " << nu.value() << "; it must be positive,"
            << " or else tau <= 0.5" << exit(FatalIOError);
    }
    return nu.value();
}


Foam::lbmViscosity Foam::lbmTransport::readRheology(const word& model) const
{
    const lbm::ClosureDescriptor& closure = *lbm::findClosure(model);
    const dictionary& entries = properties_.optionalSubDict(model + "Coeffs");
    lbm::ClosureCoefficients coefficients{};
    for (int i = 0; i < closure.coefficients; ++i)
    {
        const word key(std::string(closure.coefficient[i].name));
        const dimensionSet dims(dimensionsOf(closure.coefficient[i].unit));
        const dimensionedScalar value
        (
            key == optionalWidth
          ? dimensionedScalar::getOrDefault(key, entries, dims, carreau)
          : dimensionedScalar(key, dims, entries)
        );
        coefficients[i] = value.value();
    }
    try
    {
        return lbmViscosity(model, coefficients, 0);
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(entries) << fault.what() << exit(FatalIOError);
    }
    return lbmViscosity(0);
}
