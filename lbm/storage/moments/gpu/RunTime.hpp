// RunTime: how long blocks of threads that slide along runs of tiles take for a step of a part, so that runs are neither so long that
// multiprocessors idle nor so short that blocks begin anew more often than they must (lbm/bench/results/two-gpus.md).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

namespace lbm {

// Layers that a run is as good as longer: the two of its ends, and its beginning.
constexpr int layersOfStart = 4;

// layers: of each run, as good as; `atOnce` are at work at a time, each next one as soon as there is room. In units of what a layer
// takes while all places are taken; alone it takes `latency` of that.
inline double runTime(const std::vector<int>& layers, int atOnce)
{
    constexpr double latency = 0.4;
    std::priority_queue<int, std::vector<int>, std::greater<int>>
        ends; // of those at work, in layers since the step began
    double time = 0;
    int now = 0;
    for (std::size_t next = 0; next < layers.size() || !ends.empty();) {
        while (next < layers.size() && int(ends.size()) < atOnce) ends.push(now + layers[next++]);
        time += (ends.top() - now) * (latency + (1 - latency) * double(ends.size()) / atOnce);
        now = ends.top();
        while (!ends.empty() && ends.top() == now) ends.pop();
    }
    return time;
}

// Tiles of a run where so many of a step are left: about what blocks of all places have yet to do, and so shorter and shorter, down to
// `shortest`, so that blocks end together though layers with more nodes take longer (of which runTime knows nothing).
inline int shrinkingRun(double tilesLeft, int atOnce, int shortest, int longest)
{
    constexpr double ofShare = 1.2; // measured: 0.35 to 1.2
    return std::clamp(int(std::lround(ofShare * tilesLeft / atOnce)), shortest, longest);
}

} // namespace lbm
