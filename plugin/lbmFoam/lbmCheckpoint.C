// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCheckpoint.H"
#include "lbmConditions.H"
#include "lbmRun.H"
#include "OSspecific.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmCheckpoint, 0);
}


Foam::lbmCheckpoint::lbmCheckpoint(const lbmRun& run, const fileName& latest)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            run.runTime_.timeName(),
            run.mesh_,
            IOobject::NO_READ,
            run.controls_.checkpoint() == lbmControls::checkpointType::none
              ? IOobject::NO_WRITE : IOobject::AUTO_WRITE
        )
    ),
    run_(run),
    which_(run.controls_.checkpoint()),
    writer_(*run.solver_),
    latest_(latest)
{}


Foam::fileName Foam::lbmCheckpoint::fileIn(const fileName& timePath)
{
    return timePath/"uniform"/typeName + ".h5";
}


lbm::CheckpointNotes Foam::lbmCheckpoint::notes() const
{
    const lbmUnits& units = *run_.units_;
    lbm::CheckpointNotes n;
    n.steps = run_.latticeSteps();
    n.numbers["time"] = run_.runTime_.value();
    n.numbers["dt"] = units.dt();
    n.numbers["nu"] = units.nu();
    n.numbers["pOffset"] = units.pOffset();
    n.numbers["magic"] = run_.config_.magic;
    n.numbers["referenceSpeed"] = run_.timeStep_->referenceSpeed();
    lbmConditions::note(run_.U_, n);
    lbmConditions::note(run_.p_, n);
    if (run_.steadyWatch_) run_.steadyWatch_->note(n);
    run_.cutStep_.note(n);
    return n;
}


bool Foam::lbmCheckpoint::writeObject
(
    IOstream::streamFormat,
    IOstream::versionNumber,
    IOstream::compressionType,
    const bool
) const
{
    const fileName file(fileIn(run_.runTime_.timePath()));
    try
    {
        writer_.write(file, notes());
    }
    catch (const lbm::CheckpointError& fault)
    {
        // Under way; those before are not touched
        rmDir(run_.runTime_.timePath(), true);
        FatalErrorInFunction
            << "The checkpoint cannot be written: " << fault.what() << nl
            << "Earlier times are whole" << exit(FatalError);
    }
    return true;
}


void Foam::lbmCheckpoint::keepLatest()
{
    if (which_ == lbmControls::checkpointType::none) return;

    const fileName file(fileIn(run_.runTime_.timePath()));
    if
    (
        which_ == lbmControls::checkpointType::latest
     && !latest_.empty() && latest_ != file && isFile(latest_, false)
    )
    {
        rm(latest_);
    }
    latest_ = file;
}
