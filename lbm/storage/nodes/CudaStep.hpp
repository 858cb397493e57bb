// What launches a step on a CUDA device: compiled apart from the storage, one a collision. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/nodes/CurvedNodes.hpp"

namespace lbm {

// Of the tiles in view (see NodeTables::inRange). backwards: from the last one to the first; the result is the same.
template<class T>
using StepFunction = void (*)(const TilesView&, const T* from, T* to, const CurvedView<T>&, const Parameters<T>&,
                              bool backwards, cuda::StreamHandle);

template<class T>
struct CudaStep {
    StepFunction<T> even, odd;
};

} // namespace lbm
