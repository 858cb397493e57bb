// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWatch.H"
#include "lbmControls.H"
#include "lbmTrapFreeRegion.H"
#include "Time.H"

namespace
{
    // Beyond these a second-order equilibrium is no approximation any more
    const Foam::scalar hopelessMach = 1;
    const Foam::scalar hopelessDensity = 0.5;

    // Below it the lattice damps what it cannot resolve too weakly
    const Foam::scalar smallTau = 0.51;
}


Foam::lbmWatch::lbmWatch
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const lbm::Solver& solver,
    const int threads
)
:
    mesh_(mesh),
    axes_(axes),
    solver_(solver),
    threads_(threads),
    warned_(false)
{}


void Foam::lbmWatch::check(const label stride, const lbmUnits& units)
{
    {
        const lbmTrapFreeRegion infinitiesAreReported(threads_);
        last_ = solver_.health(stride);
    }
    const scalar mach = last_.maxSpeed/lbmUnits::soundSpeed;

    if (last_.bad >= 0)
    {
        stop(last_.bad, units, "values are not finite");
    }
    if (mach > hopelessMach)
    {
        stop(last_.fastest, units, "the flow is faster than sound");
    }
    if
    (
        last_.minDensity < 1 - hopelessDensity
     || last_.maxDensity > 1 + hopelessDensity
    )
    {
        stop(last_.fastest, units, "densities have left their range");
    }
    if (mach > lbmControls::machLimit && !warned_)
    {
        warned_ = true;
        WarningInFunction
            << "Mach number " << mach << " at time "
            << mesh_.time().timeName() << ": errors of compressibility grow."
            << nl << "Give referenceSpeed " << 1.1*mach*lbmUnits::soundSpeed
               *units.dx()/units.dt()
            << "; in system/lbmDict" << endl;
    }
}


Foam::word Foam::lbmWatch::nearestPatch
(
    const point& x,
    scalar& distance
) const
{
    word name;
    distance = GREAT;
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        if (patch.empty() || polyPatch::constraintType(patch.type())) continue;
        const scalar d = sqrt(min(magSqr(patch.faceCentres() - x)));
        if (d < distance)
        {
            distance = d;
            name = patch.name();
        }
    }
    return name;
}


void Foam::lbmWatch::advise(const lbmUnits& units) const
{
    FatalError << "Advice for system/lbmDict:" << nl;
    if (units.tau() < smallTau)
    {
        const scalar finer = units.dx()/2;
        FatalError
            << "    cellSize " << finer << ";    (tau would be "
            << lbmUnits(finer, units.dt()/2, units.nu(), 0).tau() << ")" << nl;
        if (solver_.row().collision == "bgk")
        {
            FatalError << "    collision trt;    (or mrt, recursiveRegularized)" << nl;
        }
    }
    else
    {
        FatalError
            << "    deltaT " << units.dt()/2
            << ";    (halves the Mach number)" << nl;
    }
    FatalError
        << "    referenceSpeed set to the largest speed that is expected" << nl
        << "and see whether the conditions of U and p fit together";
}


void Foam::lbmWatch::stop
(
    const lbm::NodeIndex node,
    const lbmUnits& units,
    const char* why
) const
{
    const lbm::Domain& domain = solver_.domain();
    const lbm::Int3 at = domain.coordinates(node);
    const point x
    (
        axes_.position(domain, {double(at[0]), double(at[1]), double(at[2])})
    );
    scalar distance;
    const word patch(nearestPatch(x, distance));
    const scalar mach = last_.maxSpeed/lbmUnits::soundSpeed;

    FatalErrorInFunction
        << "The flow diverged: " << why << nl << nl
        << "    time          " << mesh_.time().timeName() << nl
        << "    lattice step  " << label(solver_.step()) << nl
        << "    position      " << x << ", node ("
        << at[0] << ' ' << at[1] << ' ' << at[2] << ')' << nl
        << "    nearest patch " << patch << ", at " << distance << nl
        << "    tau           " << units.tau() << nl
        << "    Ma            " << mach << nl
        << "    density       " << last_.minDensity << " .. "
        << last_.maxDensity << nl << nl;
    advise(units);
    FatalError
        << nl << "Nothing was written for this time; fields of earlier"
        << " times are kept" << exit(FatalError);
}
