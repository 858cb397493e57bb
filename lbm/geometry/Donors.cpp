// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/Donors.hpp"

#include <algorithm>
#include <cstdlib>

namespace lbm {

namespace {

// The axes on which the links lean most, turned inwards.
Int3 inwardOf(const Int3& lean)
{
    const int most = std::max({std::abs(lean[0]), std::abs(lean[1]), std::abs(lean[2])});
    Int3 inward{0, 0, 0};
    for (int a = 0; a < 3; ++a)
        if (most > 0 && std::abs(lean[a]) == most) inward[a] = lean[a] > 0 ? -1 : 1;
    return inward;
}

bool isLink(const Int3& c)
{
    return std::all_of(c.begin(), c.end(), [](int v) { return v >= -1 && v <= 1; });
}

std::int64_t recordAt(const Domain& domain, NodeIndex node, const Int3& c)
{
    const Link* link = findLink(domain, node, c);
    return link ? link - domain.links.data() : -1;
}

// Records [first, last) of one node.
class NodeLinks {
public:
    NodeLinks(const Domain& domain, std::size_t first, std::size_t last) : domain_(domain), first_(first), last_(last) {}

    Donor donor(std::size_t record) const
    {
        const Link& link = domain_.links[record];
        const Int3 out = directionOf(link.direction), inward = inwardOf(lean(link.patch));
        const Int3 along{out[0] + inward[0], out[1] + inward[1], out[2] + inward[2]};
        const bool far = !isLink(along);
        Donor d{std::int64_t(record), -1, -1, -1, directionCode(inward[0], inward[1], inward[2])};
        if (!far && along != Int3{0, 0, 0}) d.corner = recordAt(domain_, link.node, along);
        if (d.corner < 0) d.node = fluidAt(link.node, along);
        if (d.node < 0 && far) d.node = link.node;
        if (d.node >= 0 && recordAt(domain_, d.node, inward) < 0) d.beyond = fluidAt(d.node, inward);
        return d;
    }

private:
    // Sum of the node's links through a patch.
    Int3 lean(int patch) const
    {
        Int3 sum{0, 0, 0};
        for (std::size_t i = first_; i < last_; ++i) {
            if (domain_.links[i].patch != patch) continue;
            const Int3 c = directionOf(domain_.links[i].direction);
            for (int a = 0; a < 3; ++a) sum[a] += c[a];
        }
        return sum;
    }

    NodeIndex fluidAt(NodeIndex node, const Int3& c) const
    {
        const NodeIndex there = domain_.neighbour(domain_.coordinates(node), c);
        return there >= 0 && domain_.fluid[there] ? there : -1;
    }

    const Domain& domain_;
    std::size_t first_, last_;
};

} // namespace

std::vector<Donor> findDonors(const Domain& domain, const std::vector<bool>& patches)
{
    std::vector<Donor> donors;
    for (std::size_t first = 0, last = 0; first < domain.links.size(); first = last) {
        while (last < domain.links.size() && domain.links[last].node == domain.links[first].node) ++last;
        const NodeLinks links(domain, first, last);
        for (std::size_t i = first; i < last; ++i)
            if (patches[domain.links[i].patch]) donors.push_back(links.donor(i));
    }
    return donors;
}

} // namespace lbm
