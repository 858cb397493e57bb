// Domains that a GPU has helped to make are those of the processor, bit for bit: on a GPU where one answers, and everywhere on what
// stands for one here, the same functions in plain loops.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include "adapters/surface/TriangleBlocks.hpp"
#include "adapters/surface/WindingTree.hpp"
#include "lbm/surface/Workbenches.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace lbm::test {
namespace {

using namespace exact;

// ---- What stands for a GPU

std::atomic<std::int64_t> summedPoints, searchedNodes;
enum class Fault { none, noRoomForWinding, noRoomForRays, noRoomForBlocks, noRoomForMore, lost } fault = Fault::none;

// What it takes at a time, and what it was given
constexpr std::size_t unlimited = std::size_t(1) << 40;
std::size_t mostBlocks = unlimited, mostEntriesTaken = unlimited;
std::size_t pieces = 0, mostEntriesGiven = 0;

class LoopWinding final : public DeviceWinding {
public:
    LoopWinding(std::vector<WindingCluster> clusters, std::vector<Facet> facets) :
        clusters_(std::move(clusters)), facets_(std::move(facets))
    {}

    void sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
             std::vector<WindingSums>& sums) const override
    {
        sums.clear();
        int begin = 0;
        for (const int end : ends) {
            EXPECT_TRUE(end > begin && end <= begin + packetPoints);
            PacketBounds bounds;
            for (int a = 0; a < 3; ++a) {
                bounds.low[a] = bounds.high[a] = points[std::size_t(begin)][a];
                for (int i = begin; i < end; ++i) {
                    bounds.low[a] = std::min(bounds.low[a], points[std::size_t(i)][a]);
                    bounds.high[a] = std::max(bounds.high[a], points[std::size_t(i)][a]);
                }
            }
            for (; begin < end; ++begin)
                sums.push_back(windingSums(clusters_.data(), int(clusters_.size()), facets_.data(), bounds,
                                           points[std::size_t(begin)], reach, [](int next) { return next; }));
        }
        EXPECT_EQ(sums.size(), points.size());
        summedPoints += std::int64_t(points.size());
    }

private:
    std::vector<WindingCluster> clusters_;
    std::vector<Facet> facets_;
};

// Hits of nodes stand in whatever order.
class LoopCrossings final : public DeviceCrossings {
public:
    LoopCrossings(SearchTriangles triangles, const LinkRays& rays, const NodeReach& within) :
        triangles_(std::move(triangles)), rays_(rays), counts_(triangles_, within)
    {}

    void setSearchBlocks(const SearchBlockLists& lists) override
    {
        if (fault == Fault::noRoomForBlocks || (fault == Fault::noRoomForMore && pieces > 0))
            throw NoDeviceRoom("no room for blocks");
        ++pieces;
        mostEntriesGiven = std::max(mostEntriesGiven, lists.triangles.size());
        EXPECT_LE(lists.triangles.size(), std::min(mostEntriesTaken, counts_.entries));
        EXPECT_LE(lists.begin.size() - 1, counts_.blocks);
        lists_ = lists;
    }
    std::size_t mostSearchBlocks() const override { return mostBlocks; }
    std::size_t mostEntries() const override { return mostEntriesTaken; }

    void search(const std::vector<Int3>& nodes, FoundCrossings& found) const override
    {
        if (fault == Fault::lost) throw std::runtime_error("the loop is lost");
        const SearchBlockView view{lists_.begin.data(),    lists_.triangles.data(),   lists_.zBegin,
                                   lists_.blocks,          triangles_.corners.data(), triangles_.reach.data(),
                                   triangles_.marks.data()};
        found.clear();
        found.masks.resize(nodes.size());
        found.first.resize(nodes.size());
        for (std::size_t i = nodes.size(); i-- > 0;) {
            EXPECT_TRUE(nodes[i][2] >= lists_.zBegin
                        && nodes[i][2] < lists_.zBegin + searchBlockEdge * lists_.blocks[2]);
            Hit hits[27];
            searchBlock(view, rays_, nodes[i], hits);
            found.first[i] = std::uint32_t(found.hits.size());
            for (int q = 0; q < rays_.count; ++q) {
                if (!hits[q]) continue;
                found.masks[i] |= std::uint32_t(1) << q;
                found.hits.push_back({float(hits[q].fraction), hits[q].region});
            }
        }
        searchedNodes += std::int64_t(nodes.size());
    }

private:
    SearchTriangles triangles_;
    LinkRays rays_;
    SearchBlockCounts counts_;
    SearchBlockLists lists_;
};

