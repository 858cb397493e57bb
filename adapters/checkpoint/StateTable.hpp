// StateTable: the table of states in a checkpoint, a row of what the storage keeps for each fluid node. Processes that have parts
// of the lattice write and read the rows of their own nodes, at the same time, wherever they are in the file: the first one
// carries none of the others'. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/checkpoint/Digest.hpp"

namespace lbm {

struct StateTable {
    std::string file; // which all processes reach by this name
    KernelRow writer; // what keeps the values so
    double tau;       // of the step that left them (Solver::stateTau)
    std::uint64_t begin = 0;
};

// On return what other processes have written is on the disk. All throw CheckpointError.
DigestedRange writeStates(Solver&, const StateTable&);

// Whether the solver can take over what the table's writer kept.
void checkStates(const Solver&, const StateTable&);
void readStates(Solver&, const StateTable&);

} // namespace lbm
