// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProbedCells.H"
#include "HashSet.H"

namespace
{

using namespace Foam;

bool asksPatches(const lbmCellStencils& stencils, const label celli)
{
    if (stencils.box(celli)) return false;
    std::vector<lbmCellStencils::nodeTerm> nodes;
    std::vector<lbmCellStencils::faceTerm> faces;
    stencils.append(celli, nodes, faces);
    return !faces.empty();
}

} // End anonymous namespace


std::unique_ptr<Foam::lbmPlacedCells> Foam::lbmProbedCells::place
(
    const fvMesh& mesh,
    const lbmCellStencils& stencils,
    const lbmAxes& axes,
    const lbm::Solver& solver,
    const pointField& places,
    const int threads
)
{
    labelHashSet cells;
    for (const point& place : places)
    {
        // As probes find theirs; places outside have none
        const label celli = mesh.findCell(place);
        if (celli < 0) continue;
        if (asksPatches(stencils, celli)) return nullptr;
        cells.insert(celli);
    }
    return std::make_unique<lbmPlacedCells>
    (
        stencils, axes, solver, cells.sortedToc(), threads
    );
}
