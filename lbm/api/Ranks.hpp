// Ranks: processes of MPI that share a lattice. The first one, which leads, makes solvers (makeSolver with Config::ranks above 1)
// and calls them as any other; the rest serve: they keep and step parts of these, and are told what to do. Results are bit for
// bit those of one process. GPUs of a host are shared out among its ranks, each of which has one or several for itself
// (Config::device), with a part or more on each. Whoever uses this has initialised MPI, and ends it. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <functional>
#include <new>
#include <stdexcept>
#include <string>

namespace lbm {

// Whether this build has MPI; without it the others throw std::runtime_error.
bool ranksAvailable();

// The file of the MPI that this library was linked with, and of that which another one was that is loaded (by the name that programs
// load it by, such as libPstream.so); empty: none. Two that differ can not work together.
std::string mpiOfRanks();
std::string mpiOf(const char* library);

// MPI itself, for programs that have no other reason to know it: at their begin and end, by all processes. How many there are.
int beginMpi();
void endMpi();

// By all processes of MPI_COMM_WORLD: the first one returns at once, the others when it ends what it leads, or never if it
// fails. What a served rank cannot do ends all processes, with its words. signal: what a served rank answers signalOfRanks with.
// Whether this is the first one.
bool leadOrServeRanks(std::function<int()> signal = {});

// By the first one, which asks all others: a signal (SIGTERM, say) that one of them had; 0: none.
int signalOfRanks();

// Of this process, for messages: "rank 1 on host node7, device cuda:0"; a device once it has a part on a GPU.
std::string placeOfRank();

// What another rank could not do, and what it had no memory for. The words begin with that rank's place.
struct RankError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
class RankOutOfMemory : public std::bad_alloc {
public:
    explicit RankOutOfMemory(const std::string& words) : words_(words) {}
    const char* what() const noexcept override { return words_.what(); }

private:
    std::runtime_error words_; // copies of which cannot throw
};

// By the first one, when all of its solvers are gone.
void endRanks();

// By any one: ends all processes at once, with this status.
void abortRanks(int status);

// 1 before leadOrServeRanks
int ranks();

} // namespace lbm
