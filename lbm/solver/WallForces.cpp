// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallForces.hpp"

#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/solver/DirectionNumbers.hpp"
#include "lbm/solver/groupsOf.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

constexpr float samePlace = 1e-3f; // of fractions, but for rounding

bool isWall(BoundaryKind kind)
{
    return kind == BoundaryKind::wall || kind == BoundaryKind::movingWall || kind == BoundaryKind::interpolatedWall;
}

// Who sent what arrives at a node, and along which direction.
struct Sender {
    NodeIndex node;
    Int3 along;
};

NodeIndex fluidNeighbour(const Domain& domain, NodeIndex node, const Int3& c)
{
    const NodeIndex there = findLink(domain, node, c) ? -1 : domain.neighbour(domain.coordinates(node), c);
    return there >= 0 && domain.fluid[there] ? there : -1;
}

// Of what arrives at a node along c, from the node behind it or from one that planes of symmetry across axes of the lattice show
// there. Where something else sends it (a wall beyond such a plane, an opening, a plane oblique to the lattice) it is what the node
// sent back itself, to first order.
Sender senderOf(const Domain& domain, const std::vector<LinkValue>& patches, NodeIndex node, const Int3& c)
{
    Int3 step{-c[0], -c[1], -c[2]}, along = c;
    for (int a = 0; a < 3; ++a) {
        Int3 axis{0, 0, 0};
        axis[a] = -c[a];
        const Link* const link = c[a] == 0 ? nullptr : findLink(domain, node, axis);
        if (!link || !isPlane(patches[link->patch].kind)) continue;
        step[a] = 0;
        along[a] = -c[a];
    }
    if (step == Int3{0, 0, 0}) return {node, along};
    const NodeIndex there = fluidNeighbour(domain, node, step);
    return there >= 0 ? Sender{there, along} : Sender{node, {-c[0], -c[1], -c[2]}};
}

// Terms of f_out + f_in of a link, f_in without what a moving wall adds (see InterpolatedWall).
void addExchange(NodeGroups& groups, const Domain& domain, const std::vector<LinkValue>& patches, const Link& link,
                 const CurvedWall& wall, const DirectionNumbers& along)
{
    const WallInterpolation& s = wall.shares;
    const Int3 c = directionOf(link.direction);
    const int out = int(along(c)), in = int(along({-c[0], -c[1], -c[2]}));
    const auto add = [&](NodeIndex node, double weight, int q) {
        if (weight != 0) groups.add(node, weight, q);
    };
    add(link.node, 1 + double(s.reflected), out);
    add(link.node, s.kept(), in);
    if (s.arriving != 0) {
        const Sender sender = senderOf(domain, patches, link.node, c);
        add(sender.node, s.arriving, int(along(sender.along)));
    }
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
        addExchange(groups, domain, config.patches, link, wall, along);
        for (int a = 0; a < 3; ++a) links_[i].c[a] = std::int8_t(c[a]);
        links_[i].out = std::uint8_t(out);
        // Half-way walls add the node's density to c.u, interpolated ones 1: the same to Mach squared.
        links_[i].moved = wall.shares.moved * 6 * weights[out];
        across[i] = -wall.shares.movedAcross * 6 * weights[out];
    };
    NodeGroups groups = groupsOf(NodeSet::Kind::sumsOfPopulations, numbers.size(), describe);
    listAcross(domain, runs, across);
    listImages(domain, config, numbers, along, weights);
    for (std::size_t i = numbers.size(); i < links_.size(); ++i) {
        groups.add(links_[i].node, 2, links_[i].out);
        groups.endGroup();
    }
    exchanged_ = solver.place(groups);
    sums_.resize(links_.size());
}

