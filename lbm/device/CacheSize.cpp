// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CacheSize.hpp"

#include <unistd.h>

namespace lbm {

std::size_t cacheOfLastLevel()
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes > 0) return std::size_t(bytes);
#endif
    return 0;
}

} // namespace lbm
