// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/Scenarios.hpp"

#include "lbm/api/Storage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>

namespace lbm::test {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high)
{
    return low + (high - low) * double(random() >> 11) / double(std::uint64_t(1) << 53);
}

Domain filled(const Int3& size, bool flat, const std::array<bool, 3>& periodic)
{
    Domain d;
    d.dimensions = flat ? 2 : 3;
    d.size = size;
    d.periodic = periodic;
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

void sprinkle(Domain& d, double solids, Random& random)
{
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (uniform(random, 0, 1) < solids) d.fluid.clear(i);
}

void clearBox(Domain& d, const Int3& from, const Int3& to)
{
    for (int z = std::max(from[2], 0); z < std::min(to[2], d.size[2]); ++z)
        for (int y = std::max(from[1], 0); y < std::min(to[1], d.size[1]); ++y)
            for (int x = std::max(from[0], 0); x < std::min(to[0], d.size[0]); ++x) d.fluid.clear(d.index(x, y, z));
}

// One fluid node, and nothing but solid around it as far as a tile reaches.
void isolate(Domain& d, const Int3& node, int reach)
{
    clearBox(d, {node[0] - reach, node[1] - reach, node[2] - reach},
             {node[0] + reach + 1, node[1] + reach + 1, node[2] + reach + 1});
    d.fluid.set(d.index(node[0], node[1], node[2]));
}

bool leavesFluid(const Domain& d, NodeIndex i, const Int3& c)
{
    const NodeIndex other = d.neighbour(d.coordinates(i), c);
    return other < 0 || !d.fluid[other];
}

// Records a link of every direction that `patchOf` gives a patch to; -1: none.
template<class PatchOf>
void record(Domain& d, std::vector<Int3> directions, PatchOf&& patchOf)
{
    std::sort(directions.begin(), directions.end(), [](const Int3& a, const Int3& b) {
        return directionCode(a[0], a[1], a[2]) < directionCode(b[0], b[1], b[2]);
    });
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        if (!d.fluid[i]) continue;
        for (const Int3& c : directions) {
            if (c == Int3{0, 0, 0}) continue;
            const int patch = patchOf(i, c);
            if (patch >= 0) d.links.push_back({i, 0.5f, std::int16_t(patch), directionCode(c[0], c[1], c[2])});
        }
    }
}

LinkValue randomValue(BoundaryKind kind, const Link& link, Random& random)
{
    LinkValue value;
    value.kind = kind;
    value.density = uniform(random, 0.99, 1.01);
    const bool flat = directionOf(link.direction)[2] == 0;
    for (int a = 0; a < 3; ++a) value.velocity[a] = a == 2 && flat ? 0 : uniform(random, -0.02, 0.02);
    value.recovery = random() % 2 ? uniform(random, 0, 0.1) : 0;
    if (kind == BoundaryKind::shear) value.density = uniform(random, 0.9999, 1.0001);
    if (isPlane(kind)) {
        const Int3 c = directionOf(link.direction);
        const double length = std::sqrt(double(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]));
        for (int a = 0; a < 3; ++a) value.velocity[a] = c[a] / length;
    }
    return value;
}

std::vector<LinkValue> randomValues(const Domain& d, int patch, BoundaryKind kind, Random& random)
{
    std::vector<LinkValue> values;
    for (const Link& link : d.links)
        if (link.patch == patch) values.push_back(randomValue(kind, link, random));
    return values;
}

Scenario finish(const std::string& name, Domain d, std::vector<LinkValue> patches = {})
{
    d.check();
    Scenario s;
    s.name = name;
    s.domain = std::make_shared<const Domain>(std::move(d));
    s.patches = std::move(patches);
    s.closed = std::all_of(s.patches.begin(), s.patches.end(),
                           [](const LinkValue& value) { return value.kind == BoundaryKind::wall; });
    s.events = {{1, {}, {0, 0, 0}, 0.8}, {2, {}, {0, 0, 0}, 0.62, 0.1}, {3, {}, {0, 0, 0}, 0.8}};
    return s;
}

