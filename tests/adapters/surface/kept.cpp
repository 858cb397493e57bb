// Domains from a file are those that the surface makes. Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/surface/KeptDomain.hpp"
#include "tests/adapters/surface/meshes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace lbm::test {
namespace {

namespace fs = std::filesystem;

class KeptDomains : public testing::Test {
protected:
    KeptDomains() : folder_(fs::temp_directory_path() / ("lbmKeptDomain." + std::to_string(getpid())))
    {
        fs::create_directories(folder_);
    }
    ~KeptDomains() override { fs::remove_all(folder_); }

    void SetUp() override
    {
        if (!checkpointsAvailable()) GTEST_SKIP() << "this build has no HDF5";
    }

    std::string path() const { return (folder_ / "domain.h5").string(); }
    KeptDomain get(const TriangleMesh& mesh, const SurfaceOptions& options = {}, bool writes = true) const
    {
        return DomainKeeper(path(), writes).domain("lattice", mesh, unitBox({12, 12, 12}), d3q27(), options);
    }

private:
    fs::path folder_;
};

void expectSame(const Domain& a, const Domain& b)
{
    EXPECT_EQ(a.fluid.words(), b.fluid.words());
    const auto same = [](const Link& l, const Link& m) {
        return l.node == m.node && l.fraction == m.fraction && l.patch == m.patch && l.direction == m.direction;
    };
    EXPECT_TRUE(std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), same));
}

// An open torus: the winding number decides, and links end at no triangle
TriangleMesh openTorus()
{
    TriangleMesh mesh = torusMesh({5.6, 5.4, 5.5}, 3.3, 1.7, 24);
    mesh.triangles.resize(mesh.triangles.size() - 3);
    mesh.regions.resize(mesh.triangles.size());
    return mesh;
}

TEST_F(KeptDomains, areThoseThatTheSurfaceMakes)
{
    const TriangleMesh mesh = openTorus();
    SurfaceFacts facts;
    Domain made = makeDomain(mesh, unitBox({12, 12, 12}), d3q27(), {}, &facts);
    keepConnected(made, d3q27());
    ASSERT_TRUE(facts.byWindingNumber);

    const KeptDomain first = get(mesh), second = get(mesh);
    EXPECT_FALSE(first.read);
    EXPECT_TRUE(second.read) << second.why;
    expectSame(first.made.domain, made);
    expectSame(second.made.domain, made);
    EXPECT_TRUE(second.made.facts.byWindingNumber);
    EXPECT_EQ(second.made.facts.why, facts.why);
    EXPECT_EQ(second.made.facts.capLinks, facts.capLinks);
    EXPECT_EQ(second.made.facts.capLinksAlong, facts.capLinksAlong);
    EXPECT_EQ(second.made.facts.guessedLinks, facts.guessedLinks);
    EXPECT_EQ(second.made.facts.nearNodes, facts.nearNodes);
    EXPECT_EQ(second.made.facts.resolutionBits, facts.resolutionBits);
    EXPECT_EQ(second.made.pockets.regions, first.made.pockets.regions);
}

TEST_F(KeptDomains, areMadeAnewForAnotherSurfaceOrOtherOptions)
{
    TriangleMesh mesh = sphereMesh({5.6, 5.4, 5.5}, 4.2, 12);
    get(mesh);
    EXPECT_TRUE(get(mesh).read);

    SurfaceOptions resting;
    resting.preferred.assign(mesh.regionNames.size(), true);
    EXPECT_NE(get(mesh, resting, false).why.find("walls at rest"), std::string::npos);
    SurfaceOptions inside;
    inside.insidePoint = Vec3{5, 5, 5};
    EXPECT_NE(get(mesh, inside, false).why.find("inside point"), std::string::npos);

    mesh.points[0][0] = std::nextafter(mesh.points[0][0], 0);
    EXPECT_NE(get(mesh, {}, false).why.find("surface"), std::string::npos);
    EXPECT_FALSE(get(mesh).read);
    EXPECT_TRUE(get(mesh).read); // kept by the call before
}

// A room, and a pipe of it that reaches the side `outlet` of the box around both; without the pipe no fluid is at the box.
struct RoomInABox {
    TriangleMesh mesh;
    SurfaceOptions options;

    explicit RoomInABox(bool pipe)
    {
        mesh = boxMesh({1.6, 1.6, 1.6}, {6.4, 8.4, 8.4}, {"room", "room", "room", "room", "room", "room"});
        if (pipe)
            append(mesh, boxMesh({5.3, 4.4, 4.4}, {14.3, 5.7, 5.7}, {"pipe", "pipe", "pipe", "pipe", "pipe", "pipe"}));
        options.enclosure = std::int64_t(mesh.triangles.size());
        options.patches = mesh.regionNames.size();
        options.insidePoint = Vec3{4, 4, 4};
        appendBox(mesh, {-0.4, -0.4, -0.4}, {11.4, 11.4, 11.4},
                  {"sides", "outlet", "sides", "sides", "sides", "sides"});
    }
};

TEST_F(KeptDomains, haveNoRegionsBehindThePatches)
{
    const RoomInABox room(false);
    const KeptDomain kept = get(room.mesh, room.options);
    EXPECT_EQ(kept.made.domain.patches, std::vector<std::string>{"room"});
    EXPECT_EQ(kept.made.domain.fluidNodes(), 5 * 7 * 7);
    SurfaceOptions all = room.options;
    all.patches = 0;
    EXPECT_FALSE(get(room.mesh, all, false).read);
    const KeptDomain read = get(room.mesh, room.options);
    EXPECT_TRUE(read.read) << read.why;
    expectSame(read.made.domain, kept.made.domain);
    EXPECT_EQ(read.made.domain.patches, kept.made.domain.patches);
}

TEST_F(KeptDomains, refuseFluidThatReachesARegionBehindThePatches)
{
    const RoomInABox room(true);
    try {
        get(room.mesh, room.options);
        FAIL() << "the fluid reaches the box";
    } catch (const SurfaceError& e) {
        EXPECT_NE(std::string(e.what()).find("reaches outlet"), std::string::npos) << e.what();
    }
    SurfaceOptions all = room.options;
    all.patches = 0;
    const Domain domain = get(room.mesh, all).made.domain;
    EXPECT_GT(std::count_if(domain.links.begin(), domain.links.end(),
                            [&](const Link& l) { return domain.patches[l.patch] == "outlet"; }),
              0);
}

TEST_F(KeptDomains, areNotWrittenUnasked)
{
    const TriangleMesh mesh = sphereMesh({5.6, 5.4, 5.5}, 4.2, 12);
    get(mesh, {}, false);
    EXPECT_FALSE(fs::exists(path()));
}

TEST_F(KeptDomains, areThereWhereTheFileCannotBeWritten)
{
    const TriangleMesh mesh = sphereMesh({5.6, 5.4, 5.5}, 4.2, 12);
    const KeptDomain kept =
        DomainKeeper(path() + "/none.h5", true).domain("lattice", mesh, unitBox({12, 12, 12}), d3q27(), {});
    EXPECT_NE(kept.fault.find("none.h5"), std::string::npos);
    EXPECT_GT(kept.made.domain.fluidNodes(), 0);
}

} // namespace
} // namespace lbm::test
