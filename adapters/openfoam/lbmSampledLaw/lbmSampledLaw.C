// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSampledLaw.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "lbm/api/WallLaw.hpp"

namespace
{

// Cells as wide as nodes are apart: the third, but for rounding
const Foam::scalar slack = 1e-3;

// From a cell the one beside it whose direction is nearest to this one
Foam::label beyond
(
    const Foam::fvMesh& mesh,
    const Foam::label celli,
    const Foam::vector& along
)
{
    Foam::label best = celli;
    Foam::scalar straightest = 0;
    for (const Foam::label other : mesh.cellCells()[celli])
    {
        const Foam::vector way = mesh.C()[other] - mesh.C()[celli];
        // Straight rather than far: cells beside those of the wall are not all
        // in the same direction
        const Foam::scalar straight = (way & along)/mag(way);
        if (straight > straightest)
        {
            straightest = straight;
            best = other;
        }
    }
    return best;
}

} // End anonymous namespace


const Foam::wordHashSet Foam::lbmSampledLaw::smoothWalls
({
    "nutkWallFunction",
    "nutUWallFunction",
    "nutUSpaldingWallFunction",
    "nutUBlendedWallFunction"
});
const Foam::word Foam::lbmSampledLaw::resolvedWall("nutLowReWallFunction");
const Foam::scalar Foam::lbmSampledLaw::away = lbm::WallLaw::away;
const Foam::scalar Foam::lbmSampledLaw::aboveLayers = 1;


Foam::lbmSampledLaw::lbmSampledLaw
(
    const nutWallFunctionFvPatchScalarField& nut,
    const labelHashSet& atWalls,
    const scalar wanted
)
:
    cells_(nut.patch().faceCells()),
    distances_(nut.size()),
    kappa_(nut.kappa()),
    E_(nut.E()),
    before_(nut.size())
{
    const fvPatch& patch = nut.patch();
    const fvMesh& mesh = patch.boundaryMesh().mesh();
    const vectorField inwards(-patch.nf());
    forAll(cells_, facei)
    {
        const auto distance = [&](const label celli)
        {
            return inwards[facei] & (mesh.C()[celli] - patch.Cf()[facei]);
        };
        const scalar enough = (1 - slack)*wanted;
        while (distance(cells_[facei]) < enough)
        {
            const label here = cells_[facei];
            const label next = beyond(mesh, here, inwards[facei]);
            if (next == here || atWalls.found(next)) break;
            before_[facei].append({here, distance(here)});
            cells_[facei] = next;
        }
        distances_[facei] = distance(cells_[facei]);
    }
}


Foam::tmp<Foam::vectorField> Foam::lbmSampledLaw::past
(
    const fvPatchVectorField& Uw,
    const vectorField& normals
) const
{
    auto velocity = tmp<vectorField>::New
    (
        UIndirectList<vector>(Uw.internalField(), cells_)
    );
    velocity.ref() -= Uw;
    velocity.ref() -= normals*(normals & velocity());
    return velocity;
}


Foam::tmp<Foam::scalarField> Foam::lbmSampledLaw::conductance
(
    const vectorField& past,
    const scalarField& nu
) const
{
    auto values = tmp<scalarField>::New(past.size());
    forAll(past, facei)
    {
        const scalar u = mag(past[facei]), y = distances_[facei];
        values.ref()[facei] = u > ROOTVSMALL
          ? sqr(lbm::frictionVelocity(u, y, nu[facei], kappa_, E_))/u
          : nu[facei]/y;
    }
    return values;
}


Foam::boolList Foam::lbmSampledLaw::thin(const fvPatch& patch, const scalar dx)
{
    const scalar quarter = 0.25;
    boolList faces(patch.size());
    forAll(faces, facei)
    {
        faces[facei] = patch.deltaCoeffs()[facei]*quarter*dx > 1;
    }
    return faces;
}


Foam::boolList Foam::lbmSampledLaw::mostlyThin(const fvMesh& mesh, const scalar dx)
{
    // Thin ones less all others
    labelList balance(mesh.boundaryMesh().nNonProcessor(), Zero);
    forAll(balance, patchi)
    {
        for (const bool is : thin(mesh.boundary()[patchi], dx))
        {
            balance[patchi] += is ? 1 : -1;
        }
    }
    Pstream::listCombineGather(balance, plusEqOp<label>());
    Pstream::listCombineScatter(balance);
    boolList result(mesh.boundary().size(), false);
    forAll(balance, patchi) result[patchi] = balance[patchi] > 0;
    return result;
}


void Foam::lbmSampledLaw::fillLayers
(
    vectorField& U,
    const fvPatchVectorField& Uw,
    const boolList& faces,
    const vectorField& normals,
    const vectorField& past,
    const scalarField& nu
) const
{
    forAll(before_, facei)
    {
        const scalar u = mag(past[facei]);
        if (!faces[facei] || !(u > ROOTVSMALL)) continue;
        const vector along(past[facei]/u);
        const scalar friction = lbm::frictionVelocity
        (
            u, distances_[facei], nu[facei], kappa_, E_
        );
        for (const Tuple2<label, scalar>& layer : before_[facei])
        {
            vector& here = U[layer.first()];
            const vector& n = normals[facei];
            const scalar yPlus = layer.second()*friction/nu[facei];
            here = Uw[facei] + n*(n & (here - Uw[facei]))
              + along*friction*lbm::lawVelocity(yPlus, kappa_, E_);
        }
    }
}
