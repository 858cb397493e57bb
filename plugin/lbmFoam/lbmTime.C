// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTime.H"
#include "lbmWholeFolder.H"
#include "IOdictionary.H"
#include "OSspecific.H"

const Foam::word Foam::lbmTime::unfinished(".unfinished");

namespace
{
    // Objects that were written know their file by its present name
    void tellInstance
    (
        const Foam::objectRegistry& objects,
        const Foam::word& from,
        const Foam::word& to
    )
    {
        forAllConstIters(objects, iter)
        {
            Foam::regIOobject& object = *iter.val();
            if (object.instance() == from) object.instance() = to;
            const auto* registry =
                dynamic_cast<const Foam::objectRegistry*>(&object);
            if (registry && registry != &objects)
            {
                tellInstance(*registry, from, to);
            }
        }
    }
}


Foam::lbmTime::lbmTime(const word& controlDictName, const argList& args)
:
    Time(controlDictName, args)
{
    if (!(deltaTValue() > 0))
    {
        FatalIOErrorInFunction(controlDict())
            << "Entry deltaT is " << deltaTValue() << "; it must be positive"
            << exit(FatalIOError);
    }
}


void Foam::lbmTime::beginWithin(const scalar begin)
{
    startTimeIndex_ = timeIndex() - 1;
    setTime(begin, startTimeIndex_);
}


void Foam::lbmTime::removeUnfinished() const
{
    for (const fileName& name : readDir(path(), fileName::DIRECTORY))
    {
        if (name.hasExt() && "." + name.ext() == unfinished)
        {
            Info<< "Removing " << name << ", left by a run that ended while it"
                << " was writing" << endl;
            rmDir(path()/name);
        }
    }
}


void Foam::lbmTime::rename(const word& name) const
{
    const_cast<lbmTime&>(*this).dimensionedScalar::name() = name;
}


void Foam::lbmTime::fail(const fileName& folder, const string& why) const
{
    rmDir(folder, true);
    FatalErrorInFunction
        << "Time " << writing_ << " of case " << path()
        << " cannot be written: " << why.c_str() << nl
        << "Earlier times are whole" << exit(FatalError);
    std::abort();
}


bool Foam::lbmTime::writeTimeDict() const
{
    IOdictionary dict
    (
        IOobject
        (
            "time",
            timeName(),
            "uniform",
            *this,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        )
    );
    dict.add("value", timeName(timeToUserTime(value()), maxPrecision_));
    dict.add("name", string(writing_));
    dict.add("index", timeIndex());
    dict.add("deltaT", timeToUserTime(deltaTValue()));
    dict.add("deltaT0", timeToUserTime(deltaT0Value()));
    return dict.regIOobject::writeObject
    (
        IOstream::ASCII,
        IOstream::currentVersion,
        IOstream::UNCOMPRESSED,
        true
    );
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

    writing_ = timeName();
    const word part(writing_ + unfinished);
    const lbmWholeFolder folder(path()/part);
    string why(folder.make());
    if (!why.empty()) fail(folder.path(), why);

    rename(part);
    const bool good = writeTimeDict()
        && objectRegistry::writeObject(format, version, compression, valid);
    rename(writing_);

    why = good ? folder.finish(timePath()) : folder.reason();
    if (!why.empty()) fail(folder.path(), why);
    tellInstance(*this, part, writing_);
    purge();
    return true;
}


void Foam::lbmTime::purge() const
{
    if (!writeTime_ || !purgeWrite_) return;
    if (previousWriteTimes_.empty() || previousWriteTimes_.top() != writing_)
    {
        previousWriteTimes_.push(writing_);
    }
    while (previousWriteTimes_.size() > purgeWrite_)
    {
        rmDir(path()/previousWriteTimes_.pop());
    }
}
