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
    const Foam::label parts = 4;

    const std::string noteName("steadyWatch");

    // Of the tolerance, a change in which rounding decides whether it declines
    const Foam::scalar none = 1e-3;

    std::string changeNote(const std::string& of) { return of + ".change"; }
    std::string intervalNote(const std::string& of) { return of + ".interval"; }
    const std::string looksNote("steadyWatch.looks");

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


Foam::scalar Foam::lbmSteadyWatch::decline::toCome
(
    std::vector<double>&& now,
    const scalar size
)
{
    const bool first = before.size() != now.size();
    const bool second = !first && change.size() != now.size();
    std::vector<double> since(first ? 0 : now.size());
    scalar all = 0, along = 0, last = 0;
    for (std::size_t i = 0; i < since.size(); ++i)
    {
        since[i] = now[i] - before[i];
        all += sqr(since[i]);
        if (second) continue;
        along += since[i]*change[i];
        last += sqr(change[i]);
    }
    before = std::move(now);
    change = std::move(since);
    if (first || second) return VGREAT;
    const scalar changed =
        Foam::sqrt(all/max(scalar(before.size()), scalar(1)))/max(size, VSMALL);
    const scalar ratio = last > 0 ? along/last : 0;
    // What only changes to and fro is no trend, and as much as it may come
    return ratio < 1 ? changed*max(ratio/(1 - ratio), scalar(1)) : GREAT;
}


void Foam::lbmSteadyWatch::decline::note
(
    lbm::CheckpointNotes& notes,
    const std::string& of
) const
{
    if (before.size()) notes.arrays[intervalNote(of)] = before;
    if (change.size()) notes.arrays[changeNote(of)] = change;
}


void Foam::lbmSteadyWatch::decline::recall
(
    const lbm::CheckpointNotes& notes,
    const std::string& of
)
{
    const auto array = [&](const std::string& name)
    {
        const auto found = notes.arrays.find(name);
        return found == notes.arrays.end() ? std::vector<double>() : found->second;
    };
    before = array(intervalNote(of));
    change = array(changeNote(of));
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


Foam::scalar Foam::lbmSteadyWatch::change(watched& one, scalar& size)
{
    const scalarField& cells = one.is.now();
    const label stride = max(cells.size()/many, label(1));
    scalarField now((cells.size() + stride - 1)/stride);
    forAll(now, i)
    {
        now[i] = cells[i*stride];
    }
    size = one.is.spread
        ? one.is.spread() : Foam::sqrt(sumSqr(now)/max(now.size(), 1));
    const bool first = one.before.size() != now.size();
    const scalar changed = first ? -1
      : Foam::sqrt(sumSqr(now - one.before)/max(now.size(), 1))/max(size, VSMALL);
    one.before.transfer(now);
    return changed;
}


Foam::scalar Foam::lbmSteadyWatch::toCome(watched& one, const scalar size) const
{
    if (looks_ > 0 || (through_ && !one.is.ownTime)) return VGREAT;
    return one.change.toCome
    (
        std::vector<double>(one.before.begin(), one.before.end()), size
    );
}


Foam::scalar Foam::lbmSteadyWatch::toComeOfU()
{
    if (looks_ > 0 || through_) return VGREAT;
    std::vector<double> values;
    scalar all = 0;
    for (const lbm::Vec3& u : before_)
    {
        values.insert(values.end(), u.begin(), u.end());
        all += sqr(u[0]) + sqr(u[1]) + sqr(u[2]);
    }
    const scalar size = Foam::sqrt(all/max(scalar(values.size()), scalar(1)));
    return change_.toCome(std::move(values), size);
}


bool Foam::lbmSteadyWatch::rests(watched& one, const scalar passed) const
{
    const field& is = one.is;
    scalar size;
    const scalar changed = change(one, size);
    const scalar toCome = this->toCome(one, size);
    if (changed < 0) return false;
    const bool small = changed < none*is.tolerance;
    const scalar perInterval = changed*interval_/passed;
    if (is.ownTime)
    {
        Info<< "change of " << is.name << " since then: " << changed << " of " << size
            << ' ' << is.unit;
        if (!small) tellToCome(toCome);
        Info<< " (steady at " << is.tolerance << ")" << nl;
        return small || toCome < is.tolerance;
    }
    Info<< "change of " << is.name << " in that time: " << perInterval << " (steady at "
        << is.tolerance << ")";
    if (!small) tellToCome(toCome);
    Info<< nl;
    return perInterval < is.tolerance && (through_ || small || toCome < is.tolerance);
}


bool Foam::lbmSteadyWatch::restsU(const scalar changed, const scalar passed)
{
    const scalar toCome = toComeOfU();
    const bool small = changed < none*tolerance_;
    const scalar perInterval = changed*interval_/passed;
    Info<< "change of U in " << interval_ << " s: " << perInterval
        << " (steady at " << tolerance_ << ")";
    if (!small) tellToCome(toCome);
    Info<< nl;
    atRest_ = perInterval < tolerance_ && (through_ || small || toCome < tolerance_);
    return atRest_;
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
        scalar size;
        toComeOfU();
        for (watched& one : fields_)
        {
            change(one, size);
            toCome(one, size);
        }
        return false;
    }
    looks_ = (looks_ + 1) % parts;
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
    if (lastChange_ >= 0 && (ends_ ? !atRest_ : lastChange_ > tolerance_))
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
    notes.numbers[looksNote] = looks_;
    change_.note(notes, noteName);
    std::vector<double>& values = notes.arrays[noteName];
    for (const lbm::Vec3& u : before_)
    {
        values.insert(values.end(), u.begin(), u.end());
    }
    for (const watched& one : fields_)
    {
        const std::string name = fieldNote(one.is.name);
        notes.arrays[name].assign(one.before.begin(), one.before.end());
        one.change.note(notes, name);
    }
}


void Foam::lbmSteadyWatch::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName);
    if (found == notes.arrays.end()) return;
    const std::vector<double>& values = found->second;
    if (values.size() != 3*sample_.size()) return;

    lastTime_ = notes.numbers.at(noteName);
    change_.recall(notes, noteName);
    const auto looks = notes.numbers.find(looksNote);
    if (looks != notes.numbers.end()) looks_ = label(looks->second);
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
        one.change.recall(notes, name);
    }
}
