// What a steady run does where its lattice step is too long: caution.sh has the rest, on whole flows.
// Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "plugin/lbmFoam/lbmCaution.H"

#include <gtest/gtest.h>

namespace lbm::test {

using Foam::lbmCaution;

struct Caution : testing::Test {
    FoamMesh of{"equal"};
    Foam::lbmControls controls{of.time};
    Caution() { controls.setAveraged(); }
    lbmCaution by(const lbmCaution::measure& measure) const { return {controls, measure, 300, 8}; }

    // Half as fast again as what a flow gets to by its own course
    static constexpr double start = 0.9, first = start / 0.225;

    // A start that is too fast, and a flow that is slow with what it left.
    static void startAndCalm(lbmCaution& caution)
    {
        ASSERT_TRUE(caution.atMach(start, 1));
        ASSERT_NEAR(caution.allowance(), first, 1e-9);
        ASSERT_NEAR(caution.guard(), 150, 1e-9);
        ASSERT_TRUE(caution.atMach(0.14, caution.allowance()));
        ASSERT_NEAR(caution.allowance(), first * 0.14 / 0.18, 1e-9);
    }
};

TEST_F(Caution, stepsThatWereTooLongStayShorterInSteadyCases)
{
    lbmCaution caution(by(lbmCaution::ofSteadyModels));
    startAndCalm(caution);
    ASSERT_TRUE(caution.atMach(0.31, caution.allowance()));
    EXPECT_NEAR(caution.guard(), 150, 1e-9) << "the step was at fault";
    ASSERT_TRUE(caution.atMach(0.12, caution.allowance()));
    EXPECT_NEAR(caution.allowance(), first, 1e-9);
    EXPECT_FALSE(caution.atMach(0.12, caution.allowance()));
    // Too long once more, and then too fast by itself
    const double most = caution.allowance() * 0.31 / 0.225;
    ASSERT_TRUE(caution.atMach(0.31, caution.allowance()));
    EXPECT_NEAR(caution.guard(), 150, 1e-9);
    EXPECT_NEAR(caution.allowance(), most, 1e-9);
    ASSERT_TRUE(caution.atMach(0.31, caution.allowance()));
    EXPECT_NEAR(caution.guard(), 75, 1e-9);
}

TEST_F(Caution, pressuresShortenTheStepAlone)
{
    lbmCaution caution(by(lbmCaution::ofSteadyModels));
    ASSERT_TRUE(caution.atMach(start, 1, lbmCaution::reason::pressure));
    EXPECT_NEAR(caution.allowance(), first, 1e-9);
    EXPECT_NEAR(caution.guard(), 300, 1e-9);
}

TEST_F(Caution, pressuresOfFlowsThatCreepMayShortenItFurther)
{
    using reason = lbmCaution::reason;
    for (const reason why : {reason::pressure, reason::creeping}) {
        lbmCaution caution(controls, lbmCaution::ofLattice, 300, 1e3);
        bool shortened = true;
        for (double allowed = 1; shortened; allowed = caution.allowance())
            shortened = caution.atMach(0.31, allowed, why);
        EXPECT_NEAR(caution.allowance(), why == reason::creeping ? 250 : 8, 1e-9);
        EXPECT_NEAR(caution.guard(), 300, 1e-9);
    }
}

TEST_F(Caution, flowsPastBodiesAreFastByThemselves)
{
    for (const auto& measure : {lbmCaution::ofModels, lbmCaution::ofSteadyModels}) {
        // Twice and, with the step that this leaves, three times the reference speed
        lbmCaution caution(by(measure));
        ASSERT_TRUE(caution.atMach(0.4, 1));
        EXPECT_NEAR(caution.allowance(), 0.4 / 0.225, 1e-9);
        EXPECT_NEAR(caution.guard(), 300, 1e-9) << "the step follows, viscosity stays";
        const double three = 0.6 / caution.allowance();
        ASSERT_TRUE(caution.atMach(0.99 * three, caution.allowance()));
        EXPECT_NEAR(caution.guard(), 300, 1e-9);
        // And more than that
        ASSERT_TRUE(caution.atMach(0.31, caution.allowance()));
        EXPECT_NEAR(caution.guard(), 150, 1e-9);
    }
}

TEST_F(Caution, checkpointsHaveWhatWasLearned)
{
    lbmCaution before(by(lbmCaution::ofSteadyModels));
    startAndCalm(before);
    CheckpointNotes notes;
    before.note(notes);
    lbmCaution after(by(lbmCaution::ofSteadyModels));
    after.recall(notes);
    ASSERT_TRUE(after.atMach(0.31, after.allowance()));
    EXPECT_NEAR(after.guard(), 150, 1e-9);
    ASSERT_TRUE(after.atMach(0.12, after.allowance()));
    EXPECT_NEAR(after.allowance(), first, 1e-9);
}

TEST_F(Caution, flowsInTimeGetFastByThemselves)
{
    lbmCaution caution(by(lbmCaution::ofModels));
    startAndCalm(caution);
    ASSERT_TRUE(caution.atMach(0.31, caution.allowance()));
    EXPECT_NEAR(caution.guard(), 75, 1e-9);
    const double allowance = caution.allowance();
    ASSERT_TRUE(caution.atMach(0.12, allowance));
    EXPECT_NEAR(caution.allowance(), allowance * 0.12 / 0.18, 1e-9);
}

} // namespace lbm::test
