// BoundaryNode: what a boundary may know to complete a missing population: the node's own state after
// the previous collision and what the link imposes. Nothing here depends on how populations are stored
// or propagated, so that a boundary is written once for all patterns.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/Parameters.hpp"

#include <cstdint>

namespace lbm {

// In lattice units; `direction` is the incoming (missing) population.
template<class T>
struct BoundaryLink {
    T velocity[3];
    T r;                    // imposed density - 1
    T fraction;
    std::uint8_t direction;
    std::uint8_t kind;
};

template<class L, class T>
class BoundaryNode {
public:
    BoundaryNode(const T (&after)[L::Q], const Parameters<T>& p, bool incompressible)
    :
        after_(after), incompressible_(incompressible)
    {
        densityAndMomentum<L>(after, r, u);
        const T scale = incompressible ? T(1) : T(1)/(T(1) + r);
        for (int a = 0; a < 3; ++a) u[a] = (u[a] - T(0.5)*p.force[a])*scale;
    }

    T r;           // density - 1
    T u[3];

    T after(int q) const { return after_[q]; }
    T inertia(T density) const { return incompressible_ ? T(1) : T(1) + density; }

    // 6 w rho c.u: what a wall moving with u adds to the reflected population (Ladd 1994).
    T wallTransfer(int q, const T (&wall)[3]) const
    {
        return T(6*L::w[q])*inertia(r)*linkDot(q, wall);
    }

    T equilibrium(int q, T density, const T (&v)[3]) const
    {
        const T cu = linkDot(q, v);
        const T uu = v[0]*v[0] + v[1]*v[1] + v[2]*v[2];
        return T(L::w[q])*(density + inertia(density)*(3*cu + T(4.5)*cu*cu - T(1.5)*uu));
    }

    // Regularized non-equilibrium part, w/(2 cs^4) (c c - cs^2 I) : Pi, of the node's own state
    // (Latt, Chopard et al. 2008), evaluated once and only where a link asks for it.
    T regularized(int q)
    {
        if (!stressKnown_) findStress();
        T sum = 0;
        for (int a = 0, k = 0; a < L::D; ++a)
            for (int b = a; b < L::D; ++b, ++k) {
                const T tensor = T(L::c[q][a]*L::c[q][b]) - (a == b ? T(1)/3 : T(0));
                sum += (a == b ? T(1) : T(2))*tensor*stress_[k];
            }
        return T(4.5*L::w[q])*sum;
    }

private:
    T linkDot(int q, const T (&v)[3]) const
    {
        return T(L::c[q][0])*v[0] + T(L::c[q][1])*v[1] + T(L::c[q][2])*v[2];
    }

    void findStress()
    {
        for (T& s : stress_) s = 0;
        for (int q = 0; q < L::Q; ++q) {
            const T neq = after_[q] - equilibrium(q, r, u);
            for (int a = 0, k = 0; a < L::D; ++a)
                for (int b = a; b < L::D; ++b, ++k) stress_[k] += T(L::c[q][a]*L::c[q][b])*neq;
        }
        stressKnown_ = true;
    }

    const T (&after_)[L::Q];
    bool incompressible_;
    bool stressKnown_ = false;
    T stress_[6];
};

} // namespace lbm
