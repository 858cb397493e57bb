// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSafety.H"
#include "lbmCyclics.H"
#include "lbmTimeStep.H"
#include "lbm/api/Collision.hpp"
#include "SortableList.H"
#include "StringStream.H"
#include "Switch.H"
#include "Time.H"

namespace
{
    // What lbmFoam chooses by itself, and proposes
    const Foam::scalar goodMach = 0.1;
    const Foam::scalar goodTau = 1;

    const char* const nuFile = " (constant/transportProperties)";

    // Larger ones need the entry maxTau: walls and viscosity lose accuracy
    const Foam::scalar largeTau = 2;

    const Foam::scalar fewestAcross = 10;

    // Of a limit, what is proposed keeps this share: flows are faster than
    // their reference speed in places
    const Foam::scalar margin = 0.9;

    // Proposals that cost more than so many times the cheapest one are none
    const Foam::scalar dearest = 30;

    // Largest grid Reynolds numbers at which noise in an even stream of Mach number 0.1
    // vanishes: at 80 it hardly does, at 100 runs diverged (D2Q9 and D3Q19,
    // lbm/bench/results/turbulence.md). Others bear as much as they do beside walls
    const struct { const char* collision; Foam::scalar most; } streams[] =
    {
        {"regularized", 60}
    };

    // What a guard leaves where walls have laws link by link: no boundary layer has to be
    // resolved. Drag with 100, 1000 and 10 000 (8 nodes across): sphere
    // at Re 10^6 0.147, 0.123, 0.123, Ahmed body 0.548, 0.508, 0.505
    const struct { const char* collision; Foam::scalar most; } besideLaws[] =
    {
        {"hybridRegularized", 1000}
    };

}


const Foam::scalar Foam::lbmSafety::leastViscous = 1e-5;


Foam::lbmSafety::lbmSafety
(
    const lbmControls& controls,
    const lbm::Config& config,
    const lbmCyclics& cyclics,
    const scalar dx,
    const lbmViscosity& viscosity,
    const scalar speed,
    const scalar nodes,
    const label dimensions,
    const surroundings around,
    const scalar duration
)
:
    controls_(controls),
    config_(config),
    cyclics_(cyclics),
    dx_(dx),
    viscosity_(viscosity),
    speed_(speed),
    nodes_(nodes),
    dimensions_(dimensions),
    around_(around),
    duration_(duration)
{}


Foam::scalar Foam::lbmSafety::maxGridReynolds
(
    const word& collision,
    const surroundings around
)
{
    const lbm::CollisionDescriptor* known = lbm::findCollision(collision);
    if (!known)
    {
        FatalErrorInFunction
            << "Collision " << collision
            << " has no largest grid Reynolds number" << exit(FatalError);
    }
    const lbm::BearableGridReynolds& most = known->bears;
    return around == surroundings::movingWalls ? most.movingWalls
      : around == surroundings::walls ? most.walls : most.periodic;
}


Foam::scalar Foam::lbmSafety::guardedBelow
(
    const word& collision,
    const surroundings around
)
{
    const scalar limit = maxGridReynolds(collision, around);
    if (around == surroundings::periodic) return limit;
    for (const auto& stream : streams)
    {
        if (collision == stream.collision) return min(limit, stream.most);
    }
    return limit;
}


Foam::scalar Foam::lbmSafety::guardedBesideLaws
(
    const word& collision,
    const surroundings around
)
{
    for (const auto& laws : besideLaws)
    {
        if (collision == laws.collision) return laws.most;
    }
    return guardedBelow(collision, around);
}


Foam::scalar Foam::lbmSafety::limitOf(const word& collision) const
{
    const scalar own = maxGridReynolds(collision, around_);
    const scalar asked = controls_.maxGridReynolds();
    return asked > 0 ? min(asked, own) : own;
}


Foam::string Foam::lbmSafety::entry(const word& key, const scalar value) const
{
    OStringStream os;
    os << key << ' ' << value << ';';
    return os.str();
}


