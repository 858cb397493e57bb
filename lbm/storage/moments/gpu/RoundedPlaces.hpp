// RoundedPlaces: what a node is rounded at random by where moments are stored in 16 bits (MomentCode): a number for each node of the
// whole domain, which differs from step to step. Whichever parts there are and wherever their tiles begin, whichever runs there are and in
// whatever order, and wherever a ring has a tile, a node is rounded alike.
// Numbers of a column of nodes, along the axis along which blocks slide, follow each other in groups of as many as a tile is deep, counted
// from the first node of the whole domain; the first of a group is found by its place.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"
#include "lbm/lattice/Macros.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

// Places are added to what place 0 has in a step.
LBM_HD LBM_INLINE std::uint32_t placeInStep(std::uint32_t place, std::uint32_t step)
{
    return place + step * 0x9E3779B1u;
}
LBM_HD LBM_INLINE std::uint32_t randomOf(std::uint32_t placeInStep)
{
    std::uint32_t r = placeInStep * 0x85EBCA6Bu;
    r = (r ^ r >> 15) * 0xC2B2AE35u;
    return r ^ r >> 13;
}
LBM_HD LBM_INLINE std::uint32_t randomAfter(std::uint32_t r) { return r * 1664525u + 1013904223u; }

// What kernels are given. All modulo 2^32.
struct RoundedPlaces {
    const std::uint32_t* first; // [tiles]: place of the group that the column of a tile's first node begins in
    std::uint32_t row, layer;   // from a place to that of the next row of columns, and of the next group
    std::int32_t before;        // nodes that a group has below a tile: the same for all tiles

    // Of a group that the column of a node begins in, beside that of the tile's first node. node: of its layer, X nodes wide.
    template<int X>
    LBM_HD LBM_INLINE std::uint32_t ofColumn(int node) const
    {
        return std::uint32_t(node % X) + row * std::uint32_t(node / X);
    }

    // From the number of the node below to that of a node in a tile's layer; group(): placeInStep of the group that the tile's column
    // begins in.
    template<int depth, class Group>
    LBM_HD LBM_INLINE std::uint32_t next(std::uint32_t below, int layerOfTile, Group&& group) const
    {
        if (layerOfTile == 0) {
            std::uint32_t r = randomOf(group());
            if constexpr (depth > 1)
                for (int i = 0; i < before; ++i) r = randomAfter(r);
            return r;
        }
        return layerOfTile + before == depth ? randomOf(group() + layer) : randomAfter(below);
    }

    // The same of any node, for whom none below is known.
    template<class Layer>
    LBM_HD LBM_INLINE std::uint32_t random(std::int32_t tile, int local, std::uint32_t step) const
    {
        const int at = local / Layer::nodes + before;
        std::uint32_t r = randomOf(placeInStep(
            first[tile] + ofColumn<Layer::X>(local % Layer::nodes) + std::uint32_t(at / Layer::depth) * layer, step));
        for (int i = at % Layer::depth; i > 0; --i) r = randomAfter(r);
        return r;
    }
};

// As the host makes them, for a part or a whole domain.
struct PlacesOfTiles {
    std::vector<std::uint32_t> first;
    std::uint32_t row = 0, layer = 0;
    std::int32_t before = 0;

    PlacesOfTiles() = default;
    PlacesOfTiles(const TileGrid& grid, const Domain& domain) : first(std::size_t(grid.tiles()))
    {
        const int axis = domain.dimensions - 1, depth = grid.extents()[axis];
        const Int3 &whole = domain.sizeOfWhole(), &at = domain.inWhole;
        row = std::uint32_t(whole[0]);
        layer = row * std::uint32_t(axis == 2 ? whole[1] : 1);
        before = (at[axis] % depth + depth) % depth;
        for (std::int32_t t = 0; t < grid.tiles(); ++t) {
            const Int3 x = grid.origin(t);
            const std::uint32_t column =
                std::uint32_t(at[0] + x[0]) + (axis == 2 ? row * std::uint32_t(at[1] + x[1]) : 0);
            first[std::size_t(t)] = column + layer * std::uint32_t((at[axis] + x[axis] - before) / depth);
        }
    }

    // firstOfTiles: `first`, where who looks at it has it.
    RoundedPlaces view(const std::uint32_t* firstOfTiles) const { return {firstOfTiles, row, layer, before}; }
};

} // namespace lbm