class Loops final : public SurfaceDevice {
public:
    const std::string& name() const override { return name_; }
    std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>& clusters,
                                           const std::vector<Facet>& facets) const override
    {
        if (fault == Fault::noRoomForWinding) throw NoDeviceRoom("no room for winding numbers");
        return std::make_unique<LoopWinding>(clusters, facets);
    }
    std::unique_ptr<DeviceCrossings> crossings(const SearchTriangles& triangles, const LinkRays& rays,
                                               const NodeReach& within) const override
    {
        if (fault == Fault::noRoomForRays) throw NoDeviceRoom("no room for rays");
        return std::make_unique<LoopCrossings>(triangles, rays, within);
    }

private:
    std::string name_ = "loops";
};

std::unique_ptr<SurfaceDevice> findLoops(const std::string& word, int share, std::string& why)
{
    EXPECT_EQ(word, "loops");
    EXPECT_EQ(share, 0);
    why.clear();
    return std::make_unique<Loops>();
}

// ---- Cases

bool same(const Domain& a, const Domain& b)
{
    if (a.size != b.size || a.fluid.words() != b.fluid.words() || a.links.size() != b.links.size()) return false;
    for (std::size_t i = 0; i < a.links.size(); ++i) {
        const Link &p = a.links[i], &q = b.links[i];
        if (p.node != q.node || p.fraction != q.fraction || p.patch != q.patch || p.direction != q.direction)
            return false;
    }
    return true;
}

void expectSame(const SurfaceFacts& a, const SurfaceFacts& b)
{
    EXPECT_EQ(a.byWindingNumber, b.byWindingNumber);
    EXPECT_EQ(a.nearNodes, b.nearNodes);
    EXPECT_EQ(a.faceNodes, b.faceNodes);
    EXPECT_EQ(a.capLinksAlong, b.capLinksAlong);
    EXPECT_EQ(a.unitedLinks, b.unitedLinks);
    EXPECT_EQ(a.nodesOnSurface, b.nodesOnSurface);
    EXPECT_EQ(a.guessedLinks, b.guessedLinks);
    EXPECT_EQ(a.thinWallLinks, b.thinWallLinks);
    EXPECT_EQ(a.bulgeLinks, b.bulgeLinks);
}

struct Case {
    std::string name;
    TriangleMesh mesh;
    LatticeBox box;
    SurfaceOptions options;
    std::vector<Int3> directions = d3q27();
};

Case named(const std::string& name, const TriangleMesh& mesh, const LatticeBox& box, InsideRule rule)
{
    Case made{name, mesh, box, {}};
    made.options.rule = rule;
    return made;
}

LatticeBox around(const TriangleMesh& mesh, int n, bool cornerOnNode = false)
{
    LatticeBox box = boxAround(mesh, n);
    if (cornerOnNode) box.origin = bounds(mesh).min;
    return box;
}

void dropTriangles(TriangleMesh& mesh, std::size_t every)
{
    for (std::size_t t = mesh.triangles.size(); t-- > 0;)
        if (t % every == 1) {
            mesh.triangles.erase(mesh.triangles.begin() + std::ptrdiff_t(t));
            mesh.regions.erase(mesh.regions.begin() + std::ptrdiff_t(t));
        }
}

// Triangles anywhere, with corners on nodes, halfway between them, or anywhere; of several regions, some of them without an area.
TriangleMesh soup(int seed, int triangles, double extent)
{
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> anywhere(0, extent);
    std::uniform_int_distribution<int> kind(0, 2), few(0, 5);
    TriangleMesh mesh;
    mesh.regionNames = {"a", "b", "c"};
    for (int t = 0; t < triangles; ++t) {
        const int grid = kind(random);
        Int3 corners;
        for (int& corner : corners) {
            Vec3 p;
            for (double& x : p) x = grid == 0 ? std::floor(anywhere(random)) : anywhere(random);
            if (grid == 1)
                for (double& x : p) x = std::floor(2 * x) / 2;
            corner = int(mesh.points.size());
            mesh.points.push_back(p);
        }
        if (t > 0 && few(random) == 0) corners[0] = mesh.triangles.back()[1]; // a common corner
        if (few(random) == 0) corners[2] = corners[1];
        mesh.triangles.push_back(corners);
        mesh.regions.push_back(std::int16_t(t % 3));
        if (few(random) == 0) {
            // once more, turned: a baffle of two regions
            mesh.triangles.push_back({corners[1], corners[0], corners[2]});
            mesh.regions.push_back(std::int16_t((t + 1) % 3));
        }
    }
    return mesh;
}

