// Slabs: a box of nodes cut into planes that threads work on.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ColumnScan.hpp"
#include "lbm/api/inParallel.hpp"

#include <numeric>

namespace lbm::exact {

// Slabs that start at a word of the BitSet, about eight a thread.
inline std::vector<Slab> slabs(const Int3& size, int threads)
{
    const NodeIndex plane = NodeIndex(size[0]) * size[1];
    const int grain = int(64 / std::gcd<NodeIndex>(64, plane));
    const int wanted = std::max(1, size[2] / (8 * threads));
    const int thick = (wanted + grain - 1) / grain * grain;
    std::vector<Slab> result;
    for (int begin = 0; begin < size[2]; begin += thick)
        result.push_back({size, begin, std::min(size[2], begin + thick)});
    return result;
}

// Runs body(i) for i < n on several threads; an exception of one is thrown here after all ended.
template<class Body>
void parallelFor(int n, int threads, const Body& body)
{
    inParallel(
        std::size_t(n), [&](std::size_t i) { body(int(i)); }, threads);
}

} // namespace lbm::exact
