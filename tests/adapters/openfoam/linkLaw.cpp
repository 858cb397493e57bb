// A wall law link by link, at any angle to the lattice: what a channel's walls take, beside what the law says.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbmLinkNormals.H"
#include "lbm/api/WallLaw.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lbm::test {
namespace {

constexpr double kappa = 0.41, E = 8.43;

// Along (run, rise), between the periodic sides of a box of run*n x rise*n nodes; along x for rise 0. Of several layers: a flow along
// z, about which the walls are turned.
struct LawChannel {
    int n, run, rise;
    double width = 20, low = 0.35;
    int layers = 1;

    double length() const { return std::hypot(run, rise); }
    Vec3 along(double u) const { return layers > 1 ? Vec3{0, 0, u} : Vec3{u * run / length(), u * rise / length(), 0}; }
    Int3 size() const { return {rise ? run * n : 8, rise ? rise * n : n, layers}; }
    double area() const { return 2 * layers * (rise ? n * length() : 8); } // of both walls
    Vec3 up() const { return {-rise / length(), run / length(), 0}; }
    double above(const Vec3& x) const
    {
        const double period = rise ? rise * n * run / length() : n;
        const double h = (x[1] * run - x[0] * rise) / length() - low - width / 2;
        return h - period * std::round(h / period) + width / 2;
    }
    Domain domain() const
    {
        return shape(
            size(), {true, true, layers > 1},
            {[*this](const Vec3& x) { return above(x); }, [*this](const Vec3& x) { return width - above(x); }});
    }
};

std::unique_ptr<WallLaw> lawOf(int patch, Solver& solver, const Config& config)
{
    Foam::labelList links;
    const Domain& domain = solver.domain();
    for (std::size_t i = 0; i < domain.links.size(); ++i)
        if (domain.links[i].patch == patch) links.append(Foam::label(i));
    WallLawSetup setup;
    setup.patch = patch;
    setup.normals = Foam::lbmLinkNormals::of(domain, links).normals;
    setup.kappa = kappa;
    setup.E = E;
    setup.patches = config.patches;
    return placeLaw(solver, setup);
}

// What walls take over what the law tells them to, means over the second half of a run. Driven by a force, which says what they
// have to take but for what the flow still gains.
double taken(const LawChannel& channel, const std::string& collision, int updates)
{
    const double speed = 0.05, uTau = speed / 23.6, half = channel.width / 2, viscosity = uTau * half / 5200,
                 guard = 100;
    Config c;
    c.collision = collision;
    if (channel.layers > 1) c.lattice = "D3Q19";
    c.storage = "moments";
    c.closure = "WALE";
    c.coefficients = {0.1, guard, 0, 0, 0};
    c.tau = 0.5 + 3 * viscosity;
    c.force = channel.along(uTau * uTau / half);
    c.patches.assign(2, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::slipping});
    Flow flow(channel.domain(), c);
    flow.begin([&](const Vec3& x) {
        const double y = std::min(channel.above(x), channel.width - channel.above(x));
        return channel.along(uTau * (std::log(y / half * 5200) / kappa + 5.2));
    });
    std::vector<std::unique_ptr<WallLaw>> laws;
    for (int patch = 0; patch < 2; ++patch) laws.push_back(lawOf(patch, *flow.solver, c));
    const auto mean = [&] {
        flow.advance(0);
        double sum = 0;
        for (const Macroscopic& state : flow.states)
            for (int a = 0; a < 3; ++a) sum += state.velocity[std::size_t(a)] * channel.along(1)[std::size_t(a)];
        return sum / flow.states.size();
    };
    const int every = 1; // what changes lags by half of `every`
    double begin = 0, told = 0;
    for (int i = 0; i < updates; ++i) {
        if (i == updates / 2) begin = mean();
        for (const auto& law : laws) {
            law->update(viscosity, every);
            if (i < updates / 2) continue;
            const std::vector<double> state = law->state(); // stresses come first
            double sum = 0;
            for (std::size_t k = 0; k < law->size(); ++k)
                sum += std::hypot(state[3 * k], state[3 * k + 1], state[3 * k + 2]);
            told += sum / law->size() / updates; // two walls, half of the updates
        }
        flow.solver->advance(every);
    }
    // Of the nodes that there are, some of which stand for more than the volume between the walls
    const double gained = (mean() - begin) / (every * updates / 2), force = uTau * uTau / half;
    return (force - gained) * double(flow.states.size()) / channel.area() / told;
}

} // namespace

