/*---------------------------------------------------------------------------*\
Description
    Lets an executable run with an environment that nobody has set up.

    OpenFOAM's libraries look for etc/controlDict while their static objects
    are constructed, long before main(), and end the process where neither
    WM_PROJECT_DIR nor a user's folder leads there. Setting the variable in a
    constructor of ours is too late, and in .preinit_array it is lost, for the C
    library has not taken over the environment yet. So the process starts itself
    once more with the variable added. Nothing happens where it is set.

    Executables only: shared libraries cannot have a .preinit_array.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include <alloca.h>
#include <climits>
#include <cstring>
#include <unistd.h>

static void foamEnvDefault(int, char** argv, char** envp)
{
    static char setting[] = "WM_PROJECT_DIR=" FOAM_DEFAULT_PROJECT_DIR;
    const std::size_t nameLength = std::strlen("WM_PROJECT_DIR=");

    std::size_t n = 0;
    for (; envp[n]; ++n)
    {
        if (!std::strncmp(envp[n], setting, nameLength)) return;
    }

    char** next = static_cast<char**>(alloca((n + 2)*sizeof(char*)));
    std::memcpy(next, envp, n*sizeof(char*));
    next[n] = setting;
    next[n + 1] = nullptr;

    // The file's own name, not /proc/self/exe, so that ps and top show it
    char self[PATH_MAX + 1];
    const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX);
    if (length > 0)
    {
        self[length] = '\0';
        execve(self, argv, next);
    }
    // Still here: OpenFOAM itself says what is missing
}

__attribute__((section(".preinit_array"), used))
static void (*foamEnvDefault_)(int, char**, char**) = foamEnvDefault;
