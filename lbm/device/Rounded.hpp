// A number whose products and sums a device's compiler does not join: results do not depend on what a function is compiled
// together with. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

namespace lbm {

template<class R>
struct Rounded {
    R value;

    Rounded() = default;
    LBM_HD LBM_INLINE constexpr Rounded(R v) : value(v) {}

    LBM_HD LBM_INLINE friend Rounded operator+(Rounded a, Rounded b)
    {
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(R) == 8) return __dadd_rn(a.value, b.value);
        else return __fadd_rn(a.value, b.value);
#else
        return a.value + b.value;
#endif
    }
    LBM_HD LBM_INLINE friend Rounded operator-(Rounded a) { return -a.value; }
    LBM_HD LBM_INLINE friend Rounded operator-(Rounded a, Rounded b) { return a + -b; }
    LBM_HD LBM_INLINE friend Rounded operator*(Rounded a, Rounded b)
    {
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(R) == 8) return __dmul_rn(a.value, b.value);
        else return __fmul_rn(a.value, b.value);
#else
        return a.value * b.value;
#endif
    }
    LBM_HD LBM_INLINE friend Rounded operator*(double a, Rounded b) { return Rounded(R(a)) * b; }
    LBM_HD LBM_INLINE friend Rounded operator/(Rounded a, Rounded b)
    {
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(R) == 8) return __ddiv_rn(a.value, b.value);
        else return __fdiv_rn(a.value, b.value);
#else
        return a.value / b.value;
#endif
    }
    LBM_HD LBM_INLINE Rounded& operator+=(Rounded b) { return *this = *this + b; }
    LBM_HD LBM_INLINE Rounded& operator-=(Rounded b) { return *this = *this - b; }
    LBM_HD LBM_INLINE Rounded& operator*=(Rounded b) { return *this = *this * b; }
};

} // namespace lbm
