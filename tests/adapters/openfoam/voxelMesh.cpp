// A mesh of voxels whose links are missing: an error of who makes the mesh, not of one of the threads that look for its faces.
// Part of lbmFoam, GPL-3.0-or-later.
#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"

#include <gtest/gtest.h>

#include <cstdlib>
#include <omp.h>

namespace lbm::test {
namespace {

// Fluid in all of a box, beside nothing.
Domain withoutLinks()
{
    Domain d;
    d.size = {4, 4, 32};
    d.fluid = BitSet(d.nodes());
    for (NodeIndex node = 0; node < d.nodes(); ++node) d.fluid.set(node);
    return d;
}

void make()
{
    Foam::FatalError.throwExceptions(false);
    // The process is to end behind the team of threads
    std::atexit([] {
        if (omp_in_parallel()) std::_Exit(3);
    });
    omp_set_num_threads(2);
    const Foam::voxelCells cells(withoutLinks());
    const Foam::voxelMesh mesh(cells);
}

TEST(VoxelMesh, endsWithASentenceWhereLinksAreMissing)
{
    // By a process of its own: one that is forked would wait for threads that it does not have
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(make(), testing::ExitedWithCode(1), "links are missing there");
}

} // namespace
} // namespace lbm::test
