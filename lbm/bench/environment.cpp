// How lbmBench's threads wait, unless the environment says it. An object of its own: only executables can hold it.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/startAgain.hpp"

static void addEnvironment(int, char** arguments, char** environment)
{
    const char* const settings[] = {lbm::spinSetting(environment)};
    lbm::startAgain(arguments, environment, settings, 1);
}

__attribute__((section(".preinit_array"), used)) static void (*const addEnvironment_)(int, char**,
                                                                                      char**) = addEnvironment;
