// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallForces.hpp"

#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/solver/DirectionNumbers.hpp"
#include "lbm/solver/groupsOf.hpp"

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

WallForces::WallForces(const Solver& solver, const Config& config, int patch, const LinkRuns& runs) :
    patch_(patch), patches_{patch}, threads_(config.threads)
{
    if (patch < 0 || patch >= int(config.patches.size()) || !isWall(config.patches[patch].kind))
        throw std::invalid_argument("forces: patch number " + std::to_string(patch) + " is not a wall");
    const Domain& domain = solver.domain();
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const std::vector<double> weights = latticeWeights(solver.row().lattice);
    const DirectionNumbers along(directions);
    const bool interpolated = config.patches[patch].kind == BoundaryKind::interpolatedWall;

    const std::vector<std::size_t> numbers = runs.of(patch);
    links_.resize(numbers.size());
    std::vector<double> across(numbers.size(), 0); // shares of the other wall
    const auto describe = [&](std::size_t i, NodeGroups& groups) {
        const Link& link = domain.links[numbers[i]];
        const Int3 c = directionOf(link.direction);
        const std::size_t out = along(c);
        links_[i] = {link.node, {0, 0, 0}, 0, 0};
        if (out >= directions.size()) return;
        const CurvedWall wall = interpolated ? curvedWall(domain, config.patches, link) : CurvedWall{};
        addExchange(groups, domain, link, wall, int(out), int(along({-c[0], -c[1], -c[2]})));
        for (int a = 0; a < 3; ++a) links_[i].c[a] = std::int8_t(c[a]);
        links_[i].out = std::uint8_t(out);
        // Half-way walls add the node's density to c.u, interpolated ones 1: the same to Mach squared.
        links_[i].moved = wall.shares.moved * 6 * weights[out];
        across[i] = -wall.shares.movedAcross * 6 * weights[out];
    };
    const NodeGroups groups = groupsOf(NodeSet::Kind::sumsOfPopulations, numbers.size(), describe);
    listAcross(domain, runs, across);
    exchanged_ = solver.place(groups);
    sums_.resize(links());
}

void WallForces::listAcross(const Domain& domain, const LinkRuns& runs, const std::vector<double>& shares)
{
    std::map<int, std::vector<std::size_t>> numbers; // of the links of patches across
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] == 0) continue;
        const Int3 inward{-links_[i].c[0], -links_[i].c[1], -links_[i].c[2]};
        const Link* other = findLink(domain, links_[i].node, inward);
        if (!numbers.count(other->patch)) numbers[other->patch] = runs.of(other->patch);
        const std::vector<std::size_t>& of = numbers[other->patch];
        const auto place = std::lower_bound(of.begin(), of.end(), std::size_t(other - domain.links.data()));
        across_.push_back({i, other->patch, std::size_t(place - of.begin()), shares[i]});
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
        const auto addSent = [&](std::size_t i, NodeGroups& groups) {
            if (links_[i].out > 0) groups.add(links_[i].node, 1, links_[i].out);
        };
        const NodeGroups groups = groupsOf(NodeSet::Kind::sumsOfPopulations, links(), addSent);
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
