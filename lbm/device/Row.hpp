// Row<T, RX>: moves of RX consecutive nodes of one population under a mask (bit x: node x).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

namespace lbm {

template<class T, int RX>
struct Row {
    using C = Lanes<T, RX>;

    // The row beside, where `take` is set: target[x] = source[x - cx], the lane that falls outside the row coming
    // from `side`; else other[x] where `fluid` is set; else 0.
    template<int cx>
    static LBM_INLINE void shiftIn(T* target, const T* source, const T* side, const T* other, unsigned take,
                                   unsigned fluid)
    {
        auto v = C::load(source);
        if constexpr (cx == 1) v = C::up(C::load(side), v);
        if constexpr (cx == -1) v = C::down(v, C::load(side));
        C::store(target, C::over(C::zero(fluid, other), take, v));
    }

    // out: target[x + cx] = source[x], the lane that falls outside the row going to `side`.
    template<int cx>
    static LBM_INLINE void shiftOut(T* target, T* side, const T* source, unsigned out)
    {
        const auto v = C::load(source);
        if constexpr (cx == 0) {
            C::store(target, out, v);
        } else {
            const auto turned = cx == 1 ? C::up(v, v) : C::down(v, v);
            C::store(target, Shift<cx, RX>::inside(out), turned);
            C::store(side, Shift<cx, RX>::outside(out), turned);
        }
    }

    static LBM_INLINE void copy(T* target, const T* source, unsigned lanes)
    {
        C::store(target, lanes, C::zero(lanes, source));
    }

    // target = source where the lane is set, else 0.
    static LBM_INLINE void select(T* target, const T* source, unsigned lanes)
    {
        C::store(target, C::zero(lanes, source));
    }
};

} // namespace lbm
