// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/OpeningFlux.hpp"

#include "lbm/solver/DirectionNumbers.hpp"
#include "lbm/solver/groupsOf.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

std::vector<NodeIndex> nodesAt(const Domain& domain, const std::vector<bool>& open)
{
    std::vector<NodeIndex> at;
    for (const Link& link : domain.links)
        if (open[link.patch] && (at.empty() || at.back() != link.node)) at.push_back(link.node);
    return at;
}

// A link of a node along c to a wall across axes past which the fluid slips: the part of c along the wall; zero: it is no such link.
Int3 alongWall(const Domain& domain, const std::vector<bool>& slips, NodeIndex node, const Int3& c)
{
    const auto toWall = [&](const Int3& d) {
        const Link* link = findLink(domain, node, d);
        return link && std::size_t(link->patch) < slips.size() && slips[std::size_t(link->patch)];
    };
    if (!toWall(c)) return {0, 0, 0};
    Int3 along = c;
    for (std::size_t a = 0; a < 3; ++a) {
        Int3 across{0, 0, 0};
        across[a] = c[a];
        if (c[a] != 0 && toWall(across)) along[a] = 0;
    }
    return along == c ? Int3{0, 0, 0} : along;
}

} // namespace

OpeningFlux::OpeningFlux(const Solver& solver, const std::vector<bool>& open, const std::vector<bool>& slips)
{
    const std::vector<NodeIndex> at = nodesAt(solver.domain(), open);
    placeGroups(solver, at.data(), at.data() + at.size(), slips);
}

OpeningFlux::OpeningFlux(const Solver& solver, const NodeIndex* nodes, std::size_t n)
{
    placeGroups(solver, nodes, nodes + n, {});
}

void OpeningFlux::placeGroups(const Solver& solver, const NodeIndex* begin, const NodeIndex* end,
                              const std::vector<bool>& slips)
{
    const Domain& domain = solver.domain();
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const DirectionNumbers along(directions);

    const auto addFlow = [&](std::size_t i, NodeGroups& groups) {
        const NodeIndex node = begin[i];
        for (std::size_t q = 1; q < directions.size(); ++q) {
            const Int3& c = directions[q];
            const bool ends = findLink(domain, node, c);
            const Int3 way = ends ? alongWall(domain, slips, node, c) : c;
            if (way == Int3{0, 0, 0}) continue;
            const NodeIndex other = domain.neighbour(domain.coordinates(node), way);
            if (other < 0 || !domain.fluid[other] || std::binary_search(begin, end, other)) continue;
            // Seen in the wall, where there is one
            const Int3 back{c[0] - 2 * way[0], c[1] - 2 * way[1], c[2] - 2 * way[2]};
            if (ends && alongWall(domain, slips, other, back) == Int3{0, 0, 0}) continue;
            groups.add(node, 1, int(q));
            groups.add(other, -1, int(along(back)));
        }
    };
    const NodeGroups groups = groupsOf(NodeSet::Kind::sumsOfPopulations, std::size_t(end - begin), addFlow);
    passing_ = solver.place(groups);
    in_.resize(passing_->size());
}

OpeningFlux::Rates OpeningFlux::compute(const Solver& solver) const
{
    solver.sumPopulations(*passing_, in_.data());
    Rates rates;
    for (const double in : in_) (in > 0 ? rates.in : rates.out) += std::abs(in);
    return rates;
}

} // namespace lbm
