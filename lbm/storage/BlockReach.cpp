// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/BlockReach.hpp"

#include "lbm/boundary/BoundaryNode.hpp"

#include <algorithm>
#include <cstdlib>

namespace lbm {
namespace {

// A line away, or less.
bool isNear(const Domain& domain, const Int3& x, const DonorShare& share)
{
    const Int3 d = domain.coordinates(share.node);
    for (int a = 1; a < 3; ++a) {
        const int apart = std::abs(d[a] - x[a]);
        if (apart > 1 && !(domain.periodic[a] && apart == domain.size[a] - 1)) return false;
    }
    return true;
}

std::string foreignPatch(const Domain& domain, const Config& config)
{
    for (std::size_t p = 0; p < config.patches.size(); ++p) {
        const LinkValue& patch = config.patches[p];
        if (!blocksMayHave(patch))
            return patchName(domain, int(p))
                + (patch.velocityGradient ? " is an opening by the velocity gradient"
                                          : " joins flows that are seen from different frames");
        if (patch.kind == BoundaryKind::interpolatedWall && patch.scheme == WallScheme::quadratic)
            return patchName(domain, int(p)) + " is a quadratic wall, which draws on a second node behind";
    }
    return {};
}

} // namespace

std::string farDonor(const Domain& domain, const DonorRuns& donors)
{
    for (const auto& run : donors)
        for (const Donor& donor : run) {
            const Link& link = domain.links[donor.link];
            const Int3 x = domain.coordinates(link.node);
            bool near = donor.fit.empty();
            for (const auto* shares : {&donor.shares, &donor.beyond})
                for (const DonorShare& share : *shares) near = near && isNear(domain, x, share);
            if (!near) return patchName(domain, link.patch) + " takes its flow from nodes more than a line away";
        }
    return {};
}

std::string patchName(const Domain& domain, int patch)
{
    return patch < int(domain.patches.size()) ? "patch " + domain.patches[patch] : "patch " + std::to_string(patch);
}

DonorRuns donorsOf(const Domain& domain, const Config& config)
{
    std::vector<bool> open, symmetric;
    for (const LinkValue& patch : config.patches) {
        open.push_back(needsDonor(patch.kind));
        symmetric.push_back(isPlane(patch.kind));
    }
    if (std::none_of(open.begin(), open.end(), [](bool is) { return is; })) return {};
    return findDonors(domain, open, symmetric, std::vector<bool>(open.size(), false));
}

std::string reachObstacle(const Domain& domain, const Config& config)
{
    if (config.parts > 1 || config.ranks > 1 || domain.hasGhosts()) return "the lattice is cut into parts";
    if (config.nodeForces) return "forces differ from node to node";
    if (!domain.turns.empty()) return "the flow goes on turned";
    if (const std::string patch = foreignPatch(domain, config); !patch.empty()) return patch;
    return farDonor(domain, donorsOf(domain, config));
}

} // namespace lbm
