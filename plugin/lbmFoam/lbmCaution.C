// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCaution.H"

namespace
{
    // Of maxMach: below the first the time step is made longer, to have the second
    const Foam::scalar slowShare = 0.75, calmShare = 0.9;

    // Of the largest Mach number, what a time step that was too long gets
    const Foam::scalar fastShare = 0.75;

    // As trt bears beside moving walls: what is still to be had of every
    // collision
    const Foam::scalar leastGuard = 15;

    // Times the reference speed: up to the first flows are fast by themselves, past bodies
    // or through throats (it was the largest Mach number over maxMach when that was 0.1 of
    // all); beyond the second is none that was asked for
    const Foam::scalar ownCourse = 3, mostAllowance = 8;

    // The same for pressures of a flow that creeps, which its speed says nothing of
    const Foam::scalar mostOfCreeping = 250;

    const std::string guardNote("caution.guard");
    const std::string allowanceNote("caution.allowance");
    const std::string shorterNote("caution.shorter");
    const std::string longestNote("caution.longest");
}


const Foam::lbmCaution::measure
    Foam::lbmCaution::ofModels{0.25, 0.5, 1.2, labelMax, false},
    Foam::lbmCaution::ofSteadyModels{0.25, 0.5, 1.2, labelMax, true},
    Foam::lbmCaution::ofLattice{0.25, 1, 2, 2, false};


Foam::lbmCaution::lbmCaution
(
    const lbmControls& controls,
    const measure& much,
    const scalar guard,
    const scalar most
)
:
    measure_(much),
    guardIsFree_(guard > 0 && !(controls.maxGridReynolds() > 0)),
    stepIsFree_
    (
        !(controls.referenceSpeed() > 0) && !(controls.deltaT() > 0)
     // Whoever gives what it is by itself asks for nothing else
     && Foam::mag(controls.maxMach() - controls.presetMach()) < Foam::SMALL
    ),
    maxMach_(controls.maxMach()),
    most_(min(most, mostAllowance)),
    mostCreeping_(min(most, mostOfCreeping)),
    guard_(guard),
    allowance_(1),
    least_(1),
    failures_(0),
    allowanceBefore_(0),
    leastAllowance_(1)
{}


bool Foam::lbmCaution::lower
(
    const scalar share,
    const scalar allowance,
    const scalar upTo
)
{
    const scalar guard =
        guardIsFree_ ? min(guard_, max(leastGuard, share*guard_)) : guard_;
    const scalar speed =
        stepIsFree_ ? max(allowance_, min(upTo, allowance)) : allowance_;
    if (guard == guard_ && speed == allowance_) return false;

    guard_ = guard;
    allowance_ = speed;
    return true;
}


bool Foam::lbmCaution::learn()
{
    const bool wasLonger = measure_.learns && allowanceBefore_ > 0;
    if (wasLonger) leastAllowance_ = max(leastAllowance_, allowanceBefore_);
    allowanceBefore_ = 0;
    return wasLonger;
}


Foam::scalar Foam::lbmCaution::most(const reason why) const
{
    return why == reason::creeping ? mostCreeping_ : most_;
}


bool Foam::lbmCaution::afterFailure(const scalar allowed, const reason why)
{
    if (failures_ >= measure_.mostFailures) return false;
    learn();
    const scalar before = max(allowed, allowance_);
    if (!lower(measure_.failedGuard, measure_.failedAllowance*before, most(why))) return false;
    least_ = allowance_;
    ++failures_;
    return true;
}


bool Foam::lbmCaution::atMach
(
    const scalar mach,
    const scalar allowed,
    const reason why
)
{
    if (mach > lbmControls::machLimit)
    {
        const scalar allows = max(allowed, allowance_);
        // Where the step may not follow it the guard is all that there is
        const bool byItself = stepIsFree_ && allows*mach <= ownCourse*maxMach_;
        return lower
        (
            learn() || byItself || why != reason::flow ? 1 : measure_.fastGuard,
            allows*mach/(fastShare*lbmControls::machLimit),
            most(why)
        );
    }
    const scalar least = max(least_, leastAllowance_);
    if (allowance_ <= least || mach > slowShare*maxMach_) return false;
    const scalar less = max(least, allowed*mach/(calmShare*maxMach_));
    if (less >= allowance_) return false;
    allowanceBefore_ = allowance_;
    allowance_ = less;
    return true;
}


void Foam::lbmCaution::calm()
{
    least_ = 1;
    failures_ = 0;
}


void Foam::lbmCaution::tell() const
{
    if (guardIsFree_)
    {
        Info<< "    guard           viscosity keeps grid Reynolds numbers below "
            << guard_ << " from now on (entry maxGridReynolds)" << nl;
    }
    if (stepIsFree_)
    {
        Info<< "    time step       allows for " << allowance_
            << " times the reference speed (entry referenceSpeed)" << nl;
    }
}


void Foam::lbmCaution::note(lbm::CheckpointNotes& notes) const
{
    notes.numbers[guardNote] = guard_;
    notes.numbers[allowanceNote] = allowance_;
    notes.numbers[shorterNote] = allowanceBefore_;
    notes.numbers[longestNote] = leastAllowance_;
}


void Foam::lbmCaution::recall(const lbm::CheckpointNotes& notes)
{
    const auto guard = notes.numbers.find(guardNote);
    if (guard == notes.numbers.end()) return;
    if (guardIsFree_ && guard->second > 0) guard_ = guard->second;
    if (!stepIsFree_) return;
    allowance_ = min(mostCreeping_, notes.numbers.at(allowanceNote));
    if (!notes.numbers.count(longestNote)) return;
    allowanceBefore_ = notes.numbers.at(shorterNote);
    leastAllowance_ = notes.numbers.at(longestNote);
}
