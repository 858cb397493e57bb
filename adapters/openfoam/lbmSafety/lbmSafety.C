// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSafety.H"
#include "StringStream.H"

namespace
{
    // What lbmFoam chooses by itself, and proposes
    const Foam::scalar goodMach = 0.1;
    const Foam::scalar goodTau = 1;

    // Larger ones need the entry maxTau: walls and viscosity lose accuracy
    const Foam::scalar largeTau = 2;

    const Foam::scalar fewestAcross = 10;

    // The least distance of tau from 1/2: viscosity must not be rounding
    const Foam::scalar leastViscous = 1e-5;
}


Foam::lbmSafety::lbmSafety
(
    const lbmControls& controls,
    const lbm::Config& config,
    const scalar dx,
    const scalar nu,
    const scalar speed,
    const scalar nodes,
    const label dimensions,
    const scalar duration
)
:
    controls_(controls),
    config_(config),
    dx_(dx),
    nu_(nu),
    speed_(speed),
    nodes_(nodes),
    dimensions_(dimensions),
    duration_(duration)
{}


Foam::scalar Foam::lbmSafety::maxGridReynolds(const word& collision)
{
    return collision == "bgk" ? 50 : collision == "mrt" ? 200 : 100;
}


Foam::string Foam::lbmSafety::entry(const word& key, const scalar value) const
{
    OStringStream os;
    os << key << ' ' << value << ';';
    return os.str();
}


Foam::string Foam::lbmSafety::change
(
    const string& entry,
    const scalar dx,
    const scalar dt
) const
{
    const scalar nodes = nodes_*pow(dx_/dx, scalar(dimensions_));
    // No proposal: a flow needs more
    if (nodes < pow(fewestAcross, scalar(dimensions_))) return string();

    OStringStream os;
    os << "    " << entry.c_str() << "  (about " << round(nodes) << " nodes, "
        << ceil(duration_/dt) << " lattice steps)" << nl;
    return os.str();
}


Foam::wordList Foam::lbmSafety::otherCollisions() const
{
    wordList names;
    for (const word collision : {"trt", "mrt"})
    {
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
        if (maxGridReynolds(collision) > maxGridReynolds(config_.collision))
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
    const scalar dx = dx_*mach/goodMach;
    refuse
    (
        why.str(),
        change(entry("deltaT", dt), dx_, dt)
      + change(entry("cellSize", dx), dx, units.dt())
      + "    referenceSpeed, if the flow will be slower than that\n"
    );
}


void Foam::lbmSafety::checkTau(const lbmUnits& units) const
{
    const scalar tau = units.tau();
    const scalar largest = max(largeTau, controls_.maxTau());
    OStringStream why;
    why << "Relaxation time tau = " << tau << " ";
    const scalar dt = units.dt();

    if (tau > largest)
    {
        why << "passes " << largest << ": nu is " << nu_ << ", cell size "
            << dx_ << ", lattice time step " << dt;
        const scalar shorter = (goodTau - 0.5)*sqr(dx_)/(3*nu_);
        const scalar wider = sqrt(3*nu_*dt/(goodTau - 0.5));
        refuse
        (
            why.str(),
            change(entry("deltaT", shorter), dx_, shorter)
          + change(entry("cellSize", wider), wider, dt)
          + change(entry("maxTau", tau), dx_, dt)
        );
    }
    if (!(tau - 0.5 > leastViscous))
    {
        why << "must exceed 0.5, and by more than rounding: nu is " << nu_
            << ", cell size " << dx_ << ", lattice time step " << dt;
        const scalar finer = dx_/10;
        const scalar mach = units.mach(speed_);
        const scalar longer = dt*goodMach/mach;
        refuse
        (
            why.str(),
            change(entry("cellSize", finer), finer, dt/10)
          + (
                mach < goodMach
              ? change(entry("maxMach", goodMach), dx_, longer) : string()
            )
          + "    nu in constant/transportProperties, if it is not in m2/s\n"
        );
    }
}


void Foam::lbmSafety::checkGridReynolds(const lbmUnits& units) const
{
    const scalar re = gridReynolds();
    const scalar asked = controls_.maxGridReynolds();
    const scalar limit =
        asked > 0 ? asked : maxGridReynolds(config_.collision);
    if (re <= limit) return;

    OStringStream why;
    why << "Grid Reynolds number " << re << " passes " << limit
        << ", the limit of collision " << config_.collision.c_str()
        << (asked > 0 ? " by entry maxGridReynolds" : "") << ": speed "
        << speed_ << ", cell size " << dx_ << ", nu " << nu_;

    // Less than the limit, for the next one to look at it
    const scalar finer = 0.9*dx_*limit/re;
    string changes
    (
        change(entry("cellSize", finer), finer, units.dt()*finer/dx_)
    );
    for (const word& collision : otherCollisions())
    {
        const scalar dx = dx_*min(scalar(1), 0.9*maxGridReynolds(collision)/re);
        const string other("collision " + collision + "; ");
        changes += dx < dx_
          ? change(other + entry("cellSize", dx), dx, units.dt()*dx/dx_)
          : change(other, dx_, units.dt());
    }
    changes += change(entry("maxGridReynolds", ceil(re)), dx_, units.dt());
    changes += "    the last one if the flow is smooth: no corners, no jets\n";
    refuse(why.str(), changes);
}


Foam::scalar Foam::lbmSafety::machToTell() const
{
    const scalar margin = 1.5;
    return min(margin*controls_.maxMach(), lbmControls::machLimit);
}


void Foam::lbmSafety::check(const scalar dt) const
{
    const lbmUnits units(dx_, dt, nu_, 0);
    checkMach(units);
    checkTau(units);
    checkGridReynolds(units);
}


Foam::string Foam::lbmSafety::advice(const scalar dt, const scalar seen) const
{
    const scalar finer = dx_/2;
    string changes(change(entry("cellSize", finer), finer, dt/2));
    for (const word& collision : otherCollisions())
    {
        changes += change("collision " + collision + ';', dx_, dt);
    }
    if (seen > speed_)
    {
        changes += change
        (
            entry("referenceSpeed", 2*speed_), dx_, dt/2
        );
    }
    else
    {
        changes += change(entry("deltaT", dt/2), dx_, dt/2);
    }
    return changes;
}
