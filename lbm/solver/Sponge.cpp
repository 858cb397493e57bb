// A sponge that the threads of a host see to, by what any solver gives. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Sponge.hpp"

#include "lbm/api/inParallel.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/lattice/named.hpp"
#include "lbm/physics/SpongeNode.hpp"
#include "lbm/solver/GroupSum.hpp"

#include <algorithm>
#include <stdexcept>

namespace lbm {

namespace {

// Nodes whose populations are held at a time, and that a thread takes
constexpr std::size_t spongePiece = 16384, spongeShare = 1024;

class HostSponge final : public Sponge {
public:
    HostSponge(Solver& solver, const std::vector<NodeIndex>& nodes, std::vector<double> shares, std::string why) :
        solver_(solver), why_(std::move(why)), shares_(std::move(shares)), means_(meanValues * nodes.size())
    {
        for (std::size_t begin = 0; begin < nodes.size(); begin += spongePiece)
            pieces_.push_back(solver.place(nodes.data() + begin, std::min(spongePiece, nodes.size() - begin)));
    }

    std::size_t size() const override { return shares_.size(); }
    bool onDevice() const override { return false; }
    std::string whyOnHost() const override { return why_; }

    Extremes apply(double newest, double most, int threads) override
    {
        Extremes all;
        withLattice(solver_.row().lattice, [&](auto lattice) {
            using L = decltype(lattice);
            for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
                const NodeSet& set = *pieces_[piece];
                const std::size_t begin = piece * spongePiece, n = set.size();
                populations_.resize(L::Q * std::min(spongePiece, size()));
                include(all, solver_.getPopulations(set, populations_.data()));
                inParallel((n + spongeShare - 1) / spongeShare,
                           [&](std::size_t share) {
                               const std::size_t end = std::min(n, (share + 1) * spongeShare);
                               for (std::size_t i = share * spongeShare; i < end; ++i)
                                   relax<L>(i, begin + i, newest, most);
                           },
                           threads);
                solver_.setPopulations(set, populations_.data());
            }
        });
        return all;
    }

    void convert(double longer) override
    {
        for (std::size_t i = 0; i < means_.size(); ++i) means_[i] *= sponge::unitsOf(int(i % meanValues), longer);
    }

    void means(std::size_t first, std::size_t n, double* values) const override
    {
        std::copy_n(means_.data() + meanValues * first, meanValues * n, values);
    }
    void setMeans(const double* values) override { means_.assign(values, values + means_.size()); }

private:
    template<class L>
    void relax(std::size_t inPiece, std::size_t i, double newest, double most)
    {
        double mean[meanValues];
        std::copy_n(&means_[meanValues * i], meanValues, mean);
        sponge::relax<L>(&populations_[L::Q * inPiece], mean, newest, most * shares_[i]);
        std::copy_n(mean, meanValues, &means_[meanValues * i]);
    }

    Solver& solver_;
    std::string why_;
    std::vector<double> shares_, means_;

    // Placed piece by piece: populations of few nodes are held at a time
    std::vector<std::shared_ptr<const NodeSet>> pieces_;
    std::vector<double> populations_;
};

} // namespace

std::unique_ptr<Sponge> placeSponge(Solver& solver, const std::vector<NodeIndex>& nodes,
                                    const std::vector<double>& shares)
{
    if (nodes.size() != shares.size())
        throw std::invalid_argument("sponge: " + std::to_string(shares.size()) + " shares for "
                                    + std::to_string(nodes.size()) + " nodes");
    for (const double share : shares)
        if (!(share >= 0 && share <= 1))
            throw std::invalid_argument("sponge: a share of " + std::to_string(share) + ", not from 0 to 1");
    requireFluid(solver.domain(), nodes.data(), nodes.size());
    std::string why;
    if (auto* own = dynamic_cast<HasSponges*>(&solver))
        if (auto sponge = own->placeSponge(nodes, shares, why)) return sponge;
    return std::make_unique<HostSponge>(solver, nodes, shares, why);
}

} // namespace lbm