Int3 oddSize(bool flat) { return flat ? Int3{37, 21, 1} : Int3{7, 11, 18}; }
Int3 tiledSize(bool flat) { return flat ? Int3{32, 48, 1} : Int3{32, 8, 12}; }

Scenario closedBox(bool flat)
{
    Random random(11);
    Domain d = filled(oddSize(flat), flat, {false, false, false});
    sprinkle(d, 0.25, random);
    isolate(d, flat ? Int3{3, 3, 0} : Int3{3, 3, 3}, 1);
    Scenario s = finish("closed", std::move(d));
    s.force = {1e-4, -2e-4, flat ? 0 : 3e-4};
    s.events[0].force = {0, 0, 0}; // kernels with and without a force in one run
    s.events[1].force = {-1e-4, 0, 0};
    return s;
}

// Solid planes, edges and corners that fall on those of the tiles, with holes; periodic as told.
Scenario tileWalls(bool flat, const std::string& name, const std::array<bool, 3>& periodic)
{
    Random random(12);
    Domain d = filled(oddSize(flat), flat, periodic);
    const int end = 64, depth = flat ? 1 : 4;
    clearBox(d, {4, 0, 0}, {5, 6, end}); // first layer of a tile
    clearBox(d, {0, 7, 0}, {3, 8, end}); // last layer of a tile
    for (const Int3& corner : {Int3{3, 3, depth - 1}, Int3{0, 4, 0}, Int3{15, 15, 0}, Int3{16, 16, 0}, Int3{0, 0, 8}})
        clearBox(d, corner, {corner[0] + 1, corner[1] + 1, corner[2] + 1});
    sprinkle(d, 0.03, random);
    return finish(name, std::move(d));
}

// Sides that are whole numbers of tiles: wraps on tile boundaries, and tiles without any wall.
Scenario periodicTiles(bool flat, double solids)
{
    Random random(13);
    Domain d = filled(tiledSize(flat), flat, {true, true, true});
    sprinkle(d, solids, random);
    return finish(solids > 0 ? "periodicTilesWithSolids" : "periodicTiles", std::move(d));
}

// Tiles with one fluid node each, some of them neighbours across tile boundaries.
Scenario loneNodes(bool flat)
{
    Domain d = filled(tiledSize(flat), flat, {true, false, true});
    d.fluid = BitSet(d.nodes());
    const int step = flat ? 16 : 8;
    for (int z = 0; z < d.size[2]; z += 4)
        for (int y = 3; y < d.size[1]; y += 8)
            for (int x = 0; x < d.size[0]; x += step) {
                d.fluid.set(d.index(x, y, z));
                d.fluid.set(d.index((x + d.size[0] - 1) % d.size[0], (y + 1) % d.size[1], z));
            }
    return finish("loneNodes", std::move(d));
}

// Pairs of nodes that meet across the edge of two tiles, the tiles beside both being solid; tiles of 8 and of 32 nodes.
Scenario edges(bool flat)
{
    Domain d = filled(flat ? Int3{32, 96, 1} : Int3{32, 48, 48}, flat, {false, false, false});
    d.fluid = BitSet(d.nodes());
    for (const Int3& x : flat ? std::vector<Int3>{{7, 31, 0}, {16, 63, 0}, {23, 32, 0}}
                              : std::vector<Int3>{{7, 7, 2}, {16, 15, 2}, {7, 20, 15}, {16, 20, 31}, {7, 31, 31}}) {
        const int cx = x[0] % 8 == 7 ? 1 : -1;
        d.fluid.set(d.index(x[0], x[1], x[2]));
        const bool acrossY = x[1] % 8 == 7 || flat, acrossZ = !flat && x[2] % 8 == 7;
        d.fluid.set(d.index(x[0] + cx, x[1] + (acrossY ? x[1] % 8 == 7 ? 1 : -1 : 0), x[2] + acrossZ));
    }
    return finish("edges", std::move(d));
}

