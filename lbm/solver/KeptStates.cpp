// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/KeptStates.hpp"

#include "lbm/api/UnsetVector.hpp"
#include "lbm/solver/GroupSum.hpp"

namespace lbm {

namespace {

// Of solvers that have no way of their own.
struct HostStates final : KeptStates {
    std::vector<NodeIndex> nodes;
    UnsetVector<Macroscopic> states;
};

std::vector<NodeIndex> fluidNodesOf(const Domain& domain, const NodeBox& box)
{
    const std::vector<std::size_t> before = fluidBefore(domain, box);
    const std::size_t rows = before.size() - 1;
    std::vector<NodeIndex> nodes(before.back());
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) {
        const NodeIndex first = firstOfRow(domain, box, row);
        NodeIndex* to = nodes.data() + before[row];
        domain.fluid.forEachIn(first, box.size[0], [&](std::int64_t x) { *to++ = first + x; });
    }
    return nodes;
}

} // namespace

std::vector<std::size_t> fluidBefore(const Domain& domain, const NodeBox& box)
{
    const std::size_t rows = std::size_t(box.size[1]) * std::size_t(box.size[2]);
    std::vector<std::size_t> before(rows + 1);
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row)
        before[row + 1] = std::size_t(domain.fluid.countIn(firstOfRow(domain, box, row), box.size[0]));
    for (std::size_t row = 0; row < rows; ++row) before[row + 1] += before[row];
    return before;
}

std::shared_ptr<const KeptStates> keepStates(const Solver& solver, const NodeBox& box)
{
    if (const auto* own = dynamic_cast<const KeepsStates*>(&solver)) return own->keepStates(box);
    return keepOnHost(solver, box);
}

void setStates(Solver& solver, const KeptStates& states, const StateScale& scale)
{
    if (auto* own = dynamic_cast<KeepsStates*>(&solver)) return own->setStates(states, scale);
    setFromHost(solver, states, scale);
}

std::shared_ptr<const KeptStates> keepOnHost(const Solver& solver, const NodeBox& box)
{
    requireInside(solver.domain(), box);
    auto kept = std::make_shared<HostStates>();
    kept->nodes = fluidNodesOf(solver.domain(), box);
    kept->states.resize(kept->nodes.size());
    solver.sample(kept->nodes.data(), kept->nodes.size(), kept->states.data());
    kept->seen = {0, 0, 0, 0};
#pragma omp parallel
    {
        Extremes seen{0, 0, 0, 0};
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < kept->states.size(); ++i) include(seen, extremesOf(kept->states[i]));
#pragma omp critical(lbmKeepStates)
        include(kept->seen, seen);
    }
    return kept;
}

void setFromHost(Solver& solver, const KeptStates& states, const StateScale& scale)
{
    const auto& kept = ownStates<HostStates>(states);
    UnsetVector<Macroscopic> next(kept.states.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = scaled(kept.states[i], scale);
    solver.initialise(kept.nodes.data(), next.size(), next.data());
}

} // namespace lbm
