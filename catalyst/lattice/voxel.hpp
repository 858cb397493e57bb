// VTK's cube along the axes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>

namespace lbm {

constexpr int corners = 8;
constexpr std::uint8_t voxel = 11;

} // namespace lbm