// A wall without thickness between fluid nodes, every link through it listed from both sides.
Scenario thinWall(bool flat, const std::vector<Int3>& directions)
{
    Domain d = filled(oddSize(flat), flat, {true, false, false});
    d.patches = {"baffle", "solids"};
    clearBox(d, {1, 1, 0}, {2, 4, 2});
    const int between = 4; // behind the last node of a tile of four
    record(d, directions, [&](NodeIndex i, const Int3& c) {
        const Int3 x = d.coordinates(i);
        const bool cut = (x[1] < between) != (x[1] + c[1] < between) && x[1] + c[1] >= 0;
        return cut ? 0 : leavesFluid(d, i, c) && x[0] % 2 ? 1 : -1;
    });
    return finish("thinWall", std::move(d), std::vector<LinkValue>(2));
}

// Links out of the fluid belong to patches of all kinds in a jumble, solid nodes included; values differ
// from link to link and change between steps, and so do kinds.
Scenario openings(bool flat, const std::vector<Int3>& directions, const std::array<bool, 3>& periodic)
{
    Random random(14);
    Domain d = filled(oddSize(flat), flat, periodic);
    sprinkle(d, 0.1, random);
    isolate(d, flat ? Int3{20, 9, 0} : Int3{3, 5, 9}, 1);
    const BoundaryKind kinds[] = {BoundaryKind::wall,
                                  BoundaryKind::movingWall,
                                  BoundaryKind::velocity,
                                  BoundaryKind::pressure,
                                  BoundaryKind::pressureVelocity,
                                  BoundaryKind::outflow,
                                  BoundaryKind::slip,
                                  BoundaryKind::shear,
                                  BoundaryKind::interpolatedWall,
                                  BoundaryKind::interpolatedWall,
                                  BoundaryKind::interpolatedWall,
                                  BoundaryKind::velocity,
                                  BoundaryKind::pressure};
    constexpr int n = 13, firstCurved = 8, firstWhole = 11;
    d.patches = {"wall",  "movingWall", "velocity", "pressure", "pressureVelocity", "outflow",      "slip",
                 "shear", "quadratic",  "linear",   "local",    "wholeVelocity",    "wholePressure"};
    record(d, directions, [&](NodeIndex i, const Int3& c) {
        int patch = int(random() % (n + 1)); // one in fourteen has no record
        const Int3 x = d.coordinates(i);
        bool leavesBox = false;
        for (int a = 0; a < 3; ++a) leavesBox = leavesBox || x[a] + c[a] < 0 || x[a] + c[a] >= d.size[a];
        // In a pore that is all openings, such would let the flow grow beyond what tolerances are made for
        if (patch >= firstWhole && patch < n && !leavesBox) patch -= firstWhole;
        return leavesFluid(d, i, c) && patch < n ? patch : -1;
    });
    // Half-way ones, too: of patches of symmetry they tell where an edge is
    for (Link& link : d.links) link.fraction = random() % 3 ? float(uniform(random, 0.05, 1)) : 0.5f;
    std::vector<LinkValue> patches(n);
    for (int p = 0; p < n; ++p) patches[p] = randomValue(kinds[p], {0, 0.5f, 0, directionCode(1, 0, 0)}, random);
    patches[firstCurved + 1].scheme = WallScheme::linear;
    patches[firstCurved + 2].scheme = WallScheme::local;
    for (int p = firstWhole; p < n; ++p) patches[p].velocityGradient = true;

    Scenario s = finish(periodic[0] ? "openingsPeriodic" : "openings", std::move(d), std::move(patches));
    s.force = {1e-4, 0, 0};
    s.events.insert(s.events.begin(), Event{});
    for (std::size_t e = 0; e + 1 < s.events.size(); ++e) {
        s.events[e].force = {0, 1e-4, 0};
        s.events[e].steps = int(e % 2 + 1);
        for (int p = 1; p < n; ++p) {
            // Once, every patch takes another's kind: moving wall and velocity change places, the rest goes round
            const int kind = e == 2 && p == firstWhole + 1 ? 4
                : e != 2 || p >= firstCurved               ? p
                : p < 3                                    ? 3 - p
                                                           : 3 + (p - 2) % 4;
            s.events[e].boundaries.push_back({p, randomValues(*s.domain, p, kinds[kind], random)});
        }
    }
    return s;
}

