// Moments: hydrodynamic state of a node to populations after collision and back, or from moments that are stored of it, in double.
// Non-equilibrium momentum flux of a strain rate S: Pi = -2 rho cs^2 tau S before collision, of which the
// collision leaves (1 - 1/tau). Kruger et al. 2017, section 4.1.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/NodeMoments.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/NodeViscosity.hpp"

#include <limits>

namespace lbm {

template<int Q>
struct NodePopulations {
    double value[Q];
};

template<class L>
class Moments {
public:
    Moments(bool incompressible, const NodeViscosity& viscosity, const Vec3& force) :
        incompressible_(incompressible), viscosity_(viscosity), force_(force)
    {}

    // On a device, too. g: [Q], deviation from the weight. tau: at the node; force: there or, where none are told by node, the uniform one.
    LBM_HD void populations(const Macroscopic& s, double tau, double* g) const
    {
        const double force[3] = {force_[0], force_[1], force_[2]};
        populations(s, tau, force, g);
    }
    LBM_HD void populations(const Macroscopic& s, double tau, const double* force, double* g) const
    {
        const double r = s.density - 1, inertia = incompressible_ ? 1 : s.density;
        // After collision the state holds half of the force's source too much (Guo, Zheng & Shi 2002), as it lacks half before.
        double u[3], uF = 0;
        for (int a = 0; a < 3; ++a) {
            u[a] = s.velocity[a];
            uF += u[a] * force[a];
        }
        unroll<L::Q>([&](auto q) {
            constexpr double w = L::w[q];
            constexpr int c[3] = {L::c[q][0], L::c[q][1], L::c[q][2]};
            double flux = 0, cF = 0, cu = 0;
            for (int a = 0, k = 0; a < 3; ++a) {
                cF += c[a] * force[a];
                cu += c[a] * u[a];
                for (int b = a; b < 3; ++b, ++k)
                    flux += (a == b ? 1 : 2) * (c[a] * c[b] - (a == b) / 3.0) * s.strainRate[k];
            }
            const double neq = -4.5 * w * 2 * inertia * tau / 3 * flux;
            g[q] = equilibriumOf(w, c[0], c[1], c[2], r, inertia, u) + (1 - 1 / tau) * neq
                + 1.5 * w * (cF + 3 * cu * cF - uF);
        });
    }

    // On a device, too: lattice data only as constants there. strain: else that is 0, and nothing but the flow is found.
    // from: NodePopulations or NodeMoments, of which states agree to rounding.
    template<bool strain, class From>
    LBM_HD Macroscopic state(const From& from) const
    {
        return stateOf(flowOf<strain>(from, forceOfAll(), 0.0));
    }
    template<bool strain, class From>
    LBM_HD Macroscopic state(const From& from, const NodeValues<double>& at) const
    {
        return stateOf(flowOf<strain>(from, at.force, at.tau));
    }

    // The same of one node or of as many as V has lanes.
    template<class V>
    struct Flow {
        V density, velocity[3], strainRate[6];
    };

    // Without strain rate where populations do not tell it, or nobody asks: see state().
    template<bool strain, class V>
    LBM_HD Flow<V> flow(const V* g) const
    {
        return flowOf<strain>(g, forceOfAll(), V(0));
    }

    // at: told by node, what the solver's closure takes of it.
    template<bool strain, class V>
    LBM_HD Flow<V> flow(const V* g, const NodeValues<V>& at) const
    {
        return flowOf<strain>(g, at.force, at.tau);
    }

    // Of density less 1 and momentum after collision; no strain rate. force: by node, null: the uniform one.
    template<class V>
    LBM_HD Flow<V> flowOfMomentum(const V& r, const V (&j)[3], const V* force) const
    {
        Flow<V> s;
        if (force) velocityOf(r, j, force, s);
        else velocityOf(r, j, forceOfAll(), s);
        return s;
    }

private:
    LBM_HD const double* forceOfAll() const { return &force_[0]; }