Case bodyInABox()
{
    Case made{"a body on the ground of a box", sphereMesh({14.2, 10.1, 3.3}, 5.2, 14), unitBox({33, 21, 19}), {}};
    dropTriangles(made.mesh, 37);
    made.options.enclosure = std::int64_t(made.mesh.triangles.size());
    appendBox(made.mesh, {-0.5, -0.5, -0.5}, {32.5, 20.5, 18.5}, {"in", "out", "left", "right", "ground", "sky"});
    made.options.preferred.assign(made.mesh.regionNames.size(), false);
    made.options.preferred.back() = true;
    return made;
}

Case periodic()
{
    Case made{
        "a periodic duct with a ball", boxMesh({-0.5, -0.5, -0.5}, {19.5, 15.5, 11.5}), unitBox({20, 16, 12}), {}};
    append(made.mesh, flipped(sphereMesh({9.7, 8.1, 0.4}, 4.3, 12)));
    append(made.mesh, flipped(sphereMesh({9.7, 8.1, 12.4}, 4.3, 12)));
    made.options.rule = InsideRule::parity;
    made.box.periodic = {false, false, true};
    made.options.transparent = std::vector<bool>(made.mesh.regionNames.size(), false);
    for (std::size_t r = 0; r < made.mesh.regionNames.size(); ++r)
        made.options.transparent[r] = made.mesh.regionNames[r] == "zMin" || made.mesh.regionNames[r] == "zMax";
    return made;
}

Case flat()
{
    Case made{"two dimensions", boxMesh({-0.5, -0.5, -0.5}, {20.5, 17.25, 0.5}), unitBox({21, 18, 1}), {}};
    made.directions = d2q9();
    made.options.transparent = {false, false, false, false, true, true};
    made.options.rule = InsideRule::parity;
    return made;
}

std::vector<Case> cases()
{
    const auto automatic = InsideRule::automatic, winding = InsideRule::windingNumber;
    const TriangleMesh sphere = sphereMesh({15.3, 15.2, 15.4}, 11.6, 24);
    std::vector<Case> all = {
        named("sphere", sphere, unitBox({31, 31, 31}), automatic),
        named("sphere by winding numbers", sphere, unitBox({31, 31, 31}), winding),
        named("coarse sphere, fine nodes", sphereMesh({0, 0, 0}, 1, 4), around(sphereMesh({0, 0, 0}, 1, 4), 90),
              winding),
        named("fine sphere, coarse nodes", sphereMesh({0, 0, 0}, 1, 60), around(sphereMesh({0, 0, 0}, 1, 60), 9),
              winding),
        named("corners on nodes", octahedronMesh({10, 10, 10}, 8), unitBox({21, 21, 21}), winding),
        named("corners on nodes by parity", octahedronMesh({10, 10, 10}, 8), unitBox({21, 21, 21}), automatic),
        named("sides through nodes", boxMesh({2, 3, 1}, {17, 15, 12}), unitBox({20, 19, 15}), winding),
        named("sides through nodes by parity", boxMesh({2, 3, 1}, {17, 15, 12}), unitBox({20, 19, 15}), automatic),
        named("sides between nodes", boxMesh({1.5, 2.25, 0.75}, {17.5, 15.5, 12}), unitBox({20, 19, 15}), winding),
        named("turned torus", turned(torusMesh({0, 0, 0}, 6.5, 2.5, 24), 0.3),
              around(turned(torusMesh({0, 0, 0}, 6.5, 2.5, 24), 0.3), 40), winding),
    };
    TriangleMesh holed = sphere;
    dropTriangles(holed, 11);
    all.push_back(named("sphere with holes", holed, unitBox({31, 31, 31}), automatic));
    TriangleMesh two = sphereMesh({10.2, 12.1, 12}, 7.3, 16);
    append(two, sphereMesh({17.7, 12.4, 12}, 7.1, 16));
    all.push_back(named("spheres that overlap", two, unitBox({28, 25, 25}), automatic));
    TriangleMesh slit = boxMesh({1.5, 1.5, 1.5}, {18.5, 18.5, 10.2}); // with common walls
    append(slit, boxMesh({1.5, 1.5, 10.2}, {18.5, 18.5, 18.5}));
    all.push_back(named("boxes with a common side", slit, unitBox({21, 21, 21}), automatic));
    all.push_back(bodyInABox());
    all.push_back(periodic());
    all.push_back(flat());
    for (int seed = 0; seed < 12; ++seed) {
        Case one =
            named("soup " + std::to_string(seed), soup(seed, 10 << seed % 5, 18), unitBox({19, 18, 17}), winding);
        append(one.mesh, boxMesh({-0.5, -0.5, -0.5}, {18.5, 17.5, 16.5})); // that the fluid ends somewhere
        one.options.preferred = std::vector<bool>(one.mesh.regionNames.size(), false);
        one.options.preferred[1] = true;
        all.push_back(std::move(one));
    }
    return all;
}

