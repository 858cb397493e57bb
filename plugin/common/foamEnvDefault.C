/*---------------------------------------------------------------------------*\
Description
    Lets an executable run with an environment that nobody has set up.

    OpenFOAM's libraries look for etc/controlDict while their static objects
    are constructed, long before main(), and end the process where neither
    WM_PROJECT_DIR nor a user's folder leads there. OpenMP's library reads at
    the same time how its threads wait. What is missing of both is added as
    startAgain.hpp says; nothing happens where it is set.

    Executables only: shared libraries cannot have a .preinit_array.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "lbm/api/startAgain.hpp"

static char* displaced[2];


static void foamEnvDefault(int, char** argv, char** envp)
{
    const char* const project = "WM_PROJECT_DIR=" FOAM_DEFAULT_PROJECT_DIR;
    const char* const settings[] =
    {
        lbm::holds(envp, "WM_PROJECT_DIR=") ? nullptr : project,
        lbm::spinSetting(envp)
    };
    if (!lbm::putInPlace(envp, settings, 2, displaced))
    {
        lbm::startAgain(argv, envp, settings, 2);
    }
}


__attribute__((constructor))
static void foamEnvBack()
{
    lbm::putBack(displaced, 2);
}

__attribute__((section(".preinit_array"), used))
static void (*foamEnvDefault_)(int, char**, char**) = foamEnvDefault;
