// StepChoice: whether a CPU makes the steps of a domain one by one or in blocks of several (storage `moments`,
// lbm/storage/moments/cpu/BlockPlan.hpp), which machines differ in: by a short measurement, where that is repaid. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lbm {

// Whether blocks are written for a kernel: of moments, of populations in place. The latter give the same digits as steps one by one.
bool takesBlocks(const KernelRow&);
bool takesRowBlocks(const KernelRow&);

// What stands against blocks of a domain; empty: nothing. Config::blocks does not count.
std::string blocksObstacle(const Domain&, const Config&);

// What a run makes of the domain, and leaves free.
struct StepWish {
    double steps = 0;     // in all
    double together = 0;  // so many are told at once
    bool storage = false; // is free: moments in place of what the Config names, if that is faster
};

// Updates of nodes a second by each Config, of a box without walls, when so many steps are told at once.
using MeasureSteps = std::function<std::vector<double>(std::shared_ptr<const Domain>, const std::vector<Config>&, int)>;
std::vector<double> measureSteps(std::shared_ptr<const Domain>, const std::vector<Config>&, int together);

struct StepChoice {
    Config config;      // with storage, tile and blocks as chosen
    std::string reason; // one line; empty: there was no choice
};

// Blocks, or another storage, have to be faster by `worth`, since memory and sums are not the same: blocks are never chosen where
// kernels are built to agree to the last bit. Throws as findKernel.
StepChoice chooseSteps(const Domain&, const Config&, const StepWish&, const MeasureSteps& = measureSteps);
constexpr double worth = 1.05;

// Steps that are told at once to somebody who may tell any number: where passes of blocks end decides how sums are rounded, so that this
// is to follow from nothing but the plan.
constexpr int passesTogether = 4;

// Passes that are told at once to a lattice of so many nodes: fewer where a signal would have to wait.
constexpr int passesAtOnce(std::int64_t nodes) { return nodes > 4'000'000 ? 1 : passesTogether; }

} // namespace lbm
