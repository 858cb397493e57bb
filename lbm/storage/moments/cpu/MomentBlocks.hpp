// MomentBlocks: moments of a box, several steps in one pass over memory (see BlockSweep.hpp). An executor of storage `moments`: it gives
// what steps one by one give, to rounding. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/boundary/BoundaryNode.hpp"
#include "lbm/boundary/Donors.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/storage/moments/cpu/BlockCounts.hpp"
#include "lbm/storage/moments/cpu/LinkedRegisters.hpp"

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

    virtual void advance(std::int64_t steps, const BoundaryTable<D3Q19, T>&) = 0;
    virtual void get(const Int3& node, double* moments) const = 0;
    virtual void set(const Int3& node, const double* moments) = 0;

    // Of links of a wall at rest or moving, or of an opening with a velocity. False: these blocks cannot have it.
    virtual bool setWall(int patch, const LinkValue* values, std::size_t n) = 0;

    virtual std::size_t values() const = 0; // that it stores
    virtual std::size_t tableBytes() const = 0;
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
        return plan.steps < 2 || !plan.closes(domain) || !pays(domain, config, 64 / valueBytes) ? BlockPlan() : plan;
    }

    // Blocks go over all nodes of the box, and longer over registers with links: by what share of the time's nodes are fluid, against
    // what blocks gain where all are (both measured, see lbm/bench/results/cpu-blocks.md).
    static bool pays(const Domain& domain, const Config& config, int lanes)
    {
        constexpr double linked = 1.75, least = 0.75;
        const int registers = registersOf(domain, lanes);
        const double fluid = double(domain.fluidNodes()) / lanes,
                     all = double(registers) * domain.size[1] * domain.size[2];
        if (fluid < least * all) return false;
        const LinkedRegisters lists(domain, registers, lanes, config.patches, {});
        return fluid >= least * (all + (linked - 1) * double(lists.all.size()));
    }

    // Registers of a row of a domain's nodes along x.
    static int registersOf(const Domain& domain, int lanes) { return (domain.size[0] + lanes - 1) / lanes; }

    // What blocks can complete: of nodes the populations that arrive, from states of nodes a line away.
    static bool mayHave(const LinkValue& value)
    {
        return !value.velocityGradient && value.kind != BoundaryKind::frame && value.kind != BoundaryKind::turn;
    }

    // Along a periodic axis y the first step of a piece must have begun its turn before the last one ends it: of twice `steps`,
    // for a piece fills a valley before it rises.
    bool closes(const Domain& domain) const { return !domain.periodic[1] || domain.size[1] > 2 * steps; }

    int pieces() const { return int(cuts.size()) - 1; }

    static constexpr int values = BlockCounts::count;

    // All that is kept, and bytes of tables.
    struct Memory {
        double values = 0, tableBytes = 0;
    };
    Memory memoryOf(const Domain& domain, const Config& config, int lanes, int threads) const
    {
        const std::size_t n = registersOf(domain, lanes), lines = domain.size[1], rows = domain.size[2];
        const LinkedRegisters lists(domain, int(n), lanes, config.patches, keptNodes(domain, config));
        int width = 0;
        for (int k = 0; k < pieces(); ++k) width = std::max(width, cuts[k + 1] - cuts[k]);
        Memory memory;
        // Moments; what each line keeps across the pieces' ends, of both kinds of phases, each way and step
        double registers = double(n) * lines * (double(values) * rows + 4.0 * BlockCounts::passing * pieces() * steps)
            + double(threads) * BlockCounts::ofSweep(n, width + 1, steps)
            + double(lists.all.size() + lists.told) * values;
        for (int face = 0; face < 4; ++face) {
            const double nodes = lists.faces[face] ? double(n * lanes) * (face < 2 ? rows : lines) : 0;
            registers += nodes / lanes * BlockCounts::passing;
            memory.tableBytes += nodes * BlockCounts::passing * sizeof(double);
        }
        memory.values = registers * lanes;
        memory.tableBytes += double(lists.bytes());
        return memory;
    }

