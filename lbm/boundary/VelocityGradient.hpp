// Velocity gradient: what a node at a velocity or pressure opening becomes, whole, before it collides (Latt, Chopard,
// Malaspinas, Deville & Michler 2008; section 3.2 of Gounley et al. 2022): equilibrium of density and velocity there, and
// the stress that belongs to the strain rate S from differences of velocities around it,
//   pi = inertia u u - 2/3 inertia tau S                                             moments, their equation (22)
//   g_q = g_q^eq - 3 inertia w_q tau (c_a c_b - delta_ab/3) S_ab                     populations, their (19)
// Whichever of density and normal velocity is not imposed follows from what has arrived (rho_0 + 2 rho_1, their (21); of
// moments, where populations that come in cancel, r + j_n, their (24)), if the node has a link straight through the
// opening; else what its other links have brought counts as it is. Theirs is a node on the opening. Here it lies
// in front, and velocity or density are interpolated between the opening and the node behind; neighbours, walls and
// openings at any distance serve the differences, so that openings lie anyhow. Velocities around are those before the step.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Closures.hpp"

#include <array>

namespace lbm {

// A link through the opening, and the boundary node behind (-1: none).
struct OpeningLink {
    std::int32_t link, behind;
    float distance;
};

// What lies next to the node on one side along an axis: a boundary node, a link of the list, or, of neither, a resting wall;
// at distance 0 nothing that tells a velocity.
struct OpeningSide {
    std::int32_t node, link;
    float distance;
};

struct OpeningNode {
    std::int32_t state;     // of the boundary nodes
    std::int8_t axis, sign; // of a link straight through; axis -1: none
    std::int8_t links;      // how many of `nearest`
    OpeningLink nearest[6]; // the shortest links through the opening
    OpeningSide side[3][2]; // by axis, lower first
};

// Density - 1, velocity and strain rate (xx, xy, xz, yy, yz, zz) of a node.
template<class T>
struct OpeningState {
    T r, u[3], strain[6];
    bool imposed; // false: the opening has become of a kind that leaves the node alone
};

// Density - 1 and velocity of a boundary node after the previous collision.
template<class T>
struct NodeFlow {
    T r, u[3];
};

// From its populations ...
template<class L, class T>
struct FlowOfPopulations {
    const BoundaryTable<L, T>& table;

    LBM_HD NodeFlow<T> operator()(std::int32_t index) const
    {
        const BoundaryNode<L, T> node(table, index);
        return {node.r, {node.u[0], node.u[1], node.u[2]}};
    }
};

// ... or from its density and momentum, [nodes][4], where moments are kept.
template<class L, class T>
struct FlowOfMoments {
    const BoundaryTable<L, T>& table;
    const std::array<T, 4>* moments;

    LBM_HD NodeFlow<T> operator()(std::int32_t index) const
    {
        const std::array<T, 4>& m = moments[index];
        const NodeValues<T> own = valuesOf(table, index);
        const T* force = own.force;
        const T scale = table.incompressible ? T(1) : T(1) / (T(1) + m[0]);
        return {m[0],
                {(m[1] - T(0.5) * force[0]) * scale, (m[2] - T(0.5) * force[1]) * scale,
                 (m[3] - T(0.5) * force[2]) * scale}};
    }
};

template<class L, class T, class Flow = FlowOfPopulations<L, T>>
class VelocityGradient {
public:
    LBM_HD VelocityGradient(const BoundaryTable<L, T>& table, const OpeningNode& node) :
        VelocityGradient(table, node, Flow{table})
    {}
    LBM_HD VelocityGradient(const BoundaryTable<L, T>& table, const OpeningNode& node, const Flow& flow) :
        table_(table), node_(node), flow_(flow), own_(valuesOf(table, node.state))
    {}

    // r and j: of all populations that have arrived.
    LBM_HD OpeningState<T> state(T r, const T (&j)[3]) const
    {
        OpeningState<T> s{};
        const BoundaryKind kind = BoundaryKind(table_.links.made[node_.nearest[0].link].kind);
        const bool pressure = kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity;
        s.imposed = pressure || kind == BoundaryKind::velocity;
        if (!s.imposed) return s;
        interpolate(s, pressure, kind != BoundaryKind::pressure);
        const int a = node_.axis;
        const T unity = table_.incompressible ? T(1) : T(1) + s.r;
        if (a < 0) {
            if (!pressure) s.r = r;
            if (kind == BoundaryKind::pressure)
                for (int b = 0; b < L::D; ++b) s.u[b] = (j[b] + T(0.5) * own_.force[b]) / unity;
        } else {
            // 1 + known = rho_0 + 2 rho_1
            const T known = r + node_.sign * (j[a] + T(0.5) * own_.force[a]), out = node_.sign * s.u[a];
            if (!pressure) s.r = table_.incompressible ? known - out : (known - out) / (T(1) + out);
            if (kind == BoundaryKind::pressure) s.u[a] = node_.sign * (known - s.r) / unity;
        }
        strain(s);
        return s;
    }

    LBM_HD T relaxationTime(const OpeningState<T>& s) const
    {
        const T speed = squareRoot(s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2]);
        return lbm::relaxationTime(table_.parameters.closure, shearRateOf(s.strain), speed, own_.tau);
    }