Foam::string Foam::lbmSafety::cellSizeEntry(const scalar dx) const
{
    const word present(controls_.spacingEntry());
    return entry("cellSize", dx)
      + (present.empty() || present == "cellSize"
           ? string() : string(" in place of " + present + ';'));
}


Foam::scalar Foam::lbmSafety::cost(const proposal& p) const
{
    return pow(dx_/p.dx, scalar(dimensions_))/p.dt;
}


bool Foam::lbmSafety::holds(const proposal& p) const
{
    const lbmUnits units(p.dx, p.dt, viscosity_, 0);
    const scalar nodes = nodes_*pow(dx_/p.dx, scalar(dimensions_));
    return nodes >= pow(fewestAcross, scalar(dimensions_))
        && units.mach(speed_) <= lbmControls::machLimit*(1 + SMALL)
        && units.tau(viscosity_.most(p.dx))
         <= max(largeTau, controls_.maxTau())*(1 + SMALL)
        && units.tau() - 0.5 > leastViscous
        && gridReynolds(p.dx) <= limitOf(p.collision);
}


void Foam::lbmSafety::addFiner
(
    DynamicList<proposal>& list,
    const word& collision,
    const scalar widest,
    const scalar dt
) const
{
    const string other
    (
        collision == config_.collision
      ? string() : string("collision " + collision + ';')
    );
    if (widest >= dx_)
    {
        list.append({other, collision, dx_, dt});
        return;
    }
    const scalar dx = cyclics_.fitting(widest);
    if (dx > 0)
    {
        const string space(other.empty() ? "" : " ");
        list.append
        (
            {other + space + cellSizeEntry(dx), collision, dx, dt*dx/dx_}
        );
    }
}


Foam::string Foam::lbmSafety::text(const DynamicList<proposal>& all) const
{
    DynamicList<proposal> good;
    DynamicList<scalar> costs;
    for (const proposal& p : all)
    {
        if (!holds(p)) continue;
        good.append(p);
        costs.append(cost(p));
    }
    if (good.empty()) return string();

    SortableList<scalar> sorted(costs);
    OStringStream os;
    forAll(sorted, i)
    {
        if (sorted[i] > dearest*sorted[0]) break;
        const proposal& p = good[sorted.indices()[i]];
        os << "    " << p.entries.c_str() << "  (about "
            << round(nodes_*pow(dx_/p.dx, scalar(dimensions_))) << " nodes, "
            << ceil(duration_/p.dt) << " lattice steps)" << nl;
    }
    return os.str();
}


Foam::wordList Foam::lbmSafety::otherCollisions() const
{
    wordList names;
    for (const lbm::CollisionDescriptor& known : lbm::collisionDescriptors)
    {
        const word collision(std::string(known.name));
        lbm::Config other(config_);
        other.collision = collision;
        try
        {
            lbm::findKernel(other);
        }
        catch (const lbm::UnknownKernel&)
        {
            continue;
        }
        if
        (
            maxGridReynolds(collision, around_)
          > maxGridReynolds(config_.collision, around_)
        )
        {
            names.append(collision);
        }
    }
    return names;
}


void Foam::lbmSafety::refuse(const string& why, const string& changes) const
{
    FatalIOErrorInFunction(controls_.dict())
        << why.c_str() << nl
        << "What would mend it, in system/lbmDict:" << nl
        << changes.c_str() << exit(FatalIOError);
    std::abort();
}


void Foam::lbmSafety::checkMach(const lbmUnits& units) const
{
    const scalar mach = units.mach(speed_);
    if (mach <= lbmControls::machLimit) return;

    OStringStream why;
    why << "Mach number " << mach << " passes the limit of "
        << lbmControls::machLimit << " at the reference speed " << speed_
        << ", cell size " << dx_ << ", lattice time step " << units.dt();
    const scalar dt = units.dt()*goodMach/mach;
    const scalar dx = cyclics_.fitting(dx_*mach/goodMach);

    DynamicList<proposal> changes;
    changes.append({entry("deltaT", dt), config_.collision, dx_, dt});
    if (dx > dx_)
    {
        changes.append
        (
            {cellSizeEntry(dx), config_.collision, dx, units.dt()}
        );
    }
    refuse
    (
        why.str(),
        text(changes) + "    referenceSpeed, if the flow will be slower than"
        " that\n"
    );
}