Domain expectedOf(const Case& one, SurfaceFacts& facts)
{
    const Domain expected = makeDomain(one.mesh, one.box, one.directions, one.options, &facts);
    EXPECT_EQ(facts.raysOn, "the processor");
    EXPECT_GT(expected.links.size(), 0u);
    return expected;
}

void compare(const Case& one, SurfaceOptions options, const std::string& name, const Domain& expected,
             const SurfaceFacts& expectedFacts)
{
    for (const int threads : {1, 3}) {
        options.threads = threads;
        SurfaceFacts facts;
        const Domain domain = makeDomain(one.mesh, one.box, one.directions, options, &facts);
        EXPECT_EQ(facts.raysOn, name);
        expectSame(facts, expectedFacts);
        EXPECT_TRUE(same(domain, expected));
    }
}

void compareCuda(const Case& one, const std::string& name)
{
    SCOPED_TRACE(one.name);
    SurfaceFacts facts;
    const Domain expected = expectedOf(one, facts);
    SurfaceOptions options = one.options;
    options.device = "cuda";
    compare(one, options, name, expected, facts);
}

SurfaceOptions withLoops(SurfaceOptions options)
{
    options.device = "loops";
    options.findDevice = &findLoops;
    return options;
}

// In one piece; layer by layer; and in pieces that were halved until they had no more entries than the fullest layer.
void compareLoops(const Case& one)
{
    SCOPED_TRACE(one.name);
    SurfaceFacts facts;
    const Domain expected = expectedOf(one, facts);
    const SurfaceOptions options = withLoops(one.options);
    const std::size_t layers = std::size_t((one.box.size[2] + searchBlockEdge - 1) / searchBlockEdge);
    for (const std::string way : {"whole", "layers", "halves"}) {
        SCOPED_TRACE(way);
        mostBlocks = way == "layers" ? 1 : unlimited;
        mostEntriesTaken = way == "halves" ? mostEntriesGiven : unlimited;
        pieces = mostEntriesGiven = 0;
        compare(one, options, "loops", expected, facts);
        if (way == "whole") EXPECT_EQ(pieces, 2u);
        if (way == "layers") EXPECT_EQ(pieces, 2 * layers);
        if (way == "halves" && layers > 2) EXPECT_GT(pieces, 2u);
    }
    mostBlocks = mostEntriesTaken = unlimited;
}

std::string motorBike()
{
    for (const char* ending : {".obj", ".obj.gz"}) {
        const std::string file = std::string(LBM_TUTORIALS) + "/resources/geometry/motorBike" + ending;
        if (std::filesystem::exists(file)) return file;
    }
    return "";
}

// Of the tutorial, in a box of air.
Case motorBikeCase(const std::string& file, double spacing)
{
    Case made{"motorBike", readSurface(file), {}, {}};
    made.options.enclosure = std::int64_t(made.mesh.triangles.size());
    appendBox(made.mesh, {-1, -0.8, 0}, {2.6, 0.8, 1.8}, {"in", "out", "left", "right", "ground", "sky"});
    made.box = {{-1 + spacing / 2, -0.8 + spacing / 2, spacing / 2},
                spacing,
                {int(std::lround(3.6 / spacing)), int(std::lround(1.6 / spacing)), int(std::lround(1.8 / spacing))}};
    return made;
}

class SurfaceDevices : public ::testing::Test {
protected:
    void SetUp() override
    {
        fault = Fault::none;
        mostBlocks = mostEntriesTaken = unlimited;
        pieces = mostEntriesGiven = 0;
        summedPoints = searchedNodes = 0;
    }
};

