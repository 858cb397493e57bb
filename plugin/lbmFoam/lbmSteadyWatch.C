// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSteadyWatch.H"
#include "IOstreams.H"

#include <cmath>

namespace
{
    // About so many nodes are looked at, evenly spread
    const lbm::NodeIndex manyNodes = 20000;

    // The change in an interval is told from that in a part of it
    const Foam::scalar parts = 4;

    const std::string noteName("steadyWatch");
    const std::string TNote("steadyWatch.T"), TChangedNote("steadyWatch.TChanged");

    // Of the tolerance, a change in which rounding decides whether it declines
    const Foam::scalar none = 1e-3;
}


Foam::lbmSteadyWatch::lbmSteadyWatch
(
    const lbm::Solver& solver,
    const scalar tolerance,
    const scalar interval
)
:
    sample_(solver, manyNodes),
    tolerance_(tolerance),
    interval_(interval),
    lastTime_(-GREAT)
{}


Foam::scalar Foam::lbmSteadyWatch::change(const lbmUnits& units)
{
    lbmFlowSample::state now;
    sample_.take(units, now);
    before_.resize(sample_.size(), {0, 0, 0});
    scalar changed = 0, all = 0;
    for (std::size_t i = 0; i < sample_.size(); ++i)
    {
        for (int a = 0; a < 3; ++a)
        {
            changed += sqr(now.U[i][a] - before_[i][a]);
            all += sqr(now.U[i][a]);
        }
    }
    before_ = std::move(now.U);
    return std::sqrt(changed/max(all, VSMALL));
}


bool Foam::lbmSteadyWatch::restsT(const bool first)
{
    if (!T_.now) return true;
    const scalarField& now = T_.now();
    const scalarField before(std::move(TBefore_));
    TBefore_ = now;
    if (first || before.size() != now.size()) return false;

    const scalar spread = max(T_.spread(), VSMALL);
    const scalar changed = Foam::sqrt(sumSqr(now - before)/max(now.size(), 1))/spread;
    const scalar last = TChanged_;
    TChanged_ = changed;
    if (changed < none*T_.tolerance)
    {
        Info<< "change of T since then: " << changed << " of " << spread << " K" << nl;
        return true;
    }
    if (!(last > 0)) return false;
    const scalar ratio = changed/last;
    const scalar toCome = ratio < 1 ? changed*ratio/(1 - ratio) : GREAT;
    Info<< "change of T since then: " << changed << " of " << spread << " K, to come: ";
    if (toCome < GREAT) Info<< toCome;
    else Info<< "it does not decline";
    Info<< " (steady at " << T_.tolerance << ")" << nl;
    return toCome < T_.tolerance;
}


bool Foam::lbmSteadyWatch::steady(const scalar time, const lbmUnits& units)
{
    if (time < lastTime_ + interval_/parts) return false;

    const bool first = before_.empty();
    const scalar passed = time - lastTime_;
    lastTime_ = time;
    const scalar changed = change(units);
    if (first)
    {
        restsT(true);
        return false;
    }

    const scalar perInterval = changed*interval_/passed;
    Info<< "change of U in " << interval_ << " s: " << perInterval
        << " (steady at " << tolerance_ << ")" << nl;
    const bool rests = restsT(false);
    return perInterval < tolerance_ && rests;
}


void Foam::lbmSteadyWatch::note(lbm::CheckpointNotes& notes) const
{
    if (before_.empty()) return;
    notes.numbers[noteName] = lastTime_;
    std::vector<double>& values = notes.arrays[noteName];
    for (const lbm::Vec3& u : before_)
    {
        values.insert(values.end(), u.begin(), u.end());
    }
    if (TBefore_.empty()) return;
    notes.arrays[TNote].assign(TBefore_.begin(), TBefore_.end());
    notes.numbers[TChangedNote] = TChanged_;
}


void Foam::lbmSteadyWatch::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName);
    if (found == notes.arrays.end()) return;
    const std::vector<double>& values = found->second;
    if (values.size() != 3*sample_.size()) return;

    lastTime_ = notes.numbers.at(noteName);
    before_.resize(sample_.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        before_[i/3][i % 3] = values[i];
    }
    const auto T = notes.arrays.find(TNote);
    if (T == notes.arrays.end()) return;
    TBefore_.setSize(label(T->second.size()));
    std::copy(T->second.begin(), T->second.end(), TBefore_.begin());
    TChanged_ = notes.numbers.at(TChangedNote);
}
