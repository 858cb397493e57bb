// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTime.H"
#include "lbmCheckpoint.H"
#include "lbmProcessorCase.H"
#include "lbmRotatingFrame.H"
#include "OSspecific.H"
#include "plugin/common/lbmThrowing.H"
#include "plugin/common/lbmWholeFolder.H"

namespace
{
    // Share of a time step that rounding of the time may take
    const Foam::scalar lostInTime = 0.01;

    using namespace Foam;

    // As OpenFOAM names what a field was in the time step before
    const std::string oldTime("_0");

    // The field that a file belongs to
    fileName withoutOldTime(fileName name)
    {
        const std::size_t n = oldTime.size();
        while
        (
            name.size() > n
         && name.compare(name.size() - n, n, oldTime) == 0
        )
        {
            name.resize(name.size() - n);
        }
        return name;
    }


    // While it lives OpenFOAM's files go into another folder than the case's
    class redirected
    {
        TimePaths& paths_;
        const fileName case_;

    public:

        redirected(const Time& time, const fileName& folder)
        :
            paths_(const_cast<Time&>(time)),
            case_(paths_.caseName())
        {
            paths_.caseName() = case_/folder;
        }

        ~redirected() { paths_.caseName() = case_; }
    };
}


// While it lives, function objects see a time step of another length, and so another
// end of the run: less half a time step it tells whether the run goes on
class Foam::lbmTime::partialStep
{
    lbmTime& time_;
    const scalar deltaT_, endTime_;
    const scalar part_, partEnd_;

public:

    partialStep(const lbmTime& time, const scalar part, const scalar end)
    :
        time_(const_cast<lbmTime&>(time)),
        deltaT_(time.deltaT_),
        endTime_(time.endTime_),
        part_(part),
        partEnd_(end)
    {
        time_.deltaT_ = part_;
        time_.endTime_ = partEnd_;
    }

    //- Not where controlDict was read anew
    ~partialStep()
    {
        if (time_.deltaT_ == part_) time_.deltaT_ = deltaT_;
        if (time_.endTime_ == partEnd_) time_.endTime_ = endTime_;
    }
};


Foam::lbmTime::lbmTime
(
    const word& controlDictName,
    const argList& args,
    lbmProcessorCase* processors
)
:
    Time(controlDictName, args),
    processors_(processors)
{
    if (processors_)
    {
        processors_->takeFiles(*this);
        caseName() = processors_->caseName();
    }
    findStart();
    checkStep();
}


// OpenFOAM's own files are found so, each by itself
void Foam::lbmTime::findStart()
{
    if (isDir(kept(timeName()))) return;
    for (const instant& time : findTimes(kept()))
    {
        if (time.name() == constant() || !time.equal(value())) continue;
        startName_ = timeName();
        startFolder_ = time.name();
    }
    if (!startFolder_.empty()) setTime(value(), timeIndex());
}


void Foam::lbmTime::setTime(const scalar newTime, const label newIndex)
{
    Time::setTime(newTime, newIndex);
    if (startFolder_.empty() || timeName() != startName_) return;
    dimensionedScalar::name() = startFolder_;
}


Foam::fileName Foam::lbmTime::kept() const
{
    return processors_ ? processors_->kept() : path();
}


Foam::label Foam::lbmTime::stepsOfWrites() const
{
    scalar steps = labelMax;
    if (writeControl_ == wcTimeStep) steps = writeInterval_;
    else if (writeControl_ == wcRunTime || writeControl_ == wcAdjustableRunTime)
    {
        steps = writeInterval_/deltaT_*(1 + lostInTime);
    }
    return label(min(max(steps, scalar(1)), scalar(labelMax)));
}


void Foam::lbmTime::readDict()
{
    Time::readDict();
    checkStep();
}


