// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellGradient.H"
#include "fvcGrad.H"
#include "surfaceFields.H"

namespace
{

using namespace Foam;

bool isGaussLinear(const volVectorField& U)
{
    ITstream& scheme = U.mesh().gradScheme("grad(" + U.name() + ')');
    scheme.rewind();
    return scheme.size() == 2
        && scheme[0].isWord() && scheme[0].wordToken() == "Gauss"
        && scheme[1].isWord() && scheme[1].wordToken() == "linear";
}


// Sums over the faces between cells, which lie in the order of their numbers: first those of cells before
// this one, then its own
void addInner(const volVectorField& U, tensorField& sums, const int threads)
{
    const fvMesh& mesh = U.mesh();
    const vectorField& u = U.primitiveField();
    const vectorField& area = mesh.Sf().primitiveField();
    const scalarField& w = mesh.weights().primitiveField();
    const labelUList& owner = mesh.owner();
    const labelUList& neighbour = mesh.neighbour();
    const labelUList& firstOwn = mesh.lduAddr().ownerStartAddr();
    const labelUList& sorted = mesh.lduAddr().losortAddr();
    const labelUList& firstSorted = mesh.lduAddr().losortStartAddr();
    const auto across = [&](const label facei)
    {
        const vector& beyond = u[neighbour[facei]];
        return area[facei]*(w[facei]*(u[owner[facei]] - beyond) + beyond);
    };
    #pragma omp parallel for schedule(static) num_threads(threads)
    for (label celli = 0; celli < sums.size(); ++celli)
    {
        tensor sum(Zero);
        for (label k = firstSorted[celli]; k < firstSorted[celli + 1]; ++k)
        {
            sum -= across(sorted[k]);
        }
        for (label k = firstOwn[celli]; k < firstOwn[celli + 1]; ++k) sum += across(k);
        sums[celli] = sum;
    }
}


void addPatches(const volVectorField& U, tensorField& sums)
{
    const fvMesh& mesh = U.mesh();
    forAll(mesh.boundary(), patchi)
    {
        const fvPatchVectorField& own = U.boundaryField()[patchi];
        const vectorField& area = mesh.Sf().boundaryField()[patchi];
        const labelUList& cells = mesh.boundary()[patchi].faceCells();
        tmp<vectorField> between;
        if (own.coupled())
        {
            const scalarField& w = mesh.weights().boundaryField()[patchi];
            between = w*own.patchInternalField() + (1 - w)*own.patchNeighbourField();
        }
        const vectorField& u = own.coupled() ? between() : own;
        forAll(u, i) sums[cells[i]] += area[i]*u[i];
    }
}

} // End anonymous namespace


Foam::tmp<Foam::tensorField> Foam::lbmCellGradient::of
(
    const volVectorField& U,
    const int threads
)
{
    if (!isGaussLinear(U))
    {
        tmp<volTensorField> all = fvc::grad(U);
        return tmp<tensorField>::New(all().primitiveField());
    }
    auto result = tmp<tensorField>::New(U.size());
    tensorField& gradient = result.ref();
    addInner(U, gradient, threads);
    addPatches(U, gradient);
    const scalarField& volumes = U.mesh().V();
    #pragma omp parallel for schedule(static) num_threads(threads)
    for (label celli = 0; celli < gradient.size(); ++celli)
    {
        gradient[celli] /= volumes[celli];
    }
    return result;
}
