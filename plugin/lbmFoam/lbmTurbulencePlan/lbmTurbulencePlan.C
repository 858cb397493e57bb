// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTurbulencePlan.H"
#include "lbmSampledLaw.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "turbulentTransportModel.H"

#include <algorithm>

namespace
{
    // Of a spacing: cells at walls past which fluid slips are at least so high where a model's
    // friction is right. A pipe of 16 nodes across had 1.14 of simpleFoam's pressure gradient with
    // cells of 0.49 spacings, 1.42 with 0.3, and 0.96 to 0.99 with 0.93 and more
    const Foam::scalar shallow = 0.7;

    // Patches by their names; more of them are counted
    const Foam::label mostListed = 6;

    // Below this y+ a layer is viscous: where kappa and E are the usual ones the law of
    // the viscous layer meets the other there (Pope, Turbulent Flows, 2000, 7.1.4)
    const Foam::scalar viscous = 11.5;

    // Of a turbulent layer the law holds in the inner fifth (same source); after a
    // length x it is 0.37 x (U x/nu)^(-1/5) thick (Schlichting, Boundary-Layer Theory)
    const Foam::scalar inner = 0.2;

    // Smooth-wall laws of a layer of eddies alone; others go on through the viscous one
    const Foam::wordHashSet layered({"nutkWallFunction", "nutUWallFunction"});

    // Of a passage, what times are rounded by that users take over from the plan
    const Foam::scalar rounding = 1e-3;

    Foam::scalar thickness(const Foam::scalar x, const Foam::scalar Re)
    {
        return 0.37*x*Foam::pow(Re, -0.2);
    }

    // Later times of a case have the flow that there was
    bool isFirst(const Foam::Time& runTime, const Foam::scalar begin)
    {
        for (const Foam::instant& time : runTime.times())
        {
            if (time.name() == runTime.constant()) continue;
            return Foam::mag(time.value() - begin) < runTime.deltaTValue()/2;
        }
        return true;
    }

    // What begins again leaves the start out sooner or later
    bool averagesFromStart(const Foam::dictionary& function)
    {
        using Foam::word;
        const word type(function.getOrDefault<word>("type", word::null));
        return function.getOrDefault("enabled", true)
            && (type == "fieldAverage" || type == "lbmFieldAverage")
            && !function.getOrDefault("periodicRestart", false)
            && !function.getOrDefault("restartOnOutput", false)
            && !function.found("restartTime");
    }
}


Foam::lbmTurbulencePlan::lbmTurbulencePlan
(
    const fvMesh& mesh,
    const scalar speed,
    const scalar nu,
    const scalar dx,
    const std::vector<lbmLatticeLaw::wall>& ofLattice
)
:
    mesh_(mesh),
    speed_(speed),
    nu_(nu),
    dx_(dx)
{
    const scalar distance = lbm::WallLaw::away*dx_;
    for (const lbmLatticeLaw::wall& w : ofLattice)
    {
        add(w.patchi, {w.kappa, w.E, distance, place::links, true, {}});
    }
}


void Foam::lbmTurbulencePlan::add(const label patchi, const law& wanted)
{
    for (law& l : laws_)
    {
        // Distances of cells that are equal but for rounding
        const bool same = l.kappa == wanted.kappa && l.E == wanted.E
            && l.at == wanted.at && l.layered == wanted.layered
            && mag(l.distance - wanted.distance) < 0.01*wanted.distance;
        if (!same) continue;
        l.patches.append(patchi);
        return;
    }
    laws_.push_back(wanted);
    laws_.back().patches.append(patchi);
}


// As lbmWallLaw takes it
Foam::lbmTurbulencePlan::law Foam::lbmTurbulencePlan::ofModel
(
    const nutWallFunctionFvPatchScalarField& function,
    const bool eddies
) const
{
    const fvPatch& patch = function.patch();
    const label faces = returnReduce(patch.size(), sumOp<label>());
    const boolList isThin(lbmSampledLaw::thin(patch, dx_));
    const label thin = returnReduce
    (
        label(std::count(isThin.begin(), isThin.end(), true)),
        sumOp<label>()
    );
    const scalar nearest = gSum(scalarField(1/patch.deltaCoeffs()))/faces;
    const scalar sampled =
        dx_*(eddies ? lbmSampledLaw::away : lbmSampledLaw::aboveLayers);
    const bool samples = eddies || 2*thin > faces;
    return
    {
        function.kappa(),
        function.E(),
        samples ? max(nearest, sampled) : nearest,
        samples && sampled > nearest ? place::sampled : place::cell,
        !samples && layered.found(function.type()),
        {}
    };
}