void Foam::lbmTime::checkStep() const
{
    if (!(deltaTValue() > 0 && deltaTValue() < GREAT))
    {
        FatalIOErrorInFunction(controlDict())
            << "Entry deltaT is " << deltaTValue() << "; it must be positive"
            << exit(FatalIOError);
    }
    const scalar advanced = (value() + deltaTValue()) - value();
    if (mag(advanced - deltaTValue()) > lostInTime*deltaTValue())
    {
        FatalIOErrorInFunction(controlDict())
            << "Entry deltaT is " << deltaTValue() << ", and the time "
            << value() << ": a number so large cannot grow by one so small"
            << exit(FatalIOError);
    }
}


void Foam::lbmTime::addFields
(
    const objectRegistry& objects,
    HashSet<fileName>& names
) const
{
    forAllConstIters(objects, iter)
    {
        const regIOobject& object = *iter.val();
        const auto* registry = dynamic_cast<const objectRegistry*>(&object);
        if (registry && registry != &objects) addFields(*registry, names);

        // Meshes have a folder of their own, dictionaries another place
        const fileName& at = object.instance();
        if (!object.local().empty() || at == constant() || at == system())
        {
            continue;
        }
        names.insert(object.db().dbDir()/object.name());
    }
}


Foam::HashSet<Foam::fileName> Foam::lbmTime::fields() const
{
    HashSet<fileName> names;
    addFields(*this, names);
    return names;
}


Foam::word Foam::lbmTime::lastWhole() const
{
    word last;
    for (const instant& time : findTimes(kept()))
    {
        const fileName folder(kept(time.name()));
        if
        (
            time.name() != constant() && time.value() < value()
         && isFile(folder/lbmRotatingFrame::velocityName(*this))
         && isFile(folder/"p")
        )
        {
            last = time.name();
        }
    }
    return last;
}


void Foam::lbmTime::fail(const lbmWholeFolder& folder, const string& why) const
{
    const string left(folder.discard());
    const word last(lastWhole());
    FatalErrorInFunction
        << "Time " << timeName() << " of case " << globalPath()
        << " cannot be written: " << why.c_str() << nl
        << "What the flow was at this time is lost." << nl
        << "Earlier times are whole";
    if (!last.empty()) FatalError << ", the latest is " << last;
    if (!left.empty()) FatalError << nl << "Left behind: " << left.c_str();
    FatalError << exit(FatalError);
    std::abort();
}


Foam::string Foam::lbmTime::writeWithin
(
    const lbmWholeFolder& folder,
    IOstream::streamFormat format,
    IOstream::versionNumber version,
    IOstream::compressionType compression,
    const bool valid
) const
{
    string words;
    try
    {
        const lbmThrowing errorsAreExplained;
        const redirected files(*this, folder.container().name());
        if
        (
            Time::writeTimeDict()
         && objectRegistry::writeObject(format, version, compression, valid)
        )
        {
            return string();
        }
        words = "a file was not written to its end";
    }
    catch (const error& fault)
    {
        words = fault.message();
    }
    const string disk(folder.reason());
    return disk.empty() ? words : disk;
}


bool Foam::lbmTime::writeObject
(
    IOstream::streamFormat format,
    IOstream::versionNumber version,
    IOstream::compressionType compression,
    const bool valid
) const
{
    if (!writeTime()) return false;

    const lbmWholeFolder folder(timePath());
    string why(folder.make());
    if (why.empty())
    {
        why = writeWithin(folder, format, version, compression, valid);
    }
    if (why.empty())
    {
        const HashSet<fileName> mine(fields());
        const fileName checkpoint(lbmCheckpoint::fileIn(fileName()));
        why = folder.finish
        (
            [&](const fileName& name)
            {
                return name == checkpoint || mine.found(withoutOldTime(name));
            }
        );
    }
    if (!why.empty()) fail(folder, why);
    // Before function objects make other fields of some (scalarTransport)
    if (processors_) processors_->take(timeName());
    return true;
}


