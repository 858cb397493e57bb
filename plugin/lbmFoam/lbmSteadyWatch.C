// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSteadyWatch.H"
#include "IOstreams.H"

#include <cmath>

const Foam::scalar Foam::lbmSteadyWatch::loosest = 0.01;

namespace
{
    // About so many nodes and cells are looked at, evenly spread
    const Foam::label many = 20000;

    // The change in an interval is told from that in a part of it
    const Foam::scalar parts = 4;

    const std::string noteName("steadyWatch");

    // Of the tolerance, a change in which rounding decides whether it declines
    const Foam::scalar none = 1e-3;

    // That tell how a change declines: in two intervals
    const int looks = 8;

    std::string changesNote(const std::string& of) { return of + ".changes"; }

    std::string fieldNote(const Foam::word& name) { return noteName + "." + name; }

    void tellToCome(const Foam::scalar toCome)
    {
        if (toCome > Foam::GREAT) return; // not known yet
        Foam::Info<< ", to come: ";
        if (toCome < Foam::GREAT) Foam::Info<< toCome;
        else Foam::Info<< "it does not decline";
    }
}


Foam::lbmSteadyWatch::lbmSteadyWatch
(
    const lbm::Solver& solver,
    const scalar tolerance,
    const scalar interval,
    const bool through,
    const bool ends
)
:
    sample_(solver, many),
    tolerance_(tolerance),
    interval_(interval),
    through_(through),
    ends_(ends),
    lastTime_(-GREAT)
{}


Foam::scalar Foam::lbmSteadyWatch::decline::toCome(const scalar now)
{
    changes.push_back(now);
    if (changes.size() <= std::size_t(looks)) return VGREAT;
    const scalar since = changes.front();
    changes.erase(changes.begin());
    if (!(since > 0)) return 0;
    const scalar ratio = std::pow(now/since, 1.0/looks);
    return ratio < 1 ? now*ratio/(1 - ratio) : GREAT;
}


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


Foam::scalar Foam::lbmSteadyWatch::change(watched& one)
{
    const scalarField& cells = one.is.now();
    const label stride = max(cells.size()/many, label(1));
    scalarField now((cells.size() + stride - 1)/stride);
    forAll(now, i)
    {
        now[i] = cells[i*stride];
    }
    if (one.before.size() != now.size())
    {
        one.before.transfer(now);
        one.change = decline();
        return -1;
    }
    const scalar size = one.is.spread
        ? one.is.spread() : Foam::sqrt(sumSqr(now)/max(now.size(), 1));
    const scalar changed =
        Foam::sqrt(sumSqr(now - one.before)/max(now.size(), 1))/max(size, VSMALL);
    one.before.transfer(now);
    return changed;
}


bool Foam::lbmSteadyWatch::rests(watched& one, const scalar passed) const
{
    const field& is = one.is;
    const scalar changed = change(one);
    if (changed < 0) return false;
    const scalar toCome = one.change.toCome(changed);
    const bool small = changed < none*is.tolerance;
    const scalar perInterval = changed*interval_/passed;
    if (is.ownTime)
    {
        Info<< "change of " << is.name << " since then: " << changed << " of "
            << is.spread() << " K";
        if (!small) tellToCome(toCome);
        Info<< " (steady at " << is.tolerance << ")" << nl;
        return small || toCome < is.tolerance;
    }
    Info<< "change of " << is.name << " in that time: " << perInterval << " (steady at "
        << is.tolerance << ")";
    if (!through_ && !small) tellToCome(toCome);
    Info<< nl;
    return perInterval < is.tolerance && (through_ || small || toCome < is.tolerance);
}


bool Foam::lbmSteadyWatch::restsU(const scalar changed, const scalar passed)
{
    const scalar toCome = change_.toCome(changed);
    const bool small = changed < none*tolerance_;
    const scalar perInterval = changed*interval_/passed;
    Info<< "change of U in " << interval_ << " s: " << perInterval
        << " (steady at " << tolerance_ << ")";
    if (!through_ && !small) tellToCome(toCome);
    Info<< nl;
    return perInterval < tolerance_ && (through_ || small || toCome < tolerance_);
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
        for (watched& one : fields_) change(one);
        return false;
    }
    lastChange_ = changed*interval_/passed;
    if (!ends_) return false;
    bool rest = restsU(changed, passed);
    for (watched& one : fields_)
    {
        one.atRest = rests(one, passed);
        rest = rest && one.atRest;
    }
    return rest;
}


void Foam::lbmSteadyWatch::tellEnd() const
{
    if (lastChange_ > tolerance_)
    {
        Info<< "The flow is not steady: U still changes by " << 100*lastChange_
            << " % in the time that the reference speed takes along the longest side" << nl;
    }
    for (const watched& one : fields_)
    {
        if (!ends_ || lastChange_ < 0 || one.atRest) continue;
        Info<< "The flow is not steady: " << one.is.name << " is not at rest" << nl;
    }
}


void Foam::lbmSteadyWatch::note(lbm::CheckpointNotes& notes) const
{
    if (before_.empty()) return;
    notes.numbers[noteName] = lastTime_;
    notes.arrays[changesNote(noteName)] = change_.changes;
    std::vector<double>& values = notes.arrays[noteName];
    for (const lbm::Vec3& u : before_)
    {
        values.insert(values.end(), u.begin(), u.end());
    }
    for (const watched& one : fields_)
    {
        const std::string name = fieldNote(one.is.name);
        notes.arrays[name].assign(one.before.begin(), one.before.end());
        notes.arrays[changesNote(name)] = one.change.changes;
    }
}


void Foam::lbmSteadyWatch::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName);
    if (found == notes.arrays.end()) return;
    const std::vector<double>& values = found->second;
    if (values.size() != 3*sample_.size()) return;

    lastTime_ = notes.numbers.at(noteName);
    const auto changesOf = [&](const std::string& of)
    {
        const auto noted = notes.arrays.find(changesNote(of));
        return noted == notes.arrays.end() ? std::vector<double>() : noted->second;
    };
    change_.changes = changesOf(noteName);
    before_.resize(sample_.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        before_[i/3][i % 3] = values[i];
    }
    for (watched& one : fields_)
    {
        const std::string name = fieldNote(one.is.name);
        const auto noted = notes.arrays.find(name);
        if (noted == notes.arrays.end()) continue;
        one.before.setSize(label(noted->second.size()));
        std::copy(noted->second.begin(), noted->second.end(), one.before.begin());
        one.change.changes = changesOf(name);
    }
}
