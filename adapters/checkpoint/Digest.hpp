// Digests of checkpoints: CRC-32 of a file behind its header, and of a lattice's geometry.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Domain.hpp"

#include <cstdint>
#include <string>

namespace lbm {

// Of fluid nodes, links (where they meet which patch) and the patches' names.
std::uint32_t geometryDigest(const Domain&);

// The header that every checkpoint begins with.
constexpr std::size_t headerBytes = 512;

// Digests the finished file, writes its header and brings it to the disk. Throws CheckpointError.
void seal(const std::string& file);

// Throws CheckpointError unless the file is what was sealed.
void checkSeal(const std::string& file);

} // namespace lbm
