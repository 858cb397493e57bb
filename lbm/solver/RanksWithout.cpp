// Ranks in a build without MPI. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include <stdexcept>

namespace lbm {

namespace {

[[noreturn]] void refuse() { throw std::runtime_error("ranks: this build of lbmFoam has no MPI"); }

} // namespace

bool ranksAvailable() { return false; }
int ranks() { return 1; }
std::string mpiOfRanks() { return {}; }
std::string mpiOf(const char*) { return {}; }
void abortRanks(int) {}
void endRanks() {}
int beginMpi() { refuse(); }
void endMpi() {}
bool leadOrServeRanks(std::function<int()>) { refuse(); }
int signalOfRanks() { return 0; }
std::string placeOfRank() { return {}; }

} // namespace lbm
