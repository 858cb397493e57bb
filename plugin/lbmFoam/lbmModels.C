// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmModels.H"
#include "fvcSurfaceIntegrate.H"
#include "lbmRelaxation.H"
#include "lbmWallNodes.H"

namespace
{

// Of the links to walls past which the fluid slips, those where it sticks: bodies of so many
// are not resolved (motorBike with 20 nodes along it 0.74, windAroundBuildings below 0.03)
const Foam::scalar muchSticks = 0.25;

// In cells of the mesh, how far apart nodes may be there: motorBike's drag is 48, 32 and
// 18 % below simpleFoam's with 0.097, 0.05 and 0.035 m (D3Q27 cumulant, float), its cells
// are 0.011 m wide
const Foam::scalar cellsApart = 2;

// Such bodies stop what flows through them, and pressures on what is behind come out too
// even
void printTooCoarse(const Foam::lbmBoundary& boundary, const Foam::fvMesh& mesh)
{
    Foam::label all = 0, stuck = 0;
    Foam::scalar width = 0;
    const bool flat = mesh.nGeometricD() == 2;
    const Foam::scalar depth = boundary.nodeVolume()/Foam::sqr(boundary.spacing());
    forAll(boundary.kinds(), patchi)
    {
        if (!boundary.kinds()[patchi].slips) continue;
        const Foam::labelUList& cells = mesh.boundary()[patchi].faceCells();
        const Foam::lbmPackedLabels& links = boundary.links(patchi);
        const Foam::lbmPackedLabels& faces = boundary.linkFaces(patchi);
        all += links.size();
        forAll(links, i)
        {
            if (!boundary.unresolved(links[i])) continue;
            ++stuck;
            const Foam::scalar V = mesh.V()[cells[faces[i]]];
            width += flat ? Foam::sqrt(V/depth) : Foam::cbrt(V);
        }
    }
    const Foam::scalar fitting = cellsApart*width/Foam::max(stuck, 1);
    // Of walls with a law that lie across axes nothing is counted
    if (!stuck || stuck < muchSticks*all || fitting >= boundary.spacing()) return;
    Foam::Info<< "    walls too fine  at " << 100*Foam::scalar(stuck)/all
        << " % of the links to walls past which it slips the fluid sticks: the lattice"
        << Foam::nl << "                    does not resolve these bodies, and forces on"
        << " them are coarse; cells of " << fitting << " m, two of the mesh's"
        << Foam::nl << "                    at these walls, would fit (entry cellSize)"
        << Foam::nl;
}


// In checkpoints
const std::string borneNote("models.borne");

} // End anonymous namespace


Foam::lbmModels::lbmModels
(
    volVectorField& U,
    surfaceScalarField& phi,
    lbmBoundary& boundary,
    const lbmRotatingZones* zones,
    const label every,
    const bool steady,
    const bool beside,
    const lbmConservativeFlux::accuracy& leaves
)
:
    U_(U),
    phi_(phi),
    zones_(zones),
    boundary_(boundary),
    flux_(phi, boundary, leaves),
    held_(U, phi),
    turbulence_(U, phi),
    every_(every),
    steady_(steady),
    beside_(beside),
    interval_(every)
{
    forAll(boundary.kinds(), patchi)
    {
        if (boundary.kinds()[patchi].anyWall())
        {
            if (turbulence_.isWallFunction(patchi)) boundary.setWallLaw(patchi);
        }
    }
}


void Foam::lbmModels::place
(
    const lbmAxes& axes,
    lbm::Solver& solver,
    const scalar maxGridReynolds,
    const int threads
)
{
    cells_.reset(new lbmNodeCells(U_.mesh(), solver.domain(), axes));
    const lbmWallNodes near(U_.mesh(), solver.domain(), axes, boundary_);
    for (const auto& [node, wall] : near.nodes())
    {
        cells_->assign(node, wall.cell, wall.share);
    }
    viscosity_.reset(new lbmNodeViscosity(*cells_, solver, maxGridReynolds, threads));
    wallLaw_.reset
    (
        new lbmWallLaw(U_, turbulence_.model(), boundary_, solver.domain())
    );
}


Foam::scalar Foam::lbmModels::shareAbove
(
    const scalar gridReynolds,
    const scalar speed,
    const scalar dx
) const
{
    const scalarField nu(turbulence_.nuEff()().primitiveField());
    const scalarField& volumes = U_.mesh().V();
    scalar above = 0;
    forAll(nu, celli)
    {
        if (speed*dx > gridReynolds*nu[celli]) above += volumes[celli];
    }
    return above/gSum(volumes);
}


void Foam::lbmModels::fillLayers(volVectorField& U) const
{
    if (wallLaw_) wallLaw_->fillLayers(U, turbulence_.model());
}


void Foam::lbmModels::conserve()
{
    flux_.correct();
    flux_.report();
}


void Foam::lbmModels::correct(const label steps)
{
    // Transient ones have time derivatives for it
    const lbmRelaxation pace(U_.mesh(), steady_ ? steps : 1);
    turbulence_.correct();
}


void Foam::lbmModels::correctHeld(const label steps)
{
    const lbmHeldFlow::inPlace held(held_);
    correct(steps);
}


// OpenFOAM's CourantNo.H
Foam::scalar Foam::lbmModels::courantNumber(const scalar deltaT) const
{
    const scalarField passes(fvc::surfaceSum(mag(phi_))().primitiveField());
    return 0.5*gMax(passes/U_.mesh().V())*deltaT;
}


void Foam::lbmModels::tellViscosity(lbm::Solver& solver, const lbmUnits& units)
{
    const scalarField nuEff(turbulence_.nuEff()().primitiveField());
    scalarField nu(nuEff);
    wallLaw_->setViscosity(nuEff, nu);
    viscosity_->tell
    (
        solver,
        units,
        nu,
        U_.mesh().V(),
        zones_ ? zones_->relative(U_) : tmp<vectorField>(U_.primitiveField())
    );
}