    LBM_HD T inertia(const OpeningState<T>& s) const { return table_.incompressible ? T(1) : T(1) + s.r; }

    LBM_HD void populations(const OpeningState<T>& s, T (&g)[L::Q]) const
    {
        const T rho = inertia(s), uu = s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2], tau = relaxationTime(s);
        const T third = (s.strain[0] + s.strain[3] + s.strain[5]) / 3;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int x = L::c[q][0], y = L::c[q][1], z = L::c[q][2];
            const T cu = x * s.u[0] + y * s.u[1] + z * s.u[2];
            const T stretch = x * x * s.strain[0] + y * y * s.strain[3] + z * z * s.strain[5]
                + 2 * (x * y * s.strain[1] + x * z * s.strain[2] + y * z * s.strain[4]) - third;
            g[q] = T(L::w[q])
                * (s.r + rho * (3 * cu + T(4.5) * cu * cu - T(1.5) * uu - 3 * tau * stretch)
                   - T(1.5) * pushed(s, x, y, z));
        });
    }

    // Places as in MomentSet: r; j; pi as xx, xy, (xz,) yy, (yz, zz).
    LBM_HD void moments(const OpeningState<T>& s, T* m) const
    {
        const T rho = inertia(s), stress = T(2.0 / 3) * relaxationTime(s) * rho;
        const T* force = own_.force;
        m[0] = s.r;
        int k = 1 + L::D;
        for (int a = 0; a < L::D; ++a) {
            m[1 + a] = rho * s.u[a] - T(0.5) * force[a];
            for (int b = a; b < L::D; ++b)
                m[k++] = rho * s.u[a] * s.u[b] - stress * s.strain[place(a, b)]
                    - T(0.5) * (s.u[a] * force[b] + s.u[b] * force[a]);
        }
        if constexpr (keepsThird<L>) {
            for (int a = 0; a < 6; ++a) m[k++] = m[1 + a / 2] / 3; // as of these populations
            m[k] = T(0);
        }
    }

private:
    LBM_HD static constexpr int place(int a, int b) { return a == 0 ? b : a == 1 ? 2 + b : 5; }

    // Before a collision populations lack half of the force (Guo, Zheng & Shi 2002): a population's share of that half is
    // 3/2 of its weight times this, c.F + 3 (c.u)(c.F) - u.F.
    LBM_HD T pushed(const OpeningState<T>& s, int x, int y, int z) const
    {
        const T* f = own_.force;
        const T cf = x * f[0] + y * f[1] + z * f[2], cu = x * s.u[0] + y * s.u[1] + z * s.u[2];
        return cf + 3 * cu * cf - (s.u[0] * f[0] + s.u[1] * f[1] + s.u[2] * f[2]);
    }

    // Linear between opening and the node behind; what is not imposed is as behind.
    LBM_HD void interpolate(OpeningState<T>& s, bool density, bool velocity) const
    {
        for (int i = 0; i < node_.links; ++i) {
            const OpeningLink& near = node_.nearest[i];
            const BoundaryLink<T> link = table_.links[near.link];
            const NodeFlow<T> behind = flow_(near.behind < 0 ? node_.state : near.behind);
            const T share = near.behind < 0 ? T(0) : T(near.distance) / (1 + T(near.distance));
            s.r += (density ? link.r + share * (behind.r - link.r) : behind.r) / node_.links;
            for (int a = 0; a < L::D; ++a)
                s.u[a] += (velocity ? link.velocity[a] + share * (behind.u[a] - link.velocity[a]) : behind.u[a])
                    / node_.links;
        }
    }

    // Of a side: its distance, 0 if it tells nothing.
    LBM_HD T velocityAt(const OpeningSide& side, T (&u)[3]) const
    {
        for (T& v : u) v = 0;
        if (side.node >= 0) {
            const NodeFlow<T> there = flow_(side.node);
            for (int a = 0; a < L::D; ++a) u[a] = there.u[a];
        } else if (side.link >= 0) {
            const BoundaryLink<T> link = table_.links[side.link];
            const BoundaryKind kind = BoundaryKind(link.kind);
            if (kind != BoundaryKind::velocity && kind != BoundaryKind::movingWall
                && kind != BoundaryKind::pressureVelocity)
                return 0;
            for (int a = 0; a < L::D; ++a) u[a] = link.velocity[a];
        }
        return T(side.distance);
    }

    // Differences of second order between sides at any distances, of first order where one tells nothing.
    LBM_HD void strain(OpeningState<T>& s) const
    {
        for (int a = 0; a < L::D; ++a) {
            T low[3], high[3], slope[3];
            const T below = velocityAt(node_.side[a][0], low), above = velocityAt(node_.side[a][1], high);
            for (int b = 0; b < L::D; ++b) {
                const T down = below > 0 ? (s.u[b] - low[b]) / below : T(0),
                        up = above > 0 ? (high[b] - s.u[b]) / above : T(0);
                slope[b] = below > 0 && above > 0 ? (above * down + below * up) / (below + above) : down + up;
            }
            for (int b = 0; b < L::D; ++b)
                s.strain[a < b ? place(a, b) : place(b, a)] += a == b ? slope[b] : T(0.5) * slope[b];
        }
    }

    const BoundaryTable<L, T>& table_;
    const OpeningNode& node_;
    Flow flow_;
    NodeValues<T> own_;
};

} // namespace lbm
