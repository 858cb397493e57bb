// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitialState.H"
#include "gaussGrad.H"
#include "gradScheme.H"
#include "StringStream.H"
#include "linear.H"
#include "lbmCellNodes.H"
#include "lbmCellSums.H"
#include "lbmTreeBuilder.H"
#include "indexedOctree.H"
#include "treeDataPoint.H"

#include <omp.h>

namespace
{
    // Node states handed over at a time, and boxes
    const std::size_t blockSize = 131072;
    const Foam::label boxesAtOnce = 32768;

    template<class Type>
    Foam::tmp<Foam::fv::gradScheme<Type>> limited(const Foam::fvMesh& mesh)
    {
        return Foam::fv::gradScheme<Type>::New
        (
            mesh, Foam::IStringStream("cellLimited Gauss linear 1")()
        );
    }
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
    // Schemes of our own choice: the case need not name one for lbmFoam
    gradU_(limited<vector>(U.mesh())->grad(U, "lbmGradU")),
    gradP_
    (
        fv::gaussGrad<scalar>::gradf(linearInterpolate(p), "lbmGradP")
    ),
    steepest_(max(mag(U.primitiveField()))/units.dx()),
    done_(solver.domain().nodes()),
    inBox_(U.mesh().nCells(), false),
    cells_(label(blockSize)),
    states_(blockSize),
    threads_(threads > 0 ? threads : omp_get_max_threads())
{}


Foam::tensor Foam::lbmInitialState::gradient(const label celli) const
{
    const tensor& g = gradU_()[celli];
    return g*(steepest_/max(max(steepest_, mag(g)), VSMALL));
}


lbm::Macroscopic Foam::lbmInitialState::state
(
    const point& position,
    const label celli
) const
{
    const vector d(position - U_.mesh().C()[celli]);
    const tensor gradU(gradient(celli));
    return units_.state
    (
        axes_,
        U_[celli] + (d & gradU),
        p_[celli] + (d & gradP_()[celli]),
        gradU
    );
}


lbm::LinearState Foam::lbmInitialState::linear
(
    const lbm::NodeBox& box,
    const label celli
) const
{
    const lbm::Domain& domain = solver_.domain();
    const auto at = [&](lbm::Int3 x)
    {
        return state
        (
            axes_.position(domain, {double(x[0]), double(x[1]), double(x[2])}),
            celli
        );
    };
    lbm::LinearState result;
    result.origin = box.low;
    result.atOrigin = at(box.low);
    const tensor gradU(gradient(celli));
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        const direction axis = axes_.foamAxis(a);
        vector step(Zero);
        step[axis] = units_.dx();
        result.densitySlope[a] =
            units_.density(step & gradP_()[celli]) - units_.density(0);
        result.velocitySlope[a] = units_.velocity(axes_, step & gradU);
    }
    return result;
}


template<class Act>
void Foam::lbmInitialState::forRows(const lbm::NodeBox& box, const Act& act) const
{
    for (int z = box.low[2]; z < box.low[2] + box.size[2]; ++z)
    {
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; ++y)
        {
            act(solver_.domain().index(box.low[0], y, z), box.size[0]);
        }
    }
}


bool Foam::lbmInitialState::isFree(const lbm::NodeBox& box) const
{
    if (lbm::nodesIn(box) == 0) return false;
    std::int64_t others = 0;
    forRows(box, [&](lbm::NodeIndex i, int n){ others += done_.countIn(i, n); });
    return others == 0;
}


void Foam::lbmInitialState::take
(
    const std::vector<lbm::NodeBox>& boxes,
    std::vector<char>& is
)
{
    const label n = label(is.size());
    bool clash = false;
    #pragma omp parallel for schedule(dynamic, 256) num_threads(threads_)
    for (label i = 0; i < n; ++i) is[i] = is[i] && isFree(boxes[i]);
    #pragma omp parallel for schedule(dynamic, 256) num_threads(threads_) reduction(||:clash)
    for (label i = 0; i < n; ++i)
    {
        if (!is[i]) continue;
        forRows
        (
            boxes[i],
            [&](lbm::NodeIndex first, int many)
            {
                clash = done_.setInShared(first, many) || clash;
            }
        );
    }
    if (!clash) return;
    for (label i = 0; i < n; ++i)
    {
        if (!is[i]) continue;
        forRows
        (
            boxes[i],
            [&](lbm::NodeIndex first, int many){ done_.clearIn(first, many); }
        );
    }
    for (label i = 0; i < n; ++i)
    {
        is[i] = is[i] && isFree(boxes[i]);
        if (!is[i]) continue;
        forRows
        (
            boxes[i],
            [&](lbm::NodeIndex first, int many){ done_.setIn(first, many); }
        );
    }
}


