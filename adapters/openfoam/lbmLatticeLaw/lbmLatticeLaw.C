// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeLaw.H"

const Foam::label Foam::lbmLatticeLaw::interval = 10;


Foam::lbmLatticeLaw::lbmLatticeLaw
(
    const lbm::Solver& solver,
    lbmBoundary& boundary,
    const lbmAxes& axes,
    const std::vector<wall>& walls
)
:
    boundary_(boundary),
    axes_(axes),
    walls_(walls),
    dt_(0),
    recalled_(false)
{
    for (const wall& w : walls_)
    {
        laws_.emplace_back
        (
            solver,
            boundary.links(w.patchi),
            boundary.latticeNormals(w.patchi),
            w.constants
        );
    }
}


void Foam::lbmLatticeLaw::pass(const lbmUnits& units)
{
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        const labelList& links = boundary_.links(walls_[i].patchi);
        vectorField slip(links.size(), Zero), gain(links.size(), Zero);
        forAll(links, k)
        {
            if (boundary_.unresolved(links[k])) continue;
            slip[k] = units.velocity(axes_, laws_[i].slip()[k]);
            gain[k] = units.velocity(axes_, laws_[i].gain()[k])/units.dx();
        }
        boundary_.setSlip(walls_[i].patchi, slip, gain);
    }
}


void Foam::lbmLatticeLaw::apply(lbm::Solver& solver, const lbmUnits& units)
{
    // Strain rates beside walls are read with what these are told
    if (recalled_)
    {
        pass(units);
        boundary_.tellSlip(solver, units);
        recalled_ = false;
    }

    const scalar speed = units.dx()/units.dt(), length = units.dx();
    const scalar nu = units.viscosity().least(length)/(speed*length);
    const auto nuAt = [&](const scalar shearRate, const scalar u)
    {
        return nu + units.nut(shearRate/units.dt(), u*speed)/(speed*length);
    };
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        lbmLinkLaw& law = laws_[i];
        const label patchi = walls_[i].patchi;
        if (dt_ > 0 && dt_ != units.dt()) law.convert(units.dt()/dt_);
        law.update
        (
            solver,
            boundary_.latticeVelocities(patchi, units),
            nu,
            nuAt,
            interval
        );
    }
    pass(units);
    dt_ = units.dt();
    boundary_.tellSlip(solver, units);
}


void Foam::lbmLatticeLaw::report(const lbmUnits& units) const
{
    const scalar nu =
        units.viscosity().least(units.dx())*units.dt()/sqr(units.dx());
    scalar links = 0, yPlus = 0, clipped = 0, least = GREAT, most = 0;
    for (const lbmLinkLaw& law : laws_)
    {
        const scalar n = law.slip().size(), y = law.yPlus(nu);
        if (!(n > 0)) continue;
        links += n;
        yPlus += n*y;
        clipped += n*law.clipped();
        least = min(least, y);
        most = max(most, y);
    }
    if (!(links > 0)) return;
    Info<< "wall law: sampled at y+ " << yPlus/links << " (means of patches "
        << least << " to " << most << "), at " << 100*clipped/links
        << " % of links it would turn the flow round" << nl;
}


std::string Foam::lbmLatticeLaw::noteName(const std::size_t i) const
{
    return "latticeLaw." + boundary_.patchName(walls_[i].patchi);
}


void Foam::lbmLatticeLaw::note(lbm::CheckpointNotes& notes) const
{
    for (std::size_t i = 0; i < laws_.size(); ++i) laws_[i].note(noteName(i), notes);
}


void Foam::lbmLatticeLaw::recall
(
    const lbm::CheckpointNotes& notes,
    const lbmUnits& units
)
{
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        laws_[i].recall(noteName(i), notes);
    }
    dt_ = units.dt();
    recalled_ = true;
}
