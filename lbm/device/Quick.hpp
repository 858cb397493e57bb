// A number in single precision whose roots and quotients a GPU's units for these make, off by a unit or two in the last place, where
// exact ones take some twenty instructions each. Elsewhere as any. For what enters a result as a correction.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cmath>
#include <type_traits>

namespace lbm {

struct Quick {
    float value;

    Quick() = default;
    LBM_HD LBM_INLINE constexpr Quick(float v) : value(v) {}

    LBM_HD LBM_INLINE friend Quick operator+(Quick a, Quick b) { return a.value + b.value; }
    LBM_HD LBM_INLINE friend Quick operator-(Quick a, Quick b) { return a.value - b.value; }
    LBM_HD LBM_INLINE friend Quick operator*(Quick a, Quick b) { return a.value * b.value; }
    LBM_HD LBM_INLINE friend Quick operator/(Quick a, Quick b)
    {
#ifdef __CUDA_ARCH__
        return __fdividef(a.value, b.value);
#else
        return a.value / b.value;
#endif
    }
    LBM_HD LBM_INLINE Quick& operator+=(Quick b) { return *this = *this + b; }
    LBM_HD LBM_INLINE friend bool operator>(Quick a, Quick b) { return a.value > b.value; }

    LBM_HD LBM_INLINE friend Quick sqrt(Quick v)
    {
#ifdef __CUDA_ARCH__
        float root;
        asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(v.value));
        return root;
#else
        return std::sqrt(v.value);
#endif
    }
};

// R itself in double precision, whose units make less of it.
template<class R>
using QuickOf = std::conditional_t<std::is_same_v<R, float>, Quick, R>;

} // namespace lbm
