// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmResume.H"
#include "lbmCheckpoint.H"
#include "lbmConditions.H"
#include "lbmControls.H"
#include "lbmFieldSums.H"
#include "lbmRotatingFrame.H"
#include "localIOdictionary.H"
#include "namedFile.H"
#include "OSspecific.H"
#include "Time.H"
#include "plugin/common/lbmFieldFile.H"

namespace
{

using namespace Foam;

// OpenFOAM alone would say that a file cannot be found, not who asked for it
void refuseEmptyStart(const IOobject& io)
{
    const fileName file(io.objectPath());
    if (isFile(file) || isFile(file + ".gz")) return;

    FatalIOErrorInFunction(io.time().controlDict())
        << "Entries startFrom and startTime choose time "
        << io.time().timeName() << ", which has no " << io.name() << nl
        << "cannot find file " << file;
    if (io.name() != "p" && lbmRotatingFrame::asked(io.time()))
    {
        FatalIOError
            << nl << "(constant/SRFProperties: velocity is seen from a frame that"
            << " rotates)";
    }
    FatalIOError << exit(FatalIOError);
}


dictionary contentOf
(
    const word& field,
    const word& className,
    const dimensionSet& dimensions,
    const fvMesh& mesh
)
{
    const IOobject io
    (
        field,
        mesh.time().timeName(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
    refuseEmptyStart(io);
    lbmFieldFile::refuseTwo(io);
    const localIOdictionary content
    (
        namedFile::read
        (
            io.objectPath(),
            [&]{ return localIOdictionary(io, className); }
        )
    );
    const dimensionSet given(content.lookup("dimensions"));
    if (given != dimensions)
    {
        FatalIOErrorInFunction(content)
            << "Entry dimensions is " << given << "; " << field << " has "
            << dimensions
            << (dimensions == dimPressure/dimDensity ? ", pressure over density" : "")
            << exit(FatalIOError);
    }
    return dictionary(content);
}

} // End anonymous namespace


Foam::lbmResume::lbmResume
(
    Time& runTime,
    const lbmControls& controls,
    const fvMesh& mesh,
    const bool heat
)
:
    file_(lbmCheckpoint::fileIn(runTime.timePath())),
    velocity_(lbmRotatingFrame::velocityName(runTime))
{
    const auto read =
    [&](const word& field, const word& type, const dimensionSet& dimensions)
    {
        contents_.set
        (
            field, new dictionary(contentOf(field, type, dimensions, mesh))
        );
    };
    read(velocity_, volVectorField::typeName, dimVelocity);
    read
    (
        heat ? "p_rgh" : "p", volScalarField::typeName, dimPressure/dimDensity
    );
    if (heat) read("T", volScalarField::typeName, dimTemperature);
    choose(controls, mesh);
    // Names of times have fewer digits
    if (found()) runTime.setTime(number("time"), runTime.timeIndex());
}


void Foam::lbmResume::leave(const string& why)
{
    Info<< "Start: " << velocity_ << " and p" << why.c_str() << nl;
    reader_.reset();
    file_.clear();
}


void Foam::lbmResume::choose(const lbmControls& controls, const fvMesh& mesh)
{
    using type = lbmControls::restartType;

    const type wanted = controls.restart();
    const word time(mesh.time().timeName());
    const std::string of(" of time " + time);
    const bool there = isFile(file_, false);
    const bool readable = there && lbm::checkpointsAvailable();
    if (wanted == type::checkpoint && !readable)
    {
        FatalIOErrorInFunction(controls.dict())
            << "Entry restart is checkpoint, but "
            << (there ? "this build has no HDF5 to read " : "there is no ")
            << file_ << exit(FatalIOError);
    }
    if (!readable)
    {
        const bool continued = isFile(mesh.time().timePath()/"uniform"/"time");
        leave
        (
            there ? of + "; its checkpoint is left: this build has no HDF5"
          : continued
          ? of + "; it has no checkpoint, the restart is not exact"
          : of
        );
        return;
    }
    if (wanted == type::fields)
    {
        leave(of + "; its checkpoint is left, for entry restart is fields");
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
    checkTime(time);

    wordList newer;
    for (const word& field : contents_.sortedToc())
    {
        if
        (
            !lbmFieldSums::unchanged
            (
                field, *contents_[field], mesh.nCells(), notes()
            )
        ) newer.append(field);
    }
    if (newer.size() && wanted == type::automatic)
    {
        const char* all = contents_.size() == 2 ? "both" : "several";
        leave
        (
            of + ", not its checkpoint: the internal field of "
          + (newer.size() == 1 ? newer[0].c_str() : all)
          + " was changed after it was written\n    (restart checkpoint in"
            " system/lbmDict: the checkpoint counts)"
        );
        return;
    }
    Info<< "Start: checkpoint " << file_ << nl
        << "    written by " << reader_->kernel().c_str() << nl;
    if (newer.size())
    {
        Info<< "    internal fields " << flatOutput(newer) << " were changed"
            << " after it was written, and are left, for entry restart is"
            << " checkpoint" << nl;
    }
}


void Foam::lbmResume::checkTime(const word& timeName) const
{
    const auto& texts = notes().texts;
    const auto written = texts.find(lbmCheckpoint::timeNote);
    if (written == texts.end())
    {
        fail(lbm::CheckpointError(file_ + ": has no time"));
    }
    if (written->second != timeName)
    {
        fail
        (
            lbm::CheckpointError
            (
                file_ + ": was written for time " + written->second
              + ", but lies in " + timeName
            )
        );
    }
}


void Foam::lbmResume::fail(const std::exception& fault) const
{
    FatalErrorInFunction
        << "Checkpoint " << fault.what() << nl
        << "Mend what differs, or remove the file to restart from U and p"
        << " (or restart fields in system/lbmDict)"
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


Foam::lbmViscosity Foam::lbmResume::viscosity
(
    const lbmViscosity& present
) const
{
    const lbm::ClosureDescriptor& closure = present.closure();
    if (!lbmCheckpoint::hasClosure(notes(), closure)) return present;

    lbm::ClosureCoefficients coefficients{};
    for (int i = 0; i < closure.coefficients; ++i)
    {
        coefficients[i] =
            number(lbmCheckpoint::coefficientNote(closure.coefficient[i]));
    }
    return present.with(coefficients, number("nu"));
}


Foam::lbmUnits Foam::lbmResume::units
(
    const scalar dx,
    const lbmViscosity& present
) const
{
    return lbmUnits
    (
        dx, number("dt"), viscosity(present), number("pOffset")
    );
}


Foam::autoPtr<Foam::dictionary> Foam::lbmResume::content(const word& field)
{
    autoPtr<dictionary> content(contents_.remove(field));
    if (found() && !lbmConditions::recall(field, notes(), *content))
    {
        changed_.append(field);
    }
    return content;
}


void Foam::lbmResume::restore
(
    lbm::Solver& solver,
    const lbmSettings::table& now
) const
{
    std::vector<std::string> changes = lbmSettings::changes(notes(), now);
    for (const word& field : changed_)
    {
        changes.push_back
        (
            "conditions of " + field
          + " were changed since: those of the file count"
        );
    }
    std::string list;
    for (const std::string& change : changes) list += "        " + change + '\n';
    try
    {
        reader_->restore(solver);
    }
    catch (const lbm::CheckpointError& fault)
    {
        fail
        (
            lbm::CheckpointError
            (
                fault.what()
              + (list.empty() ? list : "\n    settings changed since:\n" + list)
            )
        );
    }
    if (list.empty())
    {
        Info<< "    no setting has changed since: continues bit for bit" << nl;
    }
    else
    {
        Info<< "    continues from its state, but not bit for bit:" << nl
            << list.c_str();
    }
}
