// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWatch.H"
#include "StringStream.H"
#include "lbmControls.H"
#include "lbmRotatingFrame.H"
#include "lbmTime.H"
#include "lbmTrapFreeRegion.H"
#include "Time.H"
#include "volFields.H"

#include <cstdlib>

namespace
{
    // In checkpoints
    const std::string excessNote("mass.excess"), excessStepNote("mass.dt");
    const std::string broughtBackNote("mass.broughtBack");
}

const Foam::scalar Foam::lbmWatch::hopelessMach = 1;
const Foam::scalar Foam::lbmWatch::hopelessDensity = 0.5;


Foam::lbmWatch::lbmWatch
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const lbmSafety& safety,
    const lbm::Solver& solver,
    const int threads
)
:
    mesh_(mesh),
    axes_(axes),
    boundary_(boundary),
    safety_(safety),
    solver_(solver),
    threads_(threads),
    startExcess_(0),
    broughtBack_(0),
    warned_(false),
    forgives_(false),
    soundTime_(mesh.time().value()),
    velocity_(lbmRotatingFrame::velocityName(mesh.time())),
    firstRead_(mesh.time().timeName()),
    lastWritten_(firstRead_)
{}


void Foam::lbmWatch::start(const lbmUnits& units, const volScalarField& p)
{
    readHealth(1);
    if (last_.bad < 0 && outOfRange()) refusePressure(units, p);
    if (!trouble().empty()) stop(units, trouble());
    startExcess_ = last_.excess;
}


void Foam::lbmWatch::convert(const lbmUnits& from, const lbmUnits& to)
{
    // By node, as densities are
    const scalar nodes = solver_.tiling().fluidNodes;
    const scalar mean = 1 + startExcess_/nodes;
    startExcess_ = nodes*(to.density(from.pressure(mean)) - 1);
}


bool Foam::lbmWatch::sawAll() const
{
    return last_.nodes == solver_.tiling().fluidNodes;
}


Foam::scalar Foam::lbmWatch::massDrift() const
{
    return (last_.excess - startExcess_)/max(scalar(last_.nodes), scalar(1));
}


Foam::scalar Foam::lbmWatch::meanDensity() const
{
    return 1 + last_.excess/max(scalar(last_.nodes), scalar(1));
}


void Foam::lbmWatch::broughtBack(const scalar share)
{
    broughtBack_ += share;
    readHealth(1);
}


void Foam::lbmWatch::note(lbm::CheckpointNotes& notes, const lbmUnits& units) const
{
    notes.numbers[excessNote] = startExcess_;
    notes.numbers[excessStepNote] = units.dt();
    notes.numbers[broughtBackNote] = broughtBack_;
}


void Foam::lbmWatch::recall(const lbm::CheckpointNotes& notes, const lbmUnits& units)
{
    const auto excess = notes.numbers.find(excessNote);
    if (excess == notes.numbers.end()) return;
    // To the last bit where the time step is the same
    startExcess_ = excess->second*sqr(units.dt()/notes.numbers.at(excessStepNote));
    broughtBack_ = notes.numbers.at(broughtBackNote);
}


void Foam::lbmWatch::readHealth(const label stride)
{
    const lbmTrapFreeRegion infinitiesAreReported(threads_);
    last_ = solver_.health(stride);
    const bool none = last_.nodes == 0 && last_.bad < 0;
    if (none && stride > 1) last_ = solver_.health(1);
}


bool Foam::lbmWatch::outOfRange() const
{
    return last_.minDensity < 1 - hopelessDensity
        || last_.maxDensity > 1 + hopelessDensity;
}


Foam::string Foam::lbmWatch::trouble() const
{
    if (last_.bad >= 0) return "values are not finite";
    if (last_.maxSpeed/lbmUnits::soundSpeed > hopelessMach)
    {
        return "the flow is faster than sound";
    }
    if (outOfRange()) return "densities have left their range";
    return string();
}


void Foam::lbmWatch::refusePressure
(
    const lbmUnits& units,
    const volScalarField& p
) const
{
    // With heat the case has that one, of which p is made
    const auto* given = mesh_.findObject<volScalarField>("p_rgh");
    FatalIOErrorInFunction(dictionary(fileName((given ? *given : p).objectPath())))
        << "Initial p is beyond what the lattice can have at its time step: "
        << units.pressure(1 - hopelessDensity) << " .. "
        << units.pressure(1 + hopelessDensity) << " m2/s2" << nl
        << "    in cells      " << min(p.primitiveField()) << " .. "
        << max(p.primitiveField()) << nl;
    forAll(boundary_.kinds(), patchi)
    {
        const polyPatch& patch = mesh_.boundaryMesh()[patchi];
        if (patch.empty() || !boundary_.kinds()[patchi].fixesPressure()) continue;
        const scalarField held(boundary_.imposedPressure(patchi));
        FatalIOError
            << "    held by patch " << patch.name() << " to " << min(held)
            << " .. " << max(held) << nl;
    }
    FatalIOError
        << "Way out: an internalField near what patches hold it to, to which"
        << " one of another level is shifted unless startFlow is given"
        << " (system/lbmDict); or a referenceSpeed of the flow that such pressures"
        << " drive" << exit(FatalIOError);
    std::abort();
}


bool Foam::lbmWatch::lost(const label stride)
{
    readHealth(stride);
    return !trouble().empty();
}


