// Moments: hydrodynamic state of a node to populations after collision and back, in double.
// Non-equilibrium momentum flux of a strain rate S: Pi = -2 rho cs^2 tau S before collision, of which the
// collision leaves (1 - 1/tau). Kruger et al. 2017, section 4.1.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/NodeViscosity.hpp"

#include <limits>

namespace lbm {

template<class L>
class Moments {
public:
    Moments(bool incompressible, const NodeViscosity& viscosity, const Vec3& force) :
        incompressible_(incompressible), viscosity_(viscosity), force_(force)
    {}

    // g: [Q], deviation from the weight. tau: at the node; force: there or, where none are told by node, the uniform one.
    void populations(const Macroscopic& s, double tau, double* g) const { populations(s, tau, force_.data(), g); }
    void populations(const Macroscopic& s, double tau, const double* force, double* g) const
    {
        const double r = s.density - 1, inertia = incompressible_ ? 1 : s.density;
        // After collision the state holds half of the force's source too much (Guo, Zheng & Shi 2002), as it lacks half before.
        double u[3], uF = 0;
        for (int a = 0; a < 3; ++a) {
            u[a] = s.velocity[a];
            uF += u[a] * force[a];
        }
        for (int q = 0; q < L::Q; ++q) {
            double flux = 0, cF = 0, cu = 0;
            for (int a = 0, k = 0; a < 3; ++a) {
                cF += L::c[q][a] * force[a];
                cu += L::c[q][a] * u[a];
                for (int b = a; b < 3; ++b, ++k)
                    flux += (a == b ? 1 : 2) * (L::c[q][a] * L::c[q][b] - (a == b) / 3.0) * s.strainRate[k];
            }
            const double neq = -4.5 * L::w[q] * 2 * inertia * tau / 3 * flux;
            g[q] = equilibriumOf(L::w[q], L::c[q][0], L::c[q][1], L::c[q][2], r, inertia, u) + (1 - 1 / tau) * neq
                + 1.5 * L::w[q] * (cF + 3 * cu * cF - uF);
        }
    }

    // On a device, too: lattice data only as constants there.
    LBM_HD Macroscopic state(const double* g) const { return stateOf(flow(g)); }
    LBM_HD Macroscopic state(const double* g, const NodeValues<double>& at) const { return stateOf(flow(g, at)); }

    // The same of one node or of as many as V has lanes.
    template<class V>
    struct Flow {
        V density, velocity[3], strainRate[6];
    };

    // Without strain rate where populations do not tell it.
    template<class V>
    LBM_HD Flow<V> flow(const V* g) const
    {
        const double force[3] = {force_[0], force_[1], force_[2]};
        return flowOf(g, force, V(0));
    }

    // at: told by node, what the solver's closure takes of it.
    template<class V>
    LBM_HD Flow<V> flow(const V* g, const NodeValues<V>& at) const
    {
        return flowOf(g, at.force, at.tau);
    }

private:
    template<class V, class F>
    LBM_HD Flow<V> flowOf(const V* g, const F (&force)[3], const V& own) const
    {
        Flow<V> s;
        V r = 0, j[3] = {0, 0, 0};
        unroll<L::Q>([&](auto q) {
            r += g[q];
            unroll<3>([&](auto a) {
                constexpr int c = L::c[q][a];
                if constexpr (c != 0) j[a] += c * g[q];
            });
        });
        const V inertia = incompressible_ ? V(1) : 1 + r;
        V u[3];
        for (int a = 0; a < 3; ++a) s.velocity[a] = u[a] = (j[a] - 0.5 * force[a]) / inertia;
        s.density = 1 + r;
        V flux[6] = {0, 0, 0, 0, 0, 0};
        const bool byNode = viscosity_.isByNode(), tells = byNode || viscosity_.tellsStrain();
        if (tells) {
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
        // The trace belongs to the bulk, not to the shear that tau relaxes.
        const V trace = (flux[0] + flux[3] + flux[5]) / L::D;
        flux[0] -= trace;
        flux[3] -= trace;
        if (L::D == 3) flux[5] -= trace;
        const V speed = squareRoot(V(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        const V tau = viscosity_.isLocal()
            ? viscosity_.tau(V(shearRateOf(flux) / (1.4142135623730951 * inertia)), speed)
            : byNode ? laneByLane(own, Silent())
                     : viscosity_.tau(V(0), speed);
        for (int k = 0; k < 6; ++k)
            s.strainRate[k] = tells ? V(-1.5 * flux[k] / (inertia * tau * (1 - 1 / tau))) : V(0);
        return s;
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
