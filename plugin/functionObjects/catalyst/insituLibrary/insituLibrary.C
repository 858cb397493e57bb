// Part of lbmFoam, GPL-3.0-or-later.

#include "insituLibrary.H"
#include "HashTable.H"
#include "sigFpe.H"

#include <dlfcn.h>

namespace
{
    const Foam::HashTable<Foam::string> files
    ({
        {"paraview", "liblbmInsituParaView.so"},
        {"catalyst", "liblbmInsituCatalyst.so"}
    });
}


Foam::wordList Foam::insituLibrary::names()
{
    return files.sortedToc();
}


const lbmInsituModule& Foam::insituLibrary::load
(
    const word& backEnd,
    const dictionary& dict
)
{
    const string& file = files[backEnd];
    // Global: Python's own modules look for its symbols among these. Constants
    // that VTK computes when it is loaded may raise what OpenFOAM traps.
    const sigFpe::ignore untrapped;
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library)
    {
        FatalIOErrorInFunction(dict)
            << "Cannot load the in-situ module " << file << ": " << dlerror()
            << nl << "lbmFoam builds it where it finds ParaView 5.11 with its"
            << " headers" << exit(FatalIOError);
    }
    using entry = const lbmInsituModule* (*)();
    const auto start =
        reinterpret_cast<entry>(dlsym(library, LBM_INSITU_ENTRY));
    if (!start || start()->version != LBM_INSITU_VERSION)
    {
        FatalIOErrorInFunction(dict)
            << file << " belongs to another version of lbmFoam"
            << exit(FatalIOError);
    }
    return *start();
}
