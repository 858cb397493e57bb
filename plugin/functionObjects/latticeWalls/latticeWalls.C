// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeWalls.H"
#include "wallPolyPatch.H"


Foam::functionObjects::latticeWalls::latticeWalls
(
    const word& name,
    const Time& runTime,
    const dictionary& dict,
    const word& fieldName
)
:
    fvMeshFunctionObject(name, runTime, dict),
    writeFile(mesh_, name, fieldName, dict),
    fieldName_(fieldName)
{
    read(dict);
}


bool Foam::functionObjects::latticeWalls::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    writeFile::read(dict);

    const polyBoundaryMesh& patches = mesh_.boundaryMesh();
    const wordReList names(dict.getOrDefault("patches", wordReList()));
    patches_ = patches.patchSet(names);
    for (const label patchi : patches_)
    {
        if (!isA<wallPolyPatch>(patches[patchi]))
        {
            FatalIOErrorInFunction(dict)
                << "Entry patches: " << patches[patchi].name()
                << " is not of type wall" << exit(FatalIOError);
        }
    }
    if (names.empty()) patches_ = patches.findPatchIDs<wallPolyPatch>();
    return true;
}


Foam::lbmWallStress& Foam::functionObjects::latticeWalls::stress() const
{
    if (!mesh_.foundObject<lbmWallStress>(lbmWallStress::typeName))
    {
        FatalErrorInFunction
            << "No lattice: function object " << type() << " works in lbmFoam"
            << " alone; other solvers have wallShearStress and yPlus"
            << exit(FatalError);
    }
    return mesh_.lookupObjectRef<lbmWallStress>(lbmWallStress::typeName);
}


void Foam::functionObjects::latticeWalls::checkStress() const
{
    if (mesh_.foundObject<lbmWallStress>(lbmWallStress::typeName)) stress().check();
}
