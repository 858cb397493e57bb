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

    const std::size_t nValues = lbm::valuesOf(lbm::Reading::flow);
}


Foam::lbmSteadyWatch::lbmSteadyWatch
(
    const lbm::Solver& solver,
    const scalar tolerance,
    const scalar interval
)
:
    solver_(solver),
    tolerance_(tolerance),
    interval_(interval),
    lastTime_(-GREAT)
{
    const lbm::Domain& domain = solver.domain();
    const lbm::NodeIndex stride =
        std::max<lbm::NodeIndex>(1, domain.fluidNodes()/manyNodes);
    lbm::NodeIndex count = 0;
    std::vector<lbm::NodeIndex> nodes;
    for (lbm::NodeIndex node = 0; node < domain.nodes(); ++node)
    {
        if (domain.fluid[node] && count++ % stride == 0) nodes.push_back(node);
    }
    nodes_ = solver.place(nodes.data(), nodes.size());
    flow_.resize(nValues*nodes.size());
}


Foam::scalar Foam::lbmSteadyWatch::change(const lbmUnits& units)
{
    solver_.sample(*nodes_, lbm::Reading::flow, flow_.data());
    before_.resize(nodes_->size(), {0, 0, 0});
    const scalar toSI = units.dx()/units.dt();
    scalar changed = 0, all = 0;
    for (std::size_t i = 0; i < nodes_->size(); ++i)
    {
        for (int a = 0; a < 3; ++a)
        {
            const scalar u = toSI*flow_[nValues*i + 1 + a];
            changed += sqr(u - before_[i][a]);
            all += sqr(u);
            before_[i][a] = u;
        }
    }
    return std::sqrt(changed/max(all, VSMALL));
}


bool Foam::lbmSteadyWatch::steady(const scalar time, const lbmUnits& units)
{
    if (time < lastTime_ + interval_/parts) return false;

    const bool first = before_.empty();
    const scalar passed = time - lastTime_;
    lastTime_ = time;
    const scalar changed = change(units);
    if (first) return false;

    const scalar perInterval = changed*interval_/passed;
    Info<< "change of U in " << interval_ << " s: " << perInterval
        << " (steady at " << tolerance_ << ")" << nl;
    return perInterval < tolerance_;
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
}


void Foam::lbmSteadyWatch::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName);
    if (found == notes.arrays.end()) return;
    const std::vector<double>& values = found->second;
    if (values.size() != 3*nodes_->size()) return;

    lastTime_ = notes.numbers.at(noteName);
    before_.resize(nodes_->size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        before_[i/3][i % 3] = values[i];
    }
}