void Foam::lbmTurbulencePlan::addModel()
{
    const auto* model = mesh_.findObject<incompressible::turbulenceModel>
    (
        turbulenceModel::propertiesName
    );
    if (!model) return;
    const bool eddies = isA<incompressible::LESModel>(*model);
    const tmp<volScalarField> nut(model->nut());
    for (const fvPatchScalarField& atWall : nut().boundaryField())
    {
        const label patchi = atWall.patch().index();
        if (!lbmSampledLaw::smoothWalls.found(atWall.type())) continue;
        if (!returnReduce(atWall.size() > 0, orOp<bool>())) continue;
        const auto& function =
            refCast<const nutWallFunctionFvPatchScalarField>(atWall);
        add(patchi, ofModel(function, eddies));
    }
}


Foam::scalar Foam::lbmTurbulencePlan::yPlus(const law& l) const
{
    return l.distance/nu_
       *lbm::frictionVelocity(speed_, l.distance, nu_, l.kappa, l.E);
}


Foam::scalar Foam::lbmTurbulencePlan::length(const law& l) const
{
    boundBox box;
    for (const label patchi : l.patches)
    {
        box.add(mesh_.boundaryMesh()[patchi].localPoints());
    }
    box.reduce();
    return box.valid() ? cmptMax(box.span()) : 0;
}


void Foam::lbmTurbulencePlan::printCells
(
    const law& l,
    const scalar times
) const
{
    if (l.at == place::cell)
    {
        Info<< "cells of the mesh " << 2*l.distance*times << " m high at the wall";
    }
    else Info<< "cells of " << dx_*times << " m";
}


void Foam::lbmTurbulencePlan::printLow(const law& l) const
{
    // Links of fluid that is half a spacing away decide whether it sticks
    const bool ofLinks = l.at == place::links;
    const scalar y = yPlus(l), low = ofLinks ? y*dx_/2/l.distance : y;
    if (!l.layered || low >= viscous) return;
    Info<< "    y+ too low      " << low << ' '
        << (ofLinks ? "half a spacing away, where the fluid sticks below "
                    : "there; the law has a layer of eddies from ")
        << viscous << (ofLinks ? ": " : " on: ");
    printCells(l, viscous/low);
    Info<< " and more would fit the law," << nl << "                    ";
    printCells(l, 1/low);
    Info<< " and less need none" << nl;
}


void Foam::lbmTurbulencePlan::printHigh
(
    const law& l,
    const scalar length
) const
{
    if (!(length > 0)) return;
    const scalar layer = thickness(length, speed_*length/nu_);
    if (l.distance <= inner*layer) return;
    Info<< "    y+ too high     the law holds in the inner fifth of a layer, which is "
        << layer << " m thick after " << length << " m (0.37 x Re^-1/5), not "
        << l.distance << " m" << nl
        << "                    from the wall: ";
    printCells(l, inner*layer/l.distance);
    Info<< " would fit" << nl;
}


// What the flow of nodes tells of cells within the first of them, the law makes friction of
void Foam::lbmTurbulencePlan::printShallow(const law& l, const boolList& slips) const
{
    const scalar height = 2*l.distance/dx_;
    if (l.at != place::cell || height >= shallow) return;
    bool any = false;
    for (const label patchi : l.patches) any = any || slips[patchi];
    if (!any) return;
    Info<< "    shallow cells   at these walls are " << height << " of what nodes are apart: fluid"
        << " that slips past them may lose a fifth too much or too little (cellSize "
        << 2*l.distance/shallow << " fits them)" << nl;
}


void Foam::lbmTurbulencePlan::printWalls(const bool open, const boolList& slips) const
{
    if (!(speed_ > 0)) return;
    for (const law& l : laws_)
    {
        Info<< "    y+              about " << label(yPlus(l) + 0.5) << " expected "
            << l.distance << " m from walls with a law, at the reference speed there:";
        if (l.patches.size() > mostListed)
        {
            Info<< ' ' << l.patches.size() << " patches";
        }
        else for (const label patchi : l.patches)
        {
            Info<< ' ' << mesh_.boundary()[patchi].name();
        }
        Info<< nl;
        printLow(l);
        printHigh(l, open ? length(l) : 0);
        printShallow(l, slips);
    }
}


void Foam::lbmTurbulencePlan::printAverages
(
    const Time& runTime,
    const scalar passage
)
{
    const scalar begin = runTime.startTime().value(), end = runTime.endTime().value();
    if (!isFirst(runTime, begin)) return;
    for (const entry& e : runTime.controlDict().subOrEmptyDict("functions"))
    {
        if (!e.isDict() || !averagesFromStart(e.dict())) continue;
        const scalar wanted = e.dict().getOrDefault<scalar>("timeStart", begin);
        const scalar from = max(begin, wanted);
        if (from >= end || from - begin >= (1 - rounding)*passage) continue;
        Info<< "    averages        of " << e.keyword() << " begin at " << from
            << " s, before the flow has passed the longest side once ("
            << passage << " s): the start is in them" << nl
            << "                    (";
        if (begin + passage < end)
        {
            Info<< "timeStart " << begin + passage << "; would leave it out)" << nl;
        }
        else Info<< "the run ends at " << end << " s, before it has)" << nl;
    }
}
