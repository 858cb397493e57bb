// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPressureJumps.H"
#include "cyclicFvPatch.H"
#include "jumpCyclicFvPatchFields.H"

namespace
{
    const Foam::jumpCyclicFvPatchField<Foam::scalar>& jumping
    (
        const Foam::fvPatchScalarField& p
    )
    {
        return Foam::refCast<const Foam::jumpCyclicFvPatchField<Foam::scalar>>(p);
    }
}


bool Foam::lbmPressureJumps::may(const fvPatchScalarField& p)
{
    return isA<jumpCyclicFvPatchField<scalar>>(p);
}


Foam::scalar Foam::lbmPressureJumps::largest(const fvPatchScalarField& p)
{
    if (!may(p) || p.empty() || !jumping(p).cyclicPatch().owner()) return 0;
    return max(mag(jumping(p).jump()));
}


Foam::lbmPressureJumps::lbmPressureJumps(const volScalarField& p)
:
    p_(p)
{
    forAll(p.boundaryField(), patchi)
    {
        const fvPatchScalarField& pp = p.boundaryField()[patchi];
        if (may(pp) && pp.size() && jumping(pp).cyclicPatch().owner())
        {
            patches_.append(patchi);
        }
    }
}


Foam::labelList Foam::lbmPressureJumps::cells(const label patchi) const
{
    const fvPatch& patch = p_.mesh().boundary()[patchi];
    labelList result(patch.faceCells());
    result.append(refCast<const cyclicFvPatch>(patch).neighbFvPatch().faceCells());
    return result;
}


void Foam::lbmPressureJumps::add(vectorField& a) const
{
    const scalarField& V = p_.mesh().V();
    for (const label patchi : patches_)
    {
        const fvPatch& patch = p_.mesh().boundary()[patchi];
        const labelUList& own = patch.faceCells();
        const labelUList& other =
            refCast<const cyclicFvPatch>(patch).neighbFvPatch().faceCells();
        const vectorField half
        (
            0.5*jumping(p_.boundaryField()[patchi]).jump()*patch.Sf()
        );
        forAll(half, facei)
        {
            a[own[facei]] += half[facei]/V[own[facei]];
            a[other[facei]] += half[facei]/V[other[facei]];
        }
    }
}


void Foam::lbmPressureJumps::printPlan() const
{
    for (const label patchi : patches_)
    {
        Info<< "    jump of p       " << name(patchi) << ", "
            << p_.boundaryField()[patchi].type()
            << ": force in the cells on both sides, anew at each time step" << nl;
    }
}
