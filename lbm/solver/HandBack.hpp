// handBack: pages of memory whose values nobody needs any more, to the system; they come again, empty, when they are next written.
// Where the system has no such call they stay. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lbm {

// The whole pages among n bytes of this process's own memory.
inline void handBack([[maybe_unused]] char* bytes, [[maybe_unused]] std::size_t n)
{
#ifdef __linux__
    const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (std::uintptr_t(bytes) + page - 1) / page * page;
    const std::uintptr_t end = (std::uintptr_t(bytes) + n) / page * page;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
#endif
}

} // namespace lbm
