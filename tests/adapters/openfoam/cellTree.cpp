// What OpenFOAM finds places in cells with, made faster: the tree of cells, the points that cells are taken apart from.
// Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmCellTree.H"
#include "lbmTetBasePoints.H"
#include "polyMeshTetDecomposition.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

using Tree = Foam::indexedOctree<Foam::treeDataCell>;

void expectSame(const Tree& a, const Tree& b)
{
    ASSERT_EQ(a.contents().size(), b.contents().size());
    for (Foam::label i = 0; i < a.contents().size(); ++i) EXPECT_EQ(a.contents()[i], b.contents()[i]) << i;
    ASSERT_EQ(a.nodes().size(), b.nodes().size());
    for (Foam::label i = 0; i < a.nodes().size(); ++i) EXPECT_TRUE(a.nodes()[i] == b.nodes()[i]) << i;
}

class CellTree : public testing::TestWithParam<const char*> {};

TEST_P(CellTree, isTheMeshsOwn)
{
    FoamMesh c(GetParam());
    const Tree own(c.mesh.cellTree()); // OpenFOAM's
    const Tree* before = &c.mesh.cellTree();
    const Tree& made = Foam::lbmCellTree::make(c.mesh);
    EXPECT_NE(&made, before);
    EXPECT_EQ(&made, &c.mesh.cellTree());
    expectSame(made, own);
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell)
        EXPECT_EQ(c.mesh.findCell(c.mesh.cellCentres()[cell]), cell);
}

INSTANTIATE_TEST_SUITE_P(Mesh, CellTree, testing::Values("equal", "graded", "triangles", "manyCells"));

class TetBasePoints : public testing::TestWithParam<const char*> {};

// Of cells whose points are moved about: faces are taken apart from other points than the first, or from none.
TEST_P(TetBasePoints, areTheMeshsOwn)
{
    FoamMesh c(GetParam());
    const double reach = 1.2 * std::cbrt(Foam::min(c.mesh.cellVolumes()));
    Foam::pointField points(c.mesh.points());
    for (Foam::label i = 0; i < points.size(); ++i)
        for (int a = 0; a < 3; ++a) points[i][a] += reach * std::sin(7.0 * i + a);
    c.mesh.polyMesh::movePoints(points);
    const Foam::labelList own(Foam::polyMeshTetDecomposition::findFaceBasePts(c.mesh));
    EXPECT_GT(Foam::max(own), 0);
    Foam::lbmTetBasePoints::make(c.mesh);
    EXPECT_EQ(c.mesh.tetBasePtIs(), own);
    // The mesh's own would be read where there are some
    EXPECT_EQ(c.mesh.tetBasePtIs().readOpt(), Foam::IOobject::NO_READ);
}

INSTANTIATE_TEST_SUITE_P(Mesh, TetBasePoints, testing::Values("manyCells", "triangles"));

TEST(BasePoints, thatAMeshHasStay)
{
    FoamMesh c("equal");
    const Foam::labelIOList* present = &c.mesh.tetBasePtIs();
    Foam::lbmTetBasePoints::make(c.mesh);
    EXPECT_EQ(&c.mesh.tetBasePtIs(), present);
}

} // namespace
} // namespace lbm::test
