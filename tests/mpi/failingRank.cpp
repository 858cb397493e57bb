// Preloaded before lbmFoam: one of its ranks fails as a GPU does. LBM_FAIL_RANK: which one. LBM_FAIL_WHEN: a file, from whose being
// there on its steps fail; empty: it cannot make its part. LBM_FAIL_BY=bad_alloc: for want of memory. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Devices.hpp"
#include "lbm/solver/PartSteps.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

namespace {

std::string set(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

// As Open MPI tells it, whose mpirun the tests take
bool failsHere() { return set("OMPI_COMM_WORLD_RANK") == set("LBM_FAIL_RANK"); }

void fail()
{
    if (set("LBM_FAIL_BY") == "bad_alloc") throw std::bad_alloc();
    throw std::runtime_error("kernel D2Q9 on cuda:0: unspecified launch failure");
}

// What this library hides
template<class F>
F hidden(const char* name)
{
    void* const found = dlsym(RTLD_NEXT, name);
    if (!found) throw std::logic_error(std::string("failingRank: not found: ") + name);
    return reinterpret_cast<F>(found);
}

} // namespace

namespace lbm {

void PartSteps::advance(std::int64_t steps)
{
    if (failsHere() && !set("LBM_FAIL_WHEN").empty() && std::filesystem::exists(set("LBM_FAIL_WHEN"))) fail();
    hidden<void (*)(PartSteps*, std::int64_t)>("_ZN3lbm9PartSteps7advanceEl")(this, steps);
}

// Asked for before each part is made
const std::string& deviceOfRank(const std::vector<std::string>& words, const DeviceOfRank& device)
{
    if (failsHere() && set("LBM_FAIL_WHEN").empty()) fail();
    using Ask = const std::string& (*)(const std::vector<std::string>&, const DeviceOfRank&);
    return hidden<Ask>("_ZN3lbm12deviceOfRankERKSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS6_EE"
                       "RKNS_12DeviceOfRankE")(words, device);
}

} // namespace lbm
