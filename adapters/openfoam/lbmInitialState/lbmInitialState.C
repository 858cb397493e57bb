// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitialState.H"
#include "gaussGrad.H"
#include "linear.H"
#include "lbmCellNodes.H"
#include "meshSearch.H"

#include <omp.h>

namespace
{
    // Node states handed over at a time
    const std::size_t blockSize = 131072;
}


Foam::lbmInitialState::lbmInitialState
(
    const volVectorField& U,
    const volScalarField& p,
    const lbmAxes& axes,
    const lbmUnits& units,
    lbm::Solver& solver,
    const int threads
)
:
    U_(U),
    p_(p),
    axes_(axes),
    units_(units),
    solver_(solver),
    // A scheme of our own choice: the case need not name one for lbmFoam
    gradU_
    (
        fv::gaussGrad<vector>::gradf(linearInterpolate(U), "lbmGradU")
    ),
    gradP_
    (
        fv::gaussGrad<scalar>::gradf(linearInterpolate(p), "lbmGradP")
    ),
    steepest_(max(mag(U.primitiveField()))/units.dx()),
    least_(U.primitiveField()),
    most_(least_),
    done_(solver.domain().nodes()),
    cells_(label(blockSize)),
    states_(blockSize),
    threads_(threads > 0 ? threads : omp_get_max_threads())
{
    findLimits();
}


void Foam::lbmInitialState::findLimits()
{
    const auto see = [this](const label celli, const vector& U)
    {
        least_[celli] = min(least_[celli], U);
        most_[celli] = max(most_[celli], U);
    };
    const fvMesh& mesh = U_.mesh();
    const vectorField& U = U_.primitiveField();
    forAll(mesh.neighbour(), facei)
    {
        const label own = mesh.owner()[facei], other = mesh.neighbour()[facei];
        see(own, U[other]);
        see(other, U[own]);
    }
    for (const fvPatchVectorField& patch : U_.boundaryField())
    {
        const labelUList& cells = patch.patch().faceCells();
        const tmp<vectorField> beyond
        (
            patch.coupled() ? patch.patchNeighbourField() : tmp<vectorField>(patch)
        );
        // Patches of type empty have faces, but no values
        forAll(beyond(), i) see(cells[i], beyond()[i]);
    }
}


lbm::Macroscopic Foam::lbmInitialState::state
(
    const point& position,
    const label celli
) const
{
    const vector d(position - U_.mesh().C()[celli]);
    tensor gradU = gradU_()[celli];
    gradU *= steepest_/max(max(steepest_, mag(gradU)), VSMALL);
    return units_.state
    (
        axes_,
        min(most_[celli], max(least_[celli], U_[celli] + (d & gradU))),
        p_[celli] + (d & gradP_()[celli]),
        gradU
    );
}


void Foam::lbmInitialState::add
(
    const lbm::NodeIndex node,
    const label celli,
    const lbmCellNodes& places
)
{
    done_.set(node);
    cells_[label(nodes_.size())] = celli;
    nodes_.push_back(node);
    if (nodes_.size() == blockSize) flush(places);
}


void Foam::lbmInitialState::flush(const lbmCellNodes& places)
{
    const label n = label(nodes_.size());
    #pragma omp parallel for num_threads(threads_)
    for (label i = 0; i < n; ++i)
    {
        states_[i] = state(places.position(nodes_[i]), cells_[i]);
    }
    solver_.initialise(nodes_.data(), nodes_.size(), states_.data());
    nodes_.clear();
}


void Foam::lbmInitialState::addNodesOutsideCells(const lbmCellNodes& places)
{
    // Warped faces leave some nodes between cells, and cells of a mesh that is
    // coarser than the lattice leave many along walls: nearest centre
    const lbm::Domain& domain = solver_.domain();
    std::vector<lbm::NodeIndex> outside;
    for (lbm::NodeIndex node = 0; node < domain.nodes(); ++node)
    {
        if (domain.fluid[node] && !done_[node]) outside.push_back(node);
    }
    if (outside.empty()) return;

    // The first search makes what all need, which several threads must not do
    const meshSearch search(U_.mesh());
    search.findNearestCell(places.position(outside[0]));
    labelList nearest(label(outside.size()));
    #pragma omp parallel for schedule(dynamic, 256) num_threads(threads_)
    for (label i = 0; i < nearest.size(); ++i)
    {
        nearest[i] = search.findNearestCell(places.position(outside[i]));
    }
    forAll(nearest, i) add(outside[i], nearest[i], places);
}


void Foam::lbmInitialState::apply()
{
    const lbmCellNodes places(U_.mesh(), solver_.domain(), axes_);
    U_.mesh().C();
    places.all
    (
        threads_,
        [&](const label celli, const std::vector<lbm::NodeIndex>& inCell)
        {
            for (const lbm::NodeIndex node : inCell)
            {
                if (!done_[node]) add(node, celli, places);
            }
        }
    );
    addNodesOutsideCells(places);
    flush(places);
}
