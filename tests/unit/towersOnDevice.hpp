// Towers on a CUDA device for tests whose host part a CUDA compiler cannot read. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <array>
#include <vector>

// Populations that have arrived, [z][y][x][q], after all rounds of steps. folds: a periodic box; else its ends are planes of symmetry.
template<class L, class S>
std::vector<S> towersOnDevice(const std::array<int, 3>& size, bool folds, int stepsAtOnce,
                              const std::vector<int>& rounds, bool trt, double tau, std::vector<S> populations);
