// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLaminarStress.H"

namespace
{
    const Foam::incompressible::turbulenceModel& leave
    (
        Foam::lbmMeshTurbulence& other
    )
    {
        other.leaveRegistry();
        return other.model();
    }
}


Foam::lbmLaminarStress::lbmLaminarStress
(
    lbmMeshTurbulence& other,
    const tractions& traction
)
:
    lbmLatticeStress
    (
        other.name(),
        leave(other).U(),
        other.model().alphaRhoPhi(),
        other.model().transport(),
        traction
    ),
    other_(other.model())
{}
