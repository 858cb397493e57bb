// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmControls.H"
#include "lbmModelInterval.H"
#include "documentedDict.H"
#include "HashSet.H"
#include "adapters/checkpoint/Checkpoint.hpp"

namespace
{
    // Of an eddy, at an opening behind a sponge
    const Foam::scalar usuallyLeft = 0.01;

    const Foam::List<Foam::word> spacingKeys
    ({
        "cellSize", "cells", "cellsPerLength"
    });

    // Below this tau - 1/2, and with openings, or walls that links meet, beyond the
    // collision's grid Reynolds number for exact walls, the default magic number follows from
    // the relaxation time of odd moments less 1/2
    const Foam::scalar smallTau = 0.01;
    const Foam::scalar slowestOdd = 0.75;

    // Of cellSize
    const Foam::word autoWord("auto");
}


void Foam::lbmControls::checkKeys() const
{
    documentedDict::checkKeys(dict_, entries().keywords());

    wordList given;
    for (const word& key : spacingKeys)
    {
        if (dict_.found(key)) given.append(key);
    }
    if (given.size() > 1)
    {
        FatalIOErrorInFunction(dict_)
            << "Entries " << flatOutput(given)
            << " contradict each other: give one of them"
            << exit(FatalIOError);
    }
}


Foam::lbmControls::cutsType Foam::lbmControls::cuts(labelVector& n) const
{
    if (!dict_.found("cuts") || isAuto("cuts")) return cutsType::automatic;
    ITstream& given = dict_.lookup("cuts");
    if (given.size() == 1 && given[0].isWord() && given[0].wordToken() == "free")
    {
        return cutsType::free;
    }
    const bool isList = given.size() == 5 && given[0].isPunctuation()
     && given[1].isLabel() && given[2].isLabel() && given[3].isLabel();
    if (!isList)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry cuts is " << given.toString().c_str() << "; it must be auto,"
            << " free, or the number of pieces along x, y and z, such as (2 1 4)"
            << exit(FatalIOError);
    }
    given.rewind();
    given >> n;
    return cutsType::numbers;
}


Foam::scalar Foam::lbmControls::deviceMemory() const
{
    static const HashTable<scalar> units
    ({
        {"B", 1}, {"MB", 1e6}, {"GB", 1e9},
        {"MiB", 1048576.0}, {"GiB", 1073741824.0}
    });

    if (!dict_.found("deviceMemory")) return 0;
    ITstream& given = dict_.lookup("deviceMemory");
    const token number(given);
    const token unit(given.nRemainingTokens() == 1 ? token(given) : token());
    const scalar bytes =
        number.isNumber() && unit.isWord() && units.found(unit.wordToken())
      ? number.number()*units[unit.wordToken()]
      : 0;
    if (!(bytes > 0 && bytes < GREAT))
    {
        FatalIOErrorInFunction(given)
            << "Entry deviceMemory must be a positive number and its unit, "
            << flatOutput(units.sortedToc()) << ", such as 16 GiB"
            << exit(FatalIOError);
    }
    return bytes;
}


bool Foam::lbmControls::storageIsFree() const
{
    return text("storage") == "auto";
}


bool Foam::lbmControls::blocksAreFree() const
{
    return text("blocks") == "auto";
}


bool Foam::lbmControls::mayHaveBlocks() const
{
    return text("blocks") != "no";
}


Foam::scalar Foam::lbmControls::spacing(const scalar longestSide) const
{
    if (spacingIsAuto()) return 0;
    if (dict_.found("cellSize")) return positive("cellSize");
    if (dict_.found("cells")) return longestSide/positive("cells");
    if (dict_.found("cellsPerLength"))
    {
        const dictionary& d = dict_.subDict("cellsPerLength");
        const scalar length = d.get<scalar>("length");
        const scalar cells = d.get<scalar>("cells");
        if (length <= 0 || cells <= 0 || d.size() != 2)
        {
            FatalIOErrorInFunction(d)
                << "cellsPerLength needs exactly the entries length and cells,"
                << " both positive" << exit(FatalIOError);
        }
        return length/cells;
    }
    return 0;
}


bool Foam::lbmControls::isAuto(const word& key) const
{
    if (!dict_.found(key)) return false;
    const ITstream& given = dict_.lookup(key);
    return given.size() == 1 && given[0].isWord()
     && given[0].wordToken() == autoWord;
}


bool Foam::lbmControls::spacingIsAuto() const
{
    return isAuto("cellSize");
}


bool Foam::lbmControls::spacingIsFree() const
{
    return spacingEntry().empty();
}


Foam::word Foam::lbmControls::spacingEntry() const
{
    for (const word& key : spacingKeys)
    {
        if (dict_.found(key)) return key;
    }
    return word::null;
}


Foam::scalar Foam::lbmControls::presetMach() const
{
    return averaged_ ? machOfAveraged : machOfAll;
}