TEST(LinkLaw, normalsAreThoseOfTheWall)
{
    for (const LawChannel& channel : {LawChannel{23, 1, 0}, {27, 2, 1}, {24, 3, 1}, {34, 1, 1}, {8, 7, 4}}) {
        const Domain domain = channel.domain();
        for (int patch = 0; patch < 2; ++patch) {
            Foam::labelList links;
            for (std::size_t i = 0; i < domain.links.size(); ++i)
                if (domain.links[i].patch == patch) links.append(Foam::label(i));
            const double sign = patch == 0 ? -1 : 1;
            for (const Vec3& n : Foam::lbmLinkNormals::of(domain, links).normals)
                EXPECT_GT(sign * (n[0] * channel.up()[0] + n[1] * channel.up()[1]), 0.9999)
                    << channel.run << ':' << channel.rise;
        }
    }
}

// A body with edges of 25 and 90 degrees, turned off the axes, of one patch: links have the normal of the face that they meet, up to
// the edge, where a plane that fits all around it would lead the flow round it.
TEST(LinkLaw, normalsEndAtEdges)
{
    const double turn = 0.35, slant = 25 * M_PI / 180;
    const auto turned = [&](double x, double y, double z) {
        return Vec3{x * std::cos(turn) - y * std::sin(turn), x * std::sin(turn) + y * std::cos(turn), z};
    };
    struct Face {
        Vec3 normal;
        double off;
    };
    const Face faces[] = {{turned(1, 0, 0), 9.3},
                          {turned(-1, 0, 0), 9.1},
                          {turned(0, 1, 0), 6.2},
                          {turned(0, -1, 0), 6.4},
                          {{0, 0, 1}, 5.2},
                          {{0, 0, -1}, 5.7},
                          {turned(std::sin(slant), 0, std::cos(slant)), 6.1}};
    const Vec3 middle{16.2, 14.9, 10.4};
    const auto above = [&](const Vec3& x, const Face& face) {
        double d = -face.off;
        for (int a = 0; a < 3; ++a) d += (x[a] - middle[a]) * face.normal[a];
        return d;
    };
    const Domain domain = shape({33, 30, 21}, {true, true, true}, {[&](const Vec3& x) {
                                    double most = -1e9;
                                    for (const Face& face : faces) most = std::max(most, above(x, face));
                                    return most;
                                }});
    Foam::labelList links(Foam::label(domain.links.size()));
    for (Foam::label i = 0; i < links.size(); ++i) links[i] = i;
    const auto planes = Foam::lbmLinkNormals::of(domain, links);
    const std::vector<Vec3>& normals = planes.normals;
    const std::vector<std::uint32_t> sides = Foam::lbmLinkNormals::sides(domain, links, planes);
    ASSERT_EQ(Foam::label(sides.size()), links.size());
    EXPECT_EQ(*std::max_element(sides.begin(), sides.end()) + 1, std::size(faces));
    std::map<std::uint32_t, std::map<const Face*, int>> metBy; // sides
    std::size_t off = 0;
    for (Foam::label i = 0; i < links.size(); ++i) {
        const Link& link = domain.links[std::size_t(i)];
        const Int3 at = domain.coordinates(link.node), c = directionOf(link.direction);
        Vec3 place{};
        for (int a = 0; a < 3; ++a) place[a] = at[a] + link.fraction * c[a];
        double met = -1e9, product = 0;
        const Face* of = nullptr;
        for (const Face& face : faces)
            if (above(place, face) > met) {
                met = above(place, face);
                of = &face;
                product = 0;
                for (int a = 0; a < 3; ++a) product -= face.normal[a] * normals[std::size_t(i)][a];
            }
        ASSERT_NEAR(met, 0, 1e-5);
        off += product < 0.995;
        ++metBy[sides[std::size_t(i)]][of];
    }
    // By one plane for all around each of them 43 %
    EXPECT_GT(links.size(), 9000);
    EXPECT_LT(double(off), 0.002 * links.size()) << off << " of " << links.size();
    // What a side brings, it takes: each is a face
    for (const auto& [side, met] : metBy) {
        int most = 0, all = 0;
        for (const auto& [face, count] : met) {
            most = std::max(most, count);
            all += count;
        }
        EXPECT_GT(most, 0.96 * all) << side;
    }
}