// Of each link of the wall those that reach its image over a plane across an axis of the lattice: atCorner (Boundaries.hpp) sends back
// what they bring. Over two planes at once (D3Q27, where they meet) no image is counted.
void WallForces::listImages(const Domain& domain, const Config& config, const std::vector<std::size_t>& numbers,
                            const DirectionNumbers& along, const std::vector<double>& weights)
{
    const auto isOfPlane = [&](const Link& link) { return isPlane(config.patches[link.patch].kind); };
    if (std::none_of(config.patches.begin(), config.patches.end(), [](const LinkValue& p) { return isPlane(p.kind); }))
        return;
    const std::vector<Link>& all = domain.links;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (links_[i].out == 0) continue;
        const NodeIndex node = links_[i].node;
        const Int3 t = directionOf(all[numbers[i]].direction);
        std::size_t first = numbers[i], last = numbers[i];
        while (first > 0 && all[first - 1].node == node) --first;
        while (last < all.size() && all[last].node == node) ++last;
        for (std::size_t k = first; k < last; ++k) {
            const Int3 n = directionOf(all[k].direction);
            const bool acrossAxis = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]) == 1;
            if (!isOfPlane(all[k]) || !acrossAxis || n[0] * t[0] + n[1] * t[1] + n[2] * t[2] != 0) continue;
            const Int3 over{t[0] + n[0], t[1] + n[1], t[2] + n[2]};
            const Link* const link = findLink(domain, node, over);
            const std::size_t out = along(over);
            if (!link || !isOfPlane(*link) || out >= weights.size()) continue;
            // Both meet a plane across the axis after the same share of their way, one that lies obliquely after different ones.
            if (std::abs(link->fraction - all[k].fraction) > samePlace) continue;
            WallLink image{node, {0, 0, 0}, std::uint8_t(out), 6 * weights[out]};
            for (int a = 0; a < 3; ++a) image.c[a] = std::int8_t(t[a] - n[a]);
            links_.push_back(image);
            imageOf_.push_back(i);
        }
    }
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
    const bool moves = std::any_of(velocities.begin(), velocities.end(), [](const auto& of) { return of.second; });
    if (moves) takeMovingWalls(solver, velocities);
    const auto found = velocities.find(patch_);
    const Vec3* own = found == velocities.end() ? nullptr : found->second;
    const auto forceOn = [&](std::size_t i, const Vec3& u) {
        return forceOf(links_[i], sums_[i], moves ? sentSums_[i] : 0, u);
    };
    const auto velocityOf = [&](std::size_t i) { return own ? own[i] : Vec3{0, 0, 0}; };
    const int threads = threads_ > 0 ? threads_ : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < links(); ++i) forces[i] = forceOn(i, velocityOf(i));
    for (std::size_t k = 0; k < imageOf_.size(); ++k) {
        const std::size_t i = imageOf_[k];
        Vec3 u = velocityOf(i); // where wall and image meet: along the plane
        for (int a = 0; a < 3; ++a)
            if (links_[i].c[a] != links_[links() + k].c[a]) u[a] = 0;
        const Vec3 force = forceOn(links() + k, u);
        for (int a = 0; a < 3; ++a) forces[i][a] += force[a];
    }
}

// exchanged: f_out + f_in without what a moving wall adds. sent: f_out, of walls that move.
Vec3 WallForces::forceOf(const WallLink& link, double exchanged, double sent, const Vec3& u)
{
    exchanged -= link.moved * along(link, u);
    const double kept = 2 * sent - exchanged; // f_out - f_in
    Vec3 force;
    for (int a = 0; a < 3; ++a) force[a] = exchanged * link.c[a] - kept * u[a];
    return force;
}

double WallForces::along(const WallLink& link, const Vec3& u)
{
    return link.c[0] * u[0] + link.c[1] * u[1] + link.c[2] * u[2];
}

// What these walls sent, and what those across gaps take of sums.
void WallForces::takeMovingWalls(const Solver& solver, const Velocities& velocities) const
{
    if (!sent_) {
        const auto addSent = [&](std::size_t i, NodeGroups& groups) {
            if (links_[i].out > 0) groups.add(links_[i].node, 1, links_[i].out);
        };
        const NodeGroups groups = groupsOf(NodeSet::Kind::sumsOfPopulations, links_.size(), addSent);
        sent_ = solver.place(groups);
        sentSums_.resize(links_.size());
    }
    solver.sumPopulations(*sent_, sentSums_.data());
    for (const Across& a : across_) {
        const auto found = velocities.find(a.patch);
        if (found == velocities.end() || !found->second) continue;
        sums_[a.link] -= a.moved * along(links_[a.link], found->second[a.other]);
    }
}

} // namespace lbm
