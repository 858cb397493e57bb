// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmChangedFiles.H"
#include "OSspecific.H"

Foam::lbmChangedFiles::lbmChangedFiles(const Time& runTime)
:
    runTime_(runTime)
{
    for
    (
        const fileName& name :
        {
            fileName("constant/transportProperties"),
            fileName("constant/turbulenceProperties"),
            fileName("constant/MRFProperties"),
            fileName("system/lbmDict")
        }
    )
    {
        const fileName path(runTime.globalPath()/name);
        if (isFile(path)) files_.push_back({path, highResLastModified(path)});
    }
}


void Foam::lbmChangedFiles::tell()
{
    if (!runTime_.runTimeModifiable() || !Pstream::master()) return;
    for (file& one : files_)
    {
        const double modified = highResLastModified(one.path);
        if (modified == one.modified) continue;
        one.modified = modified;
        WarningInFunction
            << one.path << " has changed: lbmFoam goes on with what it read there at"
            << " its start, and takes the change when it is started again" << endl;
    }
}
