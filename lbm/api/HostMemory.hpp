// What the host can give to this process. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <string>

namespace lbm {

// Bytes without swapping: what the kernel calls available, or what limits of the control groups around the process leave, as
// containers and batch systems set them (both versions), if that is less; pages of files that a group holds count as free, for they
// go first. root: where proc and sys lie. Throws std::runtime_error where proc/meminfo does not tell.
std::uint64_t availableMemory(const std::string& root = "");

} // namespace lbm
