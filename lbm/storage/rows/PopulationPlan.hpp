// PopulationPlan: how a box is cut into blocks of several steps (PopulationBlocks.hpp), what stands against them, what they store and how
// fast they are. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/BlockReach.hpp"

#include <string>
#include <vector>

namespace lbm {

// Along z into pieces, which make so many steps before neighbours are waited for. Of two dimensions along y.
struct PopulationPlan {
    std::vector<int> cuts;  // cuts[k] .. cuts[k + 1]: a piece; the first is 0, the last the extent
    int steps = 0;          // 0: no plan, and
    std::string obstacle{}; // why not

    PopulationPlan() = default;
    PopulationPlan(int rows, int pieces, int passSteps) : steps(passSteps)
    {
        for (int k = 0; k <= pieces; ++k) cuts.push_back(int(std::int64_t(rows) * k / pieces));
    }

    // As many steps as leave each thread a piece that the second cache holds half of: the other half comes in order, from the third.
    static PopulationPlan of(int rows, int threads, double cacheBytes, double rowBytes);

    // For a domain on this machine.
    static PopulationPlan of(const Domain&, const Config&, int valueBytes, int populations, int threads);

    // Speed by what share of it blocks have where all nodes are fluid: they go over all registers with a fluid node, and longer over
    // those at walls (by measurements, see lbm/bench/results/cpu-blocks.md). directions: of the lattice.
    static double share(const Domain&, int valueBytes, const std::vector<Int3>& directions);

    // All that is kept, and bytes of tables.
    struct Memory {
        double values = 0, tableBytes = 0;
    };
    static Memory memoryOf(const Domain&, const Config&, int valueBytes, const std::vector<Int3>& directions);

    // Values that a wall or opening imposes are added to what is sent back, whatever the flow.
    static bool addsFixedValues(const Config& config, const LinkValue& value)
    {
        return lbm::addsFixedValues(value) && (value.kind == BoundaryKind::wall || isIncompressible(config));
    }
};

} // namespace lbm
