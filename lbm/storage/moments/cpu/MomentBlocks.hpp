// MomentBlocks: moments of a box whose nodes are all fluid, several steps in one pass over memory (see BlockSweep.hpp). An executor of
// storage `moments`: it gives what steps one by one give, to rounding. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

// Units: lattice. Moments of a node as MomentSet has them: [10], after its collision.
template<class T>
class MomentBlocks {
public:
    virtual ~MomentBlocks() = default;

    virtual void advance(std::int64_t steps, T omega) = 0;
    virtual void get(const Int3& node, double* moments) const = 0;
    virtual void set(const Int3& node, const double* moments) = 0;

    // Of links of a wall at rest or moving. False: these blocks cannot have it.
    virtual bool setWall(int patch, const LinkValue* values, std::size_t n) = 0;

    virtual std::size_t values() const = 0; // that it stores
    virtual int stepsOfPass() const = 0;
};

// How a box is cut: along z into so many pieces, which make so many steps before neighbours are waited for.
struct BlockPlan {
    std::vector<int> cuts; // cuts[k] .. cuts[k + 1]: a piece; the first is 0, the last the extent
    int steps = 0;         // 0: no plan

    // cacheBytes: of a core's second cache. lineBytes: of what nodes along x keep.
    BlockPlan(const Int3& size, int threads, double cacheBytes, double lineBytes)
    {
        // Lines of a piece that wait for a step to come: their moments, and half as much of sums; besides a row of each step.
        const auto bytes = [&](int width, int rise) { return lineBytes * (1.5 * width * rise + width); };
        constexpr int most = 4;       // what a step more saves of memory's time is less than the cache takes for it
        constexpr double room = 0.75; // of the cache
        for (int pieces = threads; pieces <= size[2] / 4; pieces += threads) {
            const int width = (size[2] + pieces - 1) / pieces, rise = std::min(most, size[2] / pieces / 2);
            if (bytes(width, rise) > room * cacheBytes) continue;
            for (int k = 0; k <= pieces; ++k) cuts.push_back(int(std::int64_t(size[2]) * k / pieces));
            steps = rise;
            return;
        }
    }
};

} // namespace lbm
