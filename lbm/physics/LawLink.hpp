// LawLink: what a wall law (lbm/api/WallLaw.hpp) makes of the flow beside one link, and what the link is told, on a host or a device:
// the only place where this physics stands. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/WallLags.hpp"
#include "lbm/api/WallLaw.hpp"
#include "lbm/api/WallPieces.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/SpaldingLaw.hpp"

#include <cmath>
#include <cstddef>

namespace lbm {

namespace law {

LBM_HD inline double product(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
LBM_HD inline Vec3 sumOf(const Vec3& a, double share, const Vec3& b)
{
    return {a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]};
}
LBM_HD inline Vec3 part(double share, const Vec3& a) { return {share * a[0], share * a[1], share * a[2]}; }
LBM_HD inline double lengthOf(const Vec3& a) { return std::sqrt(product(a, a)); }

// The part along a wall with normal n.
LBM_HD inline Vec3 alongWall(const Vec3& u, const Vec3& n) { return sumOf(u, -product(u, n), n); }

} // namespace law

// How a link of WallScheme::slipping takes what it is told (lbm/api/SlippingWall.hpp).
struct SlipShares {
    double place = 0.5;   // where on the link the wall is taken to be
    double moved = 1;     // of 6 w c.u, what it returns less
    bool between = false; // two walls

    // Of what comes back, what the node sends away from the wall.
    LBM_HD double kept() const { return 1 - 1 / (2 * place); }
};

namespace law {

// See lbm::slippingWall: c the link's direction, s its fraction. Populations carry Q/(6 w) = (9 (c.u)^2 - 3 u^2)/12 along the wall.
LBM_HD inline Vec3 slippingVelocity(const SlipShares& shares, const Vec3& c, double s, const Vec3& atWall,
                                    const Vec3& gain)
{
    if (shares.between) return atWall;
    const auto carried = [&](const Vec3& u) {
        const double cu = product(c, u);
        return 0.75 * cu * cu - 0.25 * product(u, u);
    };
    const double missing = carried(sumOf(atWall, s - 1, gain)) - carried(sumOf(atWall, s, gain));
    return sumOf(sumOf(atWall, s - shares.place, gain), -missing / (shares.moved * product(c, c)), c);
}

// What a link takes beyond what it brings where the fluid half-way moves with u, and what it is told less so that the wall takes nothing
// there (lbm/api/SlipBalance.hpp). weight: 6 w; mirrored: the same of its mirror image, null: none; left: what links without an image
// take, over the area of the pieces around.
LBM_HD inline double takenBy(double weight, const Vec3& c, const Vec3& u) { return weight * product(c, u); }

// Of an image where the fluid does the same: of links straight into the wall, and where a wall ends at an opening.
LBM_HD inline double takenByImage(double weight, const Vec3& c, const Vec3& normal, const Vec3& u)
{
    return weight * (2 * product(c, normal) * product(u, normal) - product(c, u));
}
LBM_HD inline Vec3 balanced(const Vec3& told, double weight, double moved, const Vec3& c, const Vec3& normal,
                            double taken, const double* mirrored, double left)
{
    const double off = mirrored && weight > 0 ? 0.5 * (taken + *mirrored) / (weight * product(c, c)) : 0;
    return {told[0] - (off * c[0] + left * normal[0]) / moved, told[1] - (off * c[1] + left * normal[1]) / moved,
            told[2] - (off * c[2] + left * normal[2]) / moved};
}

// What a link has of values that pieces of the wall have, by its block's corners.
LBM_HD inline double fromPieces(const WallPieces::Place& at, const std::uint32_t* corners, const double* ofPieces)
{
    double value = 0;
    for (int k = 0; k < 8; ++k) value += shareOf(at, k) * ofPieces[corners[k]];
    return value;
}

// Per area. A piece without area has no links, or the wall has none where the fluid slips.
LBM_HD inline double leftThrough(double taken, double area) { return area > 0 ? taken / area : 0; }

} // namespace law

// Once for all.
struct LawLink {
    Vec3 normal{0, 0, 0};             // outwards
    double fraction = 0.5;            // of the link, where the wall is
    double nodeAt = 0, sampledAt = 0; // distances from the wall, of the link's node and of what is sampled
    double weight = 0;                // 6 w
    SlipShares shares;
    std::int64_t partner = -1; // the link that is its mirror image, see SlipBalance; -1: none, itself: no other one
    WallPieces::Place piece;   // among those of the wall
    std::uint8_t direction = 0;
    bool sticks = false; // the lattice does not resolve the fluid beside it

