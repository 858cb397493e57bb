// The sums that populations contribute to the moments of a layer's nodes, by what they do along the axis along which blocks
// slide: go up, go down or stay in the layer.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentSet.hpp"
#include "lbm/storage/moments/gpu/LayerShape.hpp"

namespace lbm {

// Sums over the populations that move alike along the sliding axis. xy counts only where the lattice has such links, xxy and xyy
// where moments of third order are kept.
template<class R>
struct SlabSums {
    R n, x, y, xx, yy, xy, xxy, xyy;
};

template<class Layer, int direction>
constexpr bool hasDiagonals = [] {
    for (int q = 0; q < Layer::L::Q; ++q)
        if (Layer::along(q) == direction && Layer::cx(q) * Layer::cy(q) != 0) return true;
    return false;
}();

// visit(number, member) of the sums that links along the sliding axis have.
template<class Layer, class R, class Visit>
__device__ LBM_INLINE void eachSumOf(Visit&& visit)
{
    using Sums = SlabSums<R>;
    visit(0, &Sums::n);
    visit(1, &Sums::x);
    visit(2, &Sums::xx);
    if constexpr (Layer::L::D == 3) {
        visit(3, &Sums::y);
        visit(4, &Sums::yy);
    }
    if constexpr (hasDiagonals<Layer, 1>) visit(5, &Sums::xy);
    if constexpr (keepsThird<typename Layer::L>) {
        visit(6, &Sums::xxy);
        visit(7, &Sums::xyy);
    }
}
template<class Layer>
constexpr int sumsOfPlane = keepsThird<typename Layer::L> ? 8
    : hasDiagonals<Layer, 1>                              ? 6
                                                          : 5;

// value(Constant<q>) of all q with along(q) == direction.
template<class Layer, int direction, class R, class Value>
__device__ LBM_INLINE SlabSums<R> sumSlab(Value&& value)
{
    using L = typename Layer::L;
    SlabSums<R> s{};
    bool first[8] = {true, true, true, true, true, true, true, true};
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (Layer::along(q) == direction) {
            constexpr int cx = Layer::cx(q), cy = Layer::cy(q);
            if constexpr (!Layer::moves(q)) accumulate<1>(s.n, first[0], R(value(q)));
            // The first of two links that are opposite within the layer stands for both.
            if constexpr (cx > 0 || (cx == 0 && cy > 0)) {
                constexpr int p = [] {
                    for (int i = 0; i < L::Q; ++i)
                        if (Layer::along(i) == direction && Layer::cx(i) == -cx && Layer::cy(i) == -cy) return i;
                    return -1;
                }();
                const R one = value(q), other = value(Constant<p>{});
                const R even = one + other, odd = one - other;
                accumulate<1>(s.n, first[0], even);
                accumulate<cx>(s.x, first[1], odd);
                accumulate<cy>(s.y, first[2], odd);
                accumulate<cx * cx>(s.xx, first[3], even);
                accumulate<cy * cy>(s.yy, first[4], even);
                accumulate<cx * cy>(s.xy, first[5], even);
                if constexpr (keepsThird<L>) {
                    accumulate<cx * cx * cy>(s.xxy, first[6], odd);
                    accumulate<cx * cy * cy>(s.xyy, first[7], odd);
                }
            }
        }
    });
    return s;
}

// To the sums of a node; second moments are raw there, that is of c_a c_b, until `finish`. set: they are the first.
template<class Layer, int direction, bool set, class L, class R>
__device__ LBM_INLINE void addSlab(MomentSet<L, R>& m, const SlabSums<R>& s)
{
    using M = MomentSet<L, R>;
    constexpr int Z = L::D - 1;
    bool first = set;
    const auto add = [&](int place, const R& value) __attribute__((always_inline))
    {
        m.value[place] = first ? value : R(m.value[place] + value);
    };
    add(0, s.n);
    add(1, s.x);
    add(M::pi(0, 0), s.xx);
    if constexpr (L::D == 3) {
        add(2, s.y);
        add(M::pi(1, 1), s.yy);
        if constexpr (direction == 0 && !hasDiagonals<Layer, 1>) m.value[M::pi(0, 1)] = s.xy;
        else if constexpr (hasDiagonals<Layer, direction>) add(M::pi(0, 1), s.xy);
    }
    if constexpr (direction != 0) {
        add(1 + Z, direction < 0 ? -s.n : s.n);
        add(M::pi(Z, Z), s.n);
        add(M::pi(0, Z), direction < 0 ? -s.x : s.x);
        if constexpr (L::D == 3) add(M::pi(1, Z), direction < 0 ? -s.y : s.y);
    }
    if constexpr (keepsThird<L>) {
        add(M::third(1, 0), s.xxy);
        add(M::third(0, 1), s.xyy);
        if constexpr (direction != 0) {
            add(M::third(0, 2), s.x);
            add(M::third(1, 2), s.y);
            add(M::third(2, 0), direction < 0 ? -s.xx : s.xx);
            add(M::third(2, 1), direction < 0 ? -s.yy : s.yy);
            add(M::mixed, direction < 0 ? -s.xy : s.xy);
        }
    }
}

template<class L, class R>
__device__ LBM_INLINE void finish(MomentSet<L, R>& m)
{
    subtractWeights(m);
}

} // namespace lbm
