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

} // namespace

OpeningFlux::OpeningFlux(const Solver& solver, const std::vector<bool>& open)
{
    const std::vector<NodeIndex> at = nodesAt(solver.domain(), open);
    placeGroups(solver, at.data(), at.data() + at.size());
}

OpeningFlux::OpeningFlux(const Solver& solver, const NodeIndex* nodes, std::size_t n)
{
    placeGroups(solver, nodes, nodes + n);
}

void OpeningFlux::placeGroups(const Solver& solver, const NodeIndex* begin, const NodeIndex* end)
{
    const Domain& domain = solver.domain();
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const DirectionNumbers along(directions);

    const auto addFlow = [&](std::size_t i, NodeGroups& groups) {
        const NodeIndex node = begin[i];
        for (std::size_t q = 1; q < directions.size(); ++q) {
            const Int3& c = directions[q];
            if (findLink(domain, node, c)) continue;
            const NodeIndex other = domain.neighbour(domain.coordinates(node), c);
            if (other < 0 || !domain.fluid[other] || std::binary_search(begin, end, other)) continue;
            groups.add(node, 1, int(q));
            groups.add(other, -1, int(along({-c[0], -c[1], -c[2]})));
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
