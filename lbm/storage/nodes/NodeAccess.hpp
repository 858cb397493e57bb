// NodeAccess: from where a node stores its slots (own, across: given by the derived class) to where a phase of a
// pattern loads and stores populations. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/nodes/Phase.hpp"

#include <cstddef>
#include <cstdint>

namespace lbm {

// Tiles as they lie in device memory.
struct PackedTile {
    std::uint64_t fluid;         // bit n: node n is fluid
    std::uint32_t first, stride; // fluid nodes and padding before it; distance of its slots
};

struct TilesView {
    std::int32_t tiles;
    const std::int32_t* neighbours; // [tiles][27], by 13 + dx + 3 dy + 9 dz
    const std::int32_t* detailOf;   // [tiles]: row of `links`, or one of the words below
    const std::uint32_t* links;     // [details][N]: bit q: the population that arrives along q was reflected
    // Patterns that pack their tiles alone: tiles, and the first tile of each block of threads.
    const PackedTile* packed;   // [tiles + 1]
    const std::int32_t* blocks; // [blockCount + 1]
    std::int32_t blockCount;
    // Patterns that number nodes of the box or fluid nodes (see Layout); `tiles` counts their runs.
    const std::uint32_t* sources; // connectivity: [Q - 1][stored], where populations 1, 2, ... come from
    const std::int32_t* index;    // fluidIndex: [box], number among the fluid nodes, -1: solid
    const std::uint8_t* types;    // dense: [box], one of NodeType
    std::size_t stored;           // distance of slots
    std::int32_t size[3];         // of the box
    bool periodic[3];
    // Tiles with ghost buffers: where each tile's are ([tiles][entries], see GhostTable), and where the two copies begin.
    const std::int32_t* ghosts;
    std::size_t ghostStart[2];
};

enum NodeType : std::uint8_t { fluidType, solidType, thinWallType }; // the last: fluid, and `links` tells more

// Nodes that a block of threads works on at once, and tiles that they come from at most.
constexpr int packedBlock = 128, mostTilesOfBlock = 8;

// No link of the tile reflects, and to a packed one the tiles around it are full; none needs a word to tell so.
constexpr std::int32_t plainTile = -1, wordlessTile = -2;

// Bit 0 belongs to the rest population, which has no link, and the last one to none: a node with it has a CurvedNode.
constexpr std::uint32_t solidNode = 1, curvedNode = std::uint32_t(1) << 31;

// The node `sign` links along q from node x of a tile: which tile of the 27, which node in it.
struct TileStep {
    int tile, node;
};

template<class L, class TileT, int q, int sign>
LBM_HD LBM_INLINE TileStep nodeAcross(const int (&x)[3])
{
    int tile = 13, tileStride = 1, node = 0, stride = 1;
    unroll<3>([&](auto a) __attribute__((always_inline)) {
        constexpr int c = sign * L::c[q][a], extent = a == 0 ? TileT::TX : a == 1 ? TileT::TY : TileT::TZ;
        int v = x[a] + c;
        if constexpr (c > 0) {
            if (v == extent) {
                v = 0;
                tile += tileStride;
            }
        }
        if constexpr (c < 0) {
            if (v < 0) {
                v = extent - 1;
                tile -= tileStride;
            }
        }
        node += stride * v;
        stride *= extent;
        tileStride *= 3;
    });
    return {tile, node};
}

// The same for a link that is known at run time only.
template<class L, class TileT>
LBM_HD LBM_INLINE TileStep nodeAcross(const int (&x)[3], int q, int sign)
{
    int tile = 13, tileStride = 1, node = 0, stride = 1;
    unroll<3>([&](auto a) __attribute__((always_inline)) {
        constexpr int extent = a == 0 ? TileT::TX : a == 1 ? TileT::TY : TileT::TZ;
        const int v = x[a] + sign * component<L>(q, a), over = v == extent ? 1 : v < 0 ? -1 : 0;
        node += stride * (v - over * extent);
        tile += over * tileStride;
        stride *= extent;
        tileStride *= 3;
    });
    return {tile, node};
}

// A node's place among those of the box, and the way to its neighbours.
struct BoxPlace {
    std::int32_t x[3];

    LBM_HD BoxPlace(const TilesView& view, std::uint32_t node) :
        x{std::int32_t(node % view.size[0]), std::int32_t(node / view.size[0] % view.size[1]),
          std::int32_t(node / view.size[0] / view.size[1])}
    {}

    // The node `sign` links along q; -1: outside.
    template<class L, int q, int sign>
    LBM_HD LBM_INLINE std::int64_t across(const TilesView& view) const
    {
        std::int64_t node = 0, stride = 1;
        bool outside = false;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int c = sign * L::c[q][a];
            std::int32_t v = x[a] + c;
            if constexpr (c != 0) {
                if (v < 0 || v == view.size[a]) {
                    if (!view.periodic[a]) outside = true;
                    v = c > 0 ? 0 : view.size[a] - 1;
                }
            }
            node += stride * v;
            stride *= view.size[a];
        });
        return outside ? -1 : node;
    }
};

// Patterns without tiles ask for nothing around theirs.
struct NothingAround {
    LBM_HD static NothingAround of(const TilesView&, std::int32_t, int) { return {}; }
};

// What a node must know of the 27 tiles around it comes from an array of Around, or is looked up when asked for.
template<class Around>
struct Lookup {
    const TilesView& view;
    std::int32_t tile;

    LBM_HD Around operator[](int n) const { return Around::of(view, tile, n); }
};

template<class Node, class L>
class NodeAccess {
public:
    // Where population q is found that arrives at this node in a step of the given kind ...
    template<class Access, int q>
    LBM_HD std::size_t load() const
    {
        if constexpr (!Access::neighbour || q == 0) return node().own(Access::slot(q));
        else return node().template across<q, -1>(Access::slot(q), Access::slot(opposite(q)));
    }

    // ... and where the one goes that leaves along q.
    template<class Access, int q>
    LBM_HD std::size_t store() const
    {
        if constexpr (!Access::neighbour || q == 0) return node().own(Access::slot(q));
        else return node().template across<q, 1>(Access::slot(q), Access::slot(opposite(q)));
    }

    // Between steps: where the population lies that left along q and is waiting to be loaded by `Next`.
    template<class Next, int q>
    LBM_HD std::size_t waiting() const
    {
        if constexpr (Next::neighbour) return node().own(Next::slot(q));
        else return store<Access<true, Next::slot(1) != 1>, q>();
    }

    // Both with q known at run time only.
    template<class Access>
    LBM_HD std::size_t load(int q) const
    {
        if constexpr (!Access::neighbour) return node().own(Access::slot(q));
        std::size_t at = 0;
        unroll<L::Q>([&](auto i) __attribute__((always_inline)) {
            if (i == q) at = load<Access, i>();
        });
        return at;
    }

    template<class Next>
    LBM_HD std::size_t waiting(int q) const
    {
        if constexpr (Next::neighbour) return node().own(Next::slot(q));
        std::size_t at = 0;
        unroll<L::Q>([&](auto i) __attribute__((always_inline)) {
            if (i == q) at = waiting<Next, i>();
        });
        return at;
    }

    // Between steps: what `Next` will load as population q of a reflecting link.
    template<class Next>
    LBM_HD std::size_t reflected(int q) const
    {
        return node().own(Next::slot(Next::neighbour ? opposite(q) : q));
    }

private:
    LBM_HD const Node& node() const { return static_cast<const Node&>(*this); }
};

} // namespace lbm
