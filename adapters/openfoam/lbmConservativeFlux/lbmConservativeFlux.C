// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmConservativeFlux.H"
#include "fvcSurfaceIntegrate.H"
#include "fvMatrix.H"
#include "lbmPoisson.H"

namespace
{
    std::string potentialNote(const std::string& owner) { return owner + ".potential"; }
    std::string cumulativeNote(const std::string& owner)
    {
        return owner + ".cumulative";
    }

    // The potential is solved for very often and roughly, with a matrix of positive
    // definite form throughout: multigrid alone, with one sweep a level by the incomplete
    // Cholesky factors, takes half the time that it takes as a preconditioner of conjugate
    // gradients with Gauss and Seidel's sweeps behind these
    Foam::dictionary controls(const Foam::lbmConservativeFlux::accuracy& leaves)
    {
        using Foam::word;
        Foam::dictionary result;
        result.add("solver", word("GAMG"));
        result.add("smoother", word("DIC"));
        result.add("nPreSweeps", 0);
        result.add("nPostSweeps", 1);
        result.add("nFinestSweeps", 2);
        result.add("tolerance", leaves.settled);
        result.add("relTol", leaves.reduction);
        return result;
    }

    // Share of the diagonal by which a matrix without any given potential is no longer
    // singular; what it leaves of a divergence is as little of it
    const Foam::scalar anchored = 1e-9;
}


Foam::wordList Foam::lbmConservativeFlux::patchTypes
(
    const fvMesh& mesh,
    const lbmBoundary& boundary,
    bool& anyFloats
)
{
    wordList types(mesh.boundary().size(), "zeroGradient");
    forAll(types, patchi)
    {
        const fvPatch& patch = mesh.boundary()[patchi];
        const lbmPatchKind& kind = boundary.kinds()[patchi];
        if (polyPatch::constraintType(patch.type())) types[patchi] = patch.type();
        else if (kind.adapts())
        {
            types[patchi] = "fixedValue";
            anyFloats = true;
        }
    }
    return types;
}


// Each solution starts from the last one's potential: with the former accuracy pitzDaily's U is the same within
// 0.05 %, and the flux takes half as long again
const Foam::lbmConservativeFlux::accuracy Foam::lbmConservativeFlux::ofModels{1e-3, 0.1};

// What divergence is left acts as a source of the whole of a scalar
const Foam::lbmConservativeFlux::accuracy Foam::lbmConservativeFlux::ofScalars{1e-4, 0.02};


Foam::lbmConservativeFlux::lbmConservativeFlux
(
    surfaceScalarField& phi,
    const lbmBoundary& boundary,
    const accuracy& leaves
)
:
    phi_(phi),
    leaves_(leaves),
    anyFloats_(false),
    potential_
    (
        IOobject
        (
            "fluxPotential",
            phi.mesh().time().timeName(),
            phi.mesh(),
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        phi.mesh(),
        dimensionedScalar(dimViscosity, Zero),
        patchTypes(phi.mesh(), boundary, anyFloats_)
    ),
    cumulative_(0)
{
    phi.mesh().setFluxRequired(potential_.name());
}


void Foam::lbmConservativeFlux::correct()
{
    if (!laplacian_)
    {
        laplacian_.reset(lbmPoisson::orthogonalLaplacian(potential_).ptr());
        // Not OpenFOAM's reference in one cell: it would take what rough solutions leave of
        // the potential's level, as a source in each of them (hotRoom: 4 K in its corner)
        if (!anyFloats_) laplacian_->diag() *= 1 + anchored;
        solver_ = laplacian_->solver(controls(leaves_));
    }
    const scalarField& volumes = phi_.mesh().V();
    scalarField rate(divergence());
    // What patches bring beyond what they take is no one cell's
    if (!anyFloats_) rate -= sum(rate*volumes)/sum(volumes);
    laplacian_->source() = rate*volumes;
    solver_->solve(controls(leaves_));
    phi_ -= laplacian_->flux();
}


Foam::tmp<Foam::scalarField> Foam::lbmConservativeFlux::divergence() const
{
    auto cells = tmp<scalarField>::New(phi_.mesh().nCells(), Zero);
    fvc::surfaceIntegrate(cells.ref(), phi_);
    return cells;
}


void Foam::lbmConservativeFlux::report()
{
    const fvMesh& mesh = phi_.mesh();
    const scalarField& volumes = mesh.V();
    const scalarField left(divergence()*volumes);
    const scalar dt = mesh.time().deltaTValue(), all = sum(volumes);
    const scalar local = dt*sumMag(left)/all;
    const scalar global = dt*sum(left)/all;
    cumulative_ += global;
    Info<< "time step continuity errors : sum local = " << local
        << ", global = " << global << ", cumulative = " << cumulative_ << nl;
}


void Foam::lbmConservativeFlux::note
(
    lbm::CheckpointNotes& notes,
    const std::string& owner
) const
{
    const scalarField& values = potential_.primitiveField();
    notes.arrays[potentialNote(owner)].assign(values.begin(), values.end());
    notes.numbers[cumulativeNote(owner)] = cumulative_;
}


void Foam::lbmConservativeFlux::recall
(
    const lbm::CheckpointNotes& notes,
    const std::string& owner
)
{
    const auto found = notes.arrays.find(potentialNote(owner));
    if
    (
        found == notes.arrays.end()
     || found->second.size() != std::size_t(potential_.size())
    ) return;
    std::copy
    (
        found->second.begin(),
        found->second.end(),
        potential_.primitiveFieldRef().begin()
    );
    potential_.correctBoundaryConditions();
    const auto sum = notes.numbers.find(cumulativeNote(owner));
    if (sum != notes.numbers.end()) cumulative_ = sum->second;
}
