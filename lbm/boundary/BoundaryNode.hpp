// BoundaryNode: what a boundary may know to complete a missing population: states of boundary nodes (its own,
// a donor's) after the previous collision and what the link imposes. Nothing here depends on how populations
// are stored or propagated, so that a boundary is written once for all patterns.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/solver/Config.hpp"

#include <cstdint>

namespace lbm {

LBM_HD constexpr bool needsDonor(BoundaryKind kind)
{
    return kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity || kind == BoundaryKind::outflow
        || kind == BoundaryKind::slip;
}

// In lattice units; `direction` is the incoming (missing) population.
template<class T>
struct BoundaryLink {
    T velocity[3];
    T r;                    // imposed density - 1
    std::int32_t donor;     // see Donor: a boundary node (>= 0), restingWall, or cornerLink(index of a link)
    std::int32_t beyond;    // the boundary node one further in than the donor, or -1
    std::uint8_t direction;
    std::uint8_t inward;    // directionCode from the ghost node to the donor
    std::uint8_t kind;

    static constexpr std::int32_t restingWall = -1;
    static constexpr std::int32_t cornerLink(std::int32_t link) { return -2 - link; }
};

// Two copies of the populations, for a step's donors are read while others are written.
template<class L, class T>
struct BoundaryState {
    std::int16_t local;               // node within its tile
    std::uint32_t firstLink, lastLink;
    T after[2][L::Q];                 // its populations after the previous collision
};

template<class L, class T>
struct BoundaryTable {
    const BoundaryState<L, T>* nodes;
    const BoundaryLink<T>* links;
    int now;                          // which copy holds the previous collision's
    const Parameters<T>& parameters;
    bool incompressible;
};

template<class L, class T>
class BoundaryNode {
public:
    LBM_HD BoundaryNode(const BoundaryTable<L, T>& table, std::int32_t index)
    :
        table_(table), after_(table.nodes[index].after[table.now])
    {
        densityAndMomentum<L>(after_, r, u);
        const T scale = table.incompressible ? T(1) : T(1)/(T(1) + r);
        for (int a = 0; a < 3; ++a) u[a] = (u[a] - T(0.5)*table.parameters.force[a])*scale;
    }

    T r;           // density - 1
    T u[3];

    LBM_HD const BoundaryTable<L, T>& table() const { return table_; }
    LBM_HD T after(int q) const { return after_[q]; }
    LBM_HD T inertia(T density) const { return table_.incompressible ? T(1) : T(1) + density; }

    // 6 w rho c.u: what a wall moving with u adds to the reflected population (Ladd 1994).
    LBM_HD T wallTransfer(int q, const T (&wall)[3]) const
    {
        return T(6*weightOf<L>(q))*inertia(r)*linkDot(q, wall);
    }

    LBM_HD T equilibrium(int q, T density, const T (&v)[3]) const
    {
        const T cu = linkDot(q, v);
        const T uu = v[0]*v[0] + v[1]*v[1] + v[2]*v[2];
        return T(weightOf<L>(q))*(density + inertia(density)*(3*cu + T(4.5)*cu*cu - T(1.5)*uu));
    }

private:
    LBM_HD T linkDot(int q, const T (&v)[3]) const
    {
        return T(component<L>(q, 0))*v[0] + T(component<L>(q, 1))*v[1] + T(component<L>(q, 2))*v[2];
    }

    const BoundaryTable<L, T>& table_;
    const T (&after_)[L::Q];
};

} // namespace lbm
