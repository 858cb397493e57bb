// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/Shape.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::test {

namespace {

Vec3 along(const Int3& x, double s, const Int3& c) { return {x[0] + s * c[0], x[1] + s * c[1], x[2] + s * c[2]}; }

// Where the link leaves the fluid, from outside.
double crossing(const Level& level, const Int3& x, const Int3& c)
{
    double inside = 0, outside = 1;
    for (int k = 0; k < 50; ++k) {
        const double s = (inside + outside) / 2;
        (level(along(x, s, c)) > 0 ? inside : outside) = s;
    }
    return outside;
}

} // namespace

Domain shape(const Int3& size, const std::array<bool, 3>& periodic, const std::vector<Level>& levels)
{
    Domain d;
    d.dimensions = size[2] == 1 ? 2 : 3;
    d.size = size;
    d.periodic = periodic;
    d.fluid = BitSet(d.nodes());
    const Level level = [&](const Vec3& x) {
        double least = levels[0](x);
        for (const Level& l : levels) least = std::min(least, l(x));
        return least;
    };
    for (std::size_t p = 0; p < levels.size(); ++p) d.patches.push_back("surface" + std::to_string(p));
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (level(along(d.coordinates(i), 0, {0, 0, 0})) > 0) d.fluid.set(i);
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        if (!d.fluid[i]) continue;
        const Int3 x = d.coordinates(i);
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (code == 13 || (d.dimensions == 2 && c[2]) || level(along(x, 1, c)) > 0) continue;
            const double s = crossing(level, x, c);
            std::int16_t patch = 0;
            while (levels[patch](along(x, s, c)) > 0) ++patch;
            d.links.push_back({i, float(std::max(s, 1e-6)), patch, code});
        }
    }
    d.check();
    return d;
}

Flow::Flow(Domain made, Config config) : domain(std::make_shared<const Domain>(std::move(made)))
{
    config.lattice = domain->dimensions == 2 ? "D2Q9" : "D3Q19";
    solver = makeSolver(domain, config);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        if (domain->fluid[i]) nodes.push_back(i);
    states.resize(nodes.size());
}

Vec3 Flow::position(std::size_t i) const { return along(domain->coordinates(nodes[i]), 0, {0, 0, 0}); }

void Flow::begin(const std::function<Vec3(const Vec3&)>& velocity)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) states[i] = {1, velocity(position(i)), {}};
    solver->initialise(nodes.data(), nodes.size(), states.data());
}

void Flow::advance(std::int64_t steps)
{
    solver->advance(steps);
    solver->sample(nodes.data(), nodes.size(), states.data());
}

double Flow::error(const std::function<Vec3(const Vec3&)>& exact) const
{
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Vec3 u = exact(position(i));
        for (int a = 0; a < 3; ++a) {
            difference += std::pow(states[i].velocity[a] - u[a], 2);
            norm += u[a] * u[a];
        }
    }
    return std::sqrt(difference / norm);
}

std::vector<LinkValue> linkValues(const Domain& d, int patch, BoundaryKind kind,
                                  const std::function<Vec3(const Vec3&)>& velocity)
{
    std::vector<LinkValue> values;
    for (const Link& link : d.links)
        if (link.patch == patch)
            values.push_back(
                {kind, velocity(along(d.coordinates(link.node), link.fraction, directionOf(link.direction))), 1});
    return values;
}

Domain periodicBox(const Int3& size)
{
    Domain d;
    d.size = size;
    d.periodic = {true, true, true};
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

Vec3 vortex(const Vec3& x, int n, double speed)
{
    const double k = 2 * std::numbers::pi / n;
    return {speed * std::sin(k * x[0]) * std::cos(k * x[1]) * std::cos(k * x[2]),
            -speed * std::cos(k * x[0]) * std::sin(k * x[1]) * std::cos(k * x[2]), 0};
}

double energy(const Flow& flow)
{
    double sum = 0;
    for (const Macroscopic& s : flow.states)
        sum += s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] + s.velocity[2] * s.velocity[2];
    return sum / double(flow.states.size());
}

} // namespace lbm::test
