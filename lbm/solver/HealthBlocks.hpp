// HealthBlocks: the nodes that Solver::health(stride) looks at: of the whole lattice, cut into equal blocks, about one block in `stride`,
// spread evenly. Which these are follows from coordinates in the whole alone: whoever looks at their share of it, parts, ranks and
// devices with whatever tiles, looks at the same nodes together. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace lbm {

class HealthBlocks {
public:
    // Nodes of a block: those of a GPU's tiles of moments, so that as few tiles as may be have some.
    static constexpr Int3 extents{32, 8, 4};

    // domain: a part or a whole. stride: 1 or more.
    HealthBlocks(const Domain& domain, int stride) : stride_(stride), inWhole_(domain.inWhole)
    {
        for (std::size_t a = 0; a < 3; ++a) {
            low_[a] = domain.ghostsBelow[a];
            high_[a] = domain.size[a] - domain.ghostsAbove[a];
            first_[a] = (low_[a] + inWhole_[a]) / extents[a];
            last_[a] = (high_[a] - 1 + inWhole_[a]) / extents[a];
        }
        // Rows and layers of blocks begin with another one each, whatever their lengths have in common with the stride
        const Int3& whole = domain.sizeOfWhole();
        row_ = coprime((whole[0] - 1) / extents[0] + 1);
        layer_ = coprime(row_ * ((whole[1] - 1) / extents[1] + 1));
    }

    // Rows of blocks along x that nodes of the domain lie in, ghosts aside.
    std::int64_t rows() const { return std::int64_t(last_[1] - first_[1] + 1) * (last_[2] - first_[2] + 1); }

    // f(box) for each block of a row that is looked at: what the domain has of it, ghosts aside.
    template<class F>
    void forRow(std::int64_t row, F&& f) const
    {
        const int across = last_[1] - first_[1] + 1;
        const Int3 at{first_[0], first_[1] + int(row % across), first_[2] + int(row / across)};
        const std::int64_t before = (at[0] + row_ * at[1] + layer_ * at[2]) % stride_;
        for (std::int64_t x = at[0] + (before ? stride_ - before : 0); x <= last_[0]; x += stride_)
            f(boxOf({int(x), at[1], at[2]}));
    }

private:
    // The next number from n on that has no factor in common with the stride.
    std::int64_t coprime(std::int64_t n) const
    {
        while (std::gcd(n, std::int64_t(stride_)) != 1) ++n;
        return n;
    }

    NodeBox boxOf(const Int3& block) const
    {
        NodeBox box;
        for (std::size_t a = 0; a < 3; ++a) {
            const int begin = block[a] * extents[a] - inWhole_[a];
            box.low[a] = std::max(low_[a], begin);
            box.size[a] = std::min(high_[a], begin + extents[a]) - box.low[a];
        }
        return box;
    }

    int stride_;
    Int3 inWhole_, low_{}, high_{}, first_{},
        last_{};               // low_, high_: nodes of the domain; first_, last_: blocks of the whole
    std::int64_t row_, layer_; // between the numbers of blocks that follow along y and z
};

} // namespace lbm
