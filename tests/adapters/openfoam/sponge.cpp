// Sound and a vortex that leave through an opening of given pressure, with and without a sponge before it: what comes back.
// Part of lbmFoam, GPL-3.0-or-later.
#include "DynamicList.H"
#include "lbmSponge.H"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lbm::test {
namespace {

// A stream from an inlet on the left to an outlet on the right, periodic across.
struct Stream {
    int wide, high, zone;
    double speed, recovery; // recovery: of openings that let sound out
    std::shared_ptr<Domain> domain = std::make_shared<Domain>();
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes;
    std::unique_ptr<Foam::lbmSponge> sponge;

    Stream(int wide, int high, int zone, double speed, double recovery, int parts = 1) :
        wide(wide), high(high), zone(zone), speed(speed), recovery(recovery)
    {
        Domain& d = *domain;
        d.dimensions = 2;
        d.size = {wide, high, 1};
        d.periodic = {false, true, false};
        d.fluid = BitSet(d.nodes());
        d.patches = {"inlet", "outlet"};
        Foam::DynamicList<Foam::label> out;
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            d.fluid.set(i, true);
            nodes.push_back(i);
            const Int3 x = d.coordinates(i);
            for (const int side : {-1, 1}) {
                if (x[0] != (side < 0 ? 0 : wide - 1)) continue;
                for (const int cy : {-1, 0, 1}) {
                    Link link;
                    link.node = i;
                    link.fraction = 0.5f;
                    link.patch = std::int16_t(side > 0);
                    link.direction = directionCode(side, cy, 0);
                    if (side > 0) out.append(Foam::label(d.links.size()));
                    d.links.push_back(link);
                }
            }
        }
        d.check();
        Config c;
        c.lattice = "D2Q9";
        c.collision = "regularized";
        c.storage = "moments";
        c.tau = 0.505;
        c.parts = parts;
        c.patches.resize(2);
        c.patches[0].kind = BoundaryKind::velocity;
        c.patches[0].velocity = {speed, 0, 0};
        c.patches[1].kind = BoundaryKind::pressure;
        for (LinkValue& patch : c.patches) patch.recovery = recovery;
        solver = makeSolver(domain, c);
        if (!zone) return;
        sponge.reset(new Foam::lbmSponge(
            *solver, Foam::lbmSponge::zone(d, out, std::vector<Vec3>(out.size(), Vec3{1, 0, 0}), zone),
            3 * std::log(100.) * speed / zone, wide / speed));
    }

    using State = std::function<Macroscopic(double x, double y)>;
    void begin(const State& of)
    {
        std::vector<Macroscopic> states;
        for (const NodeIndex i : nodes) {
            const Int3 x = domain->coordinates(i);
            states.push_back(of(x[0], x[1]));
        }
        solver->initialise(nodes.data(), nodes.size(), states.data());
        // Means are those of the even stream: what passes begins before the zone
        if (sponge) sponge->apply(1, 0, 1);
    }
    void advance(int steps)
    {
        const int interval = sponge ? sponge->interval(1) : steps;
        for (int done = 0; done < steps; done += interval) {
            const int now = std::min(interval, steps - done);
            solver->advance(now);
            if (sponge) sponge->apply(1, now, 1);
        }
    }

    // Root mean squares of density and velocity off the even stream's, of nodes in front of any zone.
    struct Off {
        double density = 0, velocity = 0;
    };
    Off off(int before) const
    {
        std::vector<Macroscopic> states(nodes.size());
        solver->sample(nodes.data(), nodes.size(), states.data());
        Off sum;
        int n = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (domain->coordinates(nodes[i])[0] >= before) continue;
            const Vec3& u = states[i].velocity;
            sum.density += std::pow(states[i].density - 1, 2);
            sum.velocity += std::pow(u[0] - speed, 2) + u[1] * u[1];
            ++n;
        }
        return {std::sqrt(sum.density / n), std::sqrt(sum.velocity / n)};
    }
};

constexpr double sound = 0.57735026918962576;

// Of a pulse of density that runs to the outlet, the share that comes back.
double soundBack(int zone, double recovery)
{
    const int wide = 300, before = 220;
    Stream stream(wide, 2, zone, 0.05, recovery);
    const double size = 1e-4, at = 140, width = 12;
    stream.begin([&](double x, double) {
        Macroscopic state;
        const double pulse = size * std::exp(-std::pow((x - at) / width, 2));
        state.density = 1 + pulse;
        state.velocity = {0.05 + sound * pulse, 0, 0};
        return state;
    });
    const double sent = stream.off(before).density;
    const double way = (wide - at) / (sound + 0.05) + (wide - at) / (sound - 0.05);
    stream.advance(int(way));
    return stream.off(before).density / sent;
}

