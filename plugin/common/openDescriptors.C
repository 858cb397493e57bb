/*---------------------------------------------------------------------------*\
Description
    Descriptors 0 to 2 of a process that was started without them.

    The first files that are opened would take their numbers, and what is meant
    for the screen would end in them; OpenFOAM's own start dies of it. They lead
    to /dev/null, before any library's constructors run.

    Executables only: shared libraries cannot have a .preinit_array.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include <fcntl.h>
#include <unistd.h>

static void openDescriptors(int, char**, char**)
{
    int opened = -1;
    do
    {
        // The lowest number that is free
        opened = open("/dev/null", O_RDWR);
    } while (opened >= 0 && opened <= STDERR_FILENO);
    if (opened >= 0) close(opened);
}

__attribute__((section(".preinit_array"), used))
static void (*openDescriptors_)(int, char**, char**) = openDescriptors;
