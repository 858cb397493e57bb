// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/OpeningCost.hpp"

#include "lbm/api/Storage.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/physics/MomentSet.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <ostream>

namespace lbm::bench {
namespace {

using Clock = std::chrono::steady_clock;
using T = double;

struct Cost {
    std::size_t nodes = 0;
    double populations = 0, moments = 0; // s, of all nodes once
};

// Values lie as on tiles: slots of Q or M values of a node a tile apart.
template<class L>
class Openings {
public:
    using TileT = std::conditional_t<L::D == 2, Tile<16, 16, 1>, Tile<8, 4, 4>>;
    using M = MomentSet<L, T>;

    Openings(const Domain& domain, const Config& config) :
        geometry_(domain, config),
        nodes_(geometry_.boundaryNodeCount()),
        moments_(nodes_),
        table_{geometry_.boundaryNodes(),
               {nullptr, nullptr},
               geometry_.boundaryLinks(),
               geometry_.boundaryShares(),
               geometry_.openingMemory().data(),
               0,
               parameters_,
               true},
        populationsOfTile_(std::size_t(L::Q) * TileT::N * geometry_.grid().tiles()),
        momentsOfTile_(std::size_t(M::count) * TileT::N * geometry_.grid().tiles())
    {
        geometry_.holdPopulations(1);
        table_.sent[0] = geometry_.sent(0);
        for (std::int32_t tile = 0; tile < geometry_.grid().tiles(); ++tile) {
            if (geometry_.uniform(tile)) continue;
            const auto& d = geometry_.detail(tile);
            for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
                const std::size_t local = geometry_.boundaryNodes()[i].local;
                populationAt_.push_back(std::size_t(L::Q) * TileT::N * tile + local);
                momentAt_.push_back(std::size_t(M::count) * TileT::N * tile + local);
            }
        }
        for (const OpeningNode& node : geometry_.openings()) watch(node);
        std::sort(watched_.begin(), watched_.end());
        watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
    }

    std::size_t nodes() const { return geometry_.openings().size(); }

    // What boundaries look at is noted first, as before a step.
    void applyToPopulations()
    {
        for (const std::int32_t i : watched_)
            for (int q = 0; q < L::Q; ++q)
                geometry_.sent(0)[i].of[q] = populationsOfTile_[populationAt_[i] + q * TileT::N];
        for (const OpeningNode& node : geometry_.openings()) {
            T g[L::Q], r, j[3], *own = populationsOfTile_.data() + populationAt_[node.state];
            for (int q = 0; q < L::Q; ++q) g[q] = own[q * TileT::N];
            densityAndMomentum<L>(g, r, j);
            const VelocityGradient<L, T> gradient(table_, node);
            gradient.populations(gradient.state(r, j), g);
            for (int q = 0; q < L::Q; ++q) own[q * TileT::N] = g[q];
        }
    }

    void applyToMoments()
    {
        for (const std::int32_t i : watched_)
            for (int k = 0; k <= L::D; ++k) moments_[i][k] = momentsOfTile_[momentAt_[i] + k * TileT::N];
        for (const OpeningNode& node : geometry_.openings()) {
            T m[M::count], *own = momentsOfTile_.data() + momentAt_[node.state], j[3] = {0, 0, 0};
            for (int a = 0; a < L::D; ++a) j[a] = own[(1 + a) * TileT::N];
            const VelocityGradient<L, T, FlowOfMoments<L, T>> gradient(table_, node, {table_, moments_.data()});
            gradient.moments(gradient.state(own[0], j), m);
            for (int k = 0; k < M::count; ++k) own[k * TileT::N] = m[k];
        }
    }

private:
    void watch(const OpeningNode& node)
    {
        for (int i = 0; i < node.links; ++i)
            watched_.push_back(node.nearest[i].behind < 0 ? node.state : node.nearest[i].behind);
        for (const auto& sides : node.side)
            for (const OpeningSide& side : sides)
                if (side.node >= 0) watched_.push_back(side.node);
    }

    TileGeometry<L, T, TileT> geometry_;
    std::size_t nodes_;
    std::vector<std::array<T, 4>> moments_;
    Parameters<T> parameters_;
    BoundaryTable<L, T> table_;
    std::vector<T> populationsOfTile_, momentsOfTile_;
    std::vector<std::size_t> populationAt_, momentAt_;
    std::vector<std::int32_t> watched_;
};

template<class F>
double secondsOf(F&& f)
{
    f();
    double best = 1e300;
    for (int repeat = 0; repeat < 7; ++repeat) {
        constexpr int times = 20;
        const auto start = Clock::now();
        for (int i = 0; i < times; ++i) f();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / times);
    }
    return best;
}

// Where a vessel meets a side of its box it is open: to the inflow on the low sides, to a pressure on the high ones.
template<class L>
Cost costOf(GeneratedCase c)
{
    Domain& domain = c.domain;
    Config config;
    config.patches.resize(2);
    config.patches[0].kind = BoundaryKind::velocity;
    config.patches[1].kind = BoundaryKind::pressure;
    for (LinkValue& value : config.patches) value.velocityGradient = true;
    domain.patches = {"inflow", "outflow"};
    domain.links.clear();
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        if (!domain.fluid[node]) continue;
        const Int3 x = domain.coordinates(node);
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (!std::any_of(std::begin(L::c), std::end(L::c),
                             [&](const auto& l) { return l[0] == c[0] && l[1] == c[1] && l[2] == c[2]; }))
                continue;
            int side = 0;
            for (int a = 0; a < L::D; ++a) side = x[a] + c[a] < 0 ? -1 : x[a] + c[a] >= domain.size[a] ? 1 : side;
            if (side != 0) domain.links.push_back({node, 0.5f, std::int16_t(side > 0), code});
        }
    }
    Openings<L> openings(domain, config);
    return {openings.nodes(), secondsOf([&] { openings.applyToPopulations(); }),
            secondsOf([&] { openings.applyToMoments(); })};
}

} // namespace

void printOpeningCost(std::ostream& out, const GeneratedCase& c, const std::string& lattice,
                      const std::vector<Row>& rows)
{
    const Cost cost = lattice == D2Q9::name ? costOf<D2Q9>(c)
        : lattice == D3Q19::name            ? costOf<D3Q19>(c)
                                            : costOf<D3Q27>(c);
    if (cost.nodes == 0) return;
    const double ns = 1e9 / double(cost.nodes);
    out << "Figure 10: " << cost.nodes << " nodes at openings, ns each: populations " << std::fixed
        << std::setprecision(1) << cost.populations * ns << ", moments " << cost.moments * ns << ", ratio "
        << std::setprecision(2) << cost.populations / cost.moments << "; of a step:";
    for (const Row& row : rows) {
        std::vector<double> mlups;
        for (const Sample& s : row.samples) mlups.push_back(s.mlups);
        std::nth_element(mlups.begin(), mlups.begin() + mlups.size() / 2, mlups.end());
        const double step = double(row.tiling.fluidNodes) / (1e6 * mlups[mlups.size() / 2]);
        const double own = storageOf(row.kernel).stored == Stored::moments ? cost.moments : cost.populations;
        if (isOnHost(row.kernel))
            out << ' ' << row.kernel.storage << ' ' << std::setprecision(2) << 100 * own / (own + step) << " %;";
    }
    out << std::defaultfloat << '\n';
}

} // namespace lbm::bench
