// Runs: how far apart the populations of a node lie. Some tiles one behind the other form a group, in which each population
// is a run of memory of two pages, [group][q][tile][node]: a thread then reads and writes as many streams as there are
// populations, each slowly enough for the processor's prefetchers to run ahead of it. Where a node's populations lie together
// there is one fast stream, whose next page is always begun too late: about three quarters of the speed (bench/results/
// cpu-populations.md). A line between the runs keeps populations of one node from sharing a set of the first cache.
// Moments (storage/moments/cpu) lie the same way.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

namespace lbm {

template<class T>
struct Runs {
    static constexpr int bytes = 8192, gap = lineNodes<T> * int(sizeof(T));
    static constexpr int nodes = bytes / int(sizeof(T)); // of a group
    static constexpr int stride = nodes + lineNodes<T>;
};

} // namespace lbm
