// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCheckpoint.H"
#include "lbmConditions.H"
#include "lbmFieldSums.H"
#include "lbmRun.H"
#include "lbmSettings.H"
#include "lbmSurfaceWalls.H"
#include "OSspecific.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmCheckpoint, 0);
}

const std::string Foam::lbmCheckpoint::timeNote("time");
const std::string Foam::lbmCheckpoint::cellSizeNote("cellSize");
const std::string Foam::lbmCheckpoint::openingsNote("openingsResolved");
const std::string Foam::lbmCheckpoint::oddStepsNote("oddSteps");
const std::string Foam::lbmCheckpoint::meshCellSizeNote("meshCellSize");
const std::string Foam::lbmCheckpoint::blocksNote("blocks");
const std::string Foam::lbmCheckpoint::storageNote("storage");
const std::string Foam::lbmCheckpoint::fastestNote("fastestNode");
const std::string Foam::lbmCheckpoint::apartNote("densitiesApart");

namespace
{
    // Time of the checkpoint that goes when this one is complete
    const std::string replacesNote("replaces");

    // Checkpoints without it are of the uniform closure
    const std::string closureNote("closure");

    Foam::word timeOf(const Foam::fileName& file)
    {
        return Foam::word(file.path().path().name());
    }
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
    latest_
    (
        latest.empty() ? latest : fileIn(run.runTime_.kept(timeOf(latest)))
    )
{}


Foam::fileName Foam::lbmCheckpoint::fileIn(const fileName& timePath)
{
    return timePath/"uniform"/typeName + ".h5";
}


std::string Foam::lbmCheckpoint::coefficientNote
(
    const lbm::ClosureCoefficient& coefficient
)
{
    return "closure." + std::string(coefficient.name);
}


bool Foam::lbmCheckpoint::hasClosure
(
    const lbm::CheckpointNotes& notes,
    const lbm::ClosureDescriptor& closure
)
{
    const auto name = notes.texts.find(closureNote);
    return name == notes.texts.end()
      ? closure.name == lbm::uniformClosure().name : closure.name == name->second;
}


lbm::CheckpointNotes Foam::lbmCheckpoint::notes() const
{
    const lbmUnits& units = *run_.units_;
    lbm::CheckpointNotes n;
    n.steps = run_.latticeSteps();
    n.numbers["time"] = run_.runTime_.value();
    n.numbers["dt"] = units.dt();
    n.numbers[cellSizeNote] = units.dx();
    if (run_.timeStep_->odd()) n.numbers[oddStepsNote] = 1;
    if (run_.openingsResolved_) n.numbers[openingsNote] = 1;
    const lbmSurfaceWalls* walls = lbmSurfaceWalls::of(run_.mesh_);
    if (walls && walls->spacing() > 0)
    {
        n.numbers[meshCellSizeNote] = walls->spacing();
    }
    n.numbers["nu"] = units.viscosity().nu(0);
    const lbm::ClosureDescriptor& closure = units.viscosity().closure();
    n.texts[closureNote] = closure.name;
    for (int i = 0; i < closure.coefficients; ++i)
    {
        n.numbers[coefficientNote(closure.coefficient[i])] =
            units.viscosity().coefficients()[i];
    }
    n.numbers["pOffset"] = units.pOffset();
    n.numbers["magic"] = run_.config_.magic;
    n.numbers["referenceSpeed"] = run_.timeStep_->referenceSpeed();
    n.texts[timeNote] = run_.runTime_.timeName();
    n.texts[blocksNote] = run_.config_.blocks ? "yes" : "no";
    n.texts[storageNote] = run_.config_.storage;
    n.numbers[fastestNote] = run_.fastest_;
    n.numbers[apartNote] = run_.apart_;
    if (replacesLatest()) n.texts[replacesNote] = timeOf(latest_);
    lbmSettings::note(lbmSettings::present(run_), n);
    lbmConditions::note(run_.U_, n);
    for (const volScalarField* field : run_.scalars())
    {
        lbmConditions::note(*field, n);
        lbmFieldSums::note(*field, n);
    }
    lbmFieldSums::note(run_.U_, n);
    if (run_.steadyWatch_) run_.steadyWatch_->note(n);
    run_.boundary_.note(n);
    run_.watch_->note(n, units);
    if (run_.models_) run_.models_->note(n);
    if (run_.caution_) run_.caution_->note(n);
    if (run_.elastic_) run_.elastic_->note(n);
    if (run_.buoyancy_) run_.buoyancy_->note(n);
    run_.noteFlux(n);
    run_.sources_.note(n);
    if (run_.nodeSources_) run_.nodeSources_->note(n);
    if (run_.sponge_) run_.sponge_->note(n);
    if (run_.latticeLaw_) run_.latticeLaw_->note(n);
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
        FatalErrorInFunction
            << "The checkpoint cannot be written: " << fault.what()
            << exit(FatalError);
    }
    return true;
}


bool Foam::lbmCheckpoint::replacesLatest() const
{
    return which_ == lbmControls::checkpointType::latest && !latest_.empty()
     && timeOf(latest_) != run_.runTime_.timeName();
}


void Foam::lbmCheckpoint::keepLatest()
{
    if (which_ == lbmControls::checkpointType::none) return;

    // decomposePar links uniform/ of processors to that of the whole case
    const bool anothers = latest_.path().type(false) == fileName::LINK;
    if (replacesLatest() && !anothers && isFile(latest_, false)) rm(latest_);
    latest_ = fileIn(run_.runTime_.kept(run_.runTime_.timeName()));
}


void Foam::lbmCheckpoint::removeReplaced(const lbmResume& resume) const
{
    if (!resume.found() || which_ != lbmControls::checkpointType::latest) return;

    const auto& texts = resume.notes().texts;
    const auto before = texts.find(replacesNote);
    if (before == texts.end()) return;
    const fileName file(fileIn(run_.runTime_.kept(word(before->second))));
    if (!isFile(file, false)) return;
    Info<< "Removing " << file << ", which the checkpoint of time "
        << timeOf(resume.file()) << " replaces" << endl;
    rm(file);
}
