// Preloaded before a program: ends it as kill -9 does, at a moment that a number names, and takes from it what not every
// file system has. Part of lbmFoam, GPL-3.0-or-later.
//
//   LBM_KILL_AT=N     the process ends instead of its N-th change of a name (rename, unlink, mkdir, link ...) or write
//   LBM_KILL_LOG=FILE  takes a line for each of them, with what it is about
//   LBM_LACKS=...     exchange: no RENAME_EXCHANGE; links: no hard links
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

template<class F>
F next(const char* name) { return reinterpret_cast<F>(dlsym(RTLD_NEXT, name)); }

long numberOf(const char* variable)
{
    const char* text = std::getenv(variable);
    return text ? std::atol(text) : -1;
}

bool lacks(const char* what)
{
    const char* text = std::getenv("LBM_LACKS");
    return text && std::strstr(text, what);
}

void happens(const char* what, const char* name)
{
    static std::atomic<long> count{0};
    static const long last = numberOf("LBM_KILL_AT");
    const long n = ++count;
    if (const char* log = std::getenv("LBM_KILL_LOG")) {
        char line[1024];
        const int length = std::snprintf(line, sizeof line, "%ld %s %s\n", n, what, name);
        const int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        next<ssize_t (*)(int, const void*, size_t)>("write")(file, line, size_t(length));
        close(file);
    }
    if (n == last) kill(getpid(), SIGKILL);
}

// Neither the screen nor a log
bool isFile(int descriptor)
{
    struct stat facts;
    return descriptor > 2 && fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
}

} // namespace

extern "C" {

int rename(const char* from, const char* to)
{
    happens("rename", to);
    return next<decltype(&rename)>("rename")(from, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept
{
    if (flags && lacks("exchange")) {
        errno = EINVAL;
        return -1;
    }
    happens("exchange", to);
    return next<decltype(&renameat2)>("renameat2")(fromFolder, from, toFolder, to, flags);
}

int unlink(const char* name) noexcept
{
    happens("unlink", name);
    return next<decltype(&unlink)>("unlink")(name);
}

int unlinkat(int folder, const char* name, int flags) noexcept
{
    happens("unlink", name);
    return next<decltype(&unlinkat)>("unlinkat")(folder, name, flags);
}

int remove(const char* name) noexcept
{
    happens("unlink", name);
    return next<decltype(&remove)>("remove")(name);
}

int rmdir(const char* name) noexcept
{
    happens("rmdir", name);
    return next<decltype(&rmdir)>("rmdir")(name);
}

int mkdir(const char* name, mode_t mode) noexcept
{
    happens("mkdir", name);
    return next<decltype(&mkdir)>("mkdir")(name, mode);
}

int link(const char* from, const char* to) noexcept
{
    if (lacks("links")) {
        errno = EPERM;
        return -1;
    }
    happens("link", to);
    return next<decltype(&link)>("link")(from, to);
}

ssize_t write(int descriptor, const void* data, size_t n)
{
    if (isFile(descriptor)) happens("write", "");
    return next<decltype(&write)>("write")(descriptor, data, n);
}

ssize_t writev(int descriptor, const iovec* data, int n)
{
    if (isFile(descriptor)) happens("write", "");
    return next<decltype(&writev)>("writev")(descriptor, data, n);
}

} // extern "C"
