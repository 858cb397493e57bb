// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm {

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double dot(const Vec3& a, const Int3& c) { return a[0] * c[0] + a[1] * c[1] + a[2] * c[2]; }

} // namespace lbm
