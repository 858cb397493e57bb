// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmGuardTally.H"
#include "messageStream.H"

namespace
{
    // Share of the volume
    const Foam::scalar tolerable = 0.01;
}


void Foam::lbmGuardTally::note(const scalar share, const scalar added)
{
    last_ = share;
    most_ = max(most_, share);
    if (share > 0) factor_ = max(factor_, 1 + added);
}


void Foam::lbmGuardTally::tell
(
    const scalar dx,
    const char* const model
) const
{
    if (!(most_ > 0)) return;
    Info<< "Guard: viscosity was raised in " << 100*last_ << " % of the volume at"
        << " the end, at most in " << 100*most_ << " %, up to " << factor_
        << " times." << nl;
    if (last_ <= tolerable)
    {
        Info<< "    That is no more than " << 100*tolerable << " %: elsewhere the"
            << " flow is the case's" << nl << endl;
        return;
    }
    Info<< "    The flow is under-resolved: where viscosity is raised it is that"
        << " of a thicker fluid, and forces and losses are those of the guard."
        << nl << "    Way out: " << model
        << "cells of " << dx/factor_ << " m, where none is raised" << nl
        << endl;
}
