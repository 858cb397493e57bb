// BlockPlan: how a box is cut into blocks of several steps (BlockSweep.hpp), what stands against them, what they store. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/storage/moments/cpu/BlockCounts.hpp"

#include <string>
#include <vector>

namespace lbm {

// Along the last axis into so many pieces, which make so many steps before neighbours are waited for.
struct BlockPlan {
    std::vector<int> cuts;  // cuts[k] .. cuts[k + 1]: a piece; the first is 0, the last the extent
    int steps = 0;          // 0: no plan, and
    std::string obstacle{}; // why not

    BlockPlan() = default;

    // size: of the sweep (alongSweep). cacheBytes: of a core's second cache. lineBytes: of what nodes along x keep.
    BlockPlan(const Int3& size, int threads, double cacheBytes, double lineBytes);

    // For a domain on this machine, wherever it is possible.
    static BlockPlan of(const Domain&, const Config&, int valueBytes, int threads);

    // Blocks go over all nodes of the box, and longer over registers with links: speed by what share of it they have where all
    // nodes are fluid (by measurements, see lbm/bench/results/cpu-blocks.md).
    static double share(const Domain&, const Config&, int valueBytes);

    // Registers of a row of a domain's nodes along x.
    static int registersOf(const Domain& domain, int lanes) { return (domain.size[0] + lanes - 1) / lanes; }

    int pieces() const { return int(cuts.size()) - 1; }

    static constexpr int valuesOf(const Domain& domain)
    {
        return BlockCounts::of(domain.dimensions).count;
    } // of a node

    // All that is kept, and bytes of tables.
    struct Memory {
        double values = 0, tableBytes = 0;
    };
    Memory memoryOf(const Domain&, const Config&, int lanes, int threads) const;
};

} // namespace lbm