// A channel between planes of symmetry, with an opening at either end: whole sides of links that need one population or the state of one
// other node. Then one of the planes takes a shear, and another lets fluid out.
Scenario mirrors(bool flat, const std::vector<Int3>& directions)
{
    Random random(20);
    Domain d = filled(oddSize(flat), flat, {false, false, false});
    clearBox(d, {3, 4, 3}, {5, 6, 7});
    d.patches = {"inlet", "outlet", "sides", "lid"};
    record(d, directions, [&](NodeIndex i, const Int3& c) {
        const Int3 x = d.coordinates(i), to{x[0] + c[0], x[1] + c[1], x[2] + c[2]};
        if (to[0] < 0) return 0;
        if (to[0] >= d.size[0]) return 1;
        if (to[1] >= d.size[1]) return 3;
        return to[1] < 0 || to[2] < 0 || to[2] >= d.size[2] ? 2 : -1;
    });
    const BoundaryKind kinds[] = {BoundaryKind::velocity, BoundaryKind::pressure, BoundaryKind::slip,
                                  BoundaryKind::slip};
    const auto valuesOf = [&](int patch, BoundaryKind kind) {
        std::vector<LinkValue> values = randomValues(d, patch, kind, random);
        std::size_t k = 0;
        for (const Link& link : d.links) {
            if (link.patch != patch) continue;
            LinkValue& value = values[k++];
            if (!isPlane(kind)) continue;
            // Of the plane that the link leaves through first
            const Int3 x = d.coordinates(link.node), c = directionOf(link.direction);
            const int across = x[1] + c[1] < 0 || x[1] + c[1] >= d.size[1] ? 1 : 2;
            for (int a = 0; a < 3; ++a) value.velocity[a] = a == across ? c[a] : 0;
        }
        return values;
    };
    std::vector<LinkValue> patches(4);
    for (int p = 0; p < 4; ++p) patches[p].kind = kinds[p];
    std::vector<Event> events(4);
    for (int p = 0; p < 4; ++p) events[0].boundaries.push_back({p, valuesOf(p, kinds[p])});
    events[1].steps = 2;
    events[1].boundaries = {{0, valuesOf(0, BoundaryKind::movingWall)},
                            {1, valuesOf(1, BoundaryKind::pressureVelocity)},
                            {3, valuesOf(3, BoundaryKind::shear)}};
    events[2].boundaries = {{1, valuesOf(1, BoundaryKind::outflow)},
                            {2, valuesOf(2, BoundaryKind::pressure)},
                            {3, valuesOf(3, BoundaryKind::slip)}};
    events[3].steps = 2;
    Scenario s = finish("mirrors", std::move(d), std::move(patches));
    s.events = std::move(events);
    return s;
}

// Moving walls, each link for itself, and wraps off the tiles' boundaries; nothing that looks at other nodes.
Scenario movingWalls(bool flat, const std::vector<Int3>& directions)
{
    Random random(17);
    Domain d = filled(oddSize(flat), flat, {true, false, false});
    sprinkle(d, 0.1, random);
    d.patches = {"movingWall"};
    record(d, directions, [&](NodeIndex i, const Int3& c) { return leavesFluid(d, i, c) ? 0 : -1; });
    Scenario s = finish("movingWalls", std::move(d), {randomValue(BoundaryKind::movingWall, {}, random)});
    s.events[1].boundaries.push_back({0, randomValues(*s.domain, 0, BoundaryKind::movingWall, random)});
    return s;
}

