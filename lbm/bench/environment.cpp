// How lbmBench's threads wait, unless the environment says it. An object of its own: only executables can hold it.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/startAgain.hpp"

static char* displaced[1];

static void addEnvironment(int, char** arguments, char** environment)
{
    const char* const settings[] = {lbm::spinSetting(environment)};
    if (!lbm::putInPlace(environment, settings, 1, displaced)) lbm::startAgain(arguments, environment, settings, 1);
}

__attribute__((constructor)) static void environmentBack() { lbm::putBack(displaced, 1); }

__attribute__((section(".preinit_array"), used)) static void (*const addEnvironment_)(int, char**,
                                                                                      char**) = addEnvironment;
