// What a wall law link by link keeps in a checkpoint. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmLatticeLaw.H"

#include <gtest/gtest.h>

#include <algorithm>

namespace lbm::test {
namespace {

// The channel's walls with a law, in a flow that has stepped once.
struct LawCase {
    FoamCase c{"channel"};
    const Foam::label walls = c.mesh.boundaryMesh().findPatchID("walls");
    const Foam::lbmUnits units = c.units(0.6, 0.001, 0);
    std::unique_ptr<Solver> solver;
    std::unique_ptr<Foam::lbmLatticeLaw> law;

    LawCase()
    {
        c.boundary.setLinkLaw(walls);
        c.boundary.placeWalls(c.lattice.domain(), c.controls);
        c.boundary.connect(c.lattice.domain(), c.config.lattice);
        c.config.patches = c.boundary.uniform();
        solver = c.solver(0.6, 1);
        const std::vector<Foam::lbmLatticeLaw::wall> with{{walls, 0.41, 9.8}};
        law = std::make_unique<Foam::lbmLatticeLaw>(*solver, c.boundary, c.config, with);
    }

    // What is said meanwhile.
    std::string recall(const CheckpointNotes& notes)
    {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        law->recall(notes, units, "0.5/uniform/lbmCheckpoint.h5");
        return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    }
};

TEST(LatticeLaw, beginsAnewAloudWhereACheckpointHasAnotherVersionsState)
{
    LawCase of;
    of.law->apply(of.units, 1);
    CheckpointNotes notes;
    of.law->note(notes);
    ASSERT_EQ(notes.arrays.size(), 1u);
    EXPECT_EQ(of.recall(notes), "");

    std::vector<double>& state = notes.arrays.begin()->second;
    ASSERT_FALSE(state.empty());
    state.pop_back();
    for (const CheckpointNotes& older : {notes, CheckpointNotes()}) {
        LawCase anew;
        const std::string told = anew.recall(older);
        for (const char* word : {"Warning", "0.5/uniform/lbmCheckpoint.h5", "(walls)", "begin anew"})
            EXPECT_NE(told.find(word), std::string::npos) << word << " in: " << told;
        CheckpointNotes kept;
        anew.law->note(kept);
        EXPECT_TRUE(kept.arrays.empty());
    }
}

// Stresses and slip of links do not depend on what pieces of the wall let through.
TEST(LatticeLaw, keepsLinksStatesWhereWallsWereInOtherPieces)
{
    LawCase of;
    of.law->apply(of.units, 1);
    CheckpointNotes notes;
    of.law->note(notes);
    std::vector<double>& state = notes.arrays.begin()->second;
    const std::vector<double> own = state;
    state.insert(state.end(), wallLags::count, 0.125);
    LawCase other;
    const std::string told = other.recall(notes);
    for (const char* word : {"Warning", "0.5/uniform/lbmCheckpoint.h5", "(walls)", "counted anew"})
        EXPECT_NE(told.find(word), std::string::npos) << word << " in: " << told;
    CheckpointNotes kept;
    other.law->note(kept);
    ASSERT_EQ(kept.arrays.size(), 1u);
    const std::vector<double>& found = kept.arrays.begin()->second;
    ASSERT_EQ(found.size(), own.size());
    const std::size_t ofLinks = WallLaw::linksStateSize(std::size_t(other.c.boundary.links(other.walls).size()));
    ASSERT_LT(ofLinks, own.size());
    EXPECT_TRUE(std::equal(own.begin(), own.begin() + std::ptrdiff_t(ofLinks), found.begin()));
    EXPECT_EQ(found.back(), 0);
}

} // namespace
} // namespace lbm::test