Foam::string Foam::lbmSafety::longerCase(const scalar longest) const
{
    const lbmUnits units(dx_, longest, viscosity_, 0);
    if (!(units.tau() - 0.5 > leastViscous)) return string();

    OStringStream os;
    os << "    deltaT " << longest << " or more in system/controlDict: it is divided"
        << " into lattice steps of that length";
    const dictionary& times = controls_.dict().time().controlDict();
    if (times.getOrDefault<Switch>("adjustTimeStep", false))
    {
        os << ". adjustTimeStep and maxDeltaT do not make it longer";
    }
    os << nl;
    return os.str();
}


void Foam::lbmSafety::checkTau(const lbmUnits& units) const
{
    const scalar largest = max(largeTau, controls_.maxTau());
    const scalar dt = units.dt();
    const scalar most = viscosity_.most(dx_);
    OStringStream why;
    DynamicList<proposal> changes;

    if (units.tau(most) > largest)
    {
        why << "Relaxation time tau = " << units.tau(most) << " passes "
            << largest << ": nu is " << most << nuFile
            << ", cell size " << dx_ << ", lattice time step " << dt;
        const scalar shorter = (goodTau - 0.5)*sqr(dx_)/(3*most);
        const scalar wider =
            cyclics_.fitting(sqrt(3*most*dt/(goodTau - 0.5)));
        changes.append
        (
            {entry("deltaT", shorter), config_.collision, dx_, shorter}
        );
        if (wider > dx_)
        {
            changes.append
            (
                {cellSizeEntry(wider), config_.collision, wider, dt}
            );
        }
        refuse(why.str(), text(changes));
    }
    if (!(units.tau() - 0.5 > leastViscous))
    {
        // Of more than one lattice step each is longer than half of that
        const scalar longest =
            lbmTimeStep(controls_, dx_, viscosity_, speed_).longest();
        const bool whole = dt < longest/2;
        why << "Relaxation time tau = " << units.tau() << " must exceed 0.5,"
            << " and by more than rounding: nu is " << viscosity_.least(dx_)
            << nuFile << ", cell size " << dx_ << ", lattice time step " << dt
            << (whole ? ", the whole deltaT of system/controlDict" : "");
        const string last
        (
            "    nu in constant/transportProperties, if it is not in m2/s\n"
        );
        const string ofCase(whole ? longerCase(longest) : string());
        if (!ofCase.empty()) refuse(why.str(), ofCase + last);

        addFiner
        (
            changes,
            config_.collision,
            dx_*min(scalar(0.1), margin*limitOf(config_.collision)/gridReynolds(dx_)),
            dt
        );
        const scalar longer = dt*goodMach/units.mach(speed_);
        const bool given = controls_.deltaT() > 0;
        if (given ? controls_.deltaT() < longer : controls_.maxMach() < goodMach)
        {
            changes.append
            (
                {
                    given ? entry("deltaT", longer) : entry("maxMach", goodMach),
                    config_.collision,
                    dx_,
                    longer
                }
            );
        }
        refuse(why.str(), text(changes) + last);
    }
}


