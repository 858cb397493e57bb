// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmResume.H"
#include "lbmCheckpoint.H"
#include "lbmConditions.H"
#include "localIOdictionary.H"
#include "OSspecific.H"
#include "Time.H"


Foam::lbmResume::lbmResume(Time& runTime)
:
    file_(lbmCheckpoint::fileIn(runTime.timePath())),
    conditionsChanged_(false)
{
    const bool there = isFile(file_, false);
    if (!there || !lbm::checkpointsAvailable())
    {
        Info<< "Start: U and p of time " << runTime.timeName();
        if (there)
        {
            Info<< "; its checkpoint is left: this build has no HDF5";
        }
        else if (isFile(runTime.timePath()/"uniform"/"time"))
        {
            Info<< "; it has no checkpoint, the restart is not exact";
        }
        Info<< nl;
        file_.clear();
        return;
    }
    try
    {
        reader_.reset(new lbm::CheckpointReader(file_));
    }
    catch (const lbm::CheckpointError& fault)
    {
        fail(fault);
    }
    Info<< "Start: checkpoint " << file_ << nl
        << "    continues bit for bit; written by "
        << reader_->kernel().c_str() << nl;
    // Names of times have fewer digits
    runTime.setTime(number("time"), runTime.timeIndex());
}


void Foam::lbmResume::fail(const std::exception& fault) const
{
    FatalErrorInFunction
        << "Checkpoint " << fault.what() << nl
        << "Mend what differs, or remove the file to restart from U and p"
        << exit(FatalError);
}


Foam::scalar Foam::lbmResume::number(const std::string& name) const
{
    const auto& numbers = notes().numbers;
    const auto it = numbers.find(name);
    if (it == numbers.end())
    {
        fail(lbm::CheckpointError(file_ + ": has no " + name));
    }
    return it->second;
}


Foam::lbmUnits Foam::lbmResume::units(const scalar dx) const
{
    return lbmUnits(dx, number("dt"), number("nu"), number("pOffset"));
}


Foam::dictionary Foam::lbmResume::content
(
    const word& field,
    const word& className,
    const dimensionSet& dimensions,
    const fvMesh& mesh
) const
{
    localIOdictionary content
    (
        IOobject
        (
            field,
            mesh.time().timeName(),
            mesh,
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        ),
        className
    );
    const dimensionSet given(content.lookup("dimensions"));
    if (given != dimensions)
    {
        FatalIOErrorInFunction(content)
            << "Entry dimensions is " << given << "; " << field << " has "
            << dimensions << (field == "p" ? ", pressure over density" : "")
            << exit(FatalIOError);
    }
    if (found() && !lbmConditions::recall(field, notes(), content))
    {
        conditionsChanged_ = true;
    }
    return dictionary(content);
}


void Foam::lbmResume::restore(lbm::Solver& solver) const
{
    try
    {
        reader_->restore(solver);
    }
    catch (const lbm::CheckpointError& fault)
    {
        fail(fault);
    }
}