// Without an edge, however thin: a sphere, and a cylinder's mantle between its ends.
TEST(LinkLaw, roundWallsHaveOneSide)
{
    const auto sidesOf = [](const Domain& domain) {
        Foam::labelList links(Foam::label(domain.links.size()));
        for (Foam::label i = 0; i < links.size(); ++i) links[i] = i;
        const auto sides = Foam::lbmLinkNormals::sides(domain, links, Foam::lbmLinkNormals::of(domain, links));
        return sides.empty() ? 1 : *std::max_element(sides.begin(), sides.end()) + 1;
    };
    for (const double radius : {4.3, 8.2}) {
        const auto off = [](double x, double y, double z) { return std::hypot(x - 12.1, y - 11.8, z - 12.3); };
        EXPECT_EQ(sidesOf(shape({25, 25, 25}, {true, true, true},
                                {[&](const Vec3& x) { return off(x[0], x[1], x[2]) - radius; }})),
                  1u)
            << radius;
        EXPECT_EQ(sidesOf(shape({25, 25, 25}, {true, true, true}, {[&](const Vec3& x) {
                                    return std::max(off(x[0], x[1], 12.3) - radius, std::abs(x[2] - 12.3) - 7.2);
                                }})),
                  3u)
            << radius;
    }
}

// Along an axis walls take the law's stress. At other angles steps of nodes leave what was found once: these flows are steady, so that
// disturbances of 1e-9 at the beginning change nothing of it, and whoever changes it is to know.
TEST(LinkLaw, wallsTakeTheLawsStress)
{
    struct Known {
        LawChannel channel;
        double regularized, hybridRegularized;
    };
    const Known known[] = {{{23, 1, 0, 20, 0.5}, 1, 1},
                           {{27, 2, 1}, 0.9305, 0.920},
                           {{24, 3, 1}, 0.9519, 0.8487},
                           {{34, 1, 1}, 0.9865, 0.9945},
                           {{8, 7, 4}, 0.7406, 0.890}};
    for (const char* collision : {"regularized", "hybridRegularized"}) {
        std::printf("friction over the law's, %s:", collision);
        for (const Known& of : known) {
            const bool first = std::string(collision) == "regularized";
            const double expected = first ? of.regularized : of.hybridRegularized;
            const double found = taken(of.channel, collision, 12000);
            std::printf(" %.1f degrees %.5f", std::atan2(of.channel.rise, of.channel.run) * 180 / M_PI, found);
            EXPECT_NEAR(found, expected, of.channel.rise ? 0.002 : 1e-4)
                << collision << ' ' << of.channel.run << ':' << of.channel.rise;
        }
        std::printf("\n");
    }
}

// Turned about the flow, after 400 to 800 steps (0.860, 1.071 and 0.847, 1.125 without law::besideFor, and further off with time).
TEST(LinkLaw, wallsTurnedAboutTheFlowTakeTheLawsStress)
{
    struct Known {
        LawChannel channel;
        double regularized, hybridRegularized;
    };
    const Known known[] = {{{27, 2, 1, 20, 0.35, 4}, 0.940, 0.996}, {{8, 7, 4, 20, 0.35, 4}, 0.993, 1.050}};
    for (const Known& of : known)
        for (const char* collision : {"regularized", "hybridRegularized"}) {
            const double expected = std::string(collision) == "regularized" ? of.regularized : of.hybridRegularized;
            const double found = taken(of.channel, collision, 800);
            std::printf("friction over the law's, %s, turned about the flow by %.1f degrees: %.5f\n", collision,
                        std::atan2(of.channel.rise, of.channel.run) * 180 / M_PI, found);
            EXPECT_NEAR(found, expected, 0.01) << collision << ' ' << of.channel.run << ':' << of.channel.rise;
        }
}

} // namespace lbm::test
