// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeSeries.H"
#include "lbmLattice.H"
#include "addToRunTimeSelectionTable.H"
#include "Time.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeSeries, 0);
    addToRunTimeSelectionTable(functionObject, latticeSeries, dictionary);
}
}

namespace
{
    // Fields are those of the entry `fields`, not what scripts name
    const Foam::List<Foam::string> noScripts;
}


Foam::functionObjects::latticeSeries::latticeSeries
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict)
{
    read(dict);
}


bool Foam::functionObjects::latticeSeries::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    dict.get<wordRes>("fields");        // has to be there
    channel_.reset(new latticeChannel(name(), mesh_, dict, noScripts));
    channel_->wanted(channel_->available());
    series_.reset();
    return true;
}


bool Foam::functionObjects::latticeSeries::write()
{
    const wordList names(channel_->wanted(channel_->available()));
    try
    {
        const std::vector<lbmInsituArray> fields(channel_->values(names));
        if (!series_)
        {
            series_ = std::make_unique<lbm::LatticeSeries>
            (
                time_.globalPath()/outputPrefix/name(),
                channel_->lattice().solver().domain(),
                channel_->latticeCells(),
                channel_->frame(),
                time_.startTime().value()
            );
        }
        series_->write
        (
            time_.timeName(),
            std::stod(time_.timeName()),    // as readers of the case have it
            time_.timeIndex(),
            fields
        );
    }
    catch (const std::exception& fault)
    {
        FatalErrorInFunction
            << type() << ' ' << name() << ": " << fault.what()
            << exit(FatalError);
    }
    return true;
}
