// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeViscosity.H"

Foam::lbmNodeViscosity::lbmNodeViscosity
(
    const lbmNodeCells& cells,
    const lbm::Solver& solver,
    const scalar maxGridReynolds
)
:
    cells_(cells),
    maxGridReynolds_(maxGridReynolds),
    placed_(solver.place(cells.nodes().data(), cells.nodes().size())),
    tau_(cells.nodes().size()),
    guarded_(0),
    added_(0)
{}


void Foam::lbmNodeViscosity::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const scalarField& nu,
    const scalarField& volumes,
    const vectorField& U
)
{
    nu_ = nu;
    scalar guarded = 0, all = 0;
    added_ = 0;
    forAll(nu_, celli)
    {
        const scalar least = mag(U[celli])*units.dx()/maxGridReynolds_;
        all += volumes[celli];
        if (nu_[celli] >= least) continue;
        guarded += volumes[celli];
        added_ = max(added_, least/nu_[celli] - 1);
        nu_[celli] = least;
    }
    guarded_ = guarded/all;

    for (std::size_t i = 0; i < tau_.size(); ++i)
    {
        tau_[i] = units.tau(cells_.at(i, nu_));
    }
    solver.setRelaxationTimes(*placed_, tau_.data());
}