// Of a vortex that is carried out: largest density far in front of the outlet from then on, and velocity that stays, over its own.
Stream::Off vortexBack(int zone, double recovery)
{
    const int wide = 240, high = 96, before = 150;
    const double speed = 0.1, size = 0.02, radius = 8, at = 170;
    Stream stream(wide, high, zone, speed, recovery);
    const auto vortex = [&](double x, double y) {
        Macroscopic state;
        const double dx = (x - at) / radius, dy = (y - 0.5 * high) / radius;
        const double around = size * std::exp(0.5 * (1 - dx * dx - dy * dy));
        state.velocity = {speed - around * dy, around * dx, 0};
        state.density = 1 - 1.5 * around * around;
        return state;
    };
    stream.begin(vortex);
    double own = 0, low = 0;
    for (int x = 0; x < wide; ++x)
        for (int y = 0; y < high; ++y) {
            const Macroscopic state = vortex(x, y);
            own += std::pow(state.velocity[0] - speed, 2) + std::pow(state.velocity[1], 2);
            low += std::pow(state.density - 1, 2);
        }
    Stream::Off back;
    // What the start sends off has left when the vortex arrives
    stream.advance(500);
    for (int i = 0; i < 40; ++i) {
        stream.advance(25);
        const Stream::Off now = stream.off(before);
        back.density = std::max(back.density, now.density);
        back.velocity = std::max(back.velocity, now.velocity);
    }
    const double n = double(before) * high;
    return {back.density / std::sqrt(low / n), back.velocity / std::sqrt(own / n)};
}

const double letsOut = sound / 300;

} // namespace

// Of more links than a thread follows at a time, in several directions a node.
TEST(Sponge, reachesAsFarAsItIsLong)
{
    constexpr int across = 90, along = 12, layers = 4;
    Domain domain;
    domain.size = {along, across, across};
    domain.fluid = BitSet(domain.nodes(), true);
    domain.patches = {"outlet"};
    std::vector<Vec3> normals;
    for (int z = 0; z < across; ++z)
        for (int y = 0; y < across; ++y)
            for (const Int3& c : {Int3{1, 0, -1}, Int3{1, -1, 0}, Int3{1, 0, 0}, Int3{1, 1, 0}, Int3{1, 0, 1}}) {
                domain.links.push_back({domain.index(along - 1, y, z), 0.5F, 0, directionCode(c[0], c[1], c[2])});
                normals.push_back({1, 0, 0});
            }
    Foam::labelList links(Foam::label(domain.links.size()));
    for (Foam::label i = 0; i < links.size(); ++i) links[i] = i;

    const auto zone = Foam::lbmSponge::zone(domain, links, normals, layers);
    ASSERT_EQ(zone.size(), std::size_t(layers * across * across));
    for (std::size_t i = 0; i < zone.size(); ++i) {
        if (i > 0) ASSERT_GT(zone[i].node, zone[i - 1].node);
        const double left = 1 - (along - 0.5 - domain.coordinates(zone[i].node)[0]) / layers;
        ASSERT_NEAR(zone[i].share, left * left, 1e-12) << i;
    }
}

// As a file has them: arrays that are told piece by piece, whole
CheckpointNotes noted(const Foam::lbmSponge& sponge)
{
    CheckpointNotes notes;
    sponge.note(notes);
    for (const auto& [name, told] : notes.told) {
        std::vector<double>& all = notes.arrays[name];
        told.tell([&](const std::vector<double>& some) { all.insert(all.end(), some.begin(), some.end()); });
        EXPECT_EQ(all.size(), told.size) << name;
    }
    notes.told.clear();
    return notes;
}

