// RoundedPlaces: what a node is rounded at random by where moments are stored in 16 bits (MomentCode): a number for each node of the
// whole domain, which differs from step to step. Whichever parts there are and wherever their tiles begin, whichever runs there are and in
// whatever order, and wherever a ring has a tile, a node is rounded alike.
// A column of nodes, along the axis along which blocks slide, has a number in a step, by its place in the whole domain; those of its nodes
// follow each other from there, from the first one of the whole domain on. Of each tile it is known what comes between (RoundedTile), so that
// a run of tiles begins anywhere, and costs one product for each further node. (Numbers by groups of as many nodes as a tile is deep, each by
// its place, took 5 % more instructions: lbm/bench/results/two-gpus.md.)
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
constexpr std::uint32_t randomFactor = 1664525u, randomTerm = 1013904223u;
LBM_HD LBM_INLINE std::uint32_t randomAfter(std::uint32_t r) { return r * randomFactor + randomTerm; }

// All modulo 2^32.
struct RoundedTile {
    std::uint32_t place;        // of the column of the tile's first node
    std::uint32_t factor, term; // from a column's number to that of its node below the tile
};

// What kernels are given.
struct RoundedPlaces {
    const RoundedTile* tiles; // [tiles]
    std::uint32_t row;        // from a place to that of the next row of columns

    // Of the node below a tile. node: of the tile's first layer, X nodes wide. Those above it follow by randomAfter.
    template<int X>
    LBM_HD LBM_INLINE std::uint32_t below(const RoundedTile& tile, int node, std::uint32_t step) const
    {
        const std::uint32_t place = tile.place + std::uint32_t(node % X) + row * std::uint32_t(node / X);
        return randomOf(placeInStep(place, step)) * tile.factor + tile.term;
    }

    // Of any node.
    template<class Layer>
    LBM_HD LBM_INLINE std::uint32_t random(std::int32_t tile, int local, std::uint32_t step) const
    {
        std::uint32_t r = below<Layer::X>(tiles[tile], local % Layer::nodes, step);
        for (int i = local / Layer::nodes; i >= 0; --i) r = randomAfter(r);
        return r;
    }
};

// As the host makes them, for a part or a whole domain.
struct PlacesOfTiles {
    std::vector<RoundedTile> tiles;
    std::uint32_t row = 0;

    PlacesOfTiles() = default;
    PlacesOfTiles(const TileGrid& grid, const Domain& domain) :
        tiles(std::size_t(grid.tiles())), row(std::uint32_t(domain.sizeOfWhole()[0]))
    {
        const int axis = domain.dimensions - 1;
        const Int3& at = domain.inWhole;
        for (std::int32_t t = 0; t < grid.tiles(); ++t) {
            const Int3 x = grid.origin(t);
            RoundedTile& tile = tiles[std::size_t(t)];
            tile = {std::uint32_t(at[0] + x[0]) + (axis == 2 ? row * std::uint32_t(at[1] + x[1]) : 0), 1, 0};
            // So many times randomAfter, by powers of two of them. Below the first node of all that is 2^32 - 1 times, as once back.
            std::uint32_t factor = randomFactor, term = randomTerm;
            for (std::uint32_t left = std::uint32_t(at[axis] + x[axis] - 1); left > 0; left /= 2) {
                if (left % 2 == 1) tile = {tile.place, tile.factor * factor, tile.term * factor + term};
                term *= factor + 1;
                factor *= factor;
            }
        }
    }

    // where: `tiles`, where who looks at it has it.
    RoundedPlaces view(const RoundedTile* where) const { return {where, row}; }
};

} // namespace lbm
