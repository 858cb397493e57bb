// ScalarGroups: ScalarGeometry for threads side by side. 32 nodes one after the other are a group: of one run, whose offsets all of its
// threads read, or of several, and of edges, which have their sources listed, thread by thread.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/scalar/ScalarPull.hpp"

#include <vector>

namespace lbm {

// Where the step runs.
struct ScalarGroupsView {
    std::int32_t nodes;
    const std::int32_t* of;      // [groups]: row of `offsets`, or -1 - row of `sources`
    const std::int32_t* offsets; // [rows][Q]: how far the node is that each population comes from
    const std::int32_t* sources; // [rows][Q][32]: the node, or -1 - slot
};

struct ScalarGroups {
    static constexpr int nodes = 32; // of a group

    ScalarGroups(const ScalarGeometry&, int links);

    ScalarGroupsView view() const { return {count, of.data(), offsets.data(), sources.data()}; }

    std::size_t bytes() const { return (of.size() + offsets.size() + sources.size()) * sizeof(std::int32_t); }

    std::int32_t count; // of nodes
    std::vector<std::int32_t> of, offsets, sources;
};

// g: what arrives at node i, not collided.
template<int D, class R>
LBM_HD LBM_INLINE void pullScalar(const ScalarGroupsView& view, const R* sent, const R* arrives, std::int32_t i,
                                  R (&g)[1 + 2 * D])
{
    constexpr int Q = 1 + 2 * D;
    const std::int32_t group = view.of[i / ScalarGroups::nodes];
    if (group >= 0) {
        const std::int32_t* offsets = view.offsets + std::size_t(group) * Q;
        for (int q = 0; q < Q; ++q) g[q] = sent[std::size_t(q) * view.nodes + i + offsets[q]];
        return;
    }
    const std::int32_t* sources =
        view.sources + std::size_t(-1 - group) * Q * ScalarGroups::nodes + i % ScalarGroups::nodes;
    for (int q = 0; q < Q; ++q) g[q] = cameFrom(sources[q * ScalarGroups::nodes], q, sent, arrives, view.nodes);
}

// In the order in which a CPU adds.
template<int D, class R>
LBM_HD LBM_INLINE R sumOfScalar(const R (&g)[1 + 2 * D])
{
    R sum = g[0];
    for (int q = 1; q < 1 + 2 * D; ++q) sum += g[q];
    return sum;
}

} // namespace lbm
