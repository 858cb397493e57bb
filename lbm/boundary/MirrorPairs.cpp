// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/MirrorPairs.hpp"

#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbm {
namespace {

// Fractions of the links of one plane differ by what they are rounded to.
constexpr float alike = 1e-4f;

const Link* straightLink(const Domain& domain, const Link& link, int axis)
{
    Int3 across{0, 0, 0};
    across[axis] = directionOf(link.direction)[axis];
    return findLink(domain, link.node, across);
}

bool inOnePlane(const Link& a, const Link& b) { return std::abs(a.fraction - b.fraction) < alike; }

// Of a link that a mirror has: the patch that does not mirror of its image in the same plane, or of either node's link straight into
// that; -1: all of them do, or there is no such image. A link and its image find the same.
std::int16_t restingPatch(const Domain& domain, const Link& link, const std::vector<bool>& mirrors)
{
    for (int axis = 0; axis < domain.dimensions; ++axis) {
        const Link* own = straightLink(domain, link, axis);
        if (!own || !inOnePlane(link, *own)) continue;
        const Link* image = mirrorImage(domain, link, axis);
        if (!image || !inOnePlane(link, *image)) continue;
        const Link* others = straightLink(domain, *image, axis);
        if (!others || !inOnePlane(link, *others)) continue;
        for (const Link* at : {image, own, others})
            if (!mirrors[at->patch]) return at->patch;
    }
    return -1;
}

} // namespace

const Link* mirrorImage(const Domain& domain, const Link& link, int axis)
{
    Int3 along = directionOf(link.direction), image{-along[0], -along[1], -along[2]};
    image[axis] = along[axis];
    along[axis] = 0;
    if (image[axis] == 0 || along == Int3{0, 0, 0} || findLink(domain, link.node, along)) return nullptr;
    const NodeIndex there = domain.neighbour(domain.coordinates(link.node), along);
    return there >= 0 && domain.fluid[there] ? findLink(domain, there, image) : nullptr;
}

// Found before any is changed: who asks for a link's image must see its patch as it was.
std::size_t joinMirrorPairs(Domain& domain, const std::vector<bool>& mirrors, int threads)
{
    constexpr std::size_t share = 1 << 16;
    const std::size_t shares = (domain.links.size() + share - 1) / share;
    std::vector<std::vector<std::pair<std::size_t, std::int16_t>>> found(shares);
    const auto look = [&](std::size_t which) {
        const std::size_t end = std::min((which + 1) * share, domain.links.size());
        for (std::size_t i = which * share; i < end; ++i) {
            if (!mirrors[domain.links[i].patch]) continue;
            const std::int16_t other = restingPatch(domain, domain.links[i], mirrors);
            if (other >= 0) found[which].push_back({i, other});
        }
    };
    inParallel(shares, look, threads);
    std::size_t changed = 0;
    for (const auto& some : found) {
        for (const auto& [link, patch] : some) domain.links[link].patch = patch;
        changed += some.size();
    }
    return changed;
}

} // namespace lbm
