// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFieldDemand.H"
#include "HashSet.H"
#include "wordRes.H"

#include <algorithm>

namespace
{
    // Looks at what solvers tell of themselves, and at no field
    const Foam::word residualReader("solverInfo");

    // These do nothing but when they write
    const Foam::wordHashSet writersOnly
    ({
        "patchProbes", "probes", "sets", "surfaces", "vtkWrite"
    });

    // These look at the lattice itself, or fetch what they need
    const Foam::wordHashSet latticeReaders
    ({
        "catalyst", "latticeImage", "latticeSeries", "lbmForceCoeffs", "lbmForces", "lbmWallHeatFlux", "lbmWallShearStress", "lbmYPlus"
    });

    // Of those, what looks at the fields alone that it writes; surfaces may lie where
    // others have a value
    const Foam::wordHashSet placesAlone({"patchProbes", "probes", "sets"});

    const Foam::wordHashSet averagers({"fieldAverage", "lbmFieldAverage"});

    // Of these, whose list has a dictionary beside each name
    Foam::wordList averaged(const Foam::dictionary& dict)
    {
        Foam::DynamicList<Foam::word> names;
        if (!dict.found("fields")) return Foam::wordList();
        Foam::label depth = 0;
        for (const Foam::token& t : dict.lookup("fields"))
        {
            if (t == Foam::token::BEGIN_BLOCK) ++depth;
            else if (t == Foam::token::END_BLOCK) --depth;
            else if (depth == 0 && t.isWord()) names.append(t.wordToken());
            // A pattern: whatever it means
            else if (depth == 0 && t.isString()) return Foam::wordList();
        }
        return Foam::wordList(std::move(names));
    }

    // Does it look at U and p, and nothing else?
    bool flowAlone(const Foam::word& type, const Foam::dictionary& dict)
    {
        if (averagers.found(type))
        {
            const Foam::wordList names(averaged(dict));
            for (const Foam::word& name : names)
            {
                if (name != "U" && name != "p") return false;
            }
            return !names.empty();
        }
        if (!placesAlone.found(type)) return false;
        const Foam::wordRes fields
        (
            dict.getOrDefault<Foam::wordRes>("fields", Foam::wordRes())
        );
        for (const Foam::wordRe& field : fields)
        {
            if (!field.isLiteral() || (field != "U" && field != "p")) return false;
        }
        return !fields.empty();
    }

    // Nor anything around the cells that hold its places?
    bool cellsAlone(const Foam::word& type, const Foam::dictionary& dict)
    {
        return type == "probes" && flowAlone(type, dict)
            && dict.found("probeLocations") && !dict.found("region")
            && dict.getOrDefault<Foam::word>("interpolationScheme", "cell") == "cell";
    }

    // These solve equations with phi, whose divergence would make and destroy what
    // they transport
    const Foam::wordHashSet transporters({"scalarTransport"});
}


Foam::lbmFieldDemand::control::control
(
    const Time& time,
    const dictionary& dict,
    const word& prefix
)
:
    timeControl(time, dict, prefix),
    time_(time),
    start_(-VGREAT),
    end_(VGREAT),
    triggered_(dict.found("triggerStart"))
{
    if (dict.readIfPresent("timeStart", start_)) start_ = time.userTimeToTime(start_);
    if (dict.readIfPresent("timeEnd", end_)) end_ = time.userTimeToTime(end_);
}


bool Foam::lbmFieldDemand::control::acts()
{
    // Triggers come within the time step, from function objects before this one, and it
    // may act at once then
    if (triggered_) return true;
    const scalar t = time_.value(), half = 0.5*time_.deltaTValue();
    return t >= start_ - half && t <= end_ + half && execute();
}


Foam::lbmFieldDemand::lbmFieldDemand(const Time& runTime)
:
    runTime_(runTime),
    transports_(false),
    looksPlacesUp_(false),
    readsResiduals_(false)
{}


void Foam::lbmFieldDemand::read(const dictionary& functions)
{
    controls_.clear();
    wants_.clear();
    scripts_.clear();
    places_.clear();
    transports_ = looksPlacesUp_ = readsResiduals_ = false;
    for (const entry& e : functions)
    {
        if (!e.isDict()) continue;

        const dictionary& dict = e.dict();
        if (!dict.getOrDefault("enabled", true)) continue;

        const word type(dict.getOrDefault<word>("type", word::null));
        transports_ = transports_ || transporters.found(type);
        looksPlacesUp_ = looksPlacesUp_ || type == "probes";
        if (type == "catalyst")
        {
            const bool onWrite =
                !dict.found("executeControl") && !dict.found("executeInterval");
            scripts_.append
            (
                new control(runTime_, dict, onWrite ? "write" : "execute")
            );
        }
        if (type == residualReader)
        {
            readsResiduals_ = true;
            continue;
        }
        if (latticeReaders.found(type)) continue;
        const bool ofCells = cellsAlone(type, dict);
        if (ofCells) places_.append(dict.get<pointField>("probeLocations"));
        const wish wanted =
            ofCells ? wish::places
          : flowAlone(type, dict) ? wish::flow : wish::all;
        if (!writersOnly.found(type))
        {
            controls_.append(new control(runTime_, dict, "execute"));
            wants_.append(wanted);
        }
        controls_.append(new control(runTime_, dict, "write"));
        wants_.append(wanted);
    }
}


void Foam::lbmFieldDemand::update()
{
    const dictionary functions
    (
        runTime_.controlDict().subOrEmptyDict("functions")
    );
    const SHA1Digest digest(functions.digest());
    if (digest != known_)
    {
        known_ = digest;
        read(functions);
    }
}


bool Foam::lbmFieldDemand::looksPlacesUp()
{
    if (!runTime_.functionObjects().status()) return false;

    update();
    return looksPlacesUp_;
}


bool Foam::lbmFieldDemand::readsResiduals()
{
    if (!runTime_.functionObjects().status()) return false;

    update();
    return readsResiduals_;
}


bool Foam::lbmFieldDemand::scriptsNow()
{
    if (!runTime_.functionObjects().status()) return false;

    update();
    bool any = false;
    for (control& script : scripts_)
    {
        if (script.acts()) any = true;
    }
    return any;
}


Foam::lbmFieldDemand::wish Foam::lbmFieldDemand::now()
{
    if (!runTime_.functionObjects().status()) return wish::none;

    update();

    // Each one is asked: a time control counts its own intervals
    wish wanted = wish::none;
    forAll(controls_, i)
    {
        if (controls_[i].acts()) wanted = std::max(wanted, wants_[i]);
    }

    // Function objects may have a last word at the end
    const bool last =
        runTime_.value() >= runTime_.endTime().value()
                          - 0.5*runTime_.deltaTValue();
    return last && controls_.size() ? wish::all : wanted;
}