Foam::scalar Foam::lbmControls::maxMach() const
{
    const scalar value = dict_.found("maxMach") ? positive("maxMach") : presetMach();
    if (value > machLimit)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry maxMach is " << value << "; the largest Mach number is "
            << machLimit << exit(FatalIOError);
    }
    return value;
}


Foam::scalar Foam::lbmControls::maxTau() const
{
    const scalar value = dict_.found("maxTau")
      ? positive("maxTau") : elastic_ ? tauOfElastic : tauOfAll;
    if (value <= 0.5)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry maxTau is " << value << "; it must exceed 0.5"
            << exit(FatalIOError);
    }
    return value;
}


Foam::scalar Foam::lbmControls::maxGridReynolds() const
{
    return positiveOrZero("maxGridReynolds");
}


Foam::scalar Foam::lbmControls::magic
(
    const scalar tau,
    const scalar gridReynolds
) const
{
    if (dict_.found("magic"))
    {
        const scalar value = positive("magic");
        if (value > magicLimit)
        {
            FatalIOErrorInFunction(dict_)
                << "Entry magic is " << value << "; the largest magic number is "
                << magicLimit << ": the larger it is, the further off walls are"
                << " felt" << exit(FatalIOError);
        }
        return value;
    }

    const scalar exactWalls = lbm::Config().magic;
    const std::string name(text("collision", lbm::Config().collision));
    const lbm::CollisionDescriptor* collision = lbm::findCollision(name);
    if (!collision)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry collision is " << name.c_str()
            << ", of which no largest grid Reynolds number is known"
            << exit(FatalIOError);
    }
    return tau - 0.5 < smallTau || gridReynolds > collision->exactWalls
      ? min(exactWalls, slowestOdd*(tau - 0.5)) : exactWalls;
}


Foam::scalar Foam::lbmControls::deltaT() const
{
    return positiveOrZero("deltaT");
}


Foam::scalar Foam::lbmControls::referenceSpeed() const
{
    return positiveOrZero("referenceSpeed");
}


Foam::vector Foam::lbmControls::force() const
{
    return entries().get<vector>(dict_, "force");
}


Foam::lbmControls::startFlowType Foam::lbmControls::startFlow() const
{
    return entries().get(startFlowNames, dict_, "startFlow");
}


Foam::label Foam::lbmControls::checkEvery() const
{
    const label steps = entries().get<label>(dict_, "checkEvery");
    if (steps < 1)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry checkEvery is " << steps << "; it must be positive"
            << exit(FatalIOError);
    }
    return steps;
}


Foam::lbmControls::checkpointType Foam::lbmControls::defaultCheckpoint()
{
    return lbm::checkpointsAvailable()
      ? checkpointType::latest : checkpointType::none;
}


Foam::lbmControls::checkpointType Foam::lbmControls::checkpoint() const
{
    const checkpointType which =
        entries().get(checkpointNames, dict_, "checkpoint");
    if (which != checkpointType::none && !lbm::checkpointsAvailable())
    {
        FatalIOErrorInFunction(dict_)
            << "Entry checkpoint is " << checkpointNames[which]
            << ", but this build has no HDF5: none is the only choice"
            << exit(FatalIOError);
    }
    return which;
}


Foam::lbmControls::restartType Foam::lbmControls::restart() const
{
    return entries().get(restartNames, dict_, "restart");
}


Foam::lbmControls::turbulencePlace Foam::lbmControls::turbulenceOn() const
{
    return entries().get(turbulencePlaceNames, dict_, "turbulenceOn");
}


Foam::lbmControls::temperaturePlace Foam::lbmControls::temperatureOn() const
{
    return entries().get(temperaturePlaceNames, dict_, "temperatureOn");
}


Foam::label Foam::lbmControls::coupleEvery
(
    const bool models,
    const bool inEach
) const
{
    const word key("coupleEvery");
    if (!dict_.found(key) || isAuto(key)) return inEach ? 1 : 0;

    const ITstream& given = dict_.lookup(key);
    const bool isLabel = given.size() == 1 && given[0].isLabel();
    const label steps = isLabel ? given[0].labelToken() : 0;
    if (steps < 1 || steps > lbmModelInterval::longest)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry " << key << " is " << given.toString().c_str()
            << "; it must be auto or a whole number from 1 to "
            << lbmModelInterval::longest << exit(FatalIOError);
    }
    if (steps > 1 && inEach)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry " << key << " is " << steps << ", and temperature acts on a"
            << " transient flow: it is solved for in each time step" << nl
            << "Way out: auto or 1; ddtSchemes steadyState (system/fvSchemes) for"
            << " a steady flow" << exit(FatalIOError);
    }
    if (!models)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry " << key << " is " << steps << ", and no model of this case is"
            << " solved on the mesh: the flow is laminar, or its eddies live on the"
            << " lattice" << nl
            << "Way out: leave it out; turbulenceOn mesh for eddies that OpenFOAM has,"
            << " too" << exit(FatalIOError);
    }
    return steps;
}


