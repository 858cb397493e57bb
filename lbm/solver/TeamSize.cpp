// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/TeamSize.hpp"

#include <algorithm>

#include <omp.h>

namespace lbm {

int threadsFor(const Config& config, NodeIndex fluidNodes)
{
    constexpr NodeIndex nodesPerThread = 8192;
    if (config.threads > 0) return config.threads;
    return int(std::clamp<NodeIndex>(fluidNodes / nodesPerThread, 1, omp_get_max_threads()));
}

} // namespace lbm
