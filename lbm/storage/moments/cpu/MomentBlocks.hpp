// MomentBlocks: moments of a box whose nodes are all fluid, several steps in one pass over memory (see BlockSweep.hpp). An executor of
// storage `moments`: it gives what steps one by one give, to rounding. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/geometry/BoxCut.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <unistd.h>

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

    BlockPlan() = default;

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

    // For a domain on this machine, where it is asked for; none where blocks cannot have it. (Of two cores with 2 MiB of second cache each
    // blocks gain a fifth to a third; of 16 processors of another host between -8 and 65 %, see lbm/bench/results/cpu-blocks.md.)
    static BlockPlan of(const Domain& domain, const Config& config, int valueBytes, int threads)
    {
        constexpr double smallest = 96 << 20; // what a third cache holds needs no blocks
        const double lineBytes = double(domain.size[0]) * values * valueBytes;
        if (lineBytes * domain.size[1] * domain.size[2] < smallest || !fits(domain, config, 64 / valueBytes)) return {};
        const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
        BlockPlan plan(domain.size, threads, cache > 0 ? double(cache) : 1 << 20, lineBytes);
        return plan.steps < 2 ? BlockPlan() : plan;
    }

    int pieces() const { return int(cuts.size()) - 1; }

    // Of a node; and kept for each line across the pieces' ends, of both kinds of phases, each way and step.
    static constexpr int values = 10, passing = 5;
    double valuesOf(const Int3& size) const
    {
        return double(size[0]) * size[1] * (double(values) * size[2] + 4.0 * passing * pieces() * steps);
    }

private:
    // Fluid everywhere, in whole registers along x, each axis periodic or between walls.
    static bool fits(const Domain& domain, const Config& config, int lanes)
    {
        constexpr int leastLines = 64; // steps of a wedge must not meet
        if (!config.blocks || stepsOneByOne(config) || domain.hasGhosts() || !domain.turns.empty()) return false;
        if (domain.size[0] % lanes != 0 || domain.size[0] / lanes < 4 || domain.size[1] < leastLines) return false;
        for (const LinkValue& patch : config.patches)
            if (patch.kind != BoundaryKind::wall && patch.kind != BoundaryKind::movingWall) return false;
        NodeIndex links = 0;
        for (const Int3& c : latticeDirections("D3Q19")) {
            NodeIndex inside = 1;
            for (int a = 0; a < 3; ++a) inside *= domain.size[a] - (domain.periodic[a] ? 0 : std::abs(c[a]));
            links += domain.nodes() - inside;
        }
        return NodeIndex(domain.links.size()) == links && domain.fluidNodes() == domain.nodes();
    }
};

} // namespace lbm
