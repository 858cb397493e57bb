// Part of lbmFoam, GPL-3.0-or-later.

#include "namedFile.H"

#include <cstdlib>


void Foam::namedFile::refuse
(
    const fileName& path,
    const string& why,
    const label firstLine,
    const label lastLine
)
{
    FatalIOError
    (
        FUNCTION_NAME, __FILE__, __LINE__, path, firstLine, lastLine
    )   << why.c_str() << exit(FatalIOError);
    std::abort();
}


Foam::IOdictionary Foam::namedFile::contents(const IOobject& io)
{
    return read(io.objectPath(), [&]{ return IOdictionary(io); });
}
