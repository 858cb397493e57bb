// Ranks: processes of MPI that share a lattice. The first one, which leads, makes solvers (makeSolver with Config::ranks above 1)
// and calls them as any other; the rest serve: they keep and step parts of these, and are told what to do. Results are bit for
// bit those of one process. On GPUs each rank takes one of its host's for itself (Config::device). Whoever uses this has
// initialised MPI, and ends it. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

namespace lbm {

// Whether this build has MPI; without it the others throw std::runtime_error.
bool ranksAvailable();

// MPI itself, for programs that have no other reason to know it: at their begin and end, by all processes.
void beginMpi();
void endMpi();

// By all processes of MPI_COMM_WORLD: the first one returns at once, the others when it ends what it leads, or never if it
// fails. What a served rank cannot do ends all processes, with its words. Whether this is the first one.
bool leadOrServeRanks();

// By the first one, when all of its solvers are gone.
void endRanks();

// By any one: ends all processes at once, with this status.
void abortRanks(int status);

// 1 before leadOrServeRanks
int ranks();

} // namespace lbm
