// TileNode: the tiles as one thread of a device sees them, a node at a time. Populations: [tile][slot][node].
// A node knows two sorts of links: to the node across, and reflecting ones, whose population comes back to it.
// Everything else (openings, moving walls, wraps off the tiles' boundaries) is a reflecting link whose value
// is replaced before the step, see Exchange.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Macros.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/storage/Phase.hpp"

#include <cstddef>
#include <cstdint>

namespace lbm {

// Device memory that describes the tiles.
struct TileView {
    std::int32_t tiles;
    const std::int32_t* neighbours;     // [tiles][27], by 13 + dx + 3 dy + 9 dz
    const std::int32_t* detailOf;       // [tiles]: row of `links`; -1: every node is fluid and no link reflects
    const std::uint32_t* links;         // [details][N]: bit q: the population that arrives along q was reflected
};

// Bit 0 belongs to the rest population, which has no link.
constexpr std::uint32_t solidNode = 1;

template<class LatticeT, class TileT>
class TileNode {
public:
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N;
    static constexpr std::size_t tileSize = std::size_t(L::Q)*N;

    // around: the tile's 27 neighbours.
    LBM_HD TileNode(const TileView& view, const std::int32_t* around, std::int32_t tile, int local)
    :
        around_(around), own_(tile*tileSize), local_(local)
    {
        x_[0] = local % TileT::TX;
        x_[1] = local/TileT::TX % TileT::TY;
        x_[2] = local/(TileT::TX*TileT::TY);
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail)*N + local];
    }

    LBM_HD bool fluid() const { return !(links_ & solidNode); }
    LBM_HD bool reflects(int q) const { return links_ >> q & 1; }

    LBM_HD std::size_t own(int slot) const { return own_ + slot*N + local_; }

    // The same slot `sign` links along q.
    template<int q, int sign>
    LBM_HD std::size_t across(int slot) const
    {
        int tile = 13, node = 0, stride = 1, tileStride = 1;
        constexpr int extents[3] = {TileT::TX, TileT::TY, TileT::TZ};
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int step = sign*L::c[q][a], extent = extents[a];
            int v = x_[a] + step;
            if constexpr (step > 0) {
                if (v == extent) { v = 0; tile += tileStride; }
            }
            if constexpr (step < 0) {
                if (v < 0) { v = extent - 1; tile -= tileStride; }
            }
            node += stride*v;
            stride *= extent;
            tileStride *= 3;
        });
        return std::size_t(std::uint32_t(around_[tile]))*tileSize + slot*N + node;
    }

    // Where population q is found that arrives at this node in a step of the given kind ...
    template<class Access, int q>
    LBM_HD std::size_t load() const
    {
        if constexpr (!Access::neighbour || q == 0) return own(Access::slot(q));
        else return reflects(q) ? own(Access::slot(opposite(q))) : across<q, -1>(Access::slot(q));
    }

    // ... and where the one goes that leaves along q.
    template<class Access, int q>
    LBM_HD std::size_t store() const
    {
        if constexpr (!Access::neighbour || q == 0) return own(Access::slot(q));
        else return reflects(opposite(q)) ? own(Access::slot(opposite(q))) : across<q, 1>(Access::slot(q));
    }

    // Between steps: where the population lies that left along q and is waiting to be loaded by `Next`.
    template<class Next, int q>
    LBM_HD std::size_t waiting() const
    {
        if constexpr (Next::neighbour) return own(Next::slot(q));
        else return store<Access<true, Next::slot(1) != 1>, q>();
    }

    // Between steps: what `Next` will load as population q of a reflecting link.
    template<class Next>
    LBM_HD std::size_t reflected(int q) const { return own(Next::slot(Next::neighbour ? opposite(q) : q)); }

private:
    const std::int32_t* around_;
    std::size_t own_;
    int local_;
    int x_[3];
    std::uint32_t links_;
};

} // namespace lbm
