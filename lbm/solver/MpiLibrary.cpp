// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace lbm {

std::string mpiOf(const char* library)
{
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (!loaded) return {};
    // In the library's own order of search, whatever others of the process were linked with
    void* const function = dlsym(loaded, "MPI_Init");
    Dl_info place{};
    std::string file;
    if (function && dladdr(function, &place) && place.dli_fname) {
        std::error_code error;
        file = std::filesystem::canonical(place.dli_fname, error).string();
        if (error) file = place.dli_fname;
    }
    dlclose(loaded);
    return file;
}

std::string mpiOfRanks() { return mpiOf("liblbmRanks.so"); }

} // namespace lbm
