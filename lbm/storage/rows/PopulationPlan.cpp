// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/rows/PopulationPlan.hpp"

#include "lbm/api/Domain.hpp"

#include <algorithm>

#include <unistd.h>

namespace lbm {
namespace {

std::string nameOfPatch(const Domain& domain, int patch)
{
    return patch < int(domain.patches.size()) ? "patch " + domain.patches[patch] : "patch " + std::to_string(patch);
}

// Of a domain with these patches; empty: nothing
std::string rowsObstacle(const Domain& domain, const Config& config, int lanes)
{
    if (domain.dimensions == 2) return "lattices of two dimensions have no blocks";
    if (config.parts > 1 || config.ranks > 1 || domain.hasGhosts()) return "the lattice is cut into parts";
    if (config.nodeForces) return "forces differ from node to node";
    if (!domain.turns.empty()) return "the flow goes on turned";
    if (domain.fluidNodes() != domain.nodes()) return "not all nodes of the box are fluid";
    if (domain.size[0] % lanes != 0 || domain.size[0] < 2 * lanes)
        return std::to_string(domain.size[0]) + " nodes along x are no multiple of " + std::to_string(lanes)
            + " and twice it or more";
    for (std::size_t p = 0; p < config.patches.size(); ++p) {
        const LinkValue& patch = config.patches[p];
        if (!PopulationPlan::mayHave(patch))
            return nameOfPatch(domain, int(p))
                + " is neither a half-way wall nor an opening with a velocity that lets no sound out";
        if (patch.kind != BoundaryKind::wall && !isIncompressible(config))
            return "what moving walls add depends on the density (equilibrium quasiCompressible)";
    }
    const bool between = std::any_of(domain.links.begin(), domain.links.end(), [&](const Link& link) {
        return domain.neighbour(domain.coordinates(link.node), directionOf(link.direction)) >= 0;
    });
    return between ? "a wall stands between two nodes" : "";
}

} // namespace

PopulationPlan PopulationPlan::of(const Int3& size, int threads, double cacheBytes, double rowBytes)
{
    constexpr int most = 8; // further ones save less than a tenth of what memory moves
    constexpr double room = 2;
    for (int steps = most; steps > 1; --steps) {
        const int pieces = size[2] / (2 * steps) / threads * threads;
        if (pieces == 0) continue;
        const int width = (size[2] + pieces - 1) / pieces;
        if (rowBytes * width * steps <= room * cacheBytes) return {size[2], pieces, steps};
    }
    return {};
}

PopulationPlan PopulationPlan::of(const Domain& domain, const Config& config, int valueBytes, int populations,
                                  int threads)
{
    PopulationPlan none;
    none.obstacle = rowsObstacle(domain, config, 64 / valueBytes);
    if (!none.obstacle.empty()) return none;
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    PopulationPlan plan = of(domain.size, threads, cache > 0 ? double(cache) : 1 << 20,
                             double(domain.size[0]) * populations * valueBytes);
    if (plan.steps == 0) none.obstacle = "a thread has too few layers along z, or too long rows for its second cache";
    // Along a periodic y a piece's first step must have begun its turn before the last one ends it
    else if (domain.periodic[1] && domain.size[1] <= 4 * plan.steps)
        none.obstacle = "too few nodes along the periodic y";
    else return plan;
    return none;
}

} // namespace lbm
