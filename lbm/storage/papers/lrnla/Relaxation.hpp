// Relaxation: TRT and BGK (both rates alike) with sums that do not notice reflections. Cells of a group, and octants of a
// folded box, number their links mirrored: a sum link after link would be rounded in another order there. Here links that
// reflections along axes turn into each other are added as a balanced tree, whose rounding they leave as it is, so that
// a node's result is the same to the bit in whatever numbering it is computed. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Trt.hpp"

namespace lbm::lrnla {

// Pairs of opposite links that reflections along axes turn into each other: 1 along an axis, 2 in a plane, 4 in a cube.
template<class L>
constexpr int mirrorPairs(int q)
{
    const int length = L::c[q][0] * L::c[q][0] + L::c[q][1] * L::c[q][1] + L::c[q][2] * L::c[q][2];
    return length == 3 ? 4 : length;
}

template<class L>
constexpr bool sameMirror(int q, int p)
{
    for (int a = 0; a < 3; ++a)
        if ((L::c[q][a] != 0) != (L::c[p][a] != 0)) return false;
    return true;
}

// Whether q is the first link of such pairs, which follow each other.
template<class L>
constexpr bool leadsMirror(int q)
{
    return q % 2 == 1 && (q == 1 || !sameMirror<L>(q, q - 2));
}

template<int sign, class R>
LBM_HD LBM_INLINE R withSign(const R& v)
{
    if constexpr (sign < 0) return -v;
    else return v;
}

// Sum of term(Constant<0>) to term(Constant<count - 1>), halves first.
template<int count, int first = 0, class F>
LBM_HD LBM_INLINE auto balancedSum(F&& term)
{
    if constexpr (count == 1) return term(Constant<first>{});
    else return balancedSum<count / 2, first>(term) + balancedSum<count / 2, first + count / 2>(term);
}

// Sums and differences of opposite links take the populations' place, as Trt::addPairs leaves them.
template<class L, class R>
LBM_HD LBM_INLINE void addMirroredPairs(R (&g)[L::Q], R& r, R (&j)[3])
{
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        const R sum = g[q] + g[q + 1];
        g[q + 1] = g[q] - g[q + 1];
        g[q] = sum;
    });
    r = g[0];
    for (R& component : j) component = R(0);
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        if constexpr (leadsMirror<L>(q)) {
            constexpr int pairs = mirrorPairs<L>(q);
            static_assert(sameMirror<L>(q, q + 2 * (pairs - 1)));
            r += balancedSum<pairs>([&](auto i) __attribute__((always_inline)) { return g[q + 2 * i]; });
            unroll<3>([&](auto a) __attribute__((always_inline)) {
                if constexpr (L::c[q][a] != 0)
                    j[a] += balancedSum<pairs>([&](auto i) __attribute__((always_inline)) {
                        return withSign<L::c[q + 2 * i][a]>(g[q + 2 * i + 1]);
                    });
            });
        }
    });
}

template<class LatticeT, class Eq, class S>
class Relaxation {
public:
    using L = LatticeT;
    using Scalar = S;

    static Relaxation trt(double tau, double magic) { return Relaxation(parameters<S>(tau, magic, still)); }
    static Relaxation bgk(double tau)
    {
        Parameters<S> p = parameters<S>(tau, 0.25, still);
        p.omegaOdd = p.omega;
        return Relaxation(p);
    }

    // R: S, or as many of it as there are lanes.
    template<class R>
    LBM_HD LBM_INLINE void operator()(R (&g)[L::Q]) const
    {
        R r, j[3];
        addMirroredPairs<L>(g, r, j);
        Parameters<S> p = p_;
        p.forced = false; // known to the compiler
        Trt::relaxPairs<L, Eq>(g, r, j, p);
    }

private:
    static constexpr double still[3] = {0, 0, 0};

    explicit Relaxation(const Parameters<S>& p) : p_(p) {}

    Parameters<S> p_;
};

} // namespace lbm::lrnla