void Foam::lbmWatch::check(const label stride, const lbmUnits& units)
{
    if (before_) before_();
    readHealth(stride);
    if (!trouble().empty())
    {
        // Of the whole lattice, to name what is worst
        readHealth(1);
        stop(units, trouble());
    }
    if (sawAll()) soundTime_ = mesh_.time().value();
    const scalar mach = last_.maxSpeed/lbmUnits::soundSpeed;
    if (mach > safety_.machToTell() && !warned_)
    {
        warned_ = true;
        word patch;
        const scalar seen =
            1.1*mach*lbmUnits::soundSpeed*units.dx()/units.dt();
        WarningInFunction
            << "Mach number " << mach << " at time "
            << mesh_.time().timeName() << placeOfFastest().c_str()
            << ": the flow is faster than the"
            << " reference speed, from which the time step follows." << nl
            << "Errors of compressibility grow, and p may swing between the"
            << " openings." << nl
            << "Give referenceSpeed " << max(seen, boundary_.imposedSpeed(patch))
            << "; in system/lbmDict, where p swings also openings"
            << " { \".*\" { type nonReflecting; } }"
            << endl;
    }
}


void Foam::lbmWatch::diverged(const lbmUnits& units, const string& why)
{
    readHealth(1);
    stop(units, why);
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


Foam::point Foam::lbmWatch::position(const lbm::NodeIndex node) const
{
    const lbm::Domain& domain = solver_.domain();
    const lbm::Int3 at = domain.coordinates(node);
    return axes_.position
    (
        domain, {double(at[0]), double(at[1]), double(at[2])}
    );
}


Foam::string Foam::lbmWatch::placeOfFastest() const
{
    if (last_.fastest < 0) return string();
    OStringStream text;
    text.precision(4);
    text << " at " << position(last_.fastest);
    return text.str();
}


void Foam::lbmWatch::tellPlace(const lbm::NodeIndex node) const
{
    const lbm::Int3 at = solver_.domain().coordinates(node);
    const point x(position(node));
    scalar distance;
    const word patch(nearestPatch(x, distance));
    FatalError
        << "    position      " << x << ", node (" << at[0] << ' ' << at[1]
        << ' ' << at[2] << "), cell " << mesh_.findCell(x) << nl
        << "    nearest patch ";
    if (patch.empty())
    {
        FatalError << "none: no wall and no opening" << nl;
    }
    else
    {
        FatalError << patch << ", at " << distance << nl;
    }
}


void Foam::lbmWatch::tellImposed(const lbmUnits& units, scalar& speed) const
{
    word patch;
    speed = boundary_.imposedSpeed(patch);
    if (!safety_.tooFast(units.dt(), speed)) return;
    FatalError
        << "Patch " << patch << " imposes " << speed << " m/s by "
        << mesh_.time().globalPath()/firstRead_/velocity_ << ": Ma "
        << units.mach(speed) << " by the lattice's time step, which follows"
        << " from the reference speed" << nl << nl;
}


void Foam::lbmWatch::tellLastState() const
{
    // Folders of function objects hold no state
    const lbmTime& time = dynamic_cast<const lbmTime&>(mesh_.time());
    const fileName U(time.kept(lastWritten_)/velocity_);
    FatalError << nl << "Nothing was written for this time; ";
    if (isFile(U))
    {
        FatalError
            << "the last good state on disk is time " << lastWritten_ << " in "
            << time.globalPath();
    }
    else
    {
        FatalError
            << "of the last good state, time " << lastWritten_ << ", no "
            << U << " is left";
    }
}


void Foam::lbmWatch::stop(const lbmUnits& units, const string& why) const
{
    if (forgives_) throw flowLost{why};

    // Values may be as large as numbers get
    const lbmTrapFreeRegion infinitiesAreReported(threads_);
    const Time& runTime = mesh_.time();
    const scalar mach = last_.maxSpeed/lbmUnits::soundSpeed;

    FatalErrorInFunction
        << "The flow diverged: " << why.c_str() << nl << nl
        << "    time          " << runTime.timeName() << ", all was well at "
        << runTime.timeName(soundTime_) << nl;
    // Of fluid at rest no node is the fastest
    const lbm::NodeIndex worst = last_.bad >= 0 ? last_.bad : last_.fastest;
    if (worst >= 0) tellPlace(worst);
    FatalError
        << "    tau           " << units.tau() << nl
        << "    Ma            " << mach << nl
        << "    density       " << last_.minDensity << " .. "
        << last_.maxDensity << nl << nl;
    scalar imposed;
    tellImposed(units, imposed);
    const scalar seen = last_.maxSpeed*units.dx()/units.dt();
    // A level that drifts is another matter
    const scalar apart = last_.maxDensity - last_.minDensity;
    if (outOfRange() && mach < lbmControls::machLimit && apart > 0.5*hopelessDensity)
    {
        FatalError
            << "p of " << units.pressure(last_.minDensity) << " .. "
            << units.pressure(last_.maxDensity)
            << " m2/s2 is too much for the lattice's speed of sound; one "
            << sqrt(2*apart/hopelessDensity) << " times as large would do: maxMach"
            << " by so much smaller, or referenceSpeed larger" << nl << nl;
    }
    FatalError
        << "Advice for system/lbmDict:" << nl
        << safety_.advice(units.dt(), seen, imposed).c_str()
        << "and see whether the conditions of U and p fit together" << nl;
    tellLastState();
    // Function objects may catch what is thrown, and go on
    FatalError.throwExceptions(false);
    FatalError << exit(FatalError);
    std::abort();
}
