// Surfaces by several processes: the Domain that they make together is what one makes of the same surface, bit for bit, be it
// closed or not, periodic, two-dimensional or thinner than there are processes. To be run by mpirun.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/adapters/surface/meshes.hpp"

#include "adapters/surface/SurfaceTeam.hpp"
#include "lbm/api/RankTeam.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

// While it lives this process makes all by itself
class Alone {
public:
    Alone() : makeOthers_(RankTeam::makeOthers()) { RankTeam::makeOthers() = nullptr; }
    ~Alone() { RankTeam::makeOthers() = makeOthers_; }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

private:
    RankTeam::MakeOthers makeOthers_;
};

std::vector<std::int64_t> countsOf(const SurfaceFacts& f)
{
    std::vector<std::int64_t> counts = {f.byWindingNumber, f.nearNodes,      f.faceNodes,    f.capLinks,
                                        f.unitedLinks,     f.nodesOnSurface, f.guessedLinks, f.thinWallLinks,
                                        f.bulgeLinks,      f.resolutionBits};
    counts.insert(counts.end(), f.capLinksAlong.begin(), f.capLinksAlong.end());
    return counts;
}

// Returns the counts of one process. The others are asked for a GPU, too: where one answers each of them takes one.
SurfaceFacts expectSame(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                        const SurfaceOptions& options = {})
{
    SurfaceFacts factsAlone, facts;
    const Domain alone = [&] {
        const Alone here;
        return makeDomain(mesh, box, directions, options, &factsAlone);
    }();
    SurfaceOptions shared = options;
    shared.device = "cuda";
    const Domain together = makeDomain(mesh, box, directions, shared, &facts);
    EXPECT_EQ(alone.fluid.words(), together.fluid.words());
    EXPECT_EQ(alone.links.size(), together.links.size());
    for (std::size_t i = 0; i < std::min(alone.links.size(), together.links.size()); ++i) {
        const Link &a = alone.links[i], &b = together.links[i];
        if (a.node != b.node || a.fraction != b.fraction || a.patch != b.patch || a.direction != b.direction) {
            ADD_FAILURE() << "link " << i;
            break;
        }
    }
    EXPECT_EQ(alone.size, together.size);
    EXPECT_EQ(alone.patches, together.patches);
    EXPECT_EQ(countsOf(factsAlone), countsOf(facts));
    EXPECT_EQ(factsAlone.why, facts.why);
    return factsAlone;
}

const Vec3 centre{15.3, 15.2, 15.4};

// Adds what it is asked to what it was made with, and refuses what is below zero.
class Adder final : public RankWorker {
public:
    explicit Adder(Message& told) : own_(notNegative(told.get<int>())) {}
    Message answer(Message& told) override { return Message(own_ + notNegative(told.get<int>())); }

private:
    static int notNegative(int value)
    {
        if (value < 0) throw std::runtime_error("below zero");
        return value;
    }
    int own_;
};

[[maybe_unused]] const bool named =
    nameRankWorker("adder", [](Message& told) -> std::unique_ptr<RankWorker> { return std::make_unique<Adder>(told); });

// Answers which process of its host it is.
class Placed final : public RankWorker {
public:
    Message answer(Message&) override { return Message(onHost); }
};

[[maybe_unused]] const bool placed =
    nameRankWorker("placed", [](Message&) -> std::unique_ptr<RankWorker> { return std::make_unique<Placed>(); });

// A GPU that never has room.
class Full final : public SurfaceDevice {
public:
    const std::string& name() const override { return name_; }
    std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>&, const std::vector<Facet>&) const override
    {
        throw NoDeviceRoom("no room here");
    }
    std::unique_ptr<DeviceCrossings> crossings(const exact::SearchTriangles&, const exact::LinkRays&,
                                               const exact::NodeReach&) const override
    {
        throw NoDeviceRoom("no room here");
    }

private:
    std::string name_ = "full";
};

void nothing() {}

std::vector<Message> ask(RankTeam& team, int value, const std::function<void()>& here = nothing)
{
    return team.ask(std::vector<Message>(std::size_t(team.size() - 1), Message(value)), here);
}

// As it stands in placeOfRank, which is of the first rank here
std::string hostHere()
{
    const std::string place = placeOfRank(), begin = "rank 0 on";
    return place.substr(begin.size());
}

void expectRefusal(RankTeam& team, int value)
{
    try {
        ask(team, value);
        FAIL() << "not refused";
    } catch (const std::runtime_error& fault) {
        EXPECT_EQ(std::string(fault.what()), "rank 1 on" + hostHere() + ": below zero");
    }
}

void expectSums(RankTeam& team, int value, int sum)
{
    std::vector<Message> found = ask(team, value);
    EXPECT_EQ(int(found.size()), ranks() - 1);
    for (Message& its : found) EXPECT_EQ(its.get<int>(), sum);
}

TriangleMesh opened(TriangleMesh mesh, std::size_t triangles)
{
    mesh.triangles.resize(mesh.triangles.size() - triangles);
    mesh.regions.resize(mesh.regions.size() - triangles);
    return mesh;
}

TEST(Surfaces, closed)
{
    for (const Int3& size : {Int3{31, 31, 31}, Int3{32, 32, 33}, Int3{64, 31, 32}}) {
        const SurfaceFacts facts = expectSame(sphereMesh(centre, 11.6, 24), unitBox(size), d3q27());
        EXPECT_FALSE(facts.byWindingNumber);
    }
    expectSame(turned(torusMesh({0, 0, 0}, 9, 3, 20), 0.4), LatticeBox{{-14, -14, -14}, 0.5, {57, 57, 57}, {}},
               d3q27());
}

