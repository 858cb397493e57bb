// PopulationPlan: how a box of fluid is cut into blocks of several steps (PopulationBlocks.hpp), and what stands against them. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <string>
#include <vector>

namespace lbm {

// Along z into pieces, which make so many steps before neighbours are waited for.
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
    static PopulationPlan of(const Int3& size, int threads, double cacheBytes, double rowBytes);

    // For a domain on this machine: each axis periodic or between walls that add fixed values, all fluid, along x in whole registers.
    static PopulationPlan of(const Domain&, const Config&, int valueBytes, int populations, int threads);

    // Values that a wall or opening imposes are added to what is sent back, whatever the flow.
    static bool mayHave(const LinkValue& value)
    {
        return !value.velocityGradient
            && (value.kind == BoundaryKind::wall || value.kind == BoundaryKind::movingWall
                || (value.kind == BoundaryKind::velocity && value.recovery == 0));
    }
};

} // namespace lbm
