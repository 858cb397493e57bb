// Calm: openings that let sound out. A sound wave that leaves changes pressure and normal velocity together,
//   p' = rho cs u_n',
// so an opening that imposes one of them adds to it what belongs to the wave in the other, which is what differs from
// its running mean: a wave shorter than 2 pi cs/recovery leaves, reflected by recovery/(2 omega); slower changes are
// held against, and the mean of what is imposed stays imposed. Compare the linear relaxation of Rudy & Strikwerda 1980
// and Poinsot & Lele 1992, which in place of a memory needs gradients that viscous flow has, too.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Macros.hpp"

namespace lbm {

constexpr double rootThree = 1.7320508075688772;       // 1/cs

// What `value` differs from its running mean, which then follows.
template<class T>
LBM_HD T ruffle(T value, T recovery, T& calm)
{
    if (!(calm == calm)) calm = value;
    const T difference = value - calm;
    calm += recovery*difference;
    return difference;
}

} // namespace lbm
