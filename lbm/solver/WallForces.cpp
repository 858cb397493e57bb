// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallForces.hpp"

#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/solver/DirectionNumbers.hpp"

#include <omp.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

bool isWall(BoundaryKind kind)
{
    return kind == BoundaryKind::wall || kind == BoundaryKind::movingWall || kind == BoundaryKind::interpolatedWall;
}

// Terms of f_out + f_in of a link, f_in without what a moving wall adds (see InterpolatedWall).
void addExchange(NodeGroups& groups, const Domain& domain, const Link& link, const CurvedWall& wall, int out, int in)
{
    const WallInterpolation& s = wall.shares;
    const Int3 c = directionOf(link.direction), inward{-c[0], -c[1], -c[2]};
    const auto add = [&](NodeIndex node, double weight, int q) {
        if (weight != 0) groups.add(node, weight, q);
    };
    add(link.node, 1 + double(s.reflected), out);
    // Where something else sends f_out it is what the node sent itself, to first order.
    const NodeIndex behind = s.arriving == 0 || findLink(domain, link.node, inward)
        ? -1
        : domain.neighbour(domain.coordinates(link.node), inward);
    const bool arrives = behind >= 0 && domain.fluid[behind];
    add(link.node, s.kept() + (arrives ? 0 : double(s.arriving)), in);
    if (arrives) add(behind, s.arriving, out);
    if (wall.further >= 0) add(wall.further, s.further, wall.furtherOut ? out : in);
}

} // namespace

WallForces::WallForces(const Solver& solver, const Config& config, int patch) :
    patch_(patch), patches_{patch}, threads_(config.threads)
{
    if (patch < 0 || patch >= int(config.patches.size()) || !isWall(config.patches[patch].kind))
        throw std::invalid_argument("forces: patch number " + std::to_string(patch) + " is not a wall");
    const Domain& domain = solver.domain();
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const std::vector<double> weights = latticeWeights(solver.row().lattice);
    const DirectionNumbers along(directions);
    const bool interpolated = config.patches[patch].kind == BoundaryKind::interpolatedWall;

    std::vector<double> across; // shares of the other wall
    NodeGroups groups{NodeSet::Kind::sumsOfPopulations};
    for (const Link& link : domain.links) {
        if (link.patch != patch) continue;
        across.push_back(0);
        const Int3 c = directionOf(link.direction);
        const std::size_t out = along(c);
        links_.push_back({link.node, {0, 0, 0}, 0, 0});
        if (out < directions.size()) {
            const CurvedWall wall = interpolated ? curvedWall(domain, config.patches, link) : CurvedWall{};
            addExchange(groups, domain, link, wall, int(out), int(along({-c[0], -c[1], -c[2]})));
            WallLink& own = links_.back();
            for (int a = 0; a < 3; ++a) own.c[a] = std::int8_t(c[a]);
            own.out = std::uint8_t(out);
            // Half-way walls add the node's density to c.u, interpolated ones 1: the same to Mach squared.
            own.moved = wall.shares.moved * 6 * weights[out];
            across.back() = -wall.shares.movedAcross * 6 * weights[out];
        }
        groups.endGroup();
    }
    listAcross(domain, across);
    exchanged_ = solver.place(groups);
    sums_.resize(links());
}

void WallForces::listAcross(const Domain& domain, const std::vector<double>& shares)
{
    if (std::all_of(shares.begin(), shares.end(), [](double share) { return share == 0; })) return;
    std::vector<std::size_t> ordinals(domain.links.size()), counts(domain.patches.size());
    for (std::size_t i = 0; i < ordinals.size(); ++i) ordinals[i] = counts[std::size_t(domain.links[i].patch)]++;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] == 0) continue;
        const Int3 inward{-links_[i].c[0], -links_[i].c[1], -links_[i].c[2]};
        const Link* other = findLink(domain, links_[i].node, inward);
        across_.push_back({i, other->patch, ordinals[std::size_t(other - domain.links.data())], shares[i]});
        if (std::find(patches_.begin(), patches_.end(), other->patch) == patches_.end())
            patches_.push_back(other->patch);
    }
}

void WallForces::compute(const Solver& solver, const Velocities& velocities, Vec3* forces) const
{
    solver.sumPopulations(*exchanged_, sums_.data());
    if (std::any_of(velocities.begin(), velocities.end(), [](const auto& of) { return of.second; }))
        return takeMovingWalls(solver, velocities, forces);
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < links_.size(); ++i)
        for (int a = 0; a < 3; ++a) forces[i][a] = sums_[i] * links_[i].c[a];
}

void WallForces::takeMovingWalls(const Solver& solver, const Velocities& velocities, Vec3* forces) const
{
    const auto of = [&](int patch) {
        const auto found = velocities.find(patch);
        return found == velocities.end() ? nullptr : found->second;
    };
    if (!sent_) {
        NodeGroups groups{NodeSet::Kind::sumsOfPopulations};
        for (const WallLink& link : links_) {
            if (link.out > 0) groups.add(link.node, 1, link.out);
            groups.endGroup();
        }
        sent_ = solver.place(groups);
        sentSums_.resize(links());
    }
    solver.sumPopulations(*sent_, sentSums_.data());
    const auto along = [](const WallLink& link, const Vec3& u) {
        return link.c[0] * u[0] + link.c[1] * u[1] + link.c[2] * u[2];
    };
    for (const Across& a : across_)
        if (const Vec3* other = of(a.patch)) sums_[a.link] -= a.moved * along(links_[a.link], other[a.other]);
    const Vec3* own = of(patch_);
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const WallLink& link = links_[i];
        const Vec3 u = own ? own[i] : Vec3{0, 0, 0};
        const double exchanged = sums_[i] - link.moved * along(link, u);
        const double kept = 2 * sentSums_[i] - exchanged; // f_out - f_in
        for (int a = 0; a < 3; ++a) forces[i][a] = exchanged * link.c[a] - kept * u[a];
    }
}

} // namespace lbm