// Each part relaxes its own nodes; a checkpoint is the whole's.
TEST(Sponge, isTheSameOnParts)
{
    const int wide = 96, high = 24, zone = 30;
    std::vector<std::vector<Macroscopic>> states;
    std::vector<CheckpointNotes> notes;
    for (const int parts : {1, 3}) {
        Stream stream(wide, high, zone, 0.1, letsOut, parts);
        stream.begin([&](double x, double y) {
            Macroscopic state;
            state.density = 1 + 1e-3 * std::sin(0.2 * x + 0.3 * y);
            state.velocity = {0.1, 0.01 * std::cos(0.2 * x), 0};
            return state;
        });
        stream.advance(40);
        states.emplace_back(stream.nodes.size());
        stream.solver->sample(stream.nodes.data(), stream.nodes.size(), states.back().data());
        notes.push_back(noted(*stream.sponge));
        // Into a sponge that has made other means
        stream.advance(20);
        EXPECT_NE(noted(*stream.sponge).arrays, notes.front().arrays);
        stream.sponge->recall(notes.front());
        const CheckpointNotes again = noted(*stream.sponge);
        EXPECT_EQ(again.arrays, notes.front().arrays);
        EXPECT_EQ(again.numbers, notes.front().numbers);
    }
    for (std::size_t i = 0; i < states[0].size(); ++i) {
        EXPECT_NEAR(states[0][i].density, states[1][i].density, 1e-12) << i;
        EXPECT_NEAR(states[0][i].velocity[0], states[1][i].velocity[0], 1e-12) << i;
    }
    ASSERT_EQ(notes[0].arrays.size(), 1u);
    const std::vector<double>&one = notes[0].arrays.begin()->second, &three = notes[1].arrays.begin()->second;
    ASSERT_EQ(one.size(), 4u * zone * high);
    ASSERT_EQ(three.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], three[i], 1e-12) << i;
}

// More nodes than are noted at a time: each mean is its node's.
TEST(Sponge, isNotedInPieces)
{
    const int wide = 1100, high = 64, zone = 1040;
    for (const int parts : {1, 3}) {
        Stream stream(wide, high, zone, 0.1, letsOut, parts);
        stream.begin([](double, double) { return Macroscopic(); });
        CheckpointNotes notes = noted(*stream.sponge);
        std::vector<double>& means = notes.arrays.begin()->second;
        ASSERT_EQ(means.size(), 4u * zone * high);
        for (std::size_t i = 0; i < means.size(); ++i) means[i] = 1e-9 * double(i);
        stream.sponge->recall(notes);
        EXPECT_EQ(noted(*stream.sponge).arrays, notes.arrays) << parts << " parts";
    }
}

TEST(Sponge, takesSound)
{
    const double held = soundBack(0, 0), open = soundBack(0, letsOut);
    const double heldBehind = soundBack(40, 0), openBehind = soundBack(40, letsOut);
    std::printf("sound that comes back: pressure held %.4f, with a sponge %.4f; let out %.4f, with a sponge %.4f\n",
                held, heldBehind, open, openBehind);
    // The pulse's own viscosity apart, all of it comes back
    EXPECT_GT(held, 0.6);
    EXPECT_LT(heldBehind, 0.55 * held);
    EXPECT_LT(openBehind, 0.55 * open);
}

TEST(Sponge, takesVortices)
{
    const Stream::Off held = vortexBack(0, 0), heldBehind = vortexBack(40, 0);
    const Stream::Off open = vortexBack(0, letsOut), openBehind = vortexBack(40, letsOut);
    std::printf(
        "of a vortex density and velocity that come back: pressure held %.4f %.4f, with a sponge %.4f %.4f; let out %.4f %.4f, "
        "with a sponge %.4f %.4f\n",
        held.density, held.velocity, heldBehind.density, heldBehind.velocity, open.density, open.velocity,
        openBehind.density, openBehind.velocity);
    EXPECT_GT(held.density, 1);
    EXPECT_LT(heldBehind.density, 0.1 * held.density);
    EXPECT_LT(heldBehind.velocity, 0.2 * held.velocity);
    EXPECT_LT(openBehind.density, 0.9 * open.density);
    EXPECT_LT(openBehind.velocity, 0.004);
}

// An even stream stays as it is, and nodes are those straight before the opening.
TEST(Sponge, leavesAnEvenStream)
{
    Stream stream(60, 4, 10, 0.05, letsOut);
    EXPECT_EQ(stream.sponge->size(), 10u * 4u);
    const auto even = [](double, double) {
        Macroscopic state;
        state.velocity = {0.05, 0, 0};
        return state;
    };
    stream.begin(even);
    stream.advance(400);
    EXPECT_LT(stream.off(60).velocity, 1e-9);
    EXPECT_LT(stream.off(60).density, 1e-9);
}

} // namespace lbm::test