void Foam::lbmSafety::checkGridReynolds(const lbmUnits& units) const
{
    const scalar re = gridReynolds(dx_);
    const word own(config_.collision);
    const scalar asked = controls_.maxGridReynolds();
    const scalar limit =
        asked > 0 ? asked : maxGridReynolds(own, around_);
    if (re <= limit) return;

    OStringStream why;
    why << "Grid Reynolds number " << re << " passes " << limit
        << ", the limit of collision " << own
        << (
               asked > 0
             ? " by entry maxGridReynolds"
             : around_ == surroundings::movingWalls ? " beside moving walls"
             : around_ == surroundings::walls ? " beside walls" : ""
           )
        << ": speed " << speed_ << ", cell size " << dx_ << ", nu "
        << viscosity_.least(dx_) << nuFile;

    DynamicList<proposal> changes;
    wordList collisions(otherCollisions());
    collisions.append(own);
    for (const word& collision : collisions)
    {
        const scalar most = margin*limitOf(collision);
        addFiner(changes, collision, dx_*most/re, units.dt());
    }
    refuse(why.str(), text(changes));
}


Foam::scalar Foam::lbmSafety::machToTell() const
{
    const scalar beyond = 1.5;
    return min(beyond*controls_.maxMach(), lbmControls::machLimit);
}


Foam::scalar Foam::lbmSafety::shortest() const
{
    if (viscosityIsGuarded()) return 0;
    const scalar margin = 2;
    return margin*leastViscous*sqr(dx_)/(3*viscosity_.least(dx_));
}


bool Foam::lbmSafety::viscosityIsGuarded() const
{
    return viscosity_.closure().byNode || viscosity_.guard() > 0;
}


void Foam::lbmSafety::check(const scalar dt) const
{
    const lbmUnits units(dx_, dt, viscosity_, 0);
    checkMach(units);

    // A model's viscosity is guarded node by node (lbmNodeViscosity), and so may
    // eddies' be
    if (viscosityIsGuarded()) return;
    checkTau(units);
    checkGridReynolds(units);
}


Foam::scalar Foam::lbmSafety::guarded() const
{
    const scalar asked = controls_.maxGridReynolds();
    const word own(config_.collision);
    return asked > 0 ? asked
      : around_ == surroundings::movingWalls ? maxGridReynolds(own, around_)
      : lbm::findCollision(own)->guarded;
}


bool Foam::lbmSafety::tooFast(const scalar dt, const scalar imposed) const
{
    return lbmUnits(dx_, dt, viscosity_, 0).mach(imposed) > lbmControls::machLimit;
}


Foam::string Foam::lbmSafety::adviceAt
(
    const scalar dt,
    const scalar imposed
) const
{
    lbmSafety told(*this);
    told.speed_ = imposed;
    const scalar re = told.gridReynolds(dx_);
    const scalar shorter = dt*speed_/imposed;

    wordList collisions(1, word(config_.collision));
    if (re > margin*limitOf(config_.collision))
    {
        collisions.append(otherCollisions());
    }
    DynamicList<proposal> changes;
    for (const word& collision : collisions)
    {
        told.addFiner
        (
            changes, collision, dx_*margin*limitOf(collision)/re, shorter
        );
    }
    for (proposal& p : changes)
    {
        const string others(p.entries);
        p.entries = entry("referenceSpeed", imposed);
        if (!others.empty()) p.entries += " " + others;
    }
    return told.text(changes);
}


Foam::string Foam::lbmSafety::advice
(
    const scalar dt,
    const scalar seen,
    const scalar imposed
) const
{
    if (tooFast(dt, imposed)) return adviceAt(dt, imposed);

    const lbmUnits units(dx_, dt, viscosity_, 0);
    const scalar re = gridReynolds(dx_);
    DynamicList<proposal> changes;
    for (const word& collision : otherCollisions())
    {
        const scalar most = margin*limitOf(collision);
        addFiner(changes, collision, dx_*most/re, dt);
    }
    // It has failed here: half the cells, and half of what it bears
    addFiner
    (
        changes,
        config_.collision,
        dx_*min(scalar(0.5), limitOf(config_.collision)/(2*re)),
        dt
    );
    // Beyond the speed of sound it is no speed of the flow any more
    if (seen > speed_ && units.mach(seen) < 1)
    {
        changes.append
        (
            {
                entry("referenceSpeed", seen),
                config_.collision,
                dx_,
                dt*speed_/seen
            }
        );
    }
    return text(changes);
}
