// PassedRims: parts of a process whose steps hand over by themselves, on the devices, what they need of each other (moments on CUDA devices
// that reach each other's memory: lbm/storage/moments/gpu/RimPassing.cuh). Blocks of a step wait there for those of other devices, so each
// part has a device of its own, and who waits for the steps looks at all of them: one that has failed leaves others waiting for ever.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"

#include <memory>
#include <vector>

namespace lbm {

class PassedRims {
public:
    // Before the first step. Whether they do is up to parts and halos.
    void be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&);

    // For all that these parts have begun.
    void wait(const std::vector<Part*>&) const;

private:
    bool passed_ = false;
};

} // namespace lbm
