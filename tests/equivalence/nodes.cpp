// What a GPU does node by node, done by the host (see NodesOnHost.hpp): populations, whole and in slabs.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/NodesOnHost.hpp"

#include <cmath>
#include <tuple>

namespace lbm::cuda {

Device::Device(const std::string& word) : name_(word) {}
void* Device::allocate(std::size_t bytes) const { return ::operator new(bytes); }
void Device::release(void* memory) const noexcept { ::operator delete(memory); }
void Device::fillZero(void* memory, std::size_t bytes) const { std::memset(memory, 0, bytes); }
std::size_t sent = 0; // bytes
void Device::toDevice(void* target, const void* source, std::size_t bytes) const
{
    sent += bytes;
    std::memcpy(target, source, bytes);
}
void Device::toHost(void* target, const void* source, std::size_t bytes) const { std::memcpy(target, source, bytes); }

} // namespace lbm::cuda

namespace lbm::test {
namespace {

template<class L, class T, class Flat, class Small>
void compareAll()
{
    compare<AbPhases, L, T, Flat>();
    compare<AaPhases, L, T, Flat>();
    compare<T2cPhases, L, T, Small>();
    compare<PackedPhases, L, T, Small>();
}

// All fluid.
Domain rectangle(const Int3& size, float fraction)
{
    Domain d;
    d.dimensions = 2;
    d.size = size;
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"low", "high", "sides"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (int code = 0; code < 27; ++code) {
            const Int3 x = d.coordinates(i), c = directionOf(std::uint8_t(code));
            if (c[2] != 0 || d.neighbour(x, c) >= 0) continue;
            const int patch = x[1] + c[1] < 0 ? 0 : x[1] + c[1] >= d.size[1] ? 1 : 2;
            d.links.push_back({i, fraction, std::int16_t(patch), std::uint8_t(code)});
        }
    d.check();
    return d;
}

} // namespace

// Layers of tiles along y. Donors lie straight inwards of where links end, a node aside at most; quadratic walls draw on the second node
// along a link.
TEST(Nodes, lookAsFarAsTheirLinks)
{
    const auto layersOf = [](BoundaryKind ends, BoundaryKind sides) {
        Config config;
        config.lattice = "D2Q9";
        config.patches.resize(3);
        config.patches[0].kind = ends;
        config.patches[2].kind = sides;
        const Domain d = rectangle({40, 24, 1}, 0.3F);
        return std::pair(layersLookedAt(TileGeometry<D2Q9, double, Tile<128, 1, 1>>(d, config), 1),
                         layersLookedAt(TileGeometry<D2Q9, double, Tile<16, 16, 1>>(d, config), 1));
    };
    const auto wall = BoundaryKind::wall, curved = BoundaryKind::interpolatedWall, opening = BoundaryKind::pressure;
    EXPECT_EQ(layersOf(wall, wall), std::pair(1, 1));
    EXPECT_EQ(layersOf(wall, opening), std::pair(1, 1));
    EXPECT_EQ(layersOf(opening, wall).second, 1);
    EXPECT_EQ(layersOf(curved, wall), std::pair(2, 1));
    EXPECT_EQ(layersOf(wall, curved), std::pair(2, 1));
}

namespace {

// A rectangle between two openings and a wall, on a device that a host plays.
struct OpenedRectangle {
    Domain d = rectangle({64, 256, 1}, 0.5F);
    Config config;
    cuda::Device device{"host"};
    CudaGeometry<D2Q9, double, Tile<16, 16, 1>> geometry;

    explicit OpenedRectangle(const LinkValue& wall) : config(between(wall)), geometry(d, config, Layout::tiles)
    {
        geometry.copyTo(device);
    }

