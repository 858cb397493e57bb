// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmResiduals.H"
#include "labelVector.H"
#include "solverPerformance.H"

#include <cmath>

namespace
{
    // Nodes that are looked at once a time step: as few as cost next to nothing beside
    // the lattice steps of the smallest cases
    const lbm::NodeIndex residualNodes = 4000;

    const Foam::word latticeSolver("latticeBoltzmann");

    Foam::scalar rootShare(const Foam::scalar changed, const Foam::scalar of)
    {
        return std::sqrt(changed/Foam::max(of, Foam::VSMALL));
    }
}


Foam::lbmResiduals::lbmResiduals
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const lbm::Solver& solver,
    const word& U,
    const word& p,
    const scalar tolerance,
    const temperature& T
)
:
    mesh_(mesh),
    axes_(axes),
    U_(U),
    p_(p),
    tolerance_(tolerance),
    T_(T),
    sample_(solver, residualNodes)
{}


void Foam::lbmResiduals::begin(const lbmUnits& units)
{
    sample_.take(units, before_);
    if (T_.now) TBefore_ = *T_.cells;
}


void Foam::lbmResiduals::print
(
    const word& field,
    const scalar residual,
    const label steps
) const
{
    solverPerformance
    (
        latticeSolver, field, residual, residual, steps, converged(residual)
    ).print(Info);
}


void Foam::lbmResiduals::tellU(const lbmFlowSample::state& now, const label steps)
{
    scalar all = 0;
    vector changed(Zero);
    for (std::size_t i = 0; i < now.U.size(); ++i)
    {
        const vector u(axes_.toFoam(now.U[i]));
        changed += cmptSqr(u - axes_.toFoam(before_.U[i]));
        all += magSqr(u);
    }
    vector residual(Zero);
    for (direction a = 0; a < vector::nComponents; ++a)
    {
        if (mesh_.solutionD()[a] == -1) continue;
        residual[a] = rootShare(changed[a], all);
        print(word(U_ + vector::componentNames[a]), residual[a], steps);
    }
    mesh_.setSolverPerformance
    (
        SolverPerformance<vector>
        (
            latticeSolver, U_, residual, residual, labelVector::uniform(steps),
            converged(cmptMax(residual))
        )
    );
}


void Foam::lbmResiduals::tellP(const lbmFlowSample::state& now, const label steps)
{
    scalar mean = 0;
    for (const double p : now.p) mean += p/now.p.size();
    scalar changed = 0, all = 0, dynamic = 0;
    for (std::size_t i = 0; i < now.p.size(); ++i)
    {
        changed += sqr(now.p[i] - before_.p[i]);
        all += sqr(now.p[i] - mean);
        dynamic += sqr(0.5*magSqr(axes_.toFoam(now.U[i])));
    }
    const scalar residual = rootShare(changed, max(all, dynamic));
    print(p_, residual, steps);
    mesh_.setSolverPerformance
    (
        solverPerformance
        (
            latticeSolver, p_, residual, residual, steps, converged(residual)
        )
    );
}


void Foam::lbmResiduals::tellT(const label steps)
{
    if (!T_.now) return;
    const scalarField& now = T_.now();
    const scalar residual = rootShare
    (
        sumSqr(now - TBefore_), max(now.size(), 1)*sqr(T_.spread())
    );
    TBefore_ = now;
    print("T", residual, steps);
    mesh_.setSolverPerformance
    (
        solverPerformance
        (
            latticeSolver, "T", residual, residual, steps, converged(residual)
        )
    );
}


void Foam::lbmResiduals::tell(const lbmUnits& units, const label steps)
{
    lbmFlowSample::state now;
    sample_.take(units, now);
    tellU(now, steps);
    tellP(now, steps);
    tellT(steps);
    before_ = std::move(now);

    // What models set in earlier time steps has its columns, too
    dictionary& present = const_cast<dictionary&>(mesh_.solverPerformanceDict());
    for (const entry& before : performance_)
    {
        if (!present.found(before.keyword())) present.add(before);
    }
    performance_ = present;
}
