// Part of lbmFoam, GPL-3.0-or-later.

#include "comparedCase.H"
#include "OSspecific.H"
#include "IFstream.H"
#include "inletOutletFvPatchFields.H"
#include "wallPolyPatch.H"
#include "emptyPolyPatch.H"

#include <cstdio>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::comparedCase::openTime()
{
    if (!isFile(path_/"system"/Time::controlDictName, true))
    {
        FatalErrorInFunction
            << "Not an OpenFOAM case: no file "
            << path_/"system"/Time::controlDictName << exit(FatalError);
    }
    // Neither function objects nor libraries: nothing is run here
    time_.reset
    (
        new Time
        (
            Time::controlDictName, path_.path(), name_,
            "system", "constant", false, false
        )
    );
}


void Foam::comparedCase::setTime(const string& timeName)
{
    instantList times(time_->times());
    label chosen = times.size() - 1;

    if (!timeName.empty())
    {
        const scalar wanted = readScalar(timeName);
        chosen = Time::findClosestTimeIndex(times, wanted);
        if (chosen >= 0)
        {
            const scalar found = times[chosen].value();
            if (mag(found - wanted) > 1e-6*max(mag(wanted), SMALL)) chosen = -1;
        }
    }
    if (chosen < 0 || times[chosen].name() == time_->constant())
    {
        FatalErrorInFunction
            << "No time " << timeName << " in " << path_ << nl
            << "There are: " << times << exit(FatalError);
    }
    time_->setTime(times[chosen], chosen);
}


Foam::scalarField Foam::comparedCase::patchFlows() const
{
    scalarField flows(mesh_->boundary().size(), Zero);

    IOobject phiHeader
    (
        "phi", time_->timeName(), *mesh_, IOobject::MUST_READ, IOobject::NO_WRITE
    );
    lbmFieldFile::refuseTwo(phiHeader);
    if (phiHeader.typeHeaderOk<surfaceScalarField>(true))
    {
        phiHeader.registerObject() = false;
        const surfaceScalarField phi(phiHeader, *mesh_);
        forAll(flows, patchi) flows[patchi] = sum(phi.boundaryField()[patchi]);
    }
    else
    {
        const volVectorField& U = field<vector>(velocityName());
        const bool p = !fieldClass("p").empty();
        const auto fixesPressure = [&](const label patchi)
        {
            return p && field<scalar>("p").boundaryField()[patchi].fixesValue();
        };
        forAll(flows, patchi)
        {
            // What enters here is driven by the pressure; the patch shows the condition's inletValue in its place
            const fvPatchVectorField& Up = U.boundaryField()[patchi];
            const tmp<vectorField> flow
            (
                isA<inletOutletFvPatchVectorField>(Up) && fixesPressure(patchi)
              ? Up.patchInternalField() : tmp<vectorField>(Up)
            );
            flows[patchi] = sum(flow() & mesh_->Sf().boundaryField()[patchi]);
        }
    }
    return flows;
}


// * * * * * * * * * * * * * * * * Constructor * * * * * * * * * * * * * * * //

Foam::comparedCase::comparedCase(const fileName& path, const string& timeName)
:
    path_(path)
{
    path_.toAbsolute();
    path_.clean();
    name_ = path_.name();
    openTime();
    setTime(timeName);
    mesh_.reset
    (
        new fvMesh
        (
            IOobject
            (
                fvMesh::defaultRegion, time_->timeName(), *time_,
                IOobject::MUST_READ
            )
        )
    );
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::word Foam::comparedCase::fieldClass(const word& fieldName) const
{
    IOobject io(fieldName, time_->timeName(), *mesh_, IOobject::MUST_READ);
    return io.typeHeaderOk<volScalarField>(false) ? io.headerClassName() : word();
}


bool Foam::comparedCase::levelFixed(const word& fieldName) const
{
    for (const fvPatchScalarField& patch : field<scalar>(fieldName).boundaryField())
    {
        if (patch.fixesValue() && patch.size()) return true;
    }
    return false;
}


Foam::HashTable<Foam::scalar> Foam::comparedCase::flowRates() const
{
    HashTable<scalar> flows;
    const scalarField all(patchFlows());
    for (const polyPatch& patch : mesh_->boundaryMesh())
    {
        if (!isA<wallPolyPatch>(patch) && !isA<emptyPolyPatch>(patch))
        {
            flows.set(patch.name(), all[patch.index()]);
        }
    }
    return flows;
}


Foam::comparedCase::runClock
Foam::comparedCase::clock(const fileName& log) const
{
    runClock found;
    found.log = log;

    if (log.empty())
    {
        const word application
        (
            time_->controlDict().getOrDefault<word>("application", "lbmFoam")
        );
        for (const word& name : {word("lbmFoam"), application})
        {
            const fileName candidate(path_/("log." + name));
            if
            (
                isFile(candidate, false)
             && (found.log.empty() || lastModified(candidate) > lastModified(found.log))
            )
            {
                found.log = candidate;
            }
        }
        if (found.log.empty()) return found;
    }
    else if (!isFile(log, false))
    {
        FatalErrorInFunction << "No file " << log << exit(FatalError);
    }

    IFstream is(found.log);
    std::string line;
    while (std::getline(is.stdStream(), line))
    {
        double execution, clock;
        const int n = std::sscanf
        (
            line.c_str(), "ExecutionTime = %lf s ClockTime = %lf s", &execution, &clock
        );
        if (n >= 1)
        {
            found.execution = execution;
            found.clock = (n == 2 ? clock : -1);
        }
    }
    return found;
}
