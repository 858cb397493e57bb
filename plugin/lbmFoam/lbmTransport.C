// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTransport.H"
#include "namedFile.H"
#include "Time.H"


namespace Foam
{
namespace
{

IOdictionary contents(const IOobject& io)
{
    return namedFile::read(io.objectPath(), [&]{ return IOdictionary(io); });
}

} // End anonymous namespace
} // End namespace Foam


Foam::lbmTransport::lbmTransport(const fvMesh& mesh)
:
    properties_
    (
        contents
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
    nu_(readViscosity())
{
    refuseTurbulence();
}


Foam::scalar Foam::lbmTransport::readViscosity() const
{
    const word model
    (
        properties_.getOrDefault<word>("transportModel", "Newtonian")
    );
    if (model != "Newtonian")
    {
        FatalIOErrorInFunction(properties_)
            << "Entry transportModel is " << model
            << "; lbmFoam supports Newtonian only" << exit(FatalIOError);
    }

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


void Foam::lbmTransport::refuseTurbulence() const
{
    const IOdictionary properties
    (
        contents
        (
            IOobject
            (
                "turbulenceProperties",
                properties_.time().constant(),
                properties_.db(),
                IOobject::READ_IF_PRESENT,
                IOobject::NO_WRITE,
                false
            )
        )
    );
    const word type
    (
        properties.getOrDefault<word>("simulationType", "laminar")
    );
    const word model
    (
        properties.subOrEmptyDict("laminar").getOrDefault<word>
        (
            "laminarModel", "Stokes"
        )
    );
    if (type != "laminar" || model != "Stokes")
    {
        FatalIOErrorInFunction(properties)
            << "Entry " << (type != "laminar" ? "simulationType" : "laminarModel")
            << " is " << (type != "laminar" ? type : model)
            << "; lbmFoam supports laminar flow of Newtonian fluids only"
            << exit(FatalIOError);
    }
}
