// SlabFit: whether a domain streams through a CUDA device, and what that has to know of the case and of the machine.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/device/Cuda.hpp"

namespace lbm {

// Device memory that a solver may take: Config::deviceMemory, or what is free.
std::size_t memoryBudget(const cuda::Device&, const Config&);

// What is left to others beside a solver that uses so much. deviceMemory: the Config's.
std::size_t memoryLeft(const cuda::Device&, double deviceMemory, std::size_t used);

// A solver of the whole would not fit, or slabs are asked for by name.
bool mustStream(const cuda::Device&, const Domain&, const Config&);

// Throws std::invalid_argument for what slabs along an axis cannot do. extents: of a tile.
void requireStreamable(const Domain&, const Int3& extents, int axis);

// Bytes per second: of the link each way while both are in use, and of copies in the device's memory.
struct LinkRates {
    double link, device;
};
LinkRates linkRates(const cuda::Device&);

cuda::Error tooLittle(const cuda::Device&, std::size_t budget, std::size_t least);

} // namespace lbm
