// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRinging.H"
#include "StringStream.H"

namespace
{
    // So much of the mean flow, and of the dynamic pressure of the reference speed
    const Foam::scalar much = 0.1;

    // Two moments so many passages of sound apart at most are of one sound; what comes
    // once is a change of what openings are given
    const Foam::scalar lasting = 10;

    // What is proposed, of the Mach number and of lattice steps: the pressure of sound goes
    // with their first power
    const Foam::scalar calmer = 0.2;
}


Foam::lbmRinging::lbmRinging(const scalar side, const scalar area)
:
    side_(side),
    area_(area),
    passages_(0),
    time_(0),
    passed_(0),
    loudAt_(-GREAT),
    told_(false)
{}


bool Foam::lbmRinging::lasts
(
    const scalar deltaT,
    const lbmUnits& units,
    const lbm::OpeningFlux::Rates& passing,
    const scalar speed
)
{
    const scalar mach = units.mach(speed);
    const scalar sound = lbmUnits::soundSpeed*units.dx()/units.dt();
    passages_ += deltaT*sound/side_;
    time_ += deltaT;
    passed_ += deltaT*max(passing.in, passing.out);
    // As long as the flow takes along the domain
    if (passages_*mach < 1) return false;
    const scalar amiss = mag(passing.out - passing.in);
    if (amiss*time_ <= much*passed_ || amiss <= much*mach*speed*area_/2) return false;

    if (passages_ - loudAt_ > lasting) loudAt_ = passages_;
    return passages_ - loudAt_ >= 1;
}


void Foam::lbmRinging::look
(
    const Time& runTime,
    const lbmUnits& units,
    const lbm::OpeningFlux::Rates& passing,
    const scalar speed,
    const bool stepIsGiven
)
{
    const scalar mach = units.mach(speed);
    if (told_ || !lasts(runTime.deltaTValue(), units, passing, speed)) return;

    told_ = true;
    OStringStream entry;
    entry.precision(2);
    if (stepIsGiven) entry << "deltaT " << calmer*units.dt();
    else entry << "maxMach " << calmer*mach;
    const scalar off = 100*mag(passing.out - passing.in)*time_/passed_;
    WarningInFunction
        << "Time = " << runTime.timeName() << ": " << off << " % more fluid "
        << (passing.in > passing.out ? "enters than leaves" : "leaves than enters")
        << " through the openings, after sound has passed " << round(passages_)
        << " times along the domain." << nl
        << "They ring with sound, as after a start within a few passages of it, and p is"
        << " off by as much as that needs; U less." << nl
        << "Way out: " << entry.str().c_str() << "; in system/lbmDict (Mach number " << mach
        << " now: " << 1/calmer << " times as many lattice steps), or a slower start" << endl;
}
