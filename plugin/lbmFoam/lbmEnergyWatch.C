// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmEnergyWatch.H"
#include "fvMesh.H"

const Foam::scalar Foam::lbmEnergyWatch::tolerance = 0.05;


Foam::lbmEnergyWatch::lbmEnergyWatch
(
    const volVectorField& U,
    const volScalarField& p,
    const lbmBoundary& boundary
)
:
    U_(U),
    p_(p),
    closed_(!boundary.anyOpening() && !boundary.besideMovingWalls()),
    least_(GREAT)
{}


Foam::scalar Foam::lbmEnergyWatch::energy(const lbmUnits& units) const
{
    const scalarField& V = U_.mesh().V();
    const scalarField& p = p_.primitiveField();
    const scalar volume = sum(V);
    const scalar mean = sum(V*p)/volume;
    const scalar sound = lbmUnits::soundSpeed*units.dx()/units.dt();
    scalar twice = 0;
    forAll(V, celli)
    {
        twice += V[celli]*(magSqr(U_[celli]) + sqr((p[celli] - mean)/sound));
    }
    return twice/(2*volume);
}


Foam::scalar Foam::lbmEnergyWatch::growth
(
    const lbmUnits& units,
    const vector& force
)
{
    if (!closed_) return 0;
    if (mag(force) > 0)
    {
        least_ = GREAT;
        return 0;
    }
    const scalar now = energy(units);
    least_ = min(least_, now);
    return least_ > 0 ? now/least_ - 1 : 0;
}
