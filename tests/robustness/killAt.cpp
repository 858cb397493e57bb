// Preloaded before a program: ends it as kill -9 does just before a call that changes the disk, and takes from it what not
// every file system has. Part of lbmFoam, GPL-3.0-or-later.
//
//   LBM_KILL_AT=N      the process ends instead of its N-th such call, counted from 1
//   LBM_KILL_LOG=FILE  takes a line for each of them: number, what (open for writing, write, rename, exchange, link,
//                      unlink, mkdir, rmdir, truncate, sync), name
//   LBM_LACKS=...      exchange: no RENAME_EXCHANGE; links: no hard links
//
// Output to a terminal, to devices and to the first three descriptors is none.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

template<class F>
F* next(const char* name)
{
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

bool lacks(const char* what)
{
    const char* text = std::getenv("LBM_LACKS");
    return text && std::strstr(text, what);
}

int record()
{
    static const int file = [] {
        const char* name = std::getenv("LBM_KILL_LOG");
        return name ? int(syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) : -1;
    }();
    return file;
}

void happens(const char* what, const char* name)
{
    static std::atomic<long> count{0};
    static const long last = std::getenv("LBM_KILL_AT") ? std::atol(std::getenv("LBM_KILL_AT")) : 0;
    const long n = ++count;
    if (record() >= 0) {
        char line[1024];
        const int length = std::snprintf(line, sizeof line, "%ld %s %s\n", n, what, name);
        syscall(SYS_write, record(), line, size_t(length));
    }
    if (n == last) kill(getpid(), SIGKILL);
}

void opened(const char* path, int flags)
{
    const bool device = !std::strncmp(path, "/dev/", 5) || !std::strncmp(path, "/proc/", 6);
    if ((flags & (O_WRONLY | O_RDWR)) && !device) happens("open", path);
}

void written(int descriptor)
{
    struct stat facts;
    if (descriptor <= STDERR_FILENO || descriptor == record()) return;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) happens("write", "");
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
        opened(path, flags);                                                                                           \
        return next<int(const char*, int, ...)>(#NAME)(path, flags, mode);                                             \
    }
#define LBM_OPENAT(NAME)                                                                                               \
    int NAME(int at, const char* path, int flags, ...)                                                                 \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = modeOf(flags, arguments);                                                                  \
        va_end(arguments);                                                                                             \
        opened(path, flags);                                                                                           \
        return next<int(int, const char*, int, ...)>(#NAME)(at, path, flags, mode);                                    \
    }
#define LBM_FOPEN(NAME)                                                                                                \
    FILE* NAME(const char* path, const char* mode)                                                                     \
    {                                                                                                                  \
        opened(path, std::strpbrk(mode, "wa+") ? O_WRONLY : O_RDONLY);                                                 \
        return next<FILE*(const char*, const char*)>(#NAME)(path, mode);                                               \
    }
#define LBM_NAMES(NAME, WHAT, WHICH, PARAMETERS, ...)                                                                  \
    int NAME PARAMETERS                                                                                                \
    {                                                                                                                  \
        happens(WHAT, WHICH);                                                                                          \
        return next<int PARAMETERS>(#NAME)(__VA_ARGS__);                                                               \
    }
#define LBM_WRITES(NAME, PARAMETERS, ...)                                                                              \
    ssize_t NAME PARAMETERS                                                                                            \
    {                                                                                                                  \
        written(descriptor);                                                                                           \
        return next<ssize_t PARAMETERS>(#NAME)(__VA_ARGS__);                                                           \
    }

LBM_OPEN(open)
LBM_OPEN(open64)
LBM_OPENAT(openat)
LBM_OPENAT(openat64)
LBM_FOPEN(fopen)
LBM_FOPEN(fopen64)
LBM_NAMES(rename, "rename", b, (const char* a, const char* b), a, b)
LBM_NAMES(renameat, "rename", b, (int i, const char* a, int j, const char* b), i, a, j, b)
LBM_NAMES(symlink, "link", b, (const char* a, const char* b), a, b)
LBM_NAMES(unlink, "unlink", a, (const char* a), a)
LBM_NAMES(unlinkat, "unlink", a, (int i, const char* a, int f), i, a, f)
LBM_NAMES(remove, "unlink", a, (const char* a), a)
LBM_NAMES(mkdir, "mkdir", a, (const char* a, mode_t m), a, m)
LBM_NAMES(mkdirat, "mkdir", a, (int i, const char* a, mode_t m), i, a, m)
LBM_NAMES(rmdir, "rmdir", a, (const char* a), a)
LBM_NAMES(truncate, "truncate", a, (const char* a, off_t n), a, n)
LBM_NAMES(ftruncate, "truncate", "", (int i, off_t n), i, n)
LBM_NAMES(ftruncate64, "truncate", "", (int i, off64_t n), i, n)
LBM_NAMES(fsync, "sync", "", (int i), i)
LBM_NAMES(fdatasync, "sync", "", (int i), i)
LBM_WRITES(write, (int descriptor, const void* data, size_t n), descriptor, data, n)
LBM_WRITES(pwrite, (int descriptor, const void* data, size_t n, off_t at), descriptor, data, n, at)
LBM_WRITES(pwrite64, (int descriptor, const void* data, size_t n, off64_t at), descriptor, data, n, at)
LBM_WRITES(writev, (int descriptor, const iovec* data, int n), descriptor, data, n)

int renameat2(int i, const char* a, int j, const char* b, unsigned flags)
{
    if (flags && lacks("exchange")) {
        errno = EINVAL;
        return -1;
    }
    happens("exchange", b);
    return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(i, a, j, b, flags);
}

int link(const char* a, const char* b)
{
    if (lacks("links")) {
        errno = EPERM;
        return -1;
    }
    happens("link", b);
    return next<int(const char*, const char*)>("link")(a, b);
}

} // extern "C"
