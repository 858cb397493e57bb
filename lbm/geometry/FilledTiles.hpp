// FilledTiles: which tiles of a box, from its first node on, hold a fluid node. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

class FilledTiles {
public:
    FilledTiles() = default; // none
    FilledTiles(const Domain& domain, const Int3& extents) : extents_(extents)
    {
        for (int a = 0; a < 3; ++a) size_[a] = (domain.size[a] + extents[a] - 1) / extents[a];
        filled_.assign(std::size_t(size_[0]) * std::size_t(size_[1]) * std::size_t(size_[2]), 0);
#pragma omp parallel for schedule(static) if (domain.nodes() > 1000000)
        for (int z = 0; z < size_[2]; ++z) // others' tiles are other threads'
            for (int node = z * extents[2]; node < std::min(domain.size[2], (z + 1) * extents[2]); ++node)
                for (int y = 0; y < domain.size[1]; ++y)
                    domain.fluid.forEachIn(domain.index(0, y, node), domain.size[0], [&](std::int64_t x) {
                        filled_[at(int(x) / extents[0], y / extents[1], z)] = 1;
                    });
    }

    const Int3& extents() const { return extents_; }
    NodeIndex count() const { return std::count(filled_.begin(), filled_.end(), 1); }

    // How many there are in each layer of tiles along an axis, of those that a box of nodes touches.
    std::vector<NodeIndex> byLayer(int axis, const Int3& first, const Int3& size) const
    {
        Int3 from, to;
        for (int a = 0; a < 3; ++a) {
            from[a] = first[a] / extents_[a];
            to[a] = (first[a] + size[a] - 1) / extents_[a] + 1;
        }
        std::vector<NodeIndex> counts(std::size_t(to[axis] - from[axis]), 0);
        for (int z = from[2]; z < to[2]; ++z)
            for (int y = from[1]; y < to[1]; ++y)
                for (int x = from[0]; x < to[0]; ++x) {
                    const Int3 tile{x, y, z};
                    counts[std::size_t(tile[axis] - from[axis])] += filled_[at(x, y, z)];
                }
        return counts;
    }

private:
    std::size_t at(int x, int y, int z) const
    {
        return std::size_t(x) + std::size_t(size_[0]) * (std::size_t(y) + std::size_t(size_[1]) * std::size_t(z));
    }

    Int3 extents_{1, 1, 1}, size_{0, 0, 0};
    std::vector<char> filled_;
};

} // namespace lbm
