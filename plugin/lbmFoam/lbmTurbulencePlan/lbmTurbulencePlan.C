// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTurbulencePlan.H"
#include "lbmSampledLaw.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "turbulentTransportModel.H"

namespace
{
    // Patches by their names; more of them are counted
    const Foam::label listed = 6;

    // Below this y+ a layer is viscous: where kappa and E are the usual ones the law of
    // the viscous layer meets the other there (Pope, Turbulent Flows, 2000, 7.1.4)
    const Foam::scalar viscous = 11.5;

    // Of a turbulent layer the law holds in the inner fifth (same source); after a
    // length x it is 0.37 x (U x/nu)^(-1/5) thick (Schlichting, Boundary-Layer Theory)
    const Foam::scalar inner = 0.2;
    Foam::scalar thickness(const Foam::scalar x, const Foam::scalar Re)
    {
        return 0.37*x*Foam::pow(Re, -0.2);
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
    for (const lbmLatticeLaw::wall& w : ofLattice)
    {
        add(w.patchi, w.kappa, w.E, lbm::WallLaw::away*dx_, true);
    }
    if (ofLattice.empty()) addOfModel();
}


void Foam::lbmTurbulencePlan::add
(
    const label patchi,
    const scalar kappa,
    const scalar E,
    const scalar distance,
    const bool ofLinks
)
{
    for (law& l : laws_)
    {
        // Distances of cells that are equal but for rounding
        const bool same = l.kappa == kappa && l.E == E
            && mag(l.distance - distance) < 0.01*distance;
        if (!same) continue;
        l.patches.append(patchi);
        return;
    }
    laws_.push_back({kappa, E, distance, ofLinks, labelList(1, patchi)});
}


void Foam::lbmTurbulencePlan::addOfModel()
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
        const auto* function = isA<nutWallFunctionFvPatchScalarField>(atWall);
        if (!function) continue;
        const scalar cells = returnReduce(atWall.size(), sumOp<label>());
        if (!(cells > 0)) continue;
        const scalar nearest =
            gSum(scalarField(1/atWall.patch().deltaCoeffs()))/cells;
        const scalar distance =
            eddies ? max(nearest, lbmSampledLaw::away*dx_) : nearest;
        add(atWall.patch().index(), function->kappa(), function->E(), distance, false);
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


void Foam::lbmTurbulencePlan::printRange
(
    const law& l,
    const scalar length
) const
{
    // Links of fluid that is half a spacing away decide whether it sticks
    const scalar y = yPlus(l), low = l.ofLinks ? y*dx_/2/l.distance : y;
    if (low < viscous)
    {
        Info<< "    y+ too low      " << low << ' '
            << (l.ofLinks ? "half a spacing away, where the fluid sticks below "
                          : "there; the law has a layer of eddies from ")
            << viscous << (l.ofLinks ? "" : " on")
            << ": cells of " << dx_*viscous/low
            << " m and more would fit the law, of " << dx_/low
            << " m and less" << nl
            << "                    need none" << nl;
    }
    if (!(length > 0)) return;
    const scalar layer = thickness(length, speed_*length/nu_);
    if (l.distance <= inner*layer) return;
    Info<< "    y+ too high     the law holds in the inner fifth of a layer, which is "
        << layer << " m thick after " << length << " m (0.37 x Re^-1/5), not "
        << l.distance << " m" << nl
        << "                    from the wall: cells of "
        << dx_*inner*layer/l.distance << " m would fit" << nl;
}


void Foam::lbmTurbulencePlan::printWalls(const bool open) const
{
    if (!(speed_ > 0)) return;
    for (const law& l : laws_)
    {
        Info<< "    y+              about " << label(yPlus(l) + 0.5) << " expected "
            << l.distance << " m from walls with a law, at the reference speed there:";
        if (l.patches.size() > listed)
        {
            Info<< ' ' << l.patches.size() << " patches";
        }
        else for (const label patchi : l.patches)
        {
            Info<< ' ' << mesh_.boundary()[patchi].name();
        }
        Info<< nl;
        printRange(l, open ? length(l) : 0);
    }
}


void Foam::lbmTurbulencePlan::printAverages
(
    const Time& runTime,
    const scalar passage
)
{
    const scalar begin = runTime.startTime().value();
    for (const entry& e : runTime.controlDict().subOrEmptyDict("functions"))
    {
        if (!e.isDict()) continue;
        const dictionary& dict = e.dict();
        const bool averages = dict.getOrDefault("enabled", true)
            && dict.getOrDefault<word>("type", word::null) == "fieldAverage";
        if (!averages) continue;
        const scalar from = max(begin, dict.getOrDefault<scalar>("timeStart", begin));
        if (from - begin >= passage) continue;
        Info<< "    averages        of " << e.keyword() << " begin at " << from
            << " s, before the flow has passed the longest side once ("
            << passage << " s): the start is in them" << nl
            << "                    (timeStart " << begin + passage
            << "; would leave it out)" << nl;
    }
}
