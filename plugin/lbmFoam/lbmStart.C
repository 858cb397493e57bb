// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStart.H"
#include "lbmInitialState.H"
#include "lbmStartFlow.H"
#include "linear.H"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace
{
    // Share of the imposed flow up to which an initial U counts as one that a
    // solver wrote
    const Foam::scalar smallMisfit = 0.5;
}


Foam::lbmStart::lbmStart
(
    const lbmControls& controls,
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    lbmBoundary& boundary
)
:
    controls_(controls),
    U_(U),
    p_(p),
    phi_(phi),
    boundary_(boundary)
{}


void Foam::lbmStart::settleStart()
{
    using type = lbmControls::startFlowType;

    const type wanted = controls_.startFlow();
    if (wanted == type::given) return;

    // The file may hold other values than the conditions give
    boundary_.evaluate();
    phi_ = linear<vector>(U_.mesh()).dotInterpolate(U_.mesh().Sf(), U_);

    lbmStartFlow start(U_, p_, phi_, boundary_.kinds());
    const scalar misfit = start.misfit();
    Info<< "Initial U: of the flow that patches impose " << 100*misfit
        << " % is missing" << nl;
    if (wanted == type::automatic && misfit <= smallMisfit) return;

    if (!start.solvable())
    {
        FatalIOErrorInFunction(dictionary(fileName(U_.objectPath())))
            << "The patches' flow into the domain and out of it differ, and none"
            << " of them can adapt" << exit(FatalIOError);
    }
    Info<< "    made free of divergence, and p to match it (entry startFlow of"
        << " system/lbmDict)" << nl;
    start.project();
    start.balancePressure();
}


void Foam::lbmStart::initialise
(
    const lbmAxes& axes,
    const lbmUnits& units,
    lbm::Solver& solver,
    const int threads
)
{
    settleStart();
    lbmInitialState(U_, p_, axes, units, solver, threads).apply();

#ifdef __GLIBC__
    // The start's temporaries are as large as the lattice: hand them back
    malloc_trim(0);
#endif
}