    LBM_HD Vec3 along() const
    {
        const Int3 c = directionOf(direction);
        return {double(c[0]), double(c[1]), double(c[2])};
    }
};

// What it follows: stress over density, velocity past the wall, what it gains per spacing from the wall, and c.u of what the node's
// population carries odd beyond its momentum and beside the flow (`besideFor`), found anew each time; and what it gains across the
// wall, outwards per spacing, behind each of the lags.
struct LawState {
    Vec3 stress{0, 0, 0}, slip{0, 0, 0}, gain{0, 0, 0};
    double third = 0;
    double across[wallLags::count] = {};
};

// What the link's node sends, of its populations after collision.
struct LawNode {
    Vec3 velocity;    // their momentum over inertia
    Vec3 flux[3];     // of momentum over inertia, beyond equilibrium
    double third = 0; // as LawState's
    double odd = 0;   // what its populations along the link and against it differ by
};

struct LawPace {
    double steps = 0;   // since the last time
    bool begun = false; // there was one
    double lagged = 0;  // of the way of each lag (wallLags::share)
};

// Where half a spacing lies below the height at which u+ = y+ meets the logarithmic law, the lattice resolves the flow beside the
// wall, laminar or not, and the fluid sticks, which of a turbulent layer gives the law's stress, too. It slips as the law says where
// half a spacing lies in the law's logarithmic part. In wall units.
constexpr double viscousLayer = 11.5, logarithmicLayer = 30;

// The least distance of a node from the wall by which a velocity is divided: along the wall, and across it.
constexpr double nearest = 0.25, nearestAcross = 0.5;

namespace law {

// g: the node's populations, [Q], as Solver::getPopulations gives them.
template<class L>
LBM_HD inline LawNode sentBy(const LawLink& link, const double* g, bool incompressible)
{
    double r = 0, j[3] = {0, 0, 0}, flux[3][3] = {}, odd = 0;
    const Int3 own = directionOf(link.direction);
    unroll<L::Q>([&](auto q) {
        constexpr int c[3] = {L::c[q][0], L::c[q][1], L::c[q][2]};
        r += g[q];
        for (int a = 0; a < 3; ++a) {
            j[a] += c[a] * g[q];
            for (int b = 0; b <= a; ++b) flux[a][b] += c[a] * c[b] * g[q];
        }
        const bool along = c[0] == own[0] && c[1] == own[1] && c[2] == own[2],
                   against = c[0] == -own[0] && c[1] == -own[1] && c[2] == -own[2];
        odd += along ? g[q] : against ? -g[q] : 0;
    });
    const double inertia = incompressible ? 1 : 1 + r;
    LawNode node;
    for (int a = 0; a < 3; ++a) node.velocity[a] = j[a] / inertia;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b)
            node.flux[a][b] = node.flux[b][a] =
                (flux[a][b] - (a == b ? r / 3 : 0)) / inertia - node.velocity[a] * node.velocity[b];
    // The lattice may lack the link
    if (link.weight > 0) node.third = odd / link.weight - product(link.along(), part(inertia, node.velocity));
    node.odd = odd;
    return node;
}

LBM_HD inline double slipping(double yPlus)
{
    const double share = (yPlus - viscousLayer) / (logarithmicLayer - viscousLayer);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// Of the momentum flux, what goes along a direction.
LBM_HD inline Vec3 passedAlong(const LawNode& sent, const Vec3& direction)
{
    return {product(sent.flux[0], direction), product(sent.flux[1], direction), product(sent.flux[2], direction)};
}

// What the fluid gains per spacing from the wall, along which the node moves with u1, for its link to take the stress: between none
// and what brings it to rest at the wall. clipped: the stress needed more.
LBM_HD inline Vec3 gainFor(const LawLink& link, const Vec3& stress, double viscosity, const Vec3& u1,
                           const LawNode& sent, bool& clipped)
{
    clipped = false;
    const double speed = lengthOf(u1), slips = slipping(0.5 * std::sqrt(lengthOf(stress)) / viscosity);
    if (!(speed > spalding::still)) return {0, 0, 0};
    // Links take a (u_1 - u) c.n/3 + passed, u being what they are told where they say the wall is, 1/(2 a) of the link away
    const double wanted = 6 * product(sumOf(stress, -1, passedAlong(sent, link.normal)), u1) / speed;
    // At rest where links that begin at the wall are told their velocity
    const double most = speed / (link.nodeAt + 0.5);
    clipped = slips > 0 && wanted > most;
    const double lawful = clipped ? most : wanted > 0 ? wanted : 0;
    const double sticking = speed / (link.nodeAt > nearest ? link.nodeAt : nearest);
    return part((slips * lawful + (1 - slips) * sticking) / speed, u1);
}

// Nodes stand in stairs before walls that lie across no axis.
LBM_HD inline bool hasStairs(const Vec3& normal)
{
    const double across[] = {magnitude(normal[0]), magnitude(normal[1]), magnitude(normal[2])};
    return !(across[0] > 0.999 || across[1] > 0.999 || across[2] > 0.999);
}

// What a link is told besides, c.u of it, for it to take nothing of the momentum along the flow, at u1, that its node passes on across
// the flow but beside the wall. Populations of a link carry their share of that, too. Before a wall across an axis it cancels between the
// links of each node, and a node in stairs has not all of them: there it is some hundred times the friction.
LBM_HD inline double besideFor(const LawLink& link, const Vec3& u1, const LawNode& sent)
{
    const double speed = lengthOf(u1);
    if (!(speed > spalding::still) || !hasStairs(link.normal)) return 0;
    const Vec3 flow = part(1 / speed, u1), c = link.along();
    const double onwards = product(c, flow);
    const Vec3 beside = alongWall(sumOf(c, -onwards, flow), link.normal);
    return 6 * link.shares.place * onwards * product(flow, passedAlong(sent, beside));
}

// From velocities relative to the wall's own, of what is sampled and of the node, and what this one sends. Returns whether the stress
// needed more than to bring the fluid to rest.
LBM_HD inline bool follow(const LawLink& link, const spalding::Constants& law, double viscosity, const LawPace& pace,
                          const Vec3& sampled, const Vec3& atNode, const LawNode& sent, LawState& state)
{
    const Vec3 past = alongWall(sampled, link.normal);
    const double u = lengthOf(past), y = link.sampledAt;
    const double friction = spalding::frictionVelocity(u, y, viscosity, law, std::sqrt(lengthOf(state.stress)));
    const Vec3 stress = u > spalding::still ? part(friction * friction / u, past) : Vec3{0, 0, 0};
    const double share = pace.begun ? 1 - std::exp(-pace.steps * u / y) : 1;
    state.stress = sumOf(state.stress, share, sumOf(stress, -1, state.stress));

    const Vec3 u1 = alongWall(atNode, link.normal);
    bool clipped;
    state.gain = gainFor(link, state.stress, viscosity, u1, sent, clipped);
    state.slip = sumOf(u1, -link.nodeAt, state.gain);
    state.third =
        sent.third + slipping(0.5 * std::sqrt(lengthOf(state.stress)) / viscosity) * besideFor(link, u1, sent);
    const double apart = link.nodeAt > nearestAcross ? link.nodeAt : nearestAcross;
    wallLags::follow(state.across, product(atNode, link.normal) / apart, pace.lagged);
    return clipped;
}

// What a link's slip comes to: what the fluid does where it meets the wall, gains over its length, and takes half-way.
struct LawSlip {
    Vec3 atWall, gain;
    double taken, ofImage; // by itself, and by an image where the fluid does the same
};

LBM_HD inline LawSlip slipOf(const LawLink& link, const LawState& state, const Vec3& wall)
{
    const Vec3 c = link.along();
    if (link.sticks) return {wall, {0, 0, 0}, takenBy(link.weight, c, wall), -takenBy(link.weight, c, wall)};
    // Without what it gains across the wall, what a stream pushes to the wall or draws from it would go through it
    const Vec3 gain = part(magnitude(product(c, link.normal)),
                           sumOf(state.gain, state.across[wallLags::count - 1], link.normal)),
               atWall = sumOf(wall, 1, state.slip);
    const Vec3 halfWay = sumOf(atWall, link.fraction - 0.5, gain);
    return {atWall, gain, takenBy(link.weight, c, halfWay), takenByImage(link.weight, c, link.normal, halfWay)};
}

// What it is told but for the balance of the wall.
LBM_HD inline Vec3 toldOpen(const LawLink& link, const LawState& state, const LawSlip& slip)
{
    const Vec3 c = link.along(), told = slippingVelocity(link.shares, c, link.fraction, slip.atWall, slip.gain);
    // What is odd beyond momentum comes back with the other sign, and would go on in the fluid
    return link.sticks || link.shares.between ? told : sumOf(told, state.third / product(c, c), c);
}

// What it takes in a step if it is told that, beyond what it does if the fluid half-way moves with the slip.
LBM_HD inline double beyondBy(const LawLink& link, const LawState& state, const Vec3& wall, const LawNode& sent)
{
    const LawSlip slip = slipOf(link, state, wall);
    return link.shares.kept() * sent.odd
        + link.shares.moved * takenBy(link.weight, link.along(), toldOpen(link, state, slip)) - slip.taken;
}

// What it is told. taken: of all links, null: of a wall without area, which has nothing to balance; left: see `balanced`.
LBM_HD inline Vec3 toldBy(const LawLink& link, const LawState& state, const Vec3& wall, const double* taken,
                          std::size_t i, double left)
{
    const LawSlip slip = slipOf(link, state, wall);
    const Vec3 told = toldOpen(link, state, slip);
    if (!taken) return told;
    const double* image = link.partner < 0 ? nullptr
        : std::size_t(link.partner) == i   ? &slip.ofImage
                                           : taken + link.partner;
    return balanced(told, link.weight, link.shares.moved, link.along(), link.sticks ? Vec3{0, 0, 0} : link.normal,
                    taken[i], image, left);
}

// Sums in one order however many threads there are, and on a device, of what pieces at one of the corners have: of so many links
// of a block, then of so many such sums, until one a block is left (LawSums).
constexpr std::size_t sumsOf = 64;
LBM_HD inline double sumOfLinks(const LawLink* links, const double* values, const std::uint32_t* order,
                                std::size_t begin, std::size_t end, int corner)
{
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += shareOf(links[order[i]].piece, corner) * values[order[i]];
    return sum;
}
LBM_HD inline double sumOfSums(const double* sums, std::size_t begin, std::size_t end, int corner)
{
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += sums[8 * i + std::size_t(corner)];
    return sum;
}

// Of a piece, from those of the blocks around it. terms: 8 times the block's number, and which corner of it the piece is.
LBM_HD inline double sumOfPiece(const double* sums, const std::uint32_t* terms, std::size_t begin, std::size_t end)
{
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += sums[terms[i]];
    return sum;
}

} // namespace law

} // namespace lbm