void Foam::lbmModels::tellWalls(const lbmUnits& units, const scalar deltaT)
{
    wallLaw_->update
    (
        U_,
        turbulence_.model(),
        viscosity_->nu(),
        deltaT*interval_.steps(),
        units.dx(),
        units.dt()
    );
}


void Foam::lbmModels::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const scalar changed,
    const scalar deltaT,
    const label most
)
{
    tellViscosity(solver, units);
    const scalar share = max(changed, viscosity_->changed());
    const scalar courant = steady_ ? 0 : courantNumber(deltaT);
    interval_.told(share, min(most, lbmModelInterval::passing(courant)));
    if (every_ != 1)
    {
        Info<< "models on the mesh: changed by " << share << " of themselves, ";
        if (!steady_) Info<< "Courant number " << courant << ", ";
        Info<< "solved next after " << interval_.steps() << " time steps" << nl;
    }
    tellWalls(units, deltaT);
}


void Foam::lbmModels::note(lbm::CheckpointNotes& notes) const
{
    wallLaw_->note(notes);
    flux_.note(notes);
    turbulence_.note(notes);
    viscosity_->note(notes);
    interval_.note(notes);
    held_.note(notes);
    notes.numbers[borneNote] = borne_;
}


void Foam::lbmModels::recall
(
    const lbm::CheckpointNotes& notes,
    lbm::Solver& solver,
    const lbmUnits& units,
    const label most
)
{
    wallLaw_->recall(notes);
    flux_.recall(notes);
    turbulence_.recall(notes);
    viscosity_->recall(notes, solver, units);
    interval_.recall(notes, most);
    held_.recall(notes);
    const auto borne = notes.numbers.find(borneNote);
    if (borne != notes.numbers.end()) borne_ = borne->second;
    // Half a solution without what it was begun with is none
    if (interval_.halfway() && !held_.any()) interval_.restart();
}


Foam::wordList Foam::lbmModels::lawWalls() const
{
    DynamicList<word> names;
    forAll(boundary_.kinds(), patchi)
    {
        if (boundary_.kinds()[patchi].wallLaw)
        {
            names.append(U_.mesh().boundary()[patchi].name());
        }
    }
    return wordList(std::move(names));
}


Foam::string Foam::lbmModels::rhythm(const label most) const
{
    const label longest = min(most, lbmModelInterval::longest);
    if (every_ > 1) return "once in " + Foam::name(every_) + " time steps";
    if (every_ == 1 || longest == 1) return "once a time step";
    string range("once in 1 ");
    range += (longest > 2 ? "to " : "or ") + Foam::name(longest)
      + " time steps, by how fast it changes";
    if (steady_) return range;
    return range + " and how soon the flow passes "
      + Foam::name(lbmModelInterval::courant) + " of a cell";
}


Foam::label Foam::lbmModels::calmInterval
(
    const label most,
    const scalar deltaT
) const
{
    if (every_ > 0) return every_;
    const label passing =
        steady_ ? most : lbmModelInterval::passing(courantNumber(deltaT));
    return min(lbmModelInterval::longest, min(most, passing));
}


void Foam::lbmModels::printEnd(const scalar share) const
{
    Info<< "Models on the mesh were solved in " << interval_.solutions() << " of "
        << interval_.all() << " time steps, and took " << 100*share
        << " % of the time" << nl << endl;
}


void Foam::lbmModels::printPlan
(
    const scalar keptBelow,
    const label most,
    const bool alone,
    const bool sketched
) const
{
    const bool laminar = turbulence_.name() == "Stokes";
    Info<< (laminar ? "    viscosity       " : "    turbulence      ")
        << (laminar ? word("transportModel") : turbulence_.name())
        << ", OpenFOAM's on the mesh, " << rhythm(most).c_str() << "; nodes take "
        << (laminar ? "nu" : "nut") << " of their cells" << nl
        << "                    "
        << (
                !beside_
              ? "solved while the lattice waits: temperature's force is not to lag"
              : alone
              ? "solved before the lattice steps, by the one thread that there is: nodes"
                " have them a time step later"
              : "solved while the lattice steps: nodes have them a time step later"
           )
        << (
                beside_ && halves() && (every_ > 1 || (every_ == 0 && most > 1))
              ? steady_ ? ", or two: a flow may not settle so (way out: coupleEvery auto)" : ", or two"
              : ""
           )
        << nl;
    const wordList walls(lawWalls());
    if (walls.size())
    {
        // Bodies of many parts fill the screen; the table of patches has all
        const label most = 8;
        Info<< "    wall functions  decide the stress on ";
        if (walls.size() > most) Info<< walls.size() << " patches" << nl;
        else Info<< flatOutput(walls) << nl;
        // Nodes of a sketch are wider apart
        if (boundary_.nUnresolved() && !sketched)
        {
            Info<< "                    but in gaps narrower than the lattice"
                << " resolves, at " << boundary_.nUnresolved()
                << " nodes: there the fluid sticks" << nl;
            printTooCoarse(boundary_, U_.mesh());
        }
    }
    Info<< "    guard           viscosity keeps grid Reynolds numbers below "
        << (viscosity_ ? viscosity_->maxGridReynolds() : keptBelow) << nl;
}


void Foam::lbmModels::report() const
{
    if (!(viscosity_->guarded() > 0)) return;
    Info<< "guard: in " << 100*viscosity_->guarded()
        << " % of the volume viscosity is raised, up to "
        << 1 + viscosity_->added() << " times the model's" << nl;
}
