// OpenFOAM's search tree of cells, made with bounds that are kept. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmCellTree.H"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

using Tree = Foam::indexedOctree<Foam::treeDataCell>;

void expectSame(const Tree& a, const Tree& b)
{
    ASSERT_EQ(a.contents().size(), b.contents().size());
    for (Foam::label i = 0; i < a.contents().size(); ++i) EXPECT_EQ(a.contents()[i], b.contents()[i]) << i;
    ASSERT_EQ(a.nodes().size(), b.nodes().size());
    for (Foam::label i = 0; i < a.nodes().size(); ++i)
        for (int octant = 0; octant < 8; ++octant)
            EXPECT_EQ(a.nodes()[i].subNodes_[octant], b.nodes()[i].subNodes_[octant]) << i;
}

TEST(CellTree, isTheMeshsOwn)
{
    FoamCase c("fineLattice");
    const Tree own(c.mesh.cellTree()); // OpenFOAM's
    const Tree* before = &c.mesh.cellTree();
    const Tree& made = Foam::lbmCellTree::make(c.mesh);
    EXPECT_NE(&made, before);
    EXPECT_EQ(&made, &c.mesh.cellTree());
    expectSame(made, own);
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell)
        EXPECT_EQ(c.mesh.findCell(c.mesh.cellCentres()[cell]), cell);
}

} // namespace
} // namespace lbm::test