    // F: of force's components. own: relaxation time, where it is told by node.
    template<bool strain, class V, class F>
    LBM_HD Flow<V> flowOf(const V* g, const F* force, const V& own) const
    {
        V r = 0, j[3] = {0, 0, 0};
        unroll<L::Q>([&](auto q) {
            r += g[q];
            unroll<3>([&](auto a) {
                constexpr int c = L::c[q][a];
                if constexpr (c != 0) j[a] += c * g[q];
            });
        });
        Flow<V> s;
        const V inertia = velocityOf(r, j, force, s);
        if constexpr (!strain) return s;
        V flux[6] = {0, 0, 0, 0, 0, 0};
        if (tells()) {
            const V u[3] = {s.velocity[0], s.velocity[1], s.velocity[2]};
            unroll<L::Q>([&](auto q) {
                constexpr double w = L::w[q];
                constexpr int x = L::c[q][0], y = L::c[q][1], z = L::c[q][2];
                const V neq = g[q] - equilibriumOf(w, x, y, z, r, inertia, u);
                if constexpr (x != 0) flux[0] += x * x * neq;
                if constexpr (x * y != 0) flux[1] += x * y * neq;
                if constexpr (x * z != 0) flux[2] += x * z * neq;
                if constexpr (y != 0) flux[3] += y * y * neq;
                if constexpr (y * z != 0) flux[4] += y * z * neq;
                if constexpr (z != 0) flux[5] += z * z * neq;
            });
            // Of Guo's source, which came with the collision, half goes on in time
            for (int a = 0, k = 0; a < 3; ++a)
                for (int b = a; b < 3; ++b, ++k) flux[k] -= 0.5 * (u[a] * force[b] + u[b] * force[a]);
        }
        strainOf(flux, inertia, own, s);
        return s;
    }

    template<bool strain>
    LBM_HD Flow<double> flowOf(const NodePopulations<L::Q>& g, const double* force, double own) const
    {
        return flowOf<strain>(&g.value[0], force, own);
    }

    // With j = inertia u + F/2, j j/inertia is inertia u u + (u F + F u)/2 + F F/(4 inertia): the first two are what populations above
    // are rid of.
    template<bool strain>
    LBM_HD Flow<double> flowOf(const NodeMoments& n, const double* force, double own) const
    {
        Flow<double> s;
        const double inertia = velocityOf(n.r, n.j, force, s);
        if constexpr (!strain) return s;
        double flux[6] = {0, 0, 0, 0, 0, 0};
        if (tells())
            for (int a = 0, k = 0; a < 3; ++a) {
                const double quarter = 0.25 * force[a] / inertia;
                for (int b = a; b < 3; ++b, ++k) flux[k] = std::fma(quarter, force[b], n.beyond[k]);
            }
        strainOf(flux, inertia, own, s);
        return s;
    }

    LBM_HD bool tells() const { return viscosity_.isByNode() || viscosity_.tellsStrain(); }

    // No strain rate yet. Returns inertia.
    template<class V, class F>
    LBM_HD V velocityOf(const V& r, const V (&j)[3], const F* force, Flow<V>& s) const
    {
        const V inertia = incompressible_ ? V(1) : 1 + r;
        for (int a = 0; a < 3; ++a) {
            s.velocity[a] = j[a] - 0.5 * force[a];
            if (!incompressible_) s.velocity[a] = s.velocity[a] / inertia;
        }
        s.density = 1 + r;
        for (V& rate : s.strainRate) rate = V(0);
        return inertia;
    }

    // flux: of momentum beyond equilibrium, after collision.
    template<class V>
    LBM_HD void strainOf(V (&flux)[6], const V& inertia, const V& own, Flow<V>& s) const
    {
        if (!tells()) return;
        // The trace belongs to the bulk, not to the shear that tau relaxes.
        const V trace = (flux[0] + flux[3] + flux[5]) / L::D;
        flux[0] -= trace;
        flux[3] -= trace;
        if (L::D == 3) flux[5] -= trace;
        const V* const u = s.velocity;
        const V speed = squareRoot(V(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        const V tau = viscosity_.isLocal()
            ? viscosity_.tau(V(shearRateOf(flux) / (1.4142135623730951 * inertia)), speed)
            : viscosity_.isByNode() ? laneByLane(own, Silent())
                                    : viscosity_.tau(V(0), speed);
        for (int k = 0; k < 6; ++k) s.strainRate[k] = -1.5 * flux[k] / (inertia * tau * (1 - 1 / tau));
    }

    // Of a relaxation time that leaves populations nothing to tell: one that no strain rate follows from.
    struct Silent {
        LBM_HD double operator()(double tau) const
        {
            return NodeViscosity::leavesEnough(tau) ? tau : std::numeric_limits<double>::infinity();
        }
    };

    template<class V>
    LBM_HD static Macroscopic stateOf(const Flow<V>& flow)
    {
        Macroscopic s;
        s.density = flow.density;
        for (int a = 0; a < 3; ++a) s.velocity[a] = flow.velocity[a];
        for (int k = 0; k < 6; ++k) s.strainRate[k] = flow.strainRate[k];
        return s;
    }

    template<class V>
    LBM_HD static V equilibriumOf(double w, int x, int y, int z, V r, V inertia, const V (&u)[3])
    {
        const V cu = x * u[0] + y * u[1] + z * u[2];
        return w * (r + inertia * (3 * cu + 4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])));
    }

    bool incompressible_;
    NodeViscosity viscosity_;
    Vec3 force_;
};

} // namespace lbm
