// What a condition of p says of its jump: no lattice is needed to ask it
// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPressureJumps.H"
#include "cyclicFvPatch.H"
#include "jumpCyclicFvPatchFields.H"


const Foam::jumpCyclicFvPatchField<Foam::scalar>& Foam::lbmPressureJumps::of
(
    const fvPatchScalarField& p
)
{
    return refCast<const jumpCyclicFvPatchField<scalar>>(p);
}


bool Foam::lbmPressureJumps::may(const fvPatchScalarField& p)
{
    return isA<jumpCyclicFvPatchField<scalar>>(p);
}


Foam::scalar Foam::lbmPressureJumps::largest(const fvPatchScalarField& p)
{
    if (!may(p) || p.empty() || !of(p).cyclicPatch().owner()) return 0;
    return max(mag(of(p).jump()));
}
