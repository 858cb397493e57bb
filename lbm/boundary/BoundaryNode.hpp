// BoundaryNode: what a boundary may know to complete a missing population: states of boundary nodes (its own,
// a donor's) after the previous collision and what the link imposes. Nothing here depends on how populations
// are stored or propagated, so that a boundary is written once for all patterns.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/NodeValues.hpp"

#include <cstdint>

namespace lbm {

LBM_HD constexpr bool needsDonor(BoundaryKind kind)
{
    return kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity || kind == BoundaryKind::outflow
        || kind == BoundaryKind::frame || kind == BoundaryKind::turn || isPlane(kind);
}

LBM_HD constexpr bool imposesPressure(BoundaryKind kind)
{
    return kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity;
}

// Where a link lies and what it looks at; `direction` is the incoming (missing) population.
struct LinkMakeup {
    std::int32_t donor;                // first of its shares (>= 0), restingWall, or cornerLink(index of a link)
    std::int32_t fit;                  // first of the even shares of a MirrorFit, behind which its odd ones lie
    std::uint8_t fitted;               // how many of each; 0: none
    std::uint8_t shares, sharesBeyond; // how many, one after another
    std::uint8_t direction;
    std::uint8_t inward; // directionCode from the ghost node to the donor
    std::uint8_t kind;
    std::int8_t mirror;              // see Slip; of turns the direction in which the donor sent what arrives
    std::int8_t round[2] = {-1, -1}; // at an edge (Donor::round) those of two shares; else -1

    static constexpr std::int8_t bent = -2;
    static constexpr std::int32_t restingWall = -1;
    static constexpr std::int32_t cornerLink(std::int32_t link) { return -2 - link; }
};

// What it is told, and from where to where; in lattice units.
template<class T>
struct LinkTold {
    T velocity[3];
    T r;                 // imposed density - 1
    T recovery;          // see LinkValue
    T outward[3], reach; // see Donor; at an interpolated wall's corners the share of halfWayShare
};

template<class T>
struct BoundaryLink : LinkTold<T>, LinkMakeup {};

// Links in two lists: a host that makes no steps has the first one alone.
template<class T>
struct BoundaryLinks {
    const LinkMakeup* made;
    const LinkTold<T>* told;

    LBM_HD BoundaryLink<T> operator[](std::size_t i) const { return {told[i], made[i]}; }
};

// Part of a donor between nodes.
template<class T>
struct BoundaryShare {
    std::int32_t node; // boundary node
    T weight;
};

struct BoundaryState {
    std::int16_t local; // node within its tile
    std::uint32_t firstLink, lastLink;
    std::int32_t opening; // of the list of OpeningNodes, -1: is none
};

// Of a boundary node, after the previous collision: known where steps are made, and nowhere else.
template<class L, class T>
struct SentPopulations {
    T of[L::Q];
};

template<class L, class T>
struct BoundaryTable {
    const BoundaryState* nodes;
    // [nodes]; two copies, for a step's donors are read while others are written. Where none are, both are one
    const SentPopulations<L, T>* sent[2];
    BoundaryLinks<T> links;
    const BoundaryShare<T>* shares;
    T* means; // of links that let sound out: the mean of what it changes; NaN: not known yet
    int now;  // which copy holds the previous collision's
    const Parameters<T>& parameters;
    bool incompressible;

    LBM_HD const T (&after(std::int32_t node) const)[L::Q] { return sent[now][node].of; }
};

// What a boundary node has of its own, or what holds for all.
template<class L, class T>
LBM_HD NodeValues<T> valuesOf(const BoundaryTable<L, T>& table, std::int32_t index)
{
    const Parameters<T>& p = table.parameters;
    const NodeFields<T>& f = p.closure.fields;
    const T* force = f.force ? f.force + f.boundaryForce(index) : p.force;
    return {
        f.tau ? f.tau[f.boundaryTau(index)] : p.closure.tau, {force[0], force[1], force[2]}, p.forced || f.force, {}};
}

// Populations at a place between nodes, and the force there.
template<class L, class T>
struct MixedState {
    T after[L::Q], force[3];
};

template<class L, class T>
class BoundaryNode {
public:
    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, std::int32_t index) :
        BoundaryNode(table, index, table.after(index))
    {}

    // after: of that node; must outlive this.
    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, std::int32_t index, const T (&after)[L::Q]) :
        BoundaryNode(table, after, valuesOf(table, index))
    {}

    // Between nodes tau is what holds for all.
    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, const MixedState<L, T>& mixed) :
        BoundaryNode(table, mixed.after, mixed.force, table.parameters.closure.tau)
    {}

    T r; // density - 1
    T u[3];
    T tau; // without the closure's share

    LBM_HD const BoundaryTable<L, T>& table() const { return table_; }
    LBM_HD T after(int q) const { return after_[q]; }
    LBM_HD T inertia(T density) const { return table_.incompressible ? T(1) : T(1) + density; }

    // 6 w rho c.u: what a wall moving with u adds to the reflected population (Ladd 1994).
    LBM_HD T wallTransfer(int q, const T (&wall)[3]) const
    {
        return T(6 * weightOf<L>(q)) * inertia(r) * linkDot(q, wall);
    }

    LBM_HD T equilibrium(int q, T density, const T (&v)[3]) const
    {
        const T cu = linkDot(q, v);
        const T uu = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        return T(weightOf<L>(q)) * (density + inertia(density) * (3 * cu + T(4.5) * cu * cu - T(1.5) * uu));
    }

    LBM_HD T linkDot(int q, const T (&v)[3]) const
    {
        return T(component<L>(q, 0)) * v[0] + T(component<L>(q, 1)) * v[1] + T(component<L>(q, 2)) * v[2];
    }

private:
    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, const T (&after)[L::Q], const NodeValues<T>& own) :
        BoundaryNode(table, after, own.force, own.tau)
    {}

    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, const T (&after)[L::Q], const T (&force)[3], T relaxation) :
        tau(relaxation), table_(table), after_(after)
    {
        densityAndMomentum<L>(after_, r, u);
        const T scale = table.incompressible ? T(1) : T(1) / (T(1) + r);
        for (int a = 0; a < 3; ++a) u[a] = (u[a] - T(0.5) * force[a]) * scale;
    }

    const BoundaryTable<L, T>& table_;
    const T (&after_)[L::Q];
};

template<class L, class T>
LBM_HD void mix(const BoundaryTable<L, T>& table, const BoundaryShare<T>* shares, int n, MixedState<L, T>& mixed)
{
    const bool byNode = table.parameters.closure.fields.force;
    for (int q = 0; q < L::Q; ++q) mixed.after[q] = 0;
    for (int a = 0; a < 3; ++a) mixed.force[a] = byNode ? T(0) : table.parameters.force[a];
    for (int i = 0; i < n; ++i) {
        for (int q = 0; q < L::Q; ++q) mixed.after[q] += shares[i].weight * table.after(shares[i].node)[q];
        if (!byNode) continue;
        const NodeValues<T> own = valuesOf(table, shares[i].node);
        for (int a = 0; a < 3; ++a) mixed.force[a] += shares[i].weight * own.force[a];
    }
}

} // namespace lbm
