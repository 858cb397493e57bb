// LawLink: what a wall law (lbm/api/WallLaw.hpp) makes of the flow beside one link, and what the link is told, on a host or a device:
// the only place where this physics stands. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/WallLaw.hpp"
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

// What a link takes beyond what it brings where the fluid half-way moves with u, and what it is told less so that the wall as a
// whole takes nothing (lbm/api/SlipBalance.hpp). weight: 6 w; mirrored: the same of its mirror image, null: none or itself; left:
// what links without an image take, over the wall's area.
LBM_HD inline double takenBy(double weight, const Vec3& c, const Vec3& u) { return weight * product(c, u); }
LBM_HD inline Vec3 balanced(const Vec3& told, double weight, double moved, const Vec3& c, const Vec3& normal,
                            double taken, const double* mirrored, double left)
{
    const double off = mirrored && weight > 0 ? 0.5 * (taken + *mirrored) / (weight * product(c, c)) : 0;
    return {told[0] - (off * c[0] + left * normal[0]) / moved, told[1] - (off * c[1] + left * normal[1]) / moved,
            told[2] - (off * c[2] + left * normal[2]) / moved};
}

} // namespace law

// Once for all.
struct LawLink {
    Vec3 normal{0, 0, 0};             // outwards
    double fraction = 0.5;            // of the link, where the wall is
    double nodeAt = 0, sampledAt = 0; // distances from the wall, of the link's node and of what is sampled
    double weight = 0;                // 6 w
    SlipShares shares;
    std::int64_t partner = -1; // the link that is its mirror image, see SlipBalance; -1: none, itself: no other one
    std::uint8_t direction = 0;
    bool sticks = false; // the lattice does not resolve the fluid beside it

    LBM_HD Vec3 along() const
    {
        const Int3 c = directionOf(direction);
        return {double(c[0]), double(c[1]), double(c[2])};
    }
};

// What it follows: stress over density, velocity past the wall, and what it gains per spacing from the wall.
struct LawState {
    Vec3 stress{0, 0, 0}, slip{0, 0, 0}, gain{0, 0, 0};
};

struct LawPace {
    double steps = 0;   // since the last time
    bool begun = false; // there was one
};

// Of the way to the slip that is right, what is gone in one update.
constexpr double slipPart = 0.5;

namespace law {

// From velocities relative to the wall's own, of what is sampled and of the node, and the node's own speed and shear rate. Returns
// whether the stress needed more than to bring the fluid to rest.
LBM_HD inline bool follow(const LawLink& link, const spalding::Constants& law, const WallLawFluid& fluid,
                          const LawPace& pace, const Vec3& sampled, const Vec3& atNode, double speed, double shearRate,
                          LawState& state)
{
    const Vec3 past = alongWall(sampled, link.normal);
    const double u = lengthOf(past), y = link.sampledAt;
    const double friction = spalding::frictionVelocity(u, y, fluid.viscosity, law, std::sqrt(lengthOf(state.stress)));
    const Vec3 stress = u > spalding::still ? part(friction * friction / u, past) : Vec3{0, 0, 0};
    const double share = pace.begun ? 1 - std::exp(-pace.steps * u / y) : 1;
    state.stress = sumOf(state.stress, share, sumOf(stress, -1, state.stress));

    const double own = fluid.viscosity + fluid.square * shearRate, least = fluid.guard > 0 ? speed / fluid.guard : 0;
    Vec3 gain = part(1 / (own < least ? least : own), state.stress);
    const Vec3 u1 = alongWall(atNode, link.normal);
    // At rest where links that begin at the wall are told their velocity
    const double steepest = lengthOf(gain), most = lengthOf(u1) / (link.nodeAt + 0.5);
    const bool clipped = steepest > most;
    if (clipped) gain = part(most / steepest, gain);
    const Vec3 slip = sumOf(u1, -link.nodeAt, gain);
    const double way = pace.begun ? slipPart : 1;
    state.slip = sumOf(state.slip, way, sumOf(slip, -1, state.slip));
    state.gain = sumOf(state.gain, way, sumOf(gain, -1, state.gain));
    return clipped;
}

// What a link's slip comes to: what the fluid does where it meets the wall, gains over its length, and takes half-way.
struct LawSlip {
    Vec3 atWall, gain;
    double taken;
};

LBM_HD inline LawSlip slipOf(const LawLink& link, const LawState& state, const Vec3& wall)
{
    const Vec3 c = link.along();
    if (link.sticks) return {wall, {0, 0, 0}, takenBy(link.weight, c, wall)};
    const Vec3 gain = part(magnitude(product(c, link.normal)), state.gain), atWall = sumOf(wall, 1, state.slip);
    return {atWall, gain, takenBy(link.weight, c, sumOf(atWall, link.fraction - 0.5, gain))};
}

// What it is told. taken: of all links, null: of a wall without area, which has nothing to balance; left: see `balanced`.
LBM_HD inline Vec3 toldBy(const LawLink& link, const LawState& state, const Vec3& wall, const double* taken,
                          std::size_t i, double left)
{
    const LawSlip slip = slipOf(link, state, wall);
    const Vec3 c = link.along(), told = slippingVelocity(link.shares, c, link.fraction, slip.atWall, slip.gain);
    if (!taken) return told;
    const bool pair = link.partner >= 0 && std::size_t(link.partner) != i;
    return balanced(told, link.weight, link.shares.moved, c, link.sticks ? Vec3{0, 0, 0} : link.normal, taken[i],
                    pair ? taken + link.partner : nullptr, left);
}

// Sums that are the same however many threads there are, and on a device: of so many values, then of so many such sums, until one
// is left.
constexpr std::size_t sumsOf = 64;
LBM_HD inline double sumOfRun(const double* values, std::size_t n, std::size_t run)
{
    double sum = 0;
    for (std::size_t i = run * sumsOf; i < n && i < (run + 1) * sumsOf; ++i) sum += values[i];
    return sum;
}

} // namespace law

} // namespace lbm
