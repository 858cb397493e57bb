// Towers on a CUDA device for tests whose host part a CUDA compiler cannot read. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/InnerFolds.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Populations that have arrived, [z][y][x][q], after all rounds of steps; solid nodes keep theirs. folds: a periodic box; else its ends
// are planes of symmetry. solid: as ReFold.
template<class L, class S>
std::vector<S> towersOnDevice(const std::array<int, 3>& size, bool folds, int stepsAtOnce,
                              const std::vector<int>& rounds, bool trt, double tau, std::vector<S> populations,
                              const std::function<bool(const std::array<int, 3>&)>& solid = {});

// Those of a periodic box that no end meets, on devices by their words.
template<class L, class S>
std::unique_ptr<lbm::lrnla::InnerFolds> innerFoldsOnDevices(const std::vector<std::string>& devices,
                                                            const lbm::lrnla::SharedBox& box, bool trt, double tau);
