// Slabs: a box of nodes cut into planes that threads work on.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ColumnScan.hpp"
#include "lbm/api/inParallel.hpp"

#include <numeric>

namespace lbm::exact {

// So many planes begin at a word of the BitSet again.
inline int grainOf(const Int3& size) { return int(64 / std::gcd<NodeIndex>(64, NodeIndex(size[0]) * size[1])); }

// Of planes [begin, end): slabs that start at a word, as `begin` is to, about eight a thread.
inline std::vector<Slab> slabs(const Int3& size, int begin, int end, int threads)
{
    const int grain = grainOf(size);
    const int wanted = std::max(1, (end - begin) / (8 * threads));
    const int thick = (wanted + grain - 1) / grain * grain;
    std::vector<Slab> result;
    for (; begin < end; begin += thick) result.push_back({size, begin, std::min(end, begin + thick)});
    return result;
}

// Rows of some planes of a slab, which a thread takes at a time: a side of the box lies in one plane, with as many nodes that have
// links as a body that lies in few slabs.
struct SomeRows {
    std::size_t slab;
    int zBegin, zEnd, yBegin, yEnd;
};

// In their order, if a plane each.
inline std::vector<SomeRows> rowsOf(const std::vector<Slab>& slabs, int planes)
{
    constexpr int rows = 32;
    std::vector<SomeRows> result;
    for (std::size_t i = 0; i < slabs.size(); ++i)
        for (int z = slabs[i].begin; z < slabs[i].end; z += planes)
            for (int y = 0; y < slabs[i].size[1]; y += rows)
                result.push_back({i, z, std::min(slabs[i].end, z + planes), y, std::min(slabs[i].size[1], y + rows)});
    return result;
}

// Of things with weights, groups of those that follow each other, as few as make `least` or more: where each begins, and the last ends.
inline std::vector<std::size_t> groupsOf(const std::vector<std::size_t>& weights, std::size_t least)
{
    std::vector<std::size_t> begins = {0};
    std::size_t weight = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weight += weights[i];
        if (weight < least && i + 1 < weights.size()) continue;
        begins.push_back(i + 1);
        weight = 0;
    }
    return begins;
}

// Planes [begin, end) as a slab of their own.
inline NodeIndex firstNode(const Slab& slab) { return NodeIndex(slab.size[0]) * slab.size[1] * slab.begin; }
inline NodeIndex endNode(const Slab& slab) { return NodeIndex(slab.size[0]) * slab.size[1] * slab.end; }

// Runs body(i) for i < n on several threads; an exception of one is thrown here after all ended.
template<class Body>
void parallelFor(int n, int threads, const Body& body)
{
    inParallel(
        std::size_t(n), [&](std::size_t i) { body(int(i)); }, threads);
}

} // namespace lbm::exact
