// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/moments/cpu/BlockPlan.hpp"

#include "lbm/api/LinkFinder.hpp"
#include "lbm/boundary/BoundaryNode.hpp"
#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/storage/moments/cpu/LinkedRegisters.hpp"

#include <algorithm>

#include <unistd.h>

namespace lbm {
namespace {

constexpr int cacheLine = 64;

std::string number(double n) { return std::to_string(std::int64_t(n)); }

bool isCurved(const Config& config, const Link& link)
{
    return config.patches[link.patch].kind == BoundaryKind::interpolatedWall;
}

// Interpolated walls draw on the node behind at most, to which nothing comes but over links or from walls.
std::string farWall(const Domain& domain, const Config& config)
{
    for (const Link& link : domain.links) {
        const Int3 c = directionOf(link.direction);
        if (!isCurved(config, link) || !isOfLattice(c)) continue;
        const Link* const other = findLink(domain, link.node, {-c[0], -c[1], -c[2]});
        if (!other || isCurved(config, *other) || config.patches[other->patch].kind == BoundaryKind::wall) continue;
        if (curvedWall(domain, config.patches, link).shares.arriving != 0)
            return patchName(domain, link.patch) + " is an interpolated wall, and has nodes with links of "
                + patchName(domain, other->patch) + " on their other side";
    }
    return {};
}

// Whose states are kept whole (BlockBorder). walls: of interpolated ones, with those behind.
std::vector<LinkedNode> keptNodes(const Domain& domain, const Config& config, std::size_t& walls)
{
    std::vector<NodeIndex> nodes, atWalls;
    for (const Link& link : domain.links) {
        if (isThin(domain, link)) {
            atWalls.push_back(link.node);
            atWalls.push_back(domain.neighbour(domain.coordinates(link.node), directionOf(link.direction)));
        }
        if (addsFixedValues(config.patches[link.patch])) continue;
        if (!isCurved(config, link)) {
            nodes.push_back(link.node);
            continue;
        }
        const Int3 c = directionOf(link.direction);
        if (!isOfLattice(c)) continue;
        atWalls.push_back(link.node);
        const NodeIndex behind = domain.neighbour(domain.coordinates(link.node), {-c[0], -c[1], -c[2]});
        if (behind >= 0 && domain.fluid[behind] && curvedWall(domain, config.patches, link).shares.arriving != 0)
            atWalls.push_back(behind);
    }
    for (const auto& run : donorsOf(domain, config))
        for (const Donor& donor : run)
            for (const auto* shares : {&donor.shares, &donor.beyond})
                for (const DonorShare& share : *shares) nodes.push_back(share.node);
    std::vector<LinkedNode> kept;
    const auto add = [&](std::vector<NodeIndex>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        for (const NodeIndex node : list) kept.push_back({domain.coordinates(node), 0, 0});
    };
    add(nodes);
    add(atWalls);
    walls = atWalls.size();
    return kept;
}

// Each axis periodic or between walls; along a periodic x whole registers.
std::string obstacleOf(const Domain& domain, const Config& config, int lanes)
{
    constexpr int leastRegisters = 4;
    const Int3& n = domain.size;
    if (domain.periodic[0] && n[0] % lanes != 0)
        return number(n[0]) + " nodes along x, which is periodic, are no multiple of " + number(lanes);
    if (BlockPlan::registersOf(domain, lanes) < leastRegisters)
        return number(n[0]) + " nodes along x are fewer than " + number((leastRegisters - 1) * lanes + 1);
    for (const Link& link : domain.links) {
        const BoundaryKind kind = config.patches[link.patch].kind;
        const bool isWall =
            kind == BoundaryKind::wall || kind == BoundaryKind::movingWall || kind == BoundaryKind::interpolatedWall;
        if (!isWall && isThin(domain, link))
            return patchName(domain, link.patch) + " stands between two nodes of the fluid";
    }
    if (const std::string obstacle = reachObstacle(domain, config); !obstacle.empty()) return obstacle;
    return farWall(domain, config);
}

BlockPlan none(const std::string& obstacle)
{
    BlockPlan plan;
    plan.obstacle = obstacle;
    return plan;
}

} // namespace

BlockPlan::BlockPlan(const Int3& size, int threads, double cacheBytes, double lineBytes)
{
    // Lines of a piece that wait for a step to come: their moments, and half as much of sums; besides a row of each step. Where there is
    // one line, a piece waits as a whole.
    const auto bytes = [&](int width, int rise) {
        return lineBytes * ((size[1] > 1 ? 1.5 * width * rise : 0) + width);
    };
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

BlockPlan BlockPlan::of(const Domain& domain, const Config& config, int valueBytes, int threads)
{
    if (const std::string obstacle = obstacleOf(domain, config, cacheLine / valueBytes); !obstacle.empty())
        return none(obstacle);
    const Int3 size = alongSweep(domain.size, domain.dimensions);
    const double lineBytes = double(size[0]) * valuesOf(domain) * valueBytes;
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    BlockPlan plan(size, threads, cache > 0 ? double(cache) : 1 << 20, lineBytes);
    if (plan.steps < 2)
        return none("of " + number(size[2]) + (domain.dimensions == 2 ? " rows along y" : " layers along z") + " with "
                    + number(size[0]) + " nodes along x no block fits the second cache for each of " + number(threads)
                    + " threads");
    // The first step of a piece must have begun its turn before the last one ends it: of twice `steps`, for a piece fills a
    // valley before it rises.
    if (domain.dimensions == 3 && domain.periodic[1] && domain.size[1] <= 2 * plan.steps)
        return none(number(domain.size[1]) + " nodes along y, which is periodic, are fewer than "
                    + number(2 * plan.steps + 1));
    return plan;
}

double BlockPlan::share(const Domain& domain, const Config& config, int valueBytes)
{
    constexpr double linked = 1.75; // times as long as others
    const int lanes = cacheLine / valueBytes, registers = registersOf(domain, lanes);
    const double all = double(registers) * domain.size[1] * domain.size[2];
    const LinkedRegisters lists(domain, registers, lanes, config.patches, {});
    return double(domain.fluidNodes()) / lanes / (all + (linked - 1) * double(lists.all.size()));
}

BlockPlan::Memory BlockPlan::memoryOf(const Domain& domain, const Config& config, int lanes, int threads) const
{
    const Int3 size = alongSweep(domain.size, domain.dimensions);
    const BlockCounts counts = BlockCounts::of(domain.dimensions);
    const std::size_t n = registersOf(domain, lanes), lines = size[1], rows = size[2];
    std::size_t atWalls = 0;
    const LinkedRegisters lists(domain, int(n), lanes, config.patches, keptNodes(domain, config, atWalls));
    int width = 0;
    for (int k = 0; k < pieces(); ++k) width = std::max(width, cuts[k + 1] - cuts[k]);
    Memory memory;
    // Moments; what each line keeps across the pieces' ends, of both kinds of phases, each way and step
    double registers = double(n) * lines * (double(counts.count) * rows + 4.0 * counts.passing * pieces() * steps)
        + double(threads) * counts.ofSweep(n, width + 1, steps) + double(lists.all.size() + lists.told) * counts.count;
    for (int face = 0; face < 4; ++face) {
        const double nodes = lists.faces[face] ? double(n * lanes) * (face < 2 ? rows : lines) : 0;
        registers += nodes / lanes * counts.passing;
        memory.tableBytes += nodes * counts.passing * sizeof(double);
    }
    for (const Link& link : domain.links) {
        const LinkValue& patch = config.patches[link.patch];
        if (patch.kind != BoundaryKind::wall && addsFixedValues(patch)) memory.tableBytes += sizeof(std::size_t);
    }
    memory.values = registers * lanes;
    // States of nodes at interpolated walls: two copies of all populations
    const double stateBytes = 2.0 * counts.populations * cacheLine / lanes;
    memory.tableBytes += double(lists.bytes()) + double(atWalls) * (stateBytes + sizeof(LinkedNode));
    return memory;
}

} // namespace lbm
