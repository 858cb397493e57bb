// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/OpeningNodes.hpp"
#include "lbm/boundary/PatchPlane.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

int squareOf(const Int3& c) { return c[0] * c[0] + c[1] * c[1] + c[2] * c[2]; }

NodeIndex fluidAt(const Domain& domain, const LinkFinder& finder, NodeIndex node, const Int3& c)
{
    const NodeIndex there = domain.neighbour(domain.coordinates(node), c);
    return there >= 0 && domain.fluid[there] && finder.find(node, c) < 0 ? there : -1;
}

NodeSide sideOf(const Domain& domain, const LinkFinder& finder, const std::vector<LinkValue>& patches, NodeIndex node,
                const Int3& c)
{
    const float halfway = 0.5f;
    if (const std::int64_t record = finder.find(node, c); record >= 0) {
        const Link& link = domain.links[std::size_t(record)];
        const BoundaryKind kind = patches[link.patch].kind;
        if (kind == BoundaryKind::wall) return {-1, -1, halfway};
        if (kind == BoundaryKind::interpolatedWall) return {-1, -1, link.fraction};
        return {-1, record, link.fraction};
    }
    const NodeIndex there = fluidAt(domain, finder, node, c);
    return {there, -1, there >= 0 ? 1.0f : halfway};
}

} // namespace

std::vector<NodeSurroundings> openingNodes(const Domain& domain, const std::vector<LinkValue>& patches,
                                           const std::vector<std::uint8_t>& directions)
{
    constexpr std::size_t most = 6;
    std::vector<NodeSurroundings> nodes;
    if (std::none_of(patches.begin(), patches.end(), [](const LinkValue& p) { return p.velocityGradient; }))
        return nodes;
    const LinkFinder finder(domain);
    for (std::size_t first = 0, last = 0; first < domain.links.size(); first = last) {
        while (last < domain.links.size() && domain.links[last].node == domain.links[first].node) ++last;
        NodeSurroundings n;
        n.node = domain.links[first].node;
        int shortest = 4;
        std::vector<std::size_t> through;
        for (std::size_t i = first; i < last; ++i) {
            const Link& link = domain.links[i];
            if (!patches[link.patch].velocityGradient) continue;
            if (std::find(directions.begin(), directions.end(), link.direction) == directions.end()) continue;
            through.push_back(i);
            shortest = std::min(shortest, squareOf(directionOf(link.direction)));
        }
        double straightest = 0;
        for (std::size_t i : through) {
            const Link& link = domain.links[i];
            const Int3 c = directionOf(link.direction);
            if (squareOf(c) != shortest || n.nearest.size() == most) continue;
            n.nearest.push_back(
                {std::int64_t(i), fluidAt(domain, finder, n.node, {-c[0], -c[1], -c[2]}), link.fraction});
            if (shortest != 1) continue;
            Int3 linkSum{0, 0, 0};
            for (std::size_t k : through)
                for (int a = 0; a < 3 && domain.links[k].patch == link.patch; ++a)
                    linkSum[a] += directionOf(domain.links[k].direction)[a];
            const Vec3 normal = outwardNormal(domain, finder, n.node, link.patch, linkSum);
            const double straight = c[0] * normal[0] + c[1] * normal[1] + c[2] * normal[2];
            if (straight <= straightest + 1e-9) continue;
            straightest = straight;
            for (int a = 0; a < 3; ++a)
                if (c[a] != 0) {
                    n.axis = a;
                    n.sign = c[a];
                }
        }
        if (through.empty()) continue;
        for (int a = 0; a < domain.dimensions; ++a)
            for (int k = 0; k < 2; ++k) {
                Int3 c{0, 0, 0};
                c[a] = 2 * k - 1;
                n.side[a][k] = sideOf(domain, finder, patches, n.node, c);
            }
        nodes.push_back(std::move(n));
    }
    return nodes;
}

} // namespace lbm
