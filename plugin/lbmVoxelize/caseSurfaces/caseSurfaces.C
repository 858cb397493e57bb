/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/caseSurfaces/caseSurfaces.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"

#include "IOdictionary.H"
#include "OSspecific.H"
#include "Time.H"
#include "namedFile.H"

namespace
{

using namespace Foam;

IOobject systemFile(const word& name, const Time& runTime)
{
    return IOobject(name, runTime.system(), runTime, IOobject::MUST_READ, IOobject::NO_WRITE, false);
}

} // End anonymous namespace


Foam::IOobject Foam::caseSurfaces::file(const Time& runTime)
{
    return systemFile("lbmVoxelizeDict", runTime);
}


std::shared_ptr<Foam::voxelSettings> Foam::caseSurfaces::find(const Time& runTime)
{
    const IOobject own(file(runTime)), lattice(systemFile("lbmDict", runTime));
    const bool hasOwn = isFile(own.objectPath());
    if (isFile(lattice.objectPath()))
    {
        const IOdictionary dict(namedFile::contents(lattice));
        const entry* e = dict.findEntry("surfaces", keyType::LITERAL);
        if (e && !e->isDict())
        {
            FatalIOErrorInFunction(dict)
                << "Entry surfaces is not a dictionary: it has the entries of lbmVoxelizeDict" << nl
                << "surfaces { surfaces ( \"body.stl\" ); cellSize 0.01; }" << exit(FatalIOError);
        }
        if (e && hasOwn)
        {
            FatalIOErrorInFunction(dict)
                << "Entry surfaces: the case has " << own.objectPath() << ", too, which names its surfaces" << nl
                << "Keep one of them" << exit(FatalIOError);
        }
        if (e) return std::make_shared<voxelSettings>(runTime, e->dict(), true);
    }
    if (!hasOwn) return nullptr;
    return std::make_shared<voxelSettings>(runTime, IOdictionary(namedFile::contents(own)));
}
