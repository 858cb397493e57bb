// When models on the mesh are solved, and how far they march then. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmModelInterval.H"
#include "lbmModelShare.H"
#include "lbmRelaxation.H"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace lbm::test {
namespace {

using Foam::label;
using Foam::lbmModelInterval;
using Foam::scalar;

using Change = std::function<scalar(label, label)>;

constexpr label two = 2;

// Time steps that had a solution, which is told at once; change: of one, by the time step and what is behind
std::vector<label> solvedIn(lbmModelInterval& interval, label first, label end, const Change& change, label most = two)
{
    std::vector<label> steps;
    for (label step = first; step < end; ++step) {
        if (interval.due()) {
            const label behind = interval.behind();
            steps.push_back(step);
            interval.solved();
            interval.told(change(step, behind), most);
        }
        interval.begun();
    }
    return steps;
}

// The same where those for several time steps take two of them, the second half of which is told one later
std::vector<label> solvedInHalves(lbmModelInterval& interval, label first, label end, const Change& change,
                                  label most = two)
{
    std::vector<label> steps;
    for (label step = first; step < end; ++step) {
        if (interval.untold()) interval.told(change(step, interval.length()), most);
        if (interval.halfway()) {
            EXPECT_FALSE(interval.due()) << "two solutions at once";
            interval.wholeSolved();
        } else if (interval.due()) {
            const bool atOnce = interval.atOnce();
            steps.push_back(step);
            if (!atOnce && interval.inHalves()) {
                interval.halfSolved();
                EXPECT_FALSE(interval.untold());
            } else interval.solved();
            if (atOnce) interval.told(change(step, interval.length()), most);
        }
        interval.begun();
    }
    return steps;
}

// The same where all but those at once are told in the time step after
std::vector<label> solvedBeside(lbmModelInterval& interval, label first, label end, const Change& change,
                                label most = two)
{
    std::vector<label> steps;
    for (label step = first; step < end; ++step) {
        if (interval.untold()) interval.told(change(step - 1, interval.steps()), most);
        if (interval.due()) {
            const bool atOnce = interval.atOnce();
            const label behind = interval.behind();
            steps.push_back(step);
            interval.solved();
            if (atOnce) interval.told(change(step, behind), most);
        }
        interval.begun();
    }
    return steps;
}

using Steps = std::vector<label>;

TEST(ModelInterval, doublesWhileCalmUpToWhatItMayBe)
{
    const auto calm = [](label, label) { return 0.0; };
    lbmModelInterval one(0), five(0), any(0);
    EXPECT_EQ(solvedIn(one, 0, 4, calm, 1), (Steps{0, 1, 2, 3}));
    EXPECT_EQ(solvedIn(five, 0, 17, calm, 5), (Steps{0, 2, 6, 11, 16}));
    EXPECT_EQ(solvedIn(any, 0, 31, calm, 1000), (Steps{0, 2, 6, 14, 22, 30}));
    EXPECT_EQ(any.steps(), lbmModelInterval::longest);
    // From the next telling on, also where nothing changes
    solvedIn(any, 31, 39, calm, 3);
    EXPECT_EQ(any.steps(), 3);
}

// Half a cell, whatever the time step is
TEST(ModelInterval, endsBeforeTheFlowPassesHalfACell)
{
    EXPECT_EQ(lbmModelInterval::passing(0), lbmModelInterval::longest);
    EXPECT_EQ(lbmModelInterval::passing(3), 1);
    EXPECT_EQ(lbmModelInterval::passing(std::nan("")), 1);
    for (scalar courant = 1e-3; courant < 0.5; courant *= 1.07) {
        const label n = lbmModelInterval::passing(courant);
        EXPECT_LE(n * courant, lbmModelInterval::courant * (1 + 1e-12));
        if (n < lbmModelInterval::longest) { EXPECT_GT((n + 1) * courant, lbmModelInterval::courant); }
    }
}

TEST(ModelInterval, doublesWhileCalmUpToTwo)
{
    lbmModelInterval interval(0);
    EXPECT_EQ(solvedIn(interval, 0, 9, [](label, label) { return 0.0; }), (Steps{0, 2, 4, 6, 8}));
    EXPECT_EQ(interval.steps(), 2);
    EXPECT_EQ(interval.solutions(), 5);
    EXPECT_EQ(interval.all(), 9);
}

TEST(ModelInterval, eachTimeStepWhileAllChanges)
{
    lbmModelInterval interval(0);
    EXPECT_EQ(solvedIn(interval, 0, 5, [](label, label) { return 1.0; }), (Steps{0, 1, 2, 3, 4}));
    // No number at all is no calm
    EXPECT_EQ(solvedIn(interval, 5, 8, [](label, label) { return std::nan(""); }), (Steps{5, 6, 7}));
}

TEST(ModelInterval, halvesWhereChangesGrowAndStaysBetween)
{
    lbmModelInterval interval(0);
    const scalar tolerance = lbmModelInterval::tolerance;
    solvedIn(interval, 0, 8, [](label, label) { return 0.0; });
    EXPECT_EQ(interval.steps(), 2);
    // At the tolerance it stays, in either state
    EXPECT_EQ(solvedIn(interval, 8, 14, [&](label, label) { return tolerance; }), (Steps{8, 10, 12}));
    EXPECT_EQ(solvedIn(interval, 14, 17, [&](label, label) { return 1.5 * tolerance; }), (Steps{14, 15, 16}));
    EXPECT_EQ(solvedIn(interval, 17, 20, [&](label, label) { return tolerance; }), (Steps{17, 18, 19}));
}

// What changes at one pace settles: no interval is doubled and halved by turns
TEST(ModelInterval, settlesAtAnyPace)
{
    for (scalar pace = 1e-5; pace < 1; pace *= 1.1) {
        lbmModelInterval interval(0);
        const auto change = [&](label, label behind) { return pace * behind; };
        solvedIn(interval, 0, 40, change);
        const label settled = interval.steps();
        for (label step = 40; step < 80; ++step) {
            solvedIn(interval, step, step + 1, change);
            ASSERT_EQ(interval.steps(), settled) << "pace " << pace;
        }
        if (settled > 1) { EXPECT_LE(pace * settled, lbmModelInterval::tolerance); }
        if (settled == 1) { EXPECT_GE(pace * settled, lbmModelInterval::calm); }
    }
}

TEST(ModelInterval, givenOnesStay)
{
    const auto wild = [](label step, label) { return step % 2 ? 1.0 : 0.0; };
    lbmModelInterval three(3), one(1);
    EXPECT_EQ(solvedIn(three, 0, 10, wild), (Steps{0, 3, 6, 9}));
    EXPECT_EQ(solvedIn(one, 0, 4, wild), (Steps{0, 1, 2, 3}));
}

TEST(ModelInterval, solutionsAreForTheTimeStepsSinceTheOneBefore)
{
    lbmModelInterval interval(0);
    Steps behind;
    solvedIn(interval, 0, 30, [&](label, label since) {
        behind.push_back(since);
        return 0.0;
    });
    EXPECT_EQ(behind, Steps({1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
}

TEST(ModelInterval, startsAgainAfterFailure)
{
    const auto calm = [](label, label) { return 0.0; };
    lbmModelInterval interval(0);
    solvedIn(interval, 0, 15, calm);
    ASSERT_FALSE(interval.due());
    interval.restart();
    EXPECT_EQ(interval.steps(), 1);
    EXPECT_EQ(solvedIn(interval, 15, 20, calm), (Steps{15, 17, 19}));
}

// When a solution is told decides nothing about when the next one is made
TEST(ModelInterval, sameTimeStepsWhereSolutionsAreToldInTheNext)
{
    const auto grows = [](label step, label behind) { return 0.002 * step * behind; };
    const auto decays = [](label step, label behind) { return 0.3 * behind / (1 + step * step); };
    for (const label every : {0, 1, 3}) {
        for (const Change& change : {Change(grows), Change(decays)}) {
            lbmModelInterval now(every), later(every);
            EXPECT_EQ(solvedIn(now, 0, 60, change), solvedBeside(later, 0, 60, change)) << every;
        }
    }
}

// There is never a second one before the first is told, at any pace
TEST(ModelInterval, halvesOfOneSolutionEndBeforeTheNext)
{
    for (const label every : {0, 1, 2, 3, 8}) {
        lbmModelInterval interval(every);
        const Steps steps = solvedInHalves(
            interval, 0, 60, [](label step, label behind) { return 0.3 * behind / (1 + step * step); }, 8);
        EXPECT_EQ(interval.solutions(), label(steps.size()));
        EXPECT_EQ(interval.all(), 60);
        if (every > 0) {
            for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], label(i) * every);
        } else EXPECT_EQ(interval.steps(), lbmModelInterval::longest);
    }
}

// What schemes that look back are told: of the first solution, and of the second, the one before is for one time step
TEST(ModelInterval, solutionsKnowHowLongTheOneBeforeWas)
{
    lbmModelInterval interval(4);
    Steps lengths, before;
    solvedIn(interval, 0, 13, [&](label, label) {
        lengths.push_back(interval.length());
        before.push_back(interval.before());
        return 0.0;
    });
    EXPECT_EQ(lengths, Steps({1, 4, 4, 4}));
    EXPECT_EQ(before, Steps({1, 1, 4, 4}));
}

// A present case may allow for less than that of a checkpoint
TEST(ModelInterval, isNoLongerThanThePresentCaseAllows)
{
    lbmModelInterval transient(0);
    solvedIn(
        transient, 0, 40, [](label, label) { return 0.0; }, 8);
    ASSERT_EQ(transient.steps(), 8);
    CheckpointNotes notes;
    transient.note(notes);
    for (const label most : {1, 2, 8}) {
        lbmModelInterval present(0);
        present.recall(notes, most);
        EXPECT_EQ(present.steps(), most);
    }
}

TEST(ModelInterval, startsAgainWithoutHalfASolution)
{
    lbmModelInterval interval(2);
    for (int i = 0; i < 2; ++i) {
        interval.solved();
        interval.told(0, two);
        interval.begun();
        interval.begun();
    }
    ASSERT_TRUE(interval.due());
    ASSERT_EQ(interval.length(), 2);
    ASSERT_EQ(interval.before(), 1);
    interval.begun(); // one late: lengths of the dropped half and of the solution before differ
    interval.halfSolved();
    ASSERT_TRUE(interval.halfway());
    ASSERT_EQ(interval.length(), 3);
    interval.begun();
    CheckpointNotes notes;
    interval.note(notes);
    interval.restart();
    EXPECT_FALSE(interval.halfway());
    EXPECT_TRUE(interval.due());
    EXPECT_TRUE(interval.atOnce());
    // As if the half had not been made: the next solution is for its time steps, too
    EXPECT_EQ(interval.behind(), 4);
    EXPECT_EQ(interval.length(), 2);
    EXPECT_EQ(interval.before(), 1);
    EXPECT_EQ(interval.solutions(), 2);
    // Once only
    interval.restart();
    EXPECT_EQ(interval.behind(), 4);
    EXPECT_EQ(interval.solutions(), 2);

    // The same after a checkpoint, whose run counted the half
    lbmModelInterval resumed(2);
    resumed.recall(notes, two);
    resumed.restart();
    EXPECT_EQ(resumed.behind(), 4);
    EXPECT_EQ(resumed.length(), 2);
    EXPECT_EQ(resumed.before(), 1);
    EXPECT_EQ(resumed.solutions(), 0);
}

TEST(ModelInterval, whatWasToldByAStartAgainWaitsNoLonger)
{
    lbmModelInterval interval(1);
    interval.solved();
    EXPECT_TRUE(interval.untold());
    EXPECT_FALSE(interval.atOnce());
    interval.restart();
    EXPECT_FALSE(interval.untold());
    EXPECT_TRUE(interval.atOnce());
}

// From any time step on, as if nothing had been written
TEST(ModelInterval, goesOnFromItsNotes)
{
    const auto change = [](label step, label behind) { return 0.3 * behind / (1 + step * step); };
    for (const label every : {0, 1, 5}) {
        for (const auto solve : {solvedIn, solvedBeside, solvedInHalves}) {
            lbmModelInterval whole(every);
            const Steps all = solve(whole, 0, 60, change, two);
            for (label cut = 1; cut < 60; ++cut) {
                lbmModelInterval first(every), second(every);
                Steps both = solve(first, 0, cut, change, two);
                CheckpointNotes notes;
                first.note(notes);
                second.recall(notes, lbmModelInterval::longest);
                EXPECT_EQ(second.untold(), first.untold());
                for (const label step : solve(second, cut, 60, change, two)) both.push_back(step);
                ASSERT_EQ(both, all) << every << ' ' << cut;
            }
        }
    }
    // An interval that was given is none that followed the change
    lbmModelInterval given(8), follows(0);
    CheckpointNotes notes;
    given.note(notes);
    follows.recall(notes, lbmModelInterval::longest);
    EXPECT_EQ(follows.steps(), 1);
    // One without them: at once
    lbmModelInterval anew(0);
    anew.recall(CheckpointNotes(), lbmModelInterval::longest);
    EXPECT_TRUE(anew.due());
}

// What is beside the lattice's steps costs it nothing up to their end
TEST(ModelShare, isWhatTheLatticeWaitsFor)
{
    using Foam::lbmModelShare;
    const lbmModelShare::seconds s{3, 1, 4, 8};
    // A processor of its own: 8 beside 3, and 4 beside 3
    const lbmModelShare own(s, 1, 2, true);
    EXPECT_DOUBLE_EQ(own.total(), 1 + 4 + 8);
    EXPECT_DOUBLE_EQ(own.share(), (1. + 1 + 5) / 13);
    // One of two: the lattice's time step takes 6 beside a part, of which 4 are gone when the flux is there
    const lbmModelShare half(s, 0.5, 3, true);
    EXPECT_DOUBLE_EQ(half.total(), 1 + 5 + 8 + 3);
    EXPECT_DOUBLE_EQ(half.share(), (1. + 2) / 17);
    // In one time step, and where it waits in any case
    EXPECT_DOUBLE_EQ(lbmModelShare(s, 0.5, 1, false).share(), (1. + 6) / 13);
    EXPECT_DOUBLE_EQ(lbmModelShare(s, 0, 1, false).share(), 13. / 16);
    EXPECT_DOUBLE_EQ(lbmModelShare(s, 0, 2, true).total(), 13 + 2 * 3);
}

// A factor a stands for an implicit step of a/(1 - a) by the diagonal
TEST(Relaxation, marchesNTimesAsFar)
{
    using Foam::lbmRelaxation;
    for (const scalar a : {0.05, 0.3, 0.9}) {
        EXPECT_DOUBLE_EQ(lbmRelaxation::factor(a, 1), a);
        for (const label n : {2, 5, 8}) {
            const scalar more = lbmRelaxation::factor(a, n);
            EXPECT_NEAR(more / (1 - more), n * a / (1 - a), 1e-12 * n / (1 - a));
            EXPECT_LT(more, 1);
        }
    }
    EXPECT_EQ(lbmRelaxation::factor(1, 8), 1);
    EXPECT_EQ(lbmRelaxation::factor(0, 8), 0);
}

TEST(Relaxation, ofEquationsWhileItLives)
{
    const FoamCase c("relaxed");
    // Dictionaries keep six digits of a number that a program puts in
    const auto is = [&](scalar k, scalar epsilon, scalar other) {
        EXPECT_NEAR(c.mesh.equationRelaxationFactor("k"), k, 1e-6);
        EXPECT_NEAR(c.mesh.equationRelaxationFactor("epsilon"), epsilon, 1e-6);
        EXPECT_NEAR(c.mesh.equationRelaxationFactor("omega"), epsilon, 1e-6);
        EXPECT_NEAR(c.mesh.equationRelaxationFactor("nuTilda"), other, 1e-6);
        EXPECT_EQ(c.mesh.equationRelaxationFactor("R"), 1);
        EXPECT_EQ(c.mesh.equationRelaxationFactor("kFinal"), 1);
        EXPECT_EQ(c.mesh.fieldRelaxationFactor("p"), 0.5);
    };
    is(0.5, 0.9, 0.8);
    {
        const Foam::lbmRelaxation same(c.mesh, 1);
        is(0.5, 0.9, 0.8);
    }
    {
        const Foam::lbmRelaxation longer(c.mesh, 4);
        is(0.8, 36.0 / 37, 16.0 / 17);
    }
    is(0.5, 0.9, 0.8);

    // Where the case has none there are none
    const FoamCase without("periodic");
    const Foam::lbmRelaxation longer(without.mesh, 4);
    EXPECT_FALSE(without.mesh.relaxEquation("k"));
}

} // namespace
} // namespace lbm::test