// A ball of nodes, through solid ones, that velocities are seen from another frame in; links of both sides, each for itself.
Scenario frames(bool flat, const std::vector<Int3>& directions)
{
    Random random(18);
    Domain d = filled(oddSize(flat), flat, {true, false, false});
    sprinkle(d, 0.05, random);
    d.patches = {"frame"};
    const auto inside = [&](NodeIndex i) {
        const Int3 x = d.coordinates(i);
        double square = 0;
        for (int a = 0; a < (flat ? 2 : 3); ++a) square += std::pow((x[a] - 0.45 * d.size[a]) / (0.4 * d.size[a]), 2);
        return square < 1;
    };
    record(d, directions, [&](NodeIndex i, const Int3& c) {
        const NodeIndex there = d.neighbour(d.coordinates(i), c);
        return there >= 0 && d.fluid[there] && inside(i) != inside(there) ? 0 : -1;
    });
    Scenario s = finish("frames", std::move(d), {randomValue(BoundaryKind::frame, {}, random)});
    s.force = {1e-4, 0, 0};
    s.events[1].boundaries.push_back({0, randomValues(*s.domain, 0, BoundaryKind::frame, random)});
    return s;
}

// A quarter about an axis between nodes, through solid ones: what leaves it through one side comes in through the other, but for
// links that end at walls seen from there.
Scenario turns(bool flat, const std::vector<Int3>& directions)
{
    Random random(19);
    Domain d = filled(flat ? Int3{37, 37, 1} : Int3{13, 13, 7}, flat, {false, false, !flat});
    sprinkle(d, 0.05, random);
    d.patches = {"low x", "low y"};
    d.turns = {{0, 2, 3, {-1, -1, 0}}, {1, 2, 1, {-1, -1, 0}}};
    record(d, directions, [&](NodeIndex i, const Int3& c) {
        const Int3 x = d.coordinates(i);
        for (const int a : {0, 1})
            if (x[a] + c[a] < 0 && x[1 - a] + c[1 - a] < d.size[1 - a]) return random() % 10 ? a : -1;
        return -1;
    });
    LinkValue value;
    value.kind = BoundaryKind::turn;
    Scenario s = finish("turns", std::move(d), {value, value});
    s.force = {0, 0, flat ? 0 : 1e-4};
    return s;
}

// Solid nodes in a jumble and a plate, which many links of one layer end at, behind walls that are interpolated by all schemes, at
// rest and then moving, in more than one tile along every axis; nothing else, so that nodes have links of one sort.
Scenario curvedWalls(bool flat, const std::vector<Int3>& directions)
{
    Random random(16);
    Domain d = filled(flat ? Int3{139, 21, 1} : Int3{37, 11, 9}, flat, {true, false, false});
    clearBox(d, flat ? Int3{10, 9, 0} : Int3{3, 1, 4}, flat ? Int3{125, 10, 1} : Int3{30, 7, 5});
    sprinkle(d, 0.04, random);
    d.patches = {"quadratic", "linear", "local", "slipping"};
    record(d, directions, [&](NodeIndex i, const Int3& c) { return leavesFluid(d, i, c) ? int(random() % 4) : -1; });
    for (Link& link : d.links) link.fraction = float(uniform(random, 0.05, 1));
    std::vector<LinkValue> patches(4);
    for (LinkValue& value : patches) value.kind = BoundaryKind::interpolatedWall;
    patches[1].scheme = WallScheme::linear;
    patches[2].scheme = WallScheme::local;
    patches[3].scheme = WallScheme::slipping;
    Scenario s = finish("curvedWalls", std::move(d), std::move(patches));
    for (int p = 0; p < 4; ++p)
        s.events[1].boundaries.push_back({p, randomValues(*s.domain, p, BoundaryKind::interpolatedWall, random)});
    return s;
}