void Foam::lbmTime::purge() const
{
    if (!writeTime_ || !purgeWrite_) return;
    if (previousWriteTimes_.empty() || previousWriteTimes_.top() != timeName())
    {
        previousWriteTimes_.push(timeName());
    }
    while (previousWriteTimes_.size() > purgeWrite_)
    {
        const word time(previousWriteTimes_.pop());
        const fileName old(kept(time));
        const string why
        (
            processors_ ? processors_->remove(time) : lbmWholeFolder::remove(old)
        );
        if (!why.empty())
        {
            WarningInFunction
                << "Entry purgeWrite: " << old << " stays: " << why.c_str()
                << endl;
        }
    }
}


Foam::string Foam::lbmTime::fullDisk() const
{
    return lbmWholeFolder::reason(path(), 1);
}


Foam::fileNameList Foam::lbmTime::removeCut(const bool packedToo) const
{
    fileNameList cut;
    for (const fileName& name : fields())
    {
        for (const fileName& file : {name, fileName(name + ".gz")})
        {
            if (file != name && !packedToo) continue;
            const fileName full(timePath()/file);
            if (!isFile(full, false) || lbmWholeFolder::whole(full)) continue;
            cut.append(file);
            rm(full);
        }
    }
    return cut;
}


void Foam::lbmTime::tellFullDisk
(
    const string& disk,
    const string& words,
    const fileNameList& cut
) const
{
    string why(disk);
    if (why.empty() && cut.empty()) return;
    if (why.empty()) why = "a file was cut short";

    FatalErrorInFunction
        << "What function objects make of time " << timeName()
        << " cannot be written: " << why.c_str() << nl;
    if (!words.empty()) FatalError << words.c_str() << nl;
    if (cut.size())
    {
        FatalError
            << "Removed from time " << timeName() << ", for they were cut"
            << " short: " << flatOutput(cut) << nl;
    }
    FatalError
        << "Tables in postProcessing may lack their ends. Earlier times are"
        << " whole, and of this one what the solver wrote"
        << exit(FatalError);
}


bool Foam::lbmTime::runWithFunctions() const
{
    const scalar half = 0.5*deltaT_;
    if (within_)
    {
        const scalar part = begin_ + deltaT_ - value();
        const partialStep step(*this, part, endTime_ + half - 0.5*part);
        const bool goesOn = Time::run();

        within_ = false;
        lbmTime& time = const_cast<lbmTime&>(*this);
        time.startTimeIndex_ = timeIndex() - 1;
        time.setTime(begin_, startTimeIndex_);
        return goesOn;
    }
    if (partBehind_ > 0)
    {
        const partialStep step
        (
            *this, partBehind_, endTime_ - half + 0.5*partBehind_
        );
        partBehind_ = 0;
        return Time::run();
    }
    return Time::run();
}


bool Foam::lbmTime::run() const
{
    const auto end = [&](auto& fault)
    {
        const string disk(fullDisk());
        const fileNameList cut(removeCut(true));
        // The solver's own fields are whole
        if (processors_) processors_->scatter(timeName());
        tellFullDisk(disk, fault.message(), cut);
        fault.throwExceptions(false);
        fault.exit();
    };
    string disk;
    fileNameList cut;
    try
    {
        // Here function objects are at work
        const lbmThrowing errorsAreExplained;
        const bool goesOn = runWithFunctions();
        if (writeTime_ && functionObjects().size())
        {
            // Theirs end without a word, too, where the disk is full
            fileHandler().flush();
            disk = fullDisk();
            cut = removeCut(false);
        }
        if (processors_) processors_->scatter(timeName());
        if (cut.empty())
        {
            purge();
            if (goesOn || functionObjects().empty()) return goesOn;
        }
    }
    catch (IOerror& fault)
    {
        end(fault);
    }
    catch (error& fault)
    {
        end(fault);
    }
    // Tables in postProcessing end without a word where the disk is full
    if (disk.empty()) disk = fullDisk();
    cut.append(removeCut(true));
    tellFullDisk(disk, string(), cut);
    return false;
}
