// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFieldDemand.H"
#include "HashSet.H"

namespace
{
    // These do nothing but when they write
    const Foam::wordHashSet writersOnly
    ({
        "patchProbes", "probes", "sets", "surfaces", "vtkWrite"
    });

    // These look at the lattice itself, or fetch what they need
    const Foam::wordHashSet latticeReaders
    ({
        "catalyst", "latticeImage", "latticeSeries", "lbmForceCoeffs", "lbmForces", "lbmWallShearStress", "lbmYPlus"
    });

    // These solve equations with phi, whose divergence would make and destroy what
    // they transport
    const Foam::wordHashSet transporters({"scalarTransport"});
}


Foam::lbmFieldDemand::lbmFieldDemand(const Time& runTime)
:
    runTime_(runTime),
    transports_(false)
{}


void Foam::lbmFieldDemand::read(const dictionary& functions)
{
    controls_.clear();
    scripts_.clear();
    transports_ = false;
    for (const entry& e : functions)
    {
        if (!e.isDict()) continue;

        const dictionary& dict = e.dict();
        if (!dict.getOrDefault("enabled", true)) continue;

        const word type(dict.getOrDefault<word>("type", word::null));
        transports_ = transports_ || transporters.found(type);
        if (type == "catalyst")
        {
            const bool onWrite =
                !dict.found("executeControl") && !dict.found("executeInterval");
            scripts_.append
            (
                new timeControl(runTime_, dict, onWrite ? "write" : "execute")
            );
        }
        if (latticeReaders.found(type)) continue;
        if (!writersOnly.found(type))
        {
            controls_.append(new timeControl(runTime_, dict, "execute"));
        }
        controls_.append(new timeControl(runTime_, dict, "write"));
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


bool Foam::lbmFieldDemand::scriptsNow()
{
    if (!runTime_.functionObjects().status()) return false;

    update();
    bool any = false;
    for (timeControl& control : scripts_)
    {
        if (control.execute()) any = true;
    }
    return any;
}


bool Foam::lbmFieldDemand::now()
{
    if (!runTime_.functionObjects().status()) return false;

    update();

    // Each one is asked: a time control counts its own intervals
    bool wanted = false;
    for (timeControl& control : controls_)
    {
        if (control.execute()) wanted = true;
    }

    // Function objects may have a last word at the end
    const bool last =
        runTime_.value() >= runTime_.endTime().value()
                          - 0.5*runTime_.deltaTValue();
    return wanted || (last && controls_.size());
}
