// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellTree.H"
#include "lbmTreeBuilder.H"
#include "polyMesh.H"
#include "Random.H"

#include <vector>

namespace
{

using namespace Foam;

using cellTree = indexedOctree<treeDataCell>;
using cellTreePtr = autoPtr<cellTree>;

cellTreePtr& cellTreeOf(const polyMesh&);

// polyMesh takes no tree from outside. Arguments of an explicit instantiation
// may name private members
template<cellTreePtr polyMesh::*member>
struct cellTreeAccess
{
    friend cellTreePtr& cellTreeOf(const polyMesh& mesh)
    {
        return const_cast<polyMesh&>(mesh).*member;
    }
};

template struct cellTreeAccess<&polyMesh::cellTreePtr_>;


std::vector<treeBoundBox> boundsOfCells(const polyMesh& mesh)
{
    const cellList& cells = mesh.cells();   // made when asked for first
    std::vector<treeBoundBox> bounds(std::size_t(mesh.nCells()));
    #pragma omp parallel for schedule(static)
    for (label celli = 0; celli < mesh.nCells(); ++celli)
    {
        treeBoundBox box(vector::uniform(GREAT), vector::uniform(-GREAT));
        for (const label facei : cells[celli])
        {
            for (const label pointi : mesh.faces()[facei])
            {
                const point& p = mesh.points()[pointi];
                box.min() = min(box.min(), p);
                box.max() = max(box.max(), p);
            }
        }
        bounds[celli] = box;
    }
    return bounds;
}

} // End anonymous namespace


const Foam::indexedOctree<Foam::treeDataCell>& Foam::lbmCellTree::make
(
    const polyMesh& mesh
)
{
    Random random(261782);
    treeBoundBox bounds(treeBoundBox(mesh.points()).extend(random, 1e-4));
    bounds.min() -= vector::uniform(ROOTVSMALL);
    bounds.max() += vector::uniform(ROOTVSMALL);

    // As polyMesh::cellTree has them, so that places on a face are found in the same cell
    const label maxLevel = 8, leafSize = 10;
    const scalar duplicity = 5;
    const bool keepsBounds = false;     // which places are not looked for in
    cellTreeOf(mesh) = lbmTreeBuilder<treeDataCell>
    (
        boundsOfCells(mesh), bounds, maxLevel, leafSize, duplicity
    ).make(treeDataCell(keepsBounds, mesh, polyMesh::CELL_TETS));
    return mesh.cellTree();
}
