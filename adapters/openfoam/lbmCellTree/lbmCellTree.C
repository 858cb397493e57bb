// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellTree.H"
#include "polyMesh.H"
#include "Random.H"

namespace
{

using cellTreePtr = Foam::autoPtr<Foam::indexedOctree<Foam::treeDataCell>>;

cellTreePtr& cellTreeOf(const Foam::polyMesh&);

// polyMesh takes no tree from outside. Arguments of an explicit instantiation
// may name private members
template<cellTreePtr Foam::polyMesh::*member>
struct cellTreeAccess
{
    friend cellTreePtr& cellTreeOf(const Foam::polyMesh& mesh)
    {
        return const_cast<Foam::polyMesh&>(mesh).*member;
    }
};

template struct cellTreeAccess<&Foam::polyMesh::cellTreePtr_>;

} // End anonymous namespace


const Foam::indexedOctree<Foam::treeDataCell>& Foam::lbmCellTree::make
(
    const polyMesh& mesh
)
{
    // As polyMesh::cellTree has them, so that places on a face are found in the same
    // cell
    const label maxLevel = 8;
    const scalar leafSize = 10, duplicity = 5;
    Random random(261782);
    treeBoundBox bounds(treeBoundBox(mesh.points()).extend(random, 1e-4));
    bounds.min() -= vector::uniform(ROOTVSMALL);
    bounds.max() += vector::uniform(ROOTVSMALL);

    const bool keepsBounds = true;
    cellTreeOf(mesh).reset
    (
        new indexedOctree<treeDataCell>
        (
            treeDataCell(keepsBounds, mesh, polyMesh::CELL_TETS),
            bounds,
            maxLevel,
            leafSize,
            duplicity
        )
    );
    return mesh.cellTree();
}
