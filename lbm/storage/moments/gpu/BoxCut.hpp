// How a pass over a box (see BoxPass) is shared among blocks of threads. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lbm {

// Passes number the values of a layer of tiles, `depth` nodes deep, in 32 bits.
constexpr bool layerFitsWords(const Int3& size, int depth, int valuesOfNode)
{
    return std::int64_t(size[0]) * size[1]
        <= std::int64_t(std::numeric_limits<std::uint32_t>::max()) / depth / valuesOfNode;
}

// Columns of width x rows nodes are cut into pieces along z. A piece of n layers takes as long as n + 2 rim, and `atOnce` blocks of
// threads are at work at once.
struct BoxCut {
    int piece = 0;    // layers
    double share = 0; // of the nodes that could be worked on in the same time

    // Of long pieces neighbours drift apart, and their rims come from memory more than once.
    static constexpr int shortest = 8, longest = 128;

    BoxCut(const Int3& size, int width, int rows, int rim, int atOnce)
    {
        const auto parts = [](int n, int of) { return (n + of - 1) / of; };
        const long long columns = parts(size[0], width) * static_cast<long long>(parts(size[1], rows));
        long long least = std::numeric_limits<long long>::max();
        const int fewest = parts(size[2], longest);
        for (int pieces = fewest; pieces <= std::max(fewest, size[2] / shortest); ++pieces) {
            const int layers = parts(size[2], pieces);
            const long long blocks = columns * parts(size[2], layers),
                            time = (blocks + atOnce - 1) / atOnce * (layers + 2 * rim);
            if (time >= least) continue;
            least = time;
            piece = layers;
        }
        share = double(size[0]) * size[1] * size[2] / (double(least) * atOnce * width * rows);
    }
};

} // namespace lbm
