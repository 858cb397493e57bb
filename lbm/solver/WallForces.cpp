// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallForces.hpp"

#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/lattice/named.hpp"

#include <omp.h>

#include <algorithm>
#include <stdexcept>

namespace lbm {

namespace {

bool isWall(BoundaryKind kind)
{
    return kind == BoundaryKind::wall || kind == BoundaryKind::movingWall || kind == BoundaryKind::interpolatedWall;
}

template<class L>
int directionAlong(const Int3& c)
{
    for (int q = 1; q < L::Q; ++q)
        if (L::c[q][0] == c[0] && L::c[q][1] == c[1] && L::c[q][2] == c[2]) return q;
    return -1;
}

} // namespace

struct WallForces::WallLink {
    std::size_t link;               // within the patch
    std::size_t node, behind;       // in nodes_; `behind`: the node that f_out of the coming step comes from
    std::size_t further;            // and that of f*_more
    int out, in, more;              // populations
    Int3 c;                         // of `out`
    WallInterpolation shares;       // as default for half-way walls
    double weight;
};

WallForces::~WallForces() = default;
WallForces::WallForces(WallForces&&) noexcept = default;
WallForces& WallForces::operator=(WallForces&&) noexcept = default;

WallForces::WallForces(const Domain& domain, const Config& config, int patch) : threads_(config.threads)
{
    if (patch < 0 || patch >= int(config.patches.size()) || !isWall(config.patches[patch].kind))
        throw std::invalid_argument("forces: patch number " + std::to_string(patch) + " is not a wall");
    if (!withLattice(config.lattice, [&](auto l) { collect<decltype(l)>(domain, config, patch); }))
        throw std::invalid_argument("forces: unknown lattice '" + config.lattice + "'");
}

template<class L>
void WallForces::collect(const Domain& domain, const Config& config, int patch)
{
    directions_ = L::Q;
    const bool interpolated = config.patches[patch].kind == BoundaryKind::interpolatedWall;
    std::vector<NodeIndex> behind;
    for (const Link& link : domain.links) {
        if (link.patch != patch) continue;
        const std::size_t ordinal = links_++;
        const Int3 c = directionOf(link.direction);
        const int out = directionAlong<L>(c);
        if (out < 0) continue;
        const auto node = std::size_t(link.node);
        WallLink e{ordinal, node, node, node, out, opposite(out), out, c, {}, L::w[out]};
        if (interpolated) {
            const Int3 inward{-c[0], -c[1], -c[2]};
            const CurvedWall wall = curvedWall(domain, config.patches, link);
            e.shares = wall.shares;
            // Where something else sends f_out it is what the node sent itself, to first order.
            const NodeIndex there = findLink(domain, link.node, inward)
                ? -1 : domain.neighbour(domain.coordinates(link.node), inward);
            if (there >= 0 && domain.fluid[there]) e.behind = std::size_t(there);
            if (wall.further >= 0) e.further = std::size_t(wall.further);
            e.more = wall.furtherOut ? out : e.in;
        }
        wallLinks_.push_back(e);
    }

    for (const WallLink& e : wallLinks_) {
        nodes_.push_back(NodeIndex(e.node));
        nodes_.push_back(NodeIndex(e.further));
        if (e.shares.arriving != 0) nodes_.push_back(NodeIndex(e.behind));
    }
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    auto place = [&](std::size_t node) {
        return std::size_t(std::lower_bound(nodes_.begin(), nodes_.end(), NodeIndex(node)) - nodes_.begin());
    };
    for (WallLink& e : wallLinks_) {
        e.behind = e.shares.arriving != 0 && e.behind != e.node ? place(e.behind) : nodes_.size();
        e.node = place(e.node);
        e.further = place(e.further);
    }
}

void WallForces::compute(const Solver& solver, const Vec3* velocities, Vec3* forces) const
{
    populations_.resize(nodes_.size()*directions_);
    solver.getPopulations(nodes_.data(), nodes_.size(), populations_.data());
    const double* populations = populations_.data();
    if (wallLinks_.size() < links_) std::fill(forces, forces + links_, Vec3{0, 0, 0});
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
    #pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < wallLinks_.size(); ++i) {
        const WallLink& e = wallLinks_[i];
        const double* own = &populations[e.node*directions_];
        const double sent = own[e.out], away = own[e.in];
        const double arriving = e.behind < nodes_.size() ? populations[e.behind*directions_ + e.out] : away;
        const WallInterpolation& s = e.shares;
        double back = s.reflected*sent + s.arriving*arriving + s.further*populations[e.further*directions_ + e.more]
            + s.kept()*away;

        Vec3 u{0, 0, 0};
        if (velocities) {
            u = velocities[e.link];
            // Half-way walls add the node's density to c.u, interpolated ones 1: the same to Mach squared. A wall on
            // the node's other side counts as moving alike.
            back -= (s.moved - s.movedAcross)*6*e.weight*(e.c[0]*u[0] + e.c[1]*u[1] + e.c[2]*u[2]);
        }
        for (int a = 0; a < 3; ++a) forces[e.link][a] = (sent + back)*e.c[a] - (sent - back)*u[a];
    }
}

} // namespace lbm
