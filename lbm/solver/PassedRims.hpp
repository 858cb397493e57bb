// PassedRims: parts whose steps hand over by themselves, on the devices, what they need of each other (moments on CUDA devices
// that reach each other's memory: lbm/storage/moments/gpu/RimPassing.cuh), be it that some of them are other processes'. Blocks of a step
// wait there for those of other devices, so each part has a device of its own, and who waits for the steps looks at all of a process's: one
// that has failed leaves others waiting for ever (those of other processes until they are ended). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lbm {

// Texts of all processes, by rank, for the one of this process: asked by all of them at once. Null: there are no others.
using TextsOfAll = std::function<std::vector<std::string>(const std::string&)>;

// Names of devices, divided by spaces, of each process's parts one: whether there are some of each process, and none twice.
bool areApart(const std::vector<std::string>& devicesByProcess);

// For steps of parts on devices, of which some may wait for others in their kernels: looks at each, and throws where one has failed.
void waitForEach(const std::vector<Part*>&);

class PassedRims {
public:
    // Before the first step, by all processes at once. Whether they do is up to parts and halos of all.
    void be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&, const TextsOfAll&);
    bool passed() const { return passed_; }

    // Of so many steps those that all parts, be they other processes', take in their next pass over a box; 0: they step as in any domain.
    int stepsOfPass(const std::vector<Part*>&, std::int64_t steps) const;
    // Begins so many steps, all in such passes. known: others' ghosts are what they need.
    void passOverBox(const std::vector<Part*>&, std::int64_t steps, bool known);

    // Begins steps of these parts and waits for them, and for what other processes' store into their ghosts meanwhile. Where a device
    // fails, be it as a step is begun, those of others are let go.
    void make(const std::vector<Part*>&, const std::function<void()>& begin) const;

    // Within: so many have been begun. Far ahead of the devices none are, for a device holds few, and who begins one more of a device
    // that waits for a failed one would wait, too.
    void begun(const std::vector<Part*>&, std::int64_t steps);

private:
    bool passed_ = false, betweenProcesses_ = false, overBoxes_ = false;
    std::int64_t unmarked_ = 0;
};

} // namespace lbm
