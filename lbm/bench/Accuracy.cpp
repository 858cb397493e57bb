// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Accuracy.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/bench/Report.hpp"

#include <cmath>
#include <functional>
#include <iomanip>
#include <numbers>
#include <ostream>
#include <sstream>

namespace lbm::bench {
namespace {

constexpr double speed = 0.05;

using State = std::function<Macroscopic(const Int3&)>;

struct Flow {
    std::shared_ptr<Domain> domain;
    std::vector<LinkValue> patches;
    double tau;
    Vec3 force{0, 0, 0};
    State start;
    std::int64_t steps;
};

std::shared_ptr<Domain> square(int n, const Config& c, const std::array<bool, 3>& periodic)
{
    auto domain = std::make_shared<Domain>();
    const bool flat = latticeDirections(c.lattice).size() == 9;
    domain->dimensions = flat ? 2 : 3;
    domain->size = {n, n, flat ? 1 : 4};
    domain->periodic = periodic;
    domain->fluid = BitSet(domain->nodes(), true);
    return domain;
}

// Their speed falls by the factor `damping`.
Macroscopic vortices(const Int3& x, int n, double damping)
{
    const double k = 2 * std::numbers::pi / n, U = damping * speed, a = k * x[0], b = k * x[1];
    Macroscopic m;
    m.velocity = {U * std::sin(a) * std::cos(b), -U * std::cos(a) * std::sin(b), 0};
    m.density = 1 + 3 * U * U / 4 * (std::cos(2 * a) + std::cos(2 * b));
    m.strainRate = {U * k * std::cos(a) * std::cos(b), 0, 0, -U * k * std::cos(a) * std::cos(b), 0, 0};
    return m;
}

Flow taylorGreen(int n, const Config& c)
{
    const double tau = 0.55, k = 2 * std::numbers::pi / n;
    const auto steps = std::int64_t(std::log(2) / (2 * (tau - 0.5) / 3 * k * k));
    return {
        square(n, c, {true, true, true}), {}, tau, {0, 0, 0}, [=](const Int3& x) { return vortices(x, n, 1); }, steps};
}

Macroscopic betweenPlates(const Int3& x, int n)
{
    const double s = (x[1] + 0.5) / n;
    Macroscopic m;
    m.velocity[0] = 4 * speed * s * (1 - s);
    m.strainRate[1] = 2 * speed * (1 - 2 * s) / n;
    return m;
}

// From the exact profile on, until what the lattice makes of it is steady.
Flow poiseuille(int n, const Config& c)
{
    const double tau = 0.8, viscosity = (tau - 0.5) / 3;
    return {square(n, c, {true, false, true}),
            {},
            tau,
            {8 * speed * viscosity / n / n, 0, 0},
            [=](const Int3& x) { return betweenPlates(x, n); },
            std::int64_t(n * n / viscosity)};
}

// At Re 100, until it is steady. (At Re 1000 and some hundred nodes a side it never is: the lid's corners shed, and two runs
// that differ by rounding part.)
Flow cavity(int n, const Config& c)
{
    const double lid = 2 * speed, Re = 100;
    Flow flow{square(n, c, {false, false, true}),
              {},
              0.5 + 3 * lid * n / Re,
              {0, 0, 0},
              [](const Int3&) { return Macroscopic(); },
              std::int64_t(Re * n / lid)};
    Domain& domain = *flow.domain;
    domain.patches = {"lid"};
    flow.patches = {{BoundaryKind::movingWall, {lid, 0, 0}}};
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        const Int3 x = domain.coordinates(i);
        if (x[1] < n - 1) continue;
        for (int code = 0; code < 27; ++code) {
            const Int3 d = directionOf(std::uint8_t(code));
            const bool side = x[0] + d[0] < 0 || x[0] + d[0] >= n;
            if (d[1] > 0 && !side) domain.links.push_back({i, 0.5f, 0, std::uint8_t(code)});
        }
    }
    return flow;
}

std::vector<Vec3> velocities(const Flow& flow, const State& state)
{
    std::vector<Vec3> u;
    for (NodeIndex i = 0; i < flow.domain->nodes(); ++i) u.push_back(state(flow.domain->coordinates(i)).velocity);
    return u;
}

// excess: by how much the mean density has grown.
std::vector<Vec3> result(const Flow& flow, Config c, double& excess)
{
    c.tau = flow.tau;
    c.force = flow.force;
    c.patches = flow.patches;
    const auto solver = makeSolver(flow.domain, c);
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (NodeIndex i = 0; i < flow.domain->nodes(); ++i) {
        nodes.push_back(i);
        states.push_back(flow.start(flow.domain->coordinates(i)));
    }
    solver->initialise(nodes.data(), nodes.size(), states.data());
    const double before = solver->health(1).excess;
    solver->advance(flow.steps);
    excess = (solver->health(1).excess - before) / double(nodes.size());
    solver->sample(nodes.data(), nodes.size(), states.data());
    std::vector<Vec3> u;
    for (const Macroscopic& m : states) u.push_back(m.velocity);
    return u;
}

double difference(const std::vector<Vec3>& found, const std::vector<Vec3>& expected)
{
    double sum = 0, norm = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (int a = 0; a < 3; ++a) {
            sum += std::pow(found[i][a] - expected[i][a], 2);
            norm += std::pow(expected[i][a], 2);
        }
    return std::sqrt(sum / norm);
}

// Of a difference; bgk near tau = 0.5 may come to no end.
std::string shown(double value)
{
    std::ostringstream text;
    text << std::setprecision(3) << value;
    return std::isfinite(value) ? text.str() : "diverged";
}

} // namespace

void printAccuracy(std::ostream& out, const Options& options)
{
    const int n = options.size;
    const std::vector<Config> configs = options.configs();
    Config precise = configs.front();
    precise.precision = "double";
    const std::string reference = shortName(findKernel(precise));
    for (const Config& c : configs) findKernel(c); // throws before anything takes long

    out << "Relative L2 of the velocity, " << n
        << " nodes a side: from the exact solution, and (in brackets, and in the cavity) from\n"
           "the first line's of as many dimensions; growth of the mean density in the cavity.\n\n";
    const auto column = [&](const auto& text) { out << std::left << std::setw(24) << text; };
    out << std::setprecision(3);
    column("Taylor-Green"), column("Poiseuille"), column("cavity, Re 100"), column("density");
    out << "kernel\n";
    std::vector<Vec3> first[3];
    const auto line = [&](const Config& c) {
        const Flow flows[3] = {taylorGreen(n, c), poiseuille(n, c), cavity(n, c)};
        const double k = 2 * std::numbers::pi / n,
                     damping = std::exp(-2 * (flows[0].tau - 0.5) / 3 * k * k * double(flows[0].steps));
        const State exact[2] = {[=](const Int3& x) { return vortices(x, n, damping); },
                                [=](const Int3& x) { return betweenPlates(x, n); }};
        double excess = 0;
        for (int i = 0; i < 3; ++i) {
            const std::vector<Vec3> u = result(flows[i], c, excess);
            if (first[i].size() != u.size()) first[i] = u;
            const std::string beside = shown(difference(u, first[i]));
            column(i < 2 ? shown(difference(u, velocities(flows[i], exact[i]))) + " (" + beside + ')' : beside);
        }
        column(excess);
        out << shortName(findKernel(c)) << std::endl;
    };
    line(precise);
    for (const Config& c : configs)
        if (shortName(findKernel(c)) != reference) line(c);
}

} // namespace lbm::bench