TEST_F(SurfaceDevices, loopsMakeTheProcessorsDomains)
{
    for (const Case& one : cases()) {
        summedPoints = searchedNodes = 0;
        compareLoops(one);
        EXPECT_GT(searchedNodes, 0) << one.name;
        if (one.options.rule == InsideRule::windingNumber) { EXPECT_GT(summedPoints, 0) << one.name; }
    }
}

TEST_F(SurfaceDevices, loopsMakeTheProcessorsMotorBike)
{
    if (motorBike().empty()) GTEST_SKIP() << "no motorBike among OpenFOAM's tutorials in " << LBM_TUTORIALS;
    compareLoops(motorBikeCase(motorBike(), 0.04));
}

TEST_F(SurfaceDevices, aGpuMakesTheProcessorsDomains)
{
    std::string why;
    const std::unique_ptr<SurfaceDevice> device = SurfaceDevice::find("cuda", 0, why);
    if (!device) GTEST_SKIP() << why;
    for (const Case& one : cases()) compareCuda(one, device->name());
    if (!motorBike().empty()) compareCuda(motorBikeCase(motorBike(), 0.01), device->name());
}

// The terms themselves, too, where the sides would hide them.
TEST_F(SurfaceDevices, aGpuAddsUpWindingNumbersToTheLastBit)
{
    std::string why;
    const std::unique_ptr<SurfaceDevice> device = SurfaceDevice::find("cuda", 0, why);
    if (!device) GTEST_SKIP() << why;
    std::vector<Facet> facets;
    const TriangleMesh mesh = soup(7, 5000, 40);
    for (const Int3& t : mesh.triangles)
        facets.push_back(
            {mesh.points[std::size_t(t[0])], mesh.points[std::size_t(t[1])], mesh.points[std::size_t(t[2])]});
    const WindingTree tree(facets);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-5, 45);
    std::vector<Vec3> points;
    std::vector<int> ends;
    for (int i = 0; i < 100000; i += 5) {
        const Vec3 p{place(random), place(random), place(random)};
        for (int k = 0; k < 1 + i % 8; ++k)
            points.push_back({p[0] + k % 2, p[1] + k / 2, k > 5 ? std::floor(p[2]) : p[2]});
        WindingTree::addPackets(ends, std::size_t(1 + i % 8));
    }
    for (const double reach : {2., 4., 8.}) {
        std::vector<WindingSums> here, there;
        tree.sum(points, ends, reach, here);
        device->winding(tree.clusters(), tree.facets())->sum(points, ends, reach, there);
        ASSERT_EQ(here.size(), there.size());
        for (std::size_t i = 0; i < here.size(); ++i)
            ASSERT_TRUE(here[i].far == there[i].far && here[i].re == there[i].re && here[i].im == there[i].im
                        && here[i].turns == there[i].turns)
                << "point " << i << ", reach " << reach;
    }
}

TEST_F(SurfaceDevices, packetsOfTheTreeAreThoseOfSinglePoints)
{
    std::vector<Facet> facets;
    const TriangleMesh mesh = soup(8, 700, 20);
    for (const Int3& t : mesh.triangles)
        facets.push_back(
            {mesh.points[std::size_t(t[0])], mesh.points[std::size_t(t[1])], mesh.points[std::size_t(t[2])]});
    const WindingTree tree(facets);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> place(-2, 22);
    std::vector<Vec3> points;
    std::vector<int> ends;
    for (int i = 0; i < 800; ++i) {
        const Vec3 p{place(random), place(random), place(random)};
        for (int k = 0; k < 1 + i % 8; ++k) points.push_back({std::floor(p[0]) + k % 4, p[1] + k / 4, p[2]});
        WindingTree::addPackets(ends, std::size_t(1 + i % 8));
    }
    const LoopWinding loops(tree.clusters(), tree.facets());
    for (const double reach : {0.5, 2., 4., 8.}) {
        std::vector<WindingSums> vectors, plain;
        tree.sum(points, ends, reach, vectors);
        loops.sum(points, ends, reach, plain);
        for (std::size_t i = 0; i < points.size(); ++i)
            ASSERT_TRUE(vectors[i].far == plain[i].far && vectors[i].re == plain[i].re && vectors[i].im == plain[i].im
                        && vectors[i].turns == plain[i].turns)
                << "point " << i << ", reach " << reach;
    }
}