    static Config between(const LinkValue& wall)
    {
        Config config;
        config.lattice = "D2Q9";
        config.patches = {{BoundaryKind::velocity, {0, 0.01, 0}, 1}, {BoundaryKind::pressure, {0, 0, 0}, 1}, wall};
        return config;
    }
};

} // namespace

// Values of one patch's links go to the device when they change, and they alone, however many patches there are.
TEST(Nodes, sendWhatChanged)
{
    OpenedRectangle opened({BoundaryKind::movingWall, {0, 0.01, 0}, 1});
    const Domain& d = opened.d;
    const Config& config = opened.config;
    auto& geometry = opened.geometry;
    const auto count = linksPerPatch(d);
    const auto tell = [&](int patch, double speed) {
        std::vector<LinkValue> values(count[patch], config.patches[patch]);
        for (LinkValue& value : values) value.velocity[1] = speed;
        geometry.setBoundary(patch, values.data(), values.size());
    };
    cuda::sent = 0;
    tell(0, 0.02);
    tell(0, 0.03);
    geometry.boundary(true);
    EXPECT_EQ(cuda::sent, 2 * count[0] * sizeof(NewLinkValue<double>));
    cuda::sent = 0;
    geometry.boundary(true);
    EXPECT_EQ(cuda::sent, 0u);
    tell(0, 0.01);
    tell(1, 0.01);
    tell(2, 0.02);
    geometry.boundary(true);
    EXPECT_EQ(cuda::sent, d.links.size() * sizeof(NewLinkValue<double>));
}

namespace {

// By patch; sides lean by what they are told, and some of their links become others.
std::vector<std::vector<LinkValue>> toldValues(const Domain& d, const Config& config, int turn)
{
    std::vector<std::vector<LinkValue>> values(config.patches.size());
    for (const Link& link : d.links) {
        auto& own = values[std::size_t(link.patch)];
        const double i = double(own.size()) + 0.1 * turn;
        LinkValue value = config.patches[std::size_t(link.patch)];
        value.density = 1 + 1e-3 * std::sin(i);
        value.velocity = {0.01 * std::cos(i), 0.01 * std::sin(i), 0};
        if (value.kind == BoundaryKind::velocity && turn > 1) value.recovery = 0.5 + 0.1 * std::sin(i);
        // Between planes along the lattice, oblique ones, and others
        if (isPlane(value.kind)) {
            const double angle = turn == 0 ? 0 : turn == 1 ? 0.2 * std::sin(i) : std::atan(1.0);
            value.velocity = {std::cos(angle), std::sin(angle), 0};
            if (turn > 1 && own.size() % 3 == 0) value.kind = BoundaryKind::shear;
            if (turn > 1 && own.size() % 3 == 1) value.kind = BoundaryKind::movingWall;
        }
        own.push_back(value);
    }
    return values;
}

} // namespace

// A device's links, of which its host has a part, are those of a host that has all: each word of them, whatever they are told.
TEST(Nodes, linksAreToldThereAsOnAHost)
{
    using L = D2Q9;
    using Geometry = CudaGeometry<L, float, Tile<16, 16, 1>>;
    const Domain d = rectangle({40, 24, 1}, 0.3F);
    Config config;
    config.lattice = "D2Q9";
    int mirrors = 0, others = 0, shadows = 0;
    for (const auto& [low, sides] :
         {std::pair(BoundaryKind::velocity, BoundaryKind::slip), std::pair(BoundaryKind::pressure, BoundaryKind::slip),
          std::pair(BoundaryKind::pressure, BoundaryKind::interpolatedWall)}) {
        config.patches = {{low, {0, 0.01, 0}, 1}, {BoundaryKind::outflow, {0, 0, 0}, 1}, {sides, {0, 0, 0}, 1}};
        if (isPlane(sides)) config.patches[2].velocity = {1, 0, 0};
        TileGeometry<L, float, Tile<16, 16, 1>> expected(d, config);
        const cuda::Device device("host");
        Geometry geometry(d, config, Layout::tiles, TileOrder::rows);
        EXPECT_TRUE(geometry.host().holdsTold());
        geometry.copyTo(device);
        EXPECT_FALSE(geometry.host().holdsTold());
        EXPECT_LE(geometry.host().bytes() + expected.boundaryLinkCount() * sizeof(LinkTold<float>), expected.bytes());
        shadows += int(expected.shadows().size());
        for (int turn = 0; turn < 3; ++turn) {
            const auto values = toldValues(d, config, turn);
            for (int patch = 0; patch < 3; ++patch) {
                expected.setBoundary(patch, values[patch].data(), values[patch].size());
                geometry.setBoundary(patch, values[patch].data(), values[patch].size());
            }
            const auto there = geometry.boundary(true).links;
            ASSERT_EQ(geometry.host().boundaryLinkCount(), expected.boundaryLinkCount());
            for (std::size_t k = 0; k < expected.boundaryLinkCount(); ++k) {
                const BoundaryLink<float> a = there[k], b = expected.boundaryLinks()[k];
                const LinkMakeup c = geometry.host().boundaryLinks().made[k];
                const auto made = [](const LinkMakeup& l) {
                    return std::tuple(l.donor, l.fit, l.fitted, l.shares, l.sharesBeyond, l.direction, l.inward, l.kind,
                                      l.mirror, l.round[0], l.round[1]);
                };
                const auto told = [](const LinkTold<float>& l) {
                    return std::tuple(l.velocity[0], l.velocity[1], l.velocity[2], l.r, l.recovery, l.outward[0],
                                      l.outward[1], l.outward[2], l.reach);
                };
                ASSERT_EQ(made(a), made(b)) << turn << ' ' << k;
                ASSERT_EQ(made(c), made(b)) << turn << ' ' << k;
                ASSERT_EQ(told(a), told(b)) << turn << ' ' << k;
                mirrors += b.mirror >= 0;
                others += isPlane(sides) && turn > 1 && b.kind == std::uint8_t(BoundaryKind::movingWall);
            }
            for (std::size_t k = 0; k < expected.curvedLinkCount(); ++k)
                ASSERT_EQ(geometry.curved().links[k].move, expected.curvedLinks()[k].move) << turn << ' ' << k;
        }
    }
    EXPECT_GT(mirrors, 100);
    EXPECT_GT(others, 10);
    EXPECT_GT(shadows, 0);
}

// Who asks for what some links remember gets that of the device, and nothing else goes either way.
TEST(Nodes, openingsAreReadForTheirLinksAlone)
{
    OpenedRectangle opened({BoundaryKind::interpolatedWall, {0, 0, 0}, 1});
    auto& geometry = opened.geometry;
    double* const there = geometry.boundary(true).openingMemory;
    const std::size_t records = geometry.host().openingMemory().size();
    ASSERT_NE(there, nullptr);
    for (std::size_t k = 0; k < records; ++k) there[k] = double(k) + 0.5;
    std::vector<double> expected;
    for (const int patch : {0, 1})
        for (const std::int32_t link : geometry.host().recordsOfLinks(patch))
            expected.push_back(link < 0 ? 0 : double(link) + 0.5);
    ASSERT_EQ(geometry.remembering(), expected.size());
    ASSERT_GT(expected.size(), 100u);
    // Across the end of the first patch
    const std::size_t first = expected.size() / 2 - 7, n = 15;
    cuda::sent = 0;
    const auto found = geometry.memory(first, n);
    EXPECT_EQ(cuda::sent, n * sizeof(std::int32_t));
    ASSERT_EQ(found.size(), n);
    for (std::size_t i = 0; i < n; ++i)
        if (expected[first + i] > 0) EXPECT_EQ(found[i].mean, expected[first + i]) << i;
    const auto all = geometry.memory(0, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (expected[i] > 0) ASSERT_EQ(all[i].mean, expected[i]) << i;
}

// What boundary nodes have sent is the device's alone: a host that makes no steps has no room for it.
TEST(Nodes, populationsOfBoundariesAreTheDevices)
{
    using Geometry = CudaGeometry<D2Q9, double, Tile<16, 16, 1>>;
    const Domain d = rectangle({64, 256, 1}, 0.5F);
    Config config;
    config.lattice = "D2Q9";
    config.patches = {{BoundaryKind::pressure, {0, 0, 0}, 1},
                      {BoundaryKind::pressure, {0, 0, 0}, 1},
                      {BoundaryKind::slip, {1, 0, 0}, 1}};
    const cuda::Device device("host");
    Geometry geometry(d, config, Layout::tiles);
    ASSERT_GT(geometry.host().boundaryNodeCount(), 600u);
    geometry.copyTo(device);
    const BoundaryView<D2Q9, double> view = geometry.boundary(true);
    ASSERT_NE(view.sent, nullptr);
    for (int i = 0; i < view.nodes; ++i)
        for (const double value : view.sent[i].of) ASSERT_EQ(value, 0);
    Geometry::Geometry stepping(d, config, TileOrder::rimLast);
    EXPECT_EQ(stepping.sent(0), nullptr);
    const std::size_t without = stepping.bytes();
    stepping.holdPopulations(2);
    EXPECT_EQ(stepping.bytes(), without + 2 * stepping.boundaryNodeCount() * 9 * sizeof(double));
    EXPECT_EQ(geometry.host().bytes() + stepping.boundaryLinkCount() * sizeof(LinkTold<double>), without);
}

// The same steps in another order: passes of one step and of many, with a rest and without
template<class Phases, class L, class TileT>
void compareInSlabs()
{
    for (const Thickness& slabs : {Thickness{1, 1}, {1, 4}, {2, 3}, {3, 32}})
        compareWith<NodeByNode<Phases, L, double, TileT, Trt>, L, double>("trt", exact ? 0 : 1e-15,
                                                                          slabs.steps == 1 ? 1 : 4, slabs);
}
TEST(Nodes, inSlabs)
{
    compareInSlabs<AaPhases, D3Q19, Tile<32, 2, 2>>();
    compareInSlabs<T2cPhases, D3Q19, Tile<4, 4, 4>>();
    compareInSlabs<PackedPhases, D2Q9, Tile<8, 8, 1>>();
    compareInSlabs<AaPhases, D2Q9, Tile<32, 4, 1>>();
    compareInSlabs<AaPhases, D3Q19, Tile<128, 1, 1>>();
}
TEST(Nodes, inTwoDimensions) { compareAll<D2Q9, double, Tile<16, 16, 1>, Tile<8, 8, 1>>(); }
TEST(Nodes, inThreeDimensions) { compareAll<D3Q19, double, Tile<32, 2, 2>, Tile<4, 4, 4>>(); }
TEST(Nodes, inSinglePrecision) { compareAll<D3Q27, float, Tile<32, 2, 2>, Tile<4, 4, 4>>(); }

} // namespace lbm::test
