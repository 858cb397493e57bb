// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/EdgeLinks.hpp"

#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {
namespace {

constexpr float same = 0.01f; // places, but for rounding

Int3 along(int axis, int sign)
{
    Int3 c{0, 0, 0};
    c[axis] = sign;
    return c;
}

class Edges {
public:
    Edges(const Domain& domain, const std::vector<bool>& slips, const std::vector<Int3>& directions) :
        domain_(domain), slips_(slips), directions_(directions)
    {}

    // Of a node and its link straight into a plane: those past the plane's edges.
    void find(const Link& link, std::vector<Link>& found) const
    {
        const Int3 out = directionOf(link.direction);
        if (std::abs(out[0]) + std::abs(out[1]) + std::abs(out[2]) != 1 || !slips_[link.patch]) return;
        for (int b = 0; b < domain_.dimensions; ++b)
            for (const int side : {-1, 1})
                if (out[b] == 0 && endsPlane(link, b, side)) add(link, b, side, found);
    }

private:
    NodeIndex fluidAt(NodeIndex node, const Int3& c) const
    {
        if (node < 0 || findLink(domain_, node, c)) return -1;
        const NodeIndex there = domain_.neighbour(domain_.coordinates(node), c);
        return there >= 0 && domain_.fluid[there] ? there : -1;
    }

    const Link* plane(NodeIndex node, const Int3& c) const
    {
        const Link* link = node < 0 ? nullptr : findLink(domain_, node, c);
        return link && slips_[link->patch] ? link : nullptr;
    }

    // The node's plane goes on, as far away, on the other side, and ends on this one.
    bool endsPlane(const Link& link, int b, int side) const
    {
        const Int3 out = directionOf(link.direction);
        const Link* next = plane(fluidAt(link.node, along(b, -side)), out);
        return next && std::abs(next->fraction - link.fraction) < same
            && fluidAt(fluidAt(link.node, along(b, side)), out) >= 0;
    }

    // c: the link's own direction past the edge, and what directions have besides along the edge.
    void add(const Link& link, int b, int side, std::vector<Link>& found) const
    {
        const Int3 out = directionOf(link.direction);
        const int a = out[0] != 0 ? 0 : out[1] != 0 ? 1 : 2, t = 3 - a - b;
        for (const Int3& c : directions_) {
            if (c[a] != out[a] || c[b] != side || findLink(domain_, link.node, c)) continue;
            const NodeIndex end = domain_.neighbour(domain_.coordinates(link.node), c);
            if (end < 0 || !domain_.fluid[end]) continue;
            const Link* other = plane(end, along(b, -side));
            if (!other || !endsPlane(*other, a, -out[a])) continue;
            // Beside, along the edge, it goes on
            if (c[t] != 0 && !plane(fluidAt(link.node, along(t, c[t])), out)) continue;
            found.push_back({link.node, link.fraction, link.patch, directionCode(c[0], c[1], c[2])});
        }
    }

    const Domain& domain_;
    const std::vector<bool>& slips_;
    const std::vector<Int3>& directions_;
};

bool before(const Link& a, const Link& b) { return a.node != b.node ? a.node < b.node : a.direction < b.direction; }

} // namespace

std::size_t endEdgeLinks(Domain& domain, const std::vector<bool>& slips, const std::vector<Int3>& directions,
                         int threads)
{
    if (std::find(slips.begin(), slips.end(), true) == slips.end()) return 0;
    constexpr std::size_t share = 1 << 16;
    const std::size_t shares = (domain.links.size() + share - 1) / share;
    std::vector<std::vector<Link>> found(shares);
    const Edges edges(domain, slips, directions);
    const auto look = [&](std::size_t which) {
        const std::size_t end = std::min((which + 1) * share, domain.links.size());
        for (std::size_t i = which * share; i < end; ++i) edges.find(domain.links[i], found[which]);
    };
    inParallel(shares, look, threads);
    std::vector<Link> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    if (all.empty()) return 0;
    std::sort(all.begin(), all.end(), before);
    // In three dimensions one may be past two edges
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Link& x, const Link& y) { return !before(x, y) && !before(y, x); }),
              all.end());
    const std::size_t known = domain.links.size();
    domain.links.insert(domain.links.end(), all.begin(), all.end());
    std::inplace_merge(domain.links.begin(), domain.links.begin() + known, domain.links.end(), before);
    return all.size();
}

} // namespace lbm
