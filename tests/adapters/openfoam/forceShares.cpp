// What links of interpolated walls are told per force is found once, however often forces change. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbm/api/ForcedWall.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <dlfcn.h>
#include <stdexcept>

namespace {
std::atomic<int> asked{0};
}

// In front of the library's: counts, and passes on.
double lbm::velocityPerForce(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    using Function = double (*)(const Domain&, const std::vector<LinkValue>&, const Link&);
    static const auto own = reinterpret_cast<Function>(
        dlsym(RTLD_NEXT, "_ZN3lbm16velocityPerForceERKNS_6DomainERKSt6vectorINS_9LinkValueESaIS4_EERKNS_4LinkE"));
    ++asked;
    if (!own) throw std::logic_error("velocityPerForce has another name in this build");
    return own(domain, patches, link);
}

namespace lbm::test {
namespace {

TEST(ForceShares, areFoundOncePerLattice)
{
    FoamCase c("triangles");
    const Domain& domain = c.lattice.domain();
    c.boundary.placeWalls(domain, c.controls);
    c.boundary.followForces();
    c.boundary.connect(domain, c.config.lattice);
    const auto solver = c.solver(0.6, 1);
    const Foam::lbmUnits units = c.units(0.6, 0.001, 0);
    c.boundary.update(*solver, units);

    const std::vector<NodeIndex>& nodes = c.boundary.forcedNodes(domain);
    ASSERT_FALSE(nodes.empty());
    int links = 0;
    forAll(c.boundary.kinds(), patch)
    {
        if (c.boundary.kinds()[patch].followsForce) links += c.boundary.links(patch).size();
    }
    ASSERT_GT(links, 0);
    const auto set = [&](double force) {
        c.boundary.setForces(*solver, units, std::vector<double>(3 * nodes.size(), force));
        std::vector<Vec3> all;
        forAll(c.boundary.kinds(), patch)
        {
            const std::vector<Vec3>& own = c.boundary.forcedVelocities(patch);
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    };
    asked = 0;
    const std::vector<Vec3> once = set(1e-5);
    EXPECT_EQ(asked, links);
    const std::vector<Vec3> twice = set(2e-5);
    EXPECT_EQ(asked, links);
    ASSERT_EQ(once.size(), std::size_t(links));
    double most = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_DOUBLE_EQ(twice[i][0], 2 * once[i][0]) << i;
        most = std::max(most, std::abs(once[i][0]));
    }
    EXPECT_GT(most, 0);

    c.boundary.connect(domain, c.config.lattice);
    set(3e-5);
    EXPECT_EQ(asked, 2 * links);
}

} // namespace
} // namespace lbm::test
