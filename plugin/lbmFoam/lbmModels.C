// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmModels.H"
#include "lbmWallNodes.H"

Foam::lbmModels::lbmModels
(
    const volVectorField& U,
    surfaceScalarField& phi,
    lbmBoundary& boundary,
    const lbmRotatingZones* zones
)
:
    U_(U),
    zones_(zones),
    boundary_(boundary),
    flux_(phi, boundary),
    turbulence_(U, phi)
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
    const lbm::Solver& solver,
    const scalar maxGridReynolds,
    lbmWallForces& wallForces
)
{
    cells_.reset(new lbmNodeCells(U_.mesh(), solver.domain(), axes));
    const lbmWallNodes near(U_.mesh(), solver.domain(), axes, boundary_);
    for (const auto& [node, wall] : near.nodes())
    {
        cells_->assign(node, wall.cell, wall.share);
    }
    viscosity_.reset(new lbmNodeViscosity(*cells_, solver, maxGridReynolds));
    wallLaw_.reset(new lbmWallLaw(U_, boundary_, wallForces));
}


void Foam::lbmModels::correct()
{
    flux_.correct();
    flux_.report();
    turbulence_.correct();
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


void Foam::lbmModels::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const scalar deltaT
)
{
    tellViscosity(solver, units);
    wallLaw_->update
    (
        U_, turbulence_.nuEff()(), viscosity_->nu(), deltaT, units.dx()
    );
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


void Foam::lbmModels::printPlan(const scalar keptBelow) const
{
    const bool laminar = turbulence_.name() == "Stokes";
    Info<< (laminar ? "    viscosity       " : "    turbulence      ")
        << (laminar ? word("transportModel") : turbulence_.name())
        << ", OpenFOAM's on the mesh, once a time step; nodes take "
        << (laminar ? "nu" : "nut") << " of their cells" << nl;
    const wordList walls(lawWalls());
    if (walls.size())
    {
        // Bodies of many parts fill the screen; the table of patches has all
        const label most = 8;
        Info<< "    wall functions  decide the stress on ";
        if (walls.size() > most) Info<< walls.size() << " patches" << nl;
        else Info<< flatOutput(walls) << nl;
        if (boundary_.nUnresolved())
        {
            Info<< "                    but in gaps narrower than the lattice"
                << " resolves, at " << boundary_.nUnresolved()
                << " nodes: there the fluid sticks" << nl;
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