TEST_F(SurfaceDevices, withoutRoomTheProcessorDoesIt)
{
    const Case one = bodyInABox();
    const Domain expected = makeDomain(one.mesh, one.box, one.directions, one.options);
    const std::pair<Fault, std::string> faults[] = {
        {Fault::noRoomForWinding, "loops, winding numbers on the processor: no room for winding numbers"},
        {Fault::noRoomForRays, "the processor, winding numbers on loops: no room for rays"},
        {Fault::noRoomForBlocks, "the processor, winding numbers on loops: no room for blocks"},
        {Fault::noRoomForMore, "loops, from plane 4 on the processor: no room for blocks"},
    };
    mostBlocks = 1;
    for (const auto& [kind, words] : faults) {
        fault = kind;
        pieces = 0;
        SurfaceFacts facts;
        EXPECT_TRUE(same(makeDomain(one.mesh, one.box, one.directions, withLoops(one.options), &facts), expected));
        EXPECT_EQ(facts.raysOn, words);
    }
}

// A layer that has more triangles than are taken at a time
TEST_F(SurfaceDevices, fullLayersAreTheProcessors)
{
    const Case one = bodyInABox();
    mostEntriesTaken = 3;
    SurfaceFacts facts;
    const Domain domain = makeDomain(one.mesh, one.box, one.directions, withLoops(one.options), &facts);
    EXPECT_TRUE(same(domain, makeDomain(one.mesh, one.box, one.directions, one.options)));
    EXPECT_EQ(facts.raysOn.find("the processor, winding numbers on loops: one layer of blocks"), 0u) << facts.raysOn;
    EXPECT_EQ(searchedNodes, 0);
}

// All nodes of one plane wrap: a GPU that is asked for none has done nothing.
TEST_F(SurfaceDevices, nodesThatWrapAreTheProcessors)
{
    Case one = periodic();
    one.mesh = boxMesh({-0.5, -0.5, -0.5}, {19.5, 15.5, 0.5});
    one.box = unitBox({20, 16, 1});
    one.box.periodic = {false, false, true};
    one.options.transparent = {false, false, false, false, true, true};
    searchedNodes = 0;
    SurfaceFacts facts, expectedFacts;
    const Domain expected = expectedOf(one, expectedFacts);
    const Domain domain = makeDomain(one.mesh, one.box, one.directions, withLoops(one.options), &facts);
    EXPECT_TRUE(same(domain, expected));
    EXPECT_EQ(searchedNodes, 0);
    EXPECT_EQ(facts.raysOn, "the processor: all nodes at walls are at periodic ends, behind which loops does not look");
}

TEST_F(SurfaceDevices, whatFailsOnThemIsAnError)
{
    const Case one = bodyInABox();
    fault = Fault::lost;
    try {
        makeDomain(one.mesh, one.box, one.directions, withLoops(one.options));
        FAIL() << "nothing was said";
    } catch (const SurfaceError& error) {
        EXPECT_STREQ(error.what(), "the loop is lost");
    }
}

TEST_F(SurfaceDevices, whereNoneAnswersTheLogSaysWhy)
{
    const Case one = bodyInABox();
    SurfaceOptions options = one.options;
    options.device = "cuda:no such card";
    SurfaceFacts facts;
    const Domain domain = makeDomain(one.mesh, one.box, one.directions, options, &facts);
    EXPECT_TRUE(same(domain, makeDomain(one.mesh, one.box, one.directions, one.options)));
    EXPECT_EQ(facts.raysOn.find("the processor: "), 0u) << facts.raysOn;
    EXPECT_NE(facts.raysOn.find("device"), std::string::npos) << facts.raysOn;
}

TEST_F(SurfaceDevices, misspeltOnesAreRefused)
{
    const Case one = bodyInABox();
    for (const std::string word : {"cdua", "gpu", "", "CPU", "cuda0", "cpu:0"}) {
        SurfaceOptions options = one.options;
        options.device = word;
        try {
            makeDomain(one.mesh, one.box, one.directions, options);
            ADD_FAILURE() << word << " was taken";
        } catch (const std::invalid_argument& refused) {
            EXPECT_EQ(std::string(refused.what()).find("device '" + word + "' is none of cpu, cuda"), 0u)
                << refused.what();
        }
    }
}