Foam::scalar Foam::lbmControls::iterationsPerPassage() const
{
    return positive("iterationsPerPassage");
}


Foam::scalar Foam::lbmControls::steadyTolerance() const
{
    return positiveOrZero("steadyTolerance");
}


Foam::lbmControls::wallType Foam::lbmControls::wall(const word& patch) const
{
    const entry* e = dict_.findEntry("wall", keyType::LITERAL);
    if (!e || !e->isDict()) return entries().get(wallNames, dict_, "wall");

    const entry* own = e->dict().findEntry(patch, keyType::REGEX);
    return own
      ? wallNames.get(own->keyword(), e->dict()) : wallType::automatic;
}


Foam::lbmControls::openingType Foam::lbmControls::opening
(
    const word& patch,
    scalar& lInf,
    const openingType preset
) const
{
    const entry* all = dict_.findEntry("openings", keyType::LITERAL);
    if (!all) return preset;
    if (!all->isDict())
    {
        FatalIOErrorInFunction(dict_)
            << "Entry openings must be a dictionary of patches"
            << exit(FatalIOError);
    }
    const entry* own = all->dict().findEntry(patch, keyType::REGEX);
    if (!own) return preset;
    if (!own->isDict())
    {
        FatalIOErrorInFunction(all->dict())
            << "Entry " << own->keyword() << " must be a dictionary with type "
            << flatOutput(openingNames.sortedToc()) << exit(FatalIOError);
    }

    const dictionary& d = own->dict();
    documentedDict::checkKeys(d, {"type", "lInf"});
    const openingType type = openingNames.get("type", d);
    if (d.found("lInf"))
    {
        lInf = d.get<scalar>("lInf");
        const bool length = lInf > 0 && lInf < GREAT;
        if (!length || type != openingType::nonReflecting)
        {
            FatalIOErrorInFunction(d)
                << "Entry lInf is " << lInf << "; it must be positive, and"
                << " belongs to type nonReflecting" << exit(FatalIOError);
        }
    }
    return type;
}


Foam::lbmControls::spongeEntry Foam::lbmControls::sponge() const
{
    const entry* e = dict_.findEntry("sponge", keyType::LITERAL);
    if (!e || !e->isDict())
    {
        return {entries().get(spongeNames, dict_, "sponge"), 0, usuallyLeft, {}};
    }
    const dictionary& d = e->dict();
    documentedDict::checkKeys(d, {"length", "left", "patches"});
    spongeEntry asked{spongeUse::on, 0, usuallyLeft, {}};
    if (d.found("length"))
    {
        asked.length = d.get<scalar>("length");
        if (!(asked.length > 0 && asked.length < GREAT))
        {
            FatalIOErrorInFunction(d)
                << "Entry length is " << asked.length
                << "; it must be a positive number" << exit(FatalIOError);
        }
    }
    asked.left = d.getOrDefault<scalar>("left", usuallyLeft);
    if (!(asked.left > 0 && asked.left < 1))
    {
        FatalIOErrorInFunction(d)
            << "Entry left is " << asked.left << "; it is the share of an eddy that"
            << " is left, between 0 and 1" << exit(FatalIOError);
    }
    if (d.found("patches")) asked.patches = d.get<wordRes>("patches");
    return asked;
}


void Foam::lbmControls::checkSponge
(
    const spongeEntry& asked,
    const wordHashSet& openings
) const
{
    for (const wordRe& name : asked.patches)
    {
        bool matches = false;
        for (const word& patch : openings) matches = matches || name.match(patch);
        if (matches) continue;
        FatalIOErrorInFunction(dict_.subDict("sponge"))
            << "Entry patches: " << name << " names none of the openings with a fixed"
            << " pressure" << nl << "These are " << flatOutput(openings.sortedToc())
            << exit(FatalIOError);
    }
}


void Foam::lbmControls::checkWalls(const wordHashSet& walls) const
{
    checkPatches("wall", walls, "walls");
}


void Foam::lbmControls::checkOpenings(const wordHashSet& openings) const
{
    checkPatches
    (
        "openings",
        openings,
        "openings with a fixed velocity or pressure"
    );
}


void Foam::lbmControls::checkPatches
(
    const word& key,
    const wordHashSet& valid,
    const char* what
) const
{
    const entry* e = dict_.findEntry(key, keyType::LITERAL);
    if (!e || !e->isDict()) return;
    for (const entry& item : e->dict())
    {
        const keyType& name = item.keyword();
        bool matches = false;
        for (const word& patch : valid) matches = matches || name.match(patch);
        if (!matches)
        {
            FatalIOErrorInFunction(e->dict())
                << "Entry " << name << " names none of the " << what << nl
                << what << " are " << flatOutput(valid.sortedToc())
                << exit(FatalIOError);
        }
    }
}
