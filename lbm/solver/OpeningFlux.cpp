// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/OpeningFlux.hpp"

#include "lbm/lattice/named.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lbm {

OpeningFlux::OpeningFlux(const Domain& domain, const std::string& lattice, const std::vector<bool>& open)
{
    if (!withLattice(lattice, [&](auto l) { collect<decltype(l)>(domain, open); }))
        throw std::invalid_argument("flux: unknown lattice '" + lattice + "'");
}

template<class L>
void OpeningFlux::collect(const Domain& domain, const std::vector<bool>& open)
{
    directions_ = L::Q;
    std::vector<NodeIndex> at;
    for (const Link& link : domain.links)
        if (open[link.patch] && (at.empty() || at.back() != link.node)) at.push_back(link.node);

    std::vector<std::pair<NodeIndex, NodeIndex>> ends;
    for (const NodeIndex node : at)
        for (int q = 1; q < L::Q; ++q) {
            const Int3 c = {L::c[q][0], L::c[q][1], L::c[q][2]};
            if (findLink(domain, node, c)) continue;
            const NodeIndex other = domain.neighbour(domain.coordinates(node), c);
            if (other < 0 || !domain.fluid[other] || std::binary_search(at.begin(), at.end(), other)) continue;
            ends.emplace_back(node, other);
            pairs_.push_back({0, 0, q, opposite(q)});
            nodes_.push_back(node);
            nodes_.push_back(other);
        }
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    const auto place = [&](NodeIndex node) {
        return std::size_t(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
    };
    for (std::size_t i = 0; i < ends.size(); ++i) {
        pairs_[i].node = place(ends[i].first);
        pairs_[i].other = place(ends[i].second);
    }
}

OpeningFlux::Rates OpeningFlux::compute(const Solver& solver) const
{
    std::vector<double> populations(nodes_.size()*directions_);
    solver.getPopulations(nodes_.data(), nodes_.size(), populations.data());
    Rates rates;
    for (std::size_t i = 0; i < pairs_.size();) {
        const std::size_t node = pairs_[i].node;
        double in = 0;
        for (; i < pairs_.size() && pairs_[i].node == node; ++i) {
            const Pair& e = pairs_[i];
            in += populations[node*directions_ + e.there] - populations[e.other*directions_ + e.back];
        }
        (in > 0 ? rates.in : rates.out) += std::abs(in);
    }
    return rates;
}

} // namespace lbm
