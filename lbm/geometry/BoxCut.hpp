// Passes over a periodic box without walls, several steps each (lbm/storage/moments/gpu/BoxPass.cuh): which domains have them, and how
// a pass is shared among blocks of threads. Kernels and the model of speed read it here. C++17.
// Parts of such a box have passes, too, where it is cut across y alone: they read rows of ghosts, as many as a pass has steps.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lbm {

// Kernels that take two steps in one pass over a periodic box without walls, on whole tiles ...
inline bool passesOverBoxes(const KernelRow& row)
{
    return row.device == "cuda" && row.storage == "moments" && row.lattice == "D3Q19" && row.collision == "regularized"
        && row.closure == "constant" && row.equilibrium == "incompressible";
}

// ... unless a force acts. Parts of a domain may have passes, too (PassedRims): stepsOneByOne does not know which, and says that none has.
inline bool hasForces(const Config& config) { return config.nodeForces || config.force != Vec3{0, 0, 0}; }
inline bool stepsOneByOne(const Config& config) { return config.parts > 1 || config.ranks > 1 || hasForces(config); }

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

// Nodes of a column, which a block of threads works on; blocks that a multiprocessor holds for values of so many bytes.
struct PassColumn {
    static constexpr int steps = 2, width = 32, rows = 12;
    static constexpr int blocks(int valueBytes) { return valueBytes == 8 ? 1 : 2; }
};

// Columns of a part of so many rows that read ghosts or have rows that others have as ghosts: the first one, and the last or the last two.
inline int rimColumns(int rows)
{
    const int columns = (rows + PassColumn::rows - 1) / PassColumn::rows,
              inner = (rows - PassColumn::steps) / PassColumn::rows;
    return columns - std::max(inner - 1, 0);
}

// Of an H200; others run as well, with runs and pieces a little longer or shorter than best.
constexpr int multiprocessorsOfDevice = 132;

// Nodes of a box that passes go over: fluid everywhere, on whole tiles, periodic along x and z and either along y or with ghosts on both
// sides there, in tiles of their own, of which there are rows for all steps of a pass. {0, 0, 0}: the domain is none.
inline Int3 boxOfPasses(const Domain& domain, const Int3& tile)
{
    const Int3 none{0, 0, 0};
    Int3 own = domain.size;
    NodeIndex nodes = domain.nodes();
    if (domain.hasGhosts()) {
        const int below = domain.ghostsBelow[1], above = domain.ghostsAbove[1];
        if (below != tile[1] || above == 0 || domain.reach != 1 || tile[1] < PassColumn::steps) return none;
        own[1] -= below + above;
        nodes = NodeIndex(own[0]) * own[2] * (own[1] + 2 * domain.reach);
    }
    for (int a = 0; a < 3; ++a) {
        const bool closed = a == 1 && domain.hasGhosts();
        if (own[a] % tile[a] != 0 || own[a] == 0) return none;
        if (!closed && (!domain.periodic[a] || domain.ghostsBelow[a] + domain.ghostsAbove[a] > 0)) return none;
    }
    return domain.links.empty() && NodeIndex(domain.fluidNodes()) == nodes ? own : none;
}

// Layers of a column's pieces in such a box; 0: it is none, or one in which too many blocks of threads would idle. Such as have passes
// keep `values` numbers a node.
inline int layersOfBoxPass(const Int3& size, const Int3& tile, int values, int valueBytes)
{
    // Steps one by one have few blocks of threads in small boxes, too: where a fifth of the device was busy, passes were 1.5 times as
    // fast. With less they were not measured.
    constexpr double leastShare = 0.2;
    if (tile[0] != PassColumn::width || size[0] == 0 || !layerFitsWords(size, tile[2], values)) return 0;
    const BoxCut cut(size, PassColumn::width, PassColumn::rows, PassColumn::steps,
                     multiprocessorsOfDevice * PassColumn::blocks(valueBytes));
    return cut.share < leastShare ? 0 : cut.piece;
}
inline int layersOfBoxPass(const Domain& domain, const Int3& tile, int values, int valueBytes)
{
    return layersOfBoxPass(boxOfPasses(domain, tile), tile, values, valueBytes);
}

} // namespace lbm
