// ListCut: of a list that is in the order of tiles, the piece that belongs to some of them. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"

#include <cstddef>

namespace lbm {

struct ListCut {
    int first = 0, count = 0;
};

template<class TileOf>
ListCut cutByTile(std::size_t n, const TileRange& tiles, TileOf&& tileOf)
{
    const auto below = [&](std::int32_t tile) {
        std::size_t low = 0, high = n;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (tileOf(middle) < tile) low = middle + 1;
            else high = middle;
        }
        return int(low);
    };
    if (tiles.count() <= 0) return {};
    const int first = below(tiles.first);
    return {first, below(tiles.last) - first};
}

} // namespace lbm
