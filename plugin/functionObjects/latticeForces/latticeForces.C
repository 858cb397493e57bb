// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeForces.H"


Foam::dictionary Foam::functionObjects::latticeForces::direct
(
    const dictionary& dict
)
{
    dictionary result(dict);
    result.set("directForceDensity", true);
    result.set("fD", lbmWallForces::fieldName);
    return result;
}


Foam::scalar Foam::functionObjects::latticeForces::density
(
    const dictionary& dict
)
{
    const word rho(dict.get<word>("rho"));
    if (rho != "rhoInf")
    {
        FatalIOErrorInFunction(dict)
            << "Entry rho is " << rho << "; lbmFoam has no density field: give"
            << " rho rhoInf and rhoInf" << exit(FatalIOError);
    }
    return dict.get<scalar>("rhoInf");
}


bool Foam::functionObjects::latticeForces::there(const fvMesh& mesh)
{
    return mesh.foundObject<lbmWallForces>(lbmWallForces::typeName);
}


Foam::lbmWallForces& Foam::functionObjects::latticeForces::of
(
    const fvMesh& mesh
)
{
    if (!there(mesh))
    {
        FatalErrorInFunction
            << "No lattice: this function object works in lbmFoam alone; other"
            << " solvers have forces and forceCoeffs" << exit(FatalError);
    }
    return mesh.lookupObjectRef<lbmWallForces>(lbmWallForces::typeName);
}


void Foam::functionObjects::latticeForces::meanDensity::add
(
    const lbmWallForces& forces,
    const labelHashSet& patches,
    const scalar deltaT
)
{
    for (const label patchi : patches)
    {
        const vectorField& present = forces.density(patchi);
        if (!sums_.found(patchi))
        {
            sums_.set(patchi, new vectorField(present.size(), Zero));
        }
        *sums_[patchi] += deltaT*present;
    }
    duration_ += deltaT;
}


bool Foam::functionObjects::latticeForces::meanDensity::take
(
    lbmWallForces& forces
)
{
    if (duration_ <= 0) return false;
    for (const label patchi : sums_.toc())
    {
        forces.setDensity(patchi, *sums_[patchi]/duration_);
    }
    sums_.clear();
    duration_ = 0;
    return true;
}
