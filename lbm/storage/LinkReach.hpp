// LinkReach: how far along an axis a step of a domain looks from a node, by the links and openings that are there. (Patches of a Config
// may look further, wherever they stand: lbm/boundary/Reach.hpp.) Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/LinkKinds.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace lbm {

// In layers of tiles: one for links, and more where what boundary nodes draw on lies further away.
template<class L, class T, class TileT>
int layersLookedAt(const TileGeometry<L, T, TileT>& geometry, int axis)
{
    const TileGrid& grid = geometry.grid();
    const int layers = int(grid.tilesBelow(axis).size()) - 1;
    const auto layerOf = [&](std::int32_t tile) { return grid.origin(tile)[axis] / grid.extents()[axis]; };
    int reach = 1;
    const auto look = [&](int from, int to) {
        const int apart = std::abs(from - to);
        reach = std::max(reach, grid.wraps(axis) ? std::min(apart, layers - apart) : apart);
    };
    std::vector<int> layer(geometry.boundaryNodeCount());
    for (std::int32_t t = 0; t < grid.tiles(); ++t) {
        if (geometry.uniform(t)) continue;
        const auto& d = geometry.detail(t);
        std::fill(layer.begin() + d.firstNode, layer.begin() + d.lastNode, layerOf(t));
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i)
            if (const std::int32_t other = geometry.curvedLinks()[i].distant; other >= 0)
                look(layerOf(t), layerOf(geometry.distant()[std::size_t(other)].tile));
    }
    const auto lookAt = [&](std::size_t from, std::int32_t to) {
        if (to >= 0) look(layer[from], layer[std::size_t(to)]);
    };
    for (std::size_t i = 0; i < layer.size(); ++i) {
        const BoundaryState& state = geometry.boundaryNodes()[i];
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
            eachLookedAt(geometry, geometry.boundaryLinks().made[k], [&](std::int32_t to) { lookAt(i, to); });
    }
    for (const OpeningNode& opening : geometry.openings())
        eachLookedAt(opening, [&](std::int32_t to) { lookAt(std::size_t(opening.state), to); });
    return reach;
}

} // namespace lbm
