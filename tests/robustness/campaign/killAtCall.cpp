// Preloaded before lbmFoam: counts the calls that change a disk, and kills the program just before one of them, as a kill -9
// at that very moment would. LBM_KILL_AT: the call's number, from 1; LBM_CALLS: file that gets a letter for each call, so
// that a first run tells which there are: o opened for writing, w written, r renamed, u unlinked, m folder made,
// d folder removed, s synchronised, t truncated, l linked. Output to the terminal and devices are not counted.
// Part of lbmFoam, GPL-3.0-or-later.
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

constexpr int modes = 0777;

template<class F>
F* next(const char* name)
{
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

std::atomic<long> calls{0};

int record()
{
    static const int file = [] {
        const char* name = std::getenv("LBM_CALLS");
        return name ? int(syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, modes)) : -1;
    }();
    return file;
}

void count(char letter)
{
    static const long last = std::getenv("LBM_KILL_AT") ? std::atol(std::getenv("LBM_KILL_AT")) : 0;
    if (record() >= 0) syscall(SYS_write, record(), &letter, 1);
    if (++calls == last) kill(getpid(), SIGKILL);
}

bool device(const char* path) { return !std::strncmp(path, "/dev/", 5) || !std::strncmp(path, "/proc/", 6); }

void countOpened(const char* path, int flags)
{
    if ((flags & (O_WRONLY | O_RDWR)) && !device(path)) count('o');
}

// Of what is open, files alone count: no terminal, pipe or device
bool onDisk(int descriptor)
{
    return descriptor > STDERR_FILENO && descriptor != record() && syscall(SYS_lseek, descriptor, 0, SEEK_CUR) >= 0;
}

mode_t modeOf(int flags, va_list& arguments) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; }

} // namespace

extern "C" {

#define LBM_OPEN(NAME)                                                                                                 \
    int NAME(const char* path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = modeOf(flags, arguments);                                                                  \
        va_end(arguments);                                                                                             \
        countOpened(path, flags);                                                                                      \
        return next<int(const char*, int, ...)>(#NAME)(path, flags, mode);                                             \
    }
#define LBM_OPENAT(NAME)                                                                                               \
    int NAME(int at, const char* path, int flags, ...)                                                                 \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = modeOf(flags, arguments);                                                                  \
        va_end(arguments);                                                                                             \
        countOpened(path, flags);                                                                                      \
        return next<int(int, const char*, int, ...)>(#NAME)(at, path, flags, mode);                                    \
    }
#define LBM_FOPEN(NAME)                                                                                                \
    FILE* NAME(const char* path, const char* mode)                                                                     \
    {                                                                                                                  \
        countOpened(path, std::strpbrk(mode, "wa+") ? O_WRONLY : O_RDONLY);                                            \
        return next<FILE*(const char*, const char*)>(#NAME)(path, mode);                                               \
    }
#define LBM_PATHS(NAME, LETTER, PARAMETERS, ...)                                                                       \
    int NAME PARAMETERS                                                                                                \
    {                                                                                                                  \
        count(LETTER);                                                                                                 \
        return next<int PARAMETERS>(#NAME)(__VA_ARGS__);                                                               \
    }
#define LBM_WRITES(NAME, PARAMETERS, ...)                                                                              \
    ssize_t NAME PARAMETERS                                                                                            \
    {                                                                                                                  \
        if (onDisk(descriptor)) count('w');                                                                            \
        return next<ssize_t PARAMETERS>(#NAME)(__VA_ARGS__);                                                           \
    }

LBM_OPEN(open)
LBM_OPEN(open64)
LBM_OPENAT(openat)
LBM_OPENAT(openat64)
LBM_FOPEN(fopen)
LBM_FOPEN(fopen64)
LBM_PATHS(rename, 'r', (const char* a, const char* b), a, b)
LBM_PATHS(renameat, 'r', (int i, const char* a, int j, const char* b), i, a, j, b)
LBM_PATHS(renameat2, 'r', (int i, const char* a, int j, const char* b, unsigned f), i, a, j, b, f)
LBM_PATHS(link, 'l', (const char* a, const char* b), a, b)
LBM_PATHS(symlink, 'l', (const char* a, const char* b), a, b)
LBM_PATHS(unlink, 'u', (const char* a), a)
LBM_PATHS(unlinkat, 'u', (int i, const char* a, int f), i, a, f)
LBM_PATHS(remove, 'u', (const char* a), a)
LBM_PATHS(mkdir, 'm', (const char* a, mode_t m), a, m)
LBM_PATHS(mkdirat, 'm', (int i, const char* a, mode_t m), i, a, m)
LBM_PATHS(rmdir, 'd', (const char* a), a)
LBM_PATHS(truncate, 't', (const char* a, off_t n), a, n)
LBM_PATHS(ftruncate, 't', (int i, off_t n), i, n)
LBM_PATHS(ftruncate64, 't', (int i, off64_t n), i, n)
LBM_PATHS(fsync, 's', (int i), i)
LBM_PATHS(fdatasync, 's', (int i), i)
LBM_WRITES(write, (int descriptor, const void* data, size_t n), descriptor, data, n)
LBM_WRITES(pwrite, (int descriptor, const void* data, size_t n, off_t at), descriptor, data, n, at)
LBM_WRITES(pwrite64, (int descriptor, const void* data, size_t n, off64_t at), descriptor, data, n, at)
LBM_WRITES(writev, (int descriptor, const iovec* data, int n), descriptor, data, n)

} // extern "C"