// Fewer nodes than a link's neighbours: a node meets itself and one neighbour from both sides.
Scenario tiny(bool flat, const Int3& size)
{
    return finish("tiny" + std::to_string(size[0]) + std::to_string(size[1]) + std::to_string(size[2]),
                  filled(size, flat, {true, true, true}));
}

} // namespace

void addSmallTaus(std::vector<Scenario>& all)
{
    for (std::size_t i = 0, n = all.size(); i < n; i += 2) {
        Scenario small = all[i];
        small.name += " with small tau";
        small.tau = 0.53;
        double tau = 0.52;
        for (Event& event : small.events) event.tau = tau += 0.015;
        all.push_back(std::move(small));
    }
}

std::vector<Scenario> scenarios(const std::vector<Int3>& directions)
{
    const bool flat = std::all_of(directions.begin(), directions.end(), [](const Int3& c) { return c[2] == 0; });
    std::vector<Scenario> all;
    all.push_back(closedBox(flat));
    all.push_back(tileWalls(flat, "tileWallsPeriodicX", {true, false, false}));
    all.push_back(tileWalls(flat, "tileWallsPeriodic", {true, true, true}));
    all.push_back(periodicTiles(flat, 0));
    all.push_back(periodicTiles(flat, 0.02));
    all.push_back(loneNodes(flat));
    all.push_back(edges(flat));
    all.push_back(thinWall(flat, directions));
    all.push_back(openings(flat, directions, {false, false, false}));
    all.push_back(openings(flat, directions, {true, false, false}));
    all.push_back(curvedWalls(flat, directions));
    all.push_back(movingWalls(flat, directions));
    all.push_back(frames(flat, directions));
    for (const Int3& size : {Int3{1, 1, 1}, Int3{2, 3, 1}, Int3{5, 1, 1}}) all.push_back(tiny(flat, size));
    all.push_back(turns(flat, directions));
    all.push_back(mirrors(flat, directions));
    for (std::size_t i = 0; i < all.size(); i += 2) all[i].nodeForces = true;
    return all;
}

std::vector<NodeIndex> fluidNodesOf(const Domain& d)
{
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (d.fluid[i]) nodes.push_back(i);
    return nodes;
}

Told toldAt(const Domain& d, std::size_t number)
{
    Random random(100 + number);
    Told told;
    for (const NodeIndex node : fluidNodesOf(d)) {
        if (uniform(random, 0, 1) < 0.3) continue;
        told.nodes.push_back(node);
        told.tau.push_back(uniform(random, 0, 1) < 0.3 ? uniform(random, 1.1, 1.3) : uniform(random, 0.6, 0.9));
        for (int a = 0; a < 3; ++a)
            told.forces.push_back(a == 2 && d.dimensions == 2 ? 0 : uniform(random, -2e-4, 2e-4));
    }
    return told;
}

bool sumsDependOnCuts(const KernelRow& row, const Domain& domain)
{
    if (isOnHost(row) || findStorage(row.device, row.storage)->stored != Stored::moments) return false;
    int extent[3] = {1, 1, 1};
    if (std::sscanf(row.tile.c_str(), "%dx%dx%d", &extent[0], &extent[1], &extent[2]) != 3)
        throw std::logic_error("tile " + row.tile);
    for (int a = 0; a < 3; ++a)
        if (domain.periodic[std::size_t(a)] && domain.size[std::size_t(a)] % extent[a] != 0) return true;
    return false;
}

std::vector<double> randomPopulations(std::size_t nodes, std::size_t directions)
{
    Random random(15);
    std::vector<double> values(nodes * directions);
    for (double& value : values) value = uniform(random, -0.002, 0.002);
    return values;
}

} // namespace lbm::test
