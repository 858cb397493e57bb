// Where a plane is partly of a patch that mirrors and partly of a wall. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "lbm/api/MirrorPairs.hpp"
#include "lbm/api/Solver.hpp"
#include "tests/unit/MassDrift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace lbm::test {
namespace {

constexpr Int3 pairBox{12, 10, 6};

// A floor that slips but where links cross it between these places, 30 % of a spacing below the first nodes, and a roof at rest. With 3.6
// and 7.4 links that are each other's mirror images cross it on different sides of both ends; with 3.8 and 7.2 both cross it
// beyond the end, and one of their nodes has its link straight down within.
Domain floorOfTwo(double from = 3.6, double to = 7.4)
{
    Domain domain;
    domain.size = pairBox;
    domain.periodic = {true, true, false};
    domain.patches = {"slip", "rest"};
    domain.fluid = BitSet(domain.nodes());
    constexpr float down = 0.3f;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        const Int3 x = domain.coordinates(i);
        domain.fluid.set(i);
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            const int above = x[2] + c[2];
            if (above >= 0 && above < pairBox[2]) continue;
            const double place = x[0] + down * c[0];
            const bool rests = above >= 0 || (place > from && place < to);
            domain.links.push_back({i, above < 0 ? down : 0.5f, std::int16_t(rests), code});
        }
    }
    domain.check();
    return domain;
}

// Links of `slip` whose mirror image is one of `rest`.
int severed(const Domain& domain)
{
    int count = 0;
    for (const Link& link : domain.links) {
        if (link.patch != 0) continue;
        const Link* image = mirrorImage(domain, link, 2);
        count += image && image->patch != 0;
    }
    return count;
}

double driftBeside(const Domain& from)
{
    Config config;
    config.tau = 0.53;
    config.patches = {{BoundaryKind::slip, {0, 0, -1}, 1}, {}};
    const auto solver = makeSolver(std::make_shared<const Domain>(from), config);
    return massDrift(*solver, from);
}

} // namespace

TEST(MirrorPairs, imagesAreEachOthers)
{
    const Domain domain = floorOfTwo();
    int pairs = 0;
    for (const Link& link : domain.links) {
        const Link* image = mirrorImage(domain, link, 2);
        if (!image) continue;
        EXPECT_EQ(mirrorImage(domain, *image, 2), &link);
        ++pairs;
    }
    // Of nine links at each node of floor and roof all but the straight one
    EXPECT_EQ(pairs, 2 * 8 * pairBox[0] * pairBox[1]);
}

TEST(MirrorPairs, aBorderWithinAPlaneKeepsMass)
{
    Domain domain = floorOfTwo();
    // At both ends, of each node beside them, the links to three sides
    ASSERT_EQ(severed(domain), 2 * 3 * pairBox[1]);
    EXPECT_GT(std::abs(driftBeside(domain)), 1e-5);
    EXPECT_EQ(joinMirrorPairs(domain, {true, false}, 2), std::size_t(2 * 3 * pairBox[1]));
    EXPECT_EQ(severed(domain), 0);
    EXPECT_LT(std::abs(driftBeside(domain)), 1e-13);
    EXPECT_EQ(joinMirrorPairs(domain, {true, false}), 0u);
}

TEST(MirrorPairs, whereverTheBorderLies)
{
    for (const double from : {3.6, 3.8, 4.2})
        for (const double to : {7.2, 7.4}) {
            Domain domain = floorOfTwo(from, to);
            EXPECT_GT(std::abs(driftBeside(domain)), 1e-5) << from << " to " << to;
            EXPECT_GT(joinMirrorPairs(domain, {true, false}), 0u);
            EXPECT_LT(std::abs(driftBeside(domain)), 1e-13) << from << " to " << to;
        }
}

TEST(MirrorPairs, patchesThatBothMirrorStay)
{
    Domain domain = floorOfTwo();
    EXPECT_EQ(joinMirrorPairs(domain, {true, true}), 0u);
    EXPECT_EQ(joinMirrorPairs(domain, {false, false}), 0u);
}

TEST(MirrorPairs, theFoldOfASurfaceStays)
{
    // The same links, but the wall lies deeper than what mirrors: no plane is common to both
    Domain domain = floorOfTwo();
    for (Link& link : domain.links)
        if (link.patch == 1 && domain.coordinates(link.node)[2] == 0) link.fraction = 0.6f;
    EXPECT_EQ(joinMirrorPairs(domain, {true, false}), 0u);
}

} // namespace lbm::test