// A hole whose face spans planes of several processes, and bodies that overlap
TEST(Surfaces, notClosed)
{
    const TriangleMesh open = opened(turned(sphereMesh({0, 0, 0}, 11.6, 24), 1.1), 200);
    const SurfaceFacts facts = expectSame(open, LatticeBox{{-13, -13, -13}, 0.7, {38, 38, 38}, {}}, d3q27());
    EXPECT_TRUE(facts.byWindingNumber);
    EXPECT_GT(facts.faceNodes, 0);
    EXPECT_GT(facts.capLinks, 0);

    TriangleMesh two = sphereMesh({12, 15, 15}, 9, 20);
    append(two, sphereMesh({19, 15, 16}, 8, 20));
    EXPECT_GT(expectSame(two, unitBox({31, 31, 31}), d3q27()).unitedLinks, 0);
}

TEST(Surfaces, around)
{
    TriangleMesh mesh = sphereMesh(centre, 6.6, 24);
    SurfaceOptions options;
    options.enclosure = std::int64_t(mesh.triangles.size());
    appendBox(mesh, {-0.5, -0.5, -0.5}, {31.5, 30.5, 31.5}, {"a", "b", "c", "d", "low", "high"});
    expectSame(mesh, unitBox({32, 31, 32}), d3q27(), options);

    // Repeats across the ends of the first and the last one's planes
    LatticeBox box = unitBox({32, 31, 32});
    box.periodic[2] = true;
    for (const std::string& name : mesh.regionNames) options.transparent.push_back(name == "low" || name == "high");
    options.preferred.assign(mesh.regionNames.size(), true);
    expectSame(mesh, box, d3q27(), options);
}

TEST(Surfaces, ofFewPlanes)
{
    const TriangleMesh slab = boxMesh({-0.5, -0.5, -0.5}, {19.5, 14.5, 0.5});
    SurfaceOptions options;
    for (const std::string& name : slab.regionNames) options.transparent.push_back(name[0] == 'z');
    expectSame(slab, unitBox({20, 15, 1}), d2q9(), options);
    expectSame(boxMesh({-0.5, -0.5, -0.5}, {19.5, 14.5, 1.5}), unitBox({20, 15, 2}), d3q27());
}

// All have a share of the surface where it can be had.
TEST(Surfaces, shares)
{
    const LatticeBox box = unitBox({64, 32, 100});
    TriangleMesh low = sphereMesh({30, 15, 12}, 10, 24);
    const std::vector<int> begins = exact::sharesOfPlanes(low, box, 0, 4);
    EXPECT_EQ(begins.front(), 0);
    EXPECT_EQ(begins.back(), 100);
    for (std::size_t r = 0; r < 4; ++r) EXPECT_LT(begins[r], begins[r + 1]);
    EXPECT_LT(begins[2], 30); // most of the surface is below
    // Words begin with each 64th plane of an odd one
    for (const int begin : exact::sharesOfPlanes(low, unitBox({31, 31, 100}), low.triangles.size(), 4))
        EXPECT_TRUE(begin % 64 == 0 || begin == 100);
}

// A team, and the next one, work on after a worker has thrown, or the first process has.
TEST(Teams, faults)
{
    {
        RankTeam team("adder", Message(10));
        EXPECT_EQ(team.size(), ranks());
        expectRefusal(team, -1);
        expectSums(team, 3, 13);
        EXPECT_THROW(ask(team, -1, [] { throw std::out_of_range("here"); }), std::out_of_range);
        expectSums(team, 4, 14);
    }
    {
        RankTeam refused("adder", Message(-1));
        expectRefusal(refused, 3);
    }
    { // given up before it was asked
        const RankTeam refused("adder", Message(-1));
    }
    RankTeam sound("adder", Message(20));
    expectSums(sound, 5, 25);
}

// mpirun has all of this test on one host.
TEST(Teams, workersKnowTheirNumberOnTheHost)
{
    RankTeam team("placed", Message(0));
    std::vector<Message> found = ask(team, 0);
    for (int rank = 1; rank < ranks(); ++rank) EXPECT_EQ(found[std::size_t(rank) - 1].get<int>(), rank);
}

TEST(Surfaces, eachProcessSaysWhatKeptItsGpu)
{
    SurfaceOptions options;
    options.device = "cuda";
    options.findDevice = [](const std::string&, int, std::string&) -> std::unique_ptr<SurfaceDevice> {
        return std::make_unique<Full>();
    };
    SurfaceFacts facts;
    makeDomain(sphereMesh(centre, 11.6, 24), unitBox({32, 32, 33}), d3q27(), options, &facts);
    std::string expected = "the processor: no room here", why;
    if (!SurfaceDevice::find("cuda", 0, why)) {
        std::string others;
        for (int rank = 1; rank < ranks(); ++rank) others += (rank > 1 ? ", " : "") + std::to_string(rank);
        expected += "; rank " + others + ": the processor: " + why;
    }
    EXPECT_EQ(facts.raysOn, expected);
}

// What is wrong in planes of another process, here the last one, is said with its rank, and the next surface is made.
TEST(Surfaces, refused)
{
    TriangleMesh cut = boxMesh({0.5, 0.5, 0.5}, {20.5, 20.5, 40.5});
    try {
        makeDomain(cut, unitBox({32, 32, 32}), d3q27());
        FAIL() << "not refused";
    } catch (const SurfaceError& fault) {
        EXPECT_NE(std::string(fault.what()).find("reaches the end of the lattice's box"), std::string::npos)
            << fault.what();
        EXPECT_EQ(std::string(fault.what()).find("rank " + std::to_string(ranks() - 1) + " on" + hostHere() + ": "), 0U)
            << fault.what();
    }
    expectSame(sphereMesh(centre, 11.6, 24), unitBox({31, 31, 31}), d3q27());
}

} // namespace
} // namespace lbm::test
