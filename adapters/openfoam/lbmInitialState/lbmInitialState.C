// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitialState.H"
#include "gaussGrad.H"
#include "linear.H"
#include "lbmCellNodes.H"
#include "meshSearch.H"

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
    lbm::Solver& solver
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
    done_(solver.domain().nodes())
{}


void Foam::lbmInitialState::add
(
    const lbm::NodeIndex node,
    const point& position,
    const label celli
)
{
    done_.set(node);
    const vector d(position - U_.mesh().C()[celli]);
    tensor gradU = gradU_()[celli];
    gradU *= steepest_/max(max(steepest_, mag(gradU)), VSMALL);
    nodes_.push_back(node);
    states_.push_back
    (
        units_.state
        (
            axes_,
            U_[celli] + (d & gradU),
            p_[celli] + (d & gradP_()[celli]),
            gradU
        )
    );
    if (nodes_.size() == blockSize) flush();
}


void Foam::lbmInitialState::flush()
{
    solver_.initialise(nodes_.data(), nodes_.size(), states_.data());
    nodes_.clear();
    states_.clear();
}


void Foam::lbmInitialState::addNodesOutsideCells(const lbmCellNodes& places)
{
    // Warped faces leave some nodes between cells: nearest centre
    const lbm::Domain& domain = solver_.domain();
    autoPtr<meshSearch> search;
    for (lbm::NodeIndex node = 0; node < domain.nodes(); ++node)
    {
        if (!domain.fluid[node] || done_[node]) continue;
        if (!search) search.reset(new meshSearch(U_.mesh()));

        const point x(places.position(node));
        add(node, x, search->findNearestCell(x));
    }
}


void Foam::lbmInitialState::apply()
{
    const lbmCellNodes places(U_.mesh(), solver_.domain(), axes_);
    std::vector<lbm::NodeIndex> inCell;
    forAll(U_, celli)
    {
        places.find(celli, inCell);
        for (const lbm::NodeIndex node : inCell)
        {
            if (!done_[node]) add(node, places.position(node), celli);
        }
    }
    addNodesOutsideCells(places);
    flush();
}
