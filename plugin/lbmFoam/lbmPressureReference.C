// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPressureReference.H"
#include "findRefCell.H"


Foam::lbmPressureReference::lbmPressureReference
(
    volScalarField& p,
    const lbmBoundary& boundary
)
:
    p_(p),
    boundary_(boundary),
    refCell_(-1),
    refValue_(0)
{
    findReference();
}


void Foam::lbmPressureReference::findReference()
{
    if (!boundary_.floatingPressure()) return;

    // As finite-volume solvers do, from the control of the case's own algorithm
    for (const word name : {"PISO", "PIMPLE", "SIMPLE"})
    {
        const dictionary control(p_.mesh().solutionDict().subOrEmptyDict(name));
        if
        (
            control.found(p_.name() + "RefCell")
         || control.found(p_.name() + "RefPoint")
        )
        {
            setRefCell(p_, control, refCell_, refValue_);
            return;
        }
    }
    refCell_ = 0;
}


Foam::scalar Foam::lbmPressureReference::pressureLevel() const
{
    scalar sum = 0, area = 0;
    forAll(boundary_.kinds(), patchi)
    {
        if (!boundary_.kinds()[patchi].fixesPressure()) continue;
        const scalarField& magSf = p_.mesh().boundary()[patchi].magSf();
        sum += Foam::sum(boundary_.imposedPressure(patchi)*magSf);
        area += Foam::sum(magSf);
    }
    return area > 0 ? sum/area : average(p_.primitiveField());
}


Foam::scalar Foam::lbmPressureReference::shift
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const lbmFields& fields
) const
{
    if (refCell_ < 0) return 0;
    return refValue_ - fields.pressure(solver, units, refCell_, p_);
}


Foam::scalar Foam::lbmPressureReference::apply()
{
    if (refCell_ < 0) return 0;
    const scalar shift = refValue_ - p_[refCell_];
    p_ += dimensionedScalar("shift", p_.dimensions(), shift);
    return shift;
}
