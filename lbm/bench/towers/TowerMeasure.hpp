// TowerMeasure: the speed of one kind of towers, and of the memory around each repeat. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Bandwidth.hpp"
#include "lbm/bench/Options.hpp"
#include "lbm/bench/towers/TowerKernels.hpp"
#include "lbm/model/TowerModel.hpp"

#include <vector>

namespace lbm::bench {

struct TowerRow {
    TowerCase towers;
    Shell shell;
    int threads;
    std::vector<double> mlups,
        roof; // of fluid nodes, of each repeat: reached, and what the memory allows one step at a time
    double wallBytes = 0;
};

double median(std::vector<double>);

// Those that --device names, one by one. Throws UsageError for a list that cannot be read, and that names one twice without
// --share-devices.
std::vector<std::string> towerDevices(const Options&);

// Fills mlups and roof: the options' steps (0: one pass) and repeats. Throws UsageError for what does not fit together,
// std::runtime_error where memory is too small and where the flow is not finite afterwards.
void measureTowers(TowerRow&, const Options&, Bandwidth&);

// Caches, each with half of what it holds for one of so many threads, and the memory; those that the system tells of.
std::vector<model::MemoryLevel> measureLevels(int threads, Bandwidth&);

} // namespace lbm::bench
