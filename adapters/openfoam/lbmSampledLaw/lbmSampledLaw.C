// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSampledLaw.H"
#include "nutWallFunctionFvPatchScalarField.H"

namespace
{

// y+ of the law at a u+, and how much it grows with that
struct lawPoint
{
    Foam::scalar yPlus, slope;
};

lawPoint lawAt
(
    const Foam::scalar plus,
    const Foam::scalar kappa,
    const Foam::scalar E
)
{
    const Foam::scalar k = kappa*plus;
    const Foam::scalar e = Foam::exp(k);
    return
    {
        plus + (e - 1 - k*(1 + k*(0.5 + k/6)))/E,
        1 + kappa*(e - 1 - k*(1 + 0.5*k))/E
    };
}

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
const Foam::scalar Foam::lbmSampledLaw::away = 2.5;
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


Foam::scalar Foam::lbmSampledLaw::frictionVelocity
(
    const scalar u,
    const scalar y,
    const scalar nu,
    const scalar kappa,
    const scalar E
)
{
    if (!(u > ROOTVSMALL)) return 0;

    // By Newton for u+, of Re = u y/nu = u+ y+(u+), which is convex and grows: from
    // above it comes down without a swing. Re bounds u+ by the viscous layer alone
    const scalar re = u*y/nu;
    scalar plus = min(sqrt(re), log(1 + E*re)/kappa + 1);
    for (label i = 0; i < 50; ++i)
    {
        const lawPoint law = lawAt(plus, kappa, E);
        const scalar step =
            (plus*law.yPlus - re)/(law.yPlus + plus*law.slope);
        plus -= step;
        if (mag(step) < 1e-8*plus) break;
    }
    return u/plus;
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
          ? sqr(frictionVelocity(u, y, nu[facei], kappa_, E_))/u
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


Foam::scalar Foam::lbmSampledLaw::velocityAt
(
    const scalar yPlus,
    const scalar kappa,
    const scalar E
)
{
    // y+(u+) is convex and grows: from above Newton comes down without a swing. The
    // law's last term alone is less than y+, as its first is
    scalar plus = min(yPlus, log(1 + E*yPlus)/kappa + 1);
    for (label i = 0; i < 50; ++i)
    {
        const lawPoint law = lawAt(plus, kappa, E);
        const scalar step = (law.yPlus - yPlus)/law.slope;
        plus -= step;
        if (mag(step) <= 1e-8*plus) break;
    }
    return plus;
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
        const scalar friction = frictionVelocity
        (
            u, distances_[facei], nu[facei], kappa_, E_
        );
        for (const Tuple2<label, scalar>& layer : before_[facei])
        {
            vector& here = U[layer.first()];
            const vector& n = normals[facei];
            const scalar yPlus = layer.second()*friction/nu[facei];
            here = Uw[facei] + n*(n & (here - Uw[facei]))
              + along*friction*velocityAt(yPlus, kappa_, E_);
        }
    }
}
