// Row<T, TX, stride>: moves of TX consecutive nodes of one population under a mask (bit x: node x). A row longer
// than a register lies in chunks, `stride` values apart.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

namespace lbm {

template<class T, int TX, int stride>
struct Row {
    static constexpr int widest = 64/int(sizeof(T));
    static constexpr int W = TX < widest ? TX : widest;
    static constexpr int chunks = TX/W;
    static_assert(TX % W == 0);
    using C = Lanes<T, W>;

    // The row beside, where `take` is set: target[x] = source[x - cx], the lane that falls outside the row coming
    // from `side`; else other[x] where `fluid` is set; else 0.
    template<int cx>
    static LBM_INLINE void shiftIn(T* target, const T* source, const T* side, const T* other, unsigned take,
                                   unsigned fluid)
    {
        for (int c = 0; c < chunks; ++c)
            C::store(target + c*stride, C::over(C::zero(fluid >> c*W, other + c*stride), take >> c*W,
                                                shifted<cx>(source, side, c)));
    }

    // out: target[x + cx] = source[x], the lane that falls outside the row going to `side`.
    template<int cx>
    static LBM_INLINE void shiftOut(T* target, T* side, const T* source, unsigned out)
    {
        if constexpr (cx == 0) {
            copy(target, source, out);
        } else {
            constexpr int edge = cx == 1 ? TX - 1 : 0, sideLane = cx == 1 ? 0 : TX - 1;
            if (out >> edge & 1) side[at(sideLane)] = source[at(edge)];
            out &= ~(1u << edge);
            const unsigned in = cx == 1 ? out << 1 : out >> 1;
            for (int c = 0; c < chunks; ++c)
                C::store(target + c*stride, in >> c*W, shifted<cx>(source, source, c));
        }
    }

    static LBM_INLINE void copy(T* target, const T* source, unsigned lanes)
    {
        for (int c = 0; c < chunks; ++c)
            C::store(target + c*stride, lanes >> c*W, C::zero(lanes >> c*W, source + c*stride));
    }

    // target = source where the lane is set, else 0.
    static LBM_INLINE void select(T* target, const T* source, unsigned lanes)
    {
        for (int c = 0; c < chunks; ++c) C::store(target + c*stride, C::zero(lanes >> c*W, source + c*stride));
    }

private:
    static constexpr int at(int x) { return x/W*stride + x % W; }

    // Chunk c of the shifted row, in registers.
    template<int cx>
    static LBM_INLINE auto shifted(const T* source, const T* side, int c)
    {
        const auto here = C::load(source + c*stride);
        if constexpr (cx == 1) return C::up(C::load(c == 0 ? side + at(TX - W) : source + (c - 1)*stride), here);
        else if constexpr (cx == -1) return C::down(here, C::load(c + 1 == chunks ? side : source + (c + 1)*stride));
        else return here;
    }
};

} // namespace lbm
