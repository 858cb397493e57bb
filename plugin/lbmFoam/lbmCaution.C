// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCaution.H"

namespace
{
    // What a failed time step leaves of the guard's grid Reynolds number, and
    // by how much its lattice steps get shorter
    const Foam::scalar failedShare = 0.25;
    const Foam::scalar failedAllowance = 1.2;

    // Where the flow gets faster than the lattice should have it
    const Foam::scalar fastShare = 0.5;

    // Of maxMach: below the first the time step is made longer, to have the second
    const Foam::scalar slowShare = 0.6, calmShare = 0.9;

    // As trt bears beside moving walls: what is still to be had of every
    // collision
    const Foam::scalar leastGuard = 15;

    // Times the reference speed: beyond it is no flow that was asked for
    const Foam::scalar mostAllowance = 8;

    const std::string guardNote("caution.guard");
    const std::string allowanceNote("caution.allowance");
}


Foam::lbmCaution::lbmCaution(const lbmControls& controls, const scalar guard)
:
    guardIsFree_(!(controls.maxGridReynolds() > 0)),
    stepIsFree_
    (
        !(controls.referenceSpeed() > 0) && !(controls.deltaT() > 0)
     && !controls.dict().found("maxMach")
    ),
    maxMach_(controls.maxMach()),
    guard_(guard),
    allowance_(1)
{}


bool Foam::lbmCaution::lower(const scalar share, const scalar allowance)
{
    const scalar guard =
        guardIsFree_ ? min(guard_, max(leastGuard, share*guard_)) : guard_;
    const scalar speed =
        stepIsFree_ ? min(mostAllowance, allowance*allowance_) : allowance_;
    if (guard == guard_ && speed == allowance_) return false;

    guard_ = guard;
    allowance_ = speed;
    return true;
}


bool Foam::lbmCaution::afterFailure()
{
    return lower(failedShare, failedAllowance);
}


bool Foam::lbmCaution::atMach(const scalar mach)
{
    if (mach > lbmControls::machLimit)
    {
        return lower(fastShare, mach/(0.75*lbmControls::machLimit));
    }
    if (allowance_ <= 1 || mach > slowShare*maxMach_) return false;
    allowance_ = max(scalar(1), allowance_*mach/(calmShare*maxMach_));
    return true;
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
}


void Foam::lbmCaution::recall(const lbm::CheckpointNotes& notes)
{
    const auto guard = notes.numbers.find(guardNote);
    if (guard == notes.numbers.end()) return;
    if (guardIsFree_) guard_ = guard->second;
    if (stepIsFree_) allowance_ = notes.numbers.at(allowanceNote);
}
