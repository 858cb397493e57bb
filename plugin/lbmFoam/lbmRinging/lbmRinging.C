// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRinging.H"

namespace
{
    // So much of the largest flow
    const Foam::scalar much = 0.1;

    // What is proposed, of maxMach: sound has its share of the pressure with the first power
    const Foam::scalar calmer = 0.2;
}


Foam::lbmRinging::lbmRinging(const scalar side)
:
    side_(side),
    passages_(0),
    most_(0),
    told_(false)
{}


void Foam::lbmRinging::look
(
    const Time& runTime,
    const lbmUnits& units,
    const lbm::OpeningFlux::Rates& passing,
    const scalar maxMach
)
{
    const scalar sound = lbmUnits::soundSpeed*units.dx()/units.dt();
    passages_ += runTime.deltaTValue()*sound/side_;
    most_ = max(most_, max(passing.in, passing.out));
    const scalar off = mag(passing.out - passing.in);
    // As long as the flow takes along the domain at that Mach number
    if (told_ || passages_ < 1/maxMach || off <= much*most_) return;


    told_ = true;
    WarningInFunction
        << "Time = " << runTime.timeName() << ": "
        << 100*off/most_ << " % more fluid " << (passing.in > passing.out
          ? "enters than leaves" : "leaves than enters")
        << " through the openings, after sound has passed " << round(passages_)
        << " times along the domain." << nl
        << "They ring with sound, as after a start within a few passages of it, and p is"
        << " off by as much as that needs; U less." << nl
        << "Way out: maxMach " << calmer*maxMach << "; in system/lbmDict (" << maxMach
        << " now: " << 1/calmer << " times as many lattice steps), or a slower start" << endl;
}
