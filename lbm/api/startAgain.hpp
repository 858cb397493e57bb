// Gives a process environment variables that libraries read while they are loaded: OpenMP's number of turns to spin,
// OpenFOAM's folder. Setting them in a constructor of ours is too late, and in .preinit_array it is lost, for the C
// library has not taken over the environment yet. So they take the places of variables that nobody reads before main(),
// which come back when all libraries are ready; where there are too few of those the process starts itself once more.
// For functions in an executable's .preinit_array (shared libraries cannot have one); includes nothing that needs
// constructors.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <alloca.h>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace lbm {

// Where a variable stands in an environment; `name` ends with '='.
inline bool holds(char* const* environment, const char* name)
{
    for (; *environment; ++environment)
        if (!std::strncmp(*environment, name, std::strlen(name))) return true;
    return false;
}

// What OpenMP's threads lack: turns to spin before they sleep, a third of a millisecond. By itself libgomp takes 300 000,
// which beside another program are taken from the thread that is waited for (see TeamBarrier). Null where the
// environment says how threads wait.
inline const char* spinSetting(char* const* environment)
{
    return holds(environment, "GOMP_SPINCOUNT=") || holds(environment, "OMP_WAIT_POLICY=") ? nullptr
                                                                                           : "GOMP_SPINCOUNT=8000";
}

// Puts settings, NAME=VALUE, into an environment in the places of others, which it returns through `displaced`; null ones are
// none. False, and nothing done, where too few of these can be spared. What shells set for themselves and for terminals is
// read by no library that a program of ours loads. Starting again would take as long as all that loading.
inline bool putInPlace(char** environment, const char* const* settings, std::size_t count, char** displaced)
{
    static const char* const spare[] = {
        "_=", "OLDPWD=", "SHLVL=", "LS_COLORS=", "LESSOPEN=", "LESSCLOSE=", "MAIL=", "TERM="};
    char** places[sizeof(spare) / sizeof(*spare)];
    std::size_t found = 0, wanted = 0;
    for (char** entry = environment; *entry; ++entry)
        for (const char* name : spare)
            if (found < sizeof(places) / sizeof(*places) && !std::strncmp(*entry, name, std::strlen(name)))
                places[found++] = entry;
    for (std::size_t i = 0; i < count; ++i) wanted += settings[i] != nullptr;
    if (wanted > found) return false;
    for (std::size_t i = 0, n = 0; i < count; ++i) {
        displaced[i] = settings[i] ? *places[n] : nullptr;
        if (settings[i]) *places[n++] = const_cast<char*>(settings[i]);
    }
    return true;
}

// For a constructor of the executable, which comes after those of all libraries.
inline void putBack(char* const* displaced, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        if (displaced[i]) putenv(displaced[i]);
}

// Adds settings, NAME=VALUE, to the environment; null ones are none. Returns where nothing is to be added, and where the
// program cannot be started again: it then runs with what it has.
inline void startAgain(char** arguments, char** environment, const char* const* settings, std::size_t count)
{
    std::size_t n = 0;
    while (environment[n]) ++n;
    char** const next = static_cast<char**>(alloca((n + count + 1) * sizeof(char*)));
    std::memcpy(next, environment, n * sizeof(char*));
    std::size_t all = n;
    for (std::size_t i = 0; i < count; ++i)
        if (settings[i]) next[all++] = const_cast<char*>(settings[i]);
    next[all] = nullptr;
    if (all == n) return;

    // The file's own name, not /proc/self/exe, so that ps and top show it
    char self[PATH_MAX + 1];
    const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX);
    if (length <= 0) return;
    self[length] = '\0';
    execve(self, arguments, next);
}

} // namespace lbm