// ---- Parts

TEST_F(SurfaceDevices, wideIntegersBecomeTheNearestDouble)
{
    std::mt19937_64 random(6);
    for (int i = 0; i < 300000; ++i) {
        // Of any length, with runs of zeros and ones where ties are
        WideSize bits = WideSize(random()) << 64 | random();
        if (i % 3) bits &= ~((WideSize(1) << random() % 90) - 1);
        if (i % 3 == 2) bits |= (WideSize(1) << random() % 60);
        const Wide value = Wide(bits) >> random() % 127;
        ASSERT_EQ(toDouble(value), double(value)) << i;
        ASSERT_EQ(toDouble(-value), double(-value)) << i;
    }
    EXPECT_EQ(toDouble(0), 0.0);
}

// Each link that meets a triangle is one of a block that has it, in pieces of planes of whatever size.
TEST_F(SurfaceDevices, searchBlocksHaveWhatTheirLinksMeet)
{
    for (const int seed : {1, 2, 3, 4}) {
        const TriangleMesh mesh = soup(seed, 40, 23);
        const LatticeBox box = unitBox({25, 22, 23});
        const Surface surface(mesh, box);
        const std::vector<bool> skipped = {false, true, false};
        const SearchTriangles triangles = searchTriangles(surface, skipped, {}, 3);
        LinkRays rays;
        rays.unit = surface.unit();
        for (const Int3& c : d3q27())
            if (c != Int3{0, 0, 0}) rays.direction[rays.count++] = c;
        std::size_t pieces = 0, met = 0;
        for (int begin = 1, end = 0; begin < box.size[2]; begin = end, ++pieces) {
            end = box.size[2];
            const std::size_t mostSearchBlocks = seed == 1 ? 1 << 20
                : seed == 2                                ? 100
                                                           : 1,
                              mostEntries = seed == 4 ? 1000 : 1 << 20;
            const SearchBlockLists lists =
                searchBlockLists(triangles, surface.unit(), box.size, begin, end, mostSearchBlocks, mostEntries, 3);
            ASSERT_GT(end, begin);
            for (std::size_t b = 0; b + 1 < lists.begin.size(); ++b) {
                const auto from = lists.triangles.begin() + lists.begin[b],
                           to = lists.triangles.begin() + lists.begin[b + 1];
                ASSERT_TRUE(std::is_sorted(from, to));
                ASSERT_EQ(std::adjacent_find(from, to), to);
            }
            const SearchBlockView view{lists.begin.data(),    lists.triangles.data(),   lists.zBegin,
                                       lists.blocks,          triangles.corners.data(), triangles.reach.data(),
                                       triangles.marks.data()};
            Int3 node;
            for (node[2] = begin; node[2] < end; ++node[2])
                for (node[1] = 0; node[1] < box.size[1]; ++node[1])
                    for (node[0] = 0; node[0] < box.size[0]; ++node[0]) {
                        Hit plain[27], found[27];
                        searchBlock(view, rays, node, found);
                        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
                            if (!skipped[std::size_t(mesh.regions[t])])
                                crossLinks(surface.triangle(t), mesh.regions[t], false, placeOf(node, rays.unit), rays,
                                           plain);
                        for (int q = 0; q < rays.count; ++q) {
                            ASSERT_EQ(plain[q].fraction, found[q].fraction);
                            ASSERT_EQ(plain[q].region, found[q].region);
                            met += bool(plain[q]);
                        }
                    }
        }
        EXPECT_GT(met, 1000u);
        EXPECT_EQ(pieces, seed == 1 ? 1u : seed == 2 ? 3u : 6u);
    }
}

TEST_F(SurfaceDevices, workbenchesAreUsedByOneThreadAtATime)
{
    struct Bench {
        std::atomic<int> users{0};
    };
    Workbenches<Bench> benches;
    for (int i = 0; i < 3; ++i) benches.add(std::make_unique<Bench>());
    std::atomic<int> faults{0}, done{0}, busy{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                try {
                    benches.use([&](Bench& bench) {
                        if (++bench.users != 1 || ++busy > 3) ++faults;
                        std::this_thread::yield();
                        --busy;
                        --bench.users;
                        if (i % 100 == 7) throw std::runtime_error("lost");
                    });
                    ++done;
                } catch (const std::runtime_error&) {}
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(done, 8 * 1980);
}

} // namespace
} // namespace lbm::test
