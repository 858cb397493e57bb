// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitialState.H"
#include "gaussGrad.H"
#include "linear.H"
#include "meshSearch.H"

namespace
{
    // Node states handed over at a time
    const std::size_t blockSize = 8192;
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
    const tensor& gradU = gradU_()[celli];
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


void Foam::lbmInitialState::addCell(const label celli)
{
    const fvMesh& mesh = U_.mesh();
    const lbm::Domain& domain = solver_.domain();

    boundBox bounds;
    for (const label facei : mesh.cells()[celli])
    {
        bounds.add(mesh.points(), mesh.faces()[facei]);
    }
    const lbm::Vec3 low(axes_.coordinates(domain, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain, bounds.max()));
    const label d = axes_.dimensions();

    lbm::Int3 begin{0, 0, 0}, end{1, 1, 1};
    for (label a = 0; a < d; ++a)
    {
        begin[a] = max(0, int(std::ceil(low[a])));
        end[a] = min(domain.size[a], int(std::floor(high[a])) + 1);
    }
    for (int k = begin[2]; k < end[2]; ++k)
    {
        for (int j = begin[1]; j < end[1]; ++j)
        {
            for (int i = begin[0]; i < end[0]; ++i)
            {
                const lbm::NodeIndex node = domain.index(i, j, k);
                if (!domain.fluid[node] || done_[node]) continue;
                const point x
                (
                    axes_.position(domain, {double(i), double(j), double(k)})
                );
                if (mesh.pointInCell(x, celli, polyMesh::FACE_PLANES))
                {
                    add(node, x, celli);
                }
            }
        }
    }
}


void Foam::lbmInitialState::addNodesOutsideCells()
{
    // Warped faces leave some nodes between cells: nearest centre
    const lbm::Domain& domain = solver_.domain();
    autoPtr<meshSearch> search;
    for (lbm::NodeIndex node = 0; node < domain.nodes(); ++node)
    {
        if (!domain.fluid[node] || done_[node]) continue;
        if (!search) search.reset(new meshSearch(U_.mesh()));

        const lbm::Int3 at = domain.coordinates(node);
        const point x
        (
            axes_.position
            (
                domain, {double(at[0]), double(at[1]), double(at[2])}
            )
        );
        add(node, x, search->findNearestCell(x));
    }
}


void Foam::lbmInitialState::apply()
{
    forAll(U_, celli) addCell(celli);
    addNodesOutsideCells();
    flush();
}