// Cells that share no nodes: of those on a side the one behind it has them
void Foam::lbmInitialState::setBoxes(const lbmCellNodes& places)
{
    const label nCells = U_.mesh().nCells();
    std::vector<lbm::NodeBox> boxes(boxesAtOnce), told;
    std::vector<char> is(boxesAtOnce);
    DynamicList<label> cells;
    for (label first = 0; first < nCells; first += boxesAtOnce)
    {
        const label n = min(boxesAtOnce, nCells - first);
        is.resize(n);
        #pragma omp parallel for schedule(dynamic, 256) num_threads(threads_)
        for (label i = 0; i < n; ++i)
        {
            is[i] = places.holdsSeveral(first + i)
             && places.box(first + i, false, boxes[i]);
        }
        take(boxes, is);
        told.clear();
        cells.clear();
        for (label i = 0; i < n; ++i)
        {
            if (!is[i]) continue;
            told.push_back(boxes[i]);
            cells.append(first + i);
            inBox_[first + i] = true;
        }
        tell(told, cells);
    }
}


void Foam::lbmInitialState::tell
(
    const std::vector<lbm::NodeBox>& boxes,
    const labelUList& cells
)
{
    if (boxes.empty()) return;
    std::vector<lbm::LinearState> states(boxes.size());
    #pragma omp parallel for schedule(static) num_threads(threads_)
    for (label i = 0; i < cells.size(); ++i)
    {
        states[i] = linear(boxes[i], cells[i]);
    }
    lbm::NodeBoxes pieces;
    std::vector<lbm::LinearState> ofPieces;
    const auto flush = [&]
    {
        solver_.initialise(pieces, ofPieces.data());
        pieces.boxes.clear();
        ofPieces.clear();
    };
    for (std::size_t i = 0; i < boxes.size(); ++i)
    {
        lbm::putPieces(boxes[i], lbmCellSums::nodesOfPiece, pieces.boxes);
        ofPieces.resize(pieces.boxes.size(), states[i]);
        if (label(pieces.boxes.size()) >= boxesAtOnce) flush();
    }
    flush();
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
    const auto& fluid = domain.fluid.words();
    for (std::size_t w = 0; w < fluid.size(); ++w)
    {
        if (!(fluid[w] & ~done_.words()[w])) continue;
        const lbm::NodeIndex first = lbm::NodeIndex(64*w);
        for (int i = 0; i < 64; ++i)
        {
            if ((fluid[w] & ~done_.words()[w]) >> i & 1) outside.push_back(first + i);
        }
    }
    if (outside.empty()) return;

    treeBoundBox bounds(U_.mesh().bounds());
    bounds.inflate(0.01);
    const pointField& centres = U_.mesh().cellCentres();
    std::vector<treeBoundBox> alone;
    alone.reserve(std::size_t(centres.size()));
    for (const point& x : centres) alone.push_back(treeBoundBox(x, x));
    const autoPtr<indexedOctree<treeDataPoint>> made
    (
        lbmTreeBuilder<treeDataPoint>
        (
            std::move(alone), bounds, 8, 10, 3.0
        ).make(treeDataPoint(centres))
    );
    const indexedOctree<treeDataPoint>& tree = *made;
    labelList nearest(label(outside.size()));
    #pragma omp parallel for schedule(dynamic, 256) num_threads(threads_)
    for (label i = 0; i < nearest.size(); ++i)
    {
        nearest[i] = tree.findNearest
        (
            places.position(outside[i]), sqr(tree.bb().mag())
        ).index();
    }
    forAll(nearest, i) add(outside[i], nearest[i], places);
}


void Foam::lbmInitialState::apply()
{
    const lbmCellNodes places(U_.mesh(), solver_.domain(), axes_);
    U_.mesh().C();
    setBoxes(places);
    places.all
    (
        threads_,
        [&](const label celli){ return !inBox_[celli]; },
        [](const label, std::vector<lbm::NodeIndex>&){},
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