private:
    // Interpolated walls draw on the node behind at most, to which nothing comes but over links or from walls.
    static bool wallsAreNear(const Domain& domain, const Config& config)
    {
        const auto isCurved = [&](const Link& link) {
            return config.patches[link.patch].kind == BoundaryKind::interpolatedWall;
        };
        for (const LinkValue& patch : config.patches)
            if (patch.kind == BoundaryKind::interpolatedWall && patch.scheme == WallScheme::quadratic) return false;
        return std::none_of(domain.links.begin(), domain.links.end(), [&](const Link& link) {
            if (!isCurved(link)) return false;
            const Int3 c = directionOf(link.direction);
            const Link* const other = findLink(domain, link.node, {-c[0], -c[1], -c[2]});
            return other && !isCurved(*other) && config.patches[other->patch].kind != BoundaryKind::wall;
        });
    }

    // Of openings and planes.
    static DonorRuns donorsOf(const Domain& domain, const Config& config)
    {
        std::vector<bool> open, symmetric;
        for (const LinkValue& patch : config.patches) {
            open.push_back(needsDonor(patch.kind));
            symmetric.push_back(isPlane(patch.kind));
        }
        if (std::none_of(open.begin(), open.end(), [](bool is) { return is; })) return {};
        return findDonors(domain, open, symmetric, std::vector<bool>(open.size(), false));
    }

    // They lie a line away, or less.
    static bool donorsAreNear(const Domain& domain, const Config& config)
    {
        const auto near = [&](const Int3& x, const DonorShare& share) {
            const Int3 d = domain.coordinates(share.node);
            for (int a = 1; a < 3; ++a) {
                const int apart = std::abs(d[a] - x[a]);
                if (apart > 1 && !(domain.periodic[a] && apart == domain.size[a] - 1)) return false;
            }
            return true;
        };
        for (const auto& run : donorsOf(domain, config))
            for (const Donor& donor : run) {
                const Int3 x = domain.coordinates(domain.links[donor.link].node);
                for (const auto* shares : {&donor.shares, &donor.beyond})
                    for (const DonorShare& share : *shares)
                        if (!near(x, share)) return false;
                if (!donor.fit.empty()) return false;
            }
        return true;
    }

    // Whose states are kept whole (BlockBorder), about: without the nodes behind interpolated walls' own.
    static std::vector<LinkedNode> keptNodes(const Domain& domain, const Config& config)
    {
        std::vector<LinkedNode> kept;
        const auto add = [&](NodeIndex node) { kept.push_back({domain.coordinates(node), 0, 0}); };
        for (const Link& link : domain.links)
            if (!addsFixedValues(config.patches[link.patch])) add(link.node);
        for (const auto& run : donorsOf(domain, config))
            for (const Donor& donor : run)
                for (const auto* shares : {&donor.shares, &donor.beyond})
                    for (const DonorShare& share : *shares) add(share.node);
        const auto place = [](const LinkedNode& a) { return a.place; };
        std::sort(kept.begin(), kept.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
        kept.erase(
            std::unique(kept.begin(), kept.end(), [&](const auto& a, const auto& b) { return place(a) == place(b); }),
            kept.end());
        return kept;
    }

    // Each axis periodic or between walls; along a periodic x whole registers.
    static bool fits(const Domain& domain, const Config& config, int lanes)
    {
        if (!config.blocks || config.parts > 1 || config.ranks > 1 || config.nodeForces) return false;
        if (domain.hasGhosts() || !domain.turns.empty()) return false;
        if ((domain.periodic[0] && domain.size[0] % lanes != 0) || registersOf(domain, lanes) < 4) return false;
        if (!std::all_of(config.patches.begin(), config.patches.end(), mayHave)) return false;
        if (!wallsAreNear(domain, config) || !donorsAreNear(domain, config)) return false;
        // No wall stands between two nodes of the fluid
        return std::none_of(domain.links.begin(), domain.links.end(), [&](const Link& link) {
            const NodeIndex end = domain.neighbour(domain.coordinates(link.node), directionOf(link.direction));
            return end >= 0 && domain.fluid[end];
        });
    }
};

} // namespace lbm
