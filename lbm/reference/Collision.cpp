// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Collision.hpp"

#include "lbm/reference/Cumulant.hpp"

#include <functional>
#include <stdexcept>

namespace lbm::reference {
namespace {

double dot(const std::array<int, 3>& c, const Vector& v) { return c[0] * v[0] + c[1] * v[1] + c[2] * v[2]; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Moment {
    std::function<double(double x, double y, double z)> polynomial;
    double rate;
};

// Lallemand & Luo 2000.
std::vector<Moment> momentsD2Q9(const Rates& s)
{
    const auto square = [](double x, double y) { return x * x + y * y; };
    return {{[](double, double, double) { return 1.0; }, s.conserved},
            {[=](double x, double y, double) { return -4 + 3 * square(x, y); }, s.energy},
            {[=](double x, double y, double) {
                 return 4 - 21.0 / 2 * square(x, y) + 9.0 / 2 * square(x, y) * square(x, y);
             },
             s.energySquared},
            {[](double x, double, double) { return x; }, s.conserved},
            {[](double, double y, double) { return y; }, s.conserved},
            {[=](double x, double y, double) { return (-5 + 3 * square(x, y)) * x; }, s.odd},
            {[=](double x, double y, double) { return (-5 + 3 * square(x, y)) * y; }, s.odd},
            {[](double x, double y, double) { return x * x - y * y; }, s.shear},
            {[](double x, double y, double) { return x * y; }, s.shear}};
}

// d'Humieres, Ginzburg, Krafczyk, Lallemand & Luo 2002, appendix.
std::vector<Moment> momentsD3Q19(const Rates& s)
{
    const auto square = [](double x, double y, double z) { return x * x + y * y + z * z; };
    return {{[](double, double, double) { return 1.0; }, s.conserved},
            {[=](double x, double y, double z) { return 19 * square(x, y, z) - 30; }, s.energy},
            {[=](double x, double y, double z) {
                 const double r = square(x, y, z);
                 return (21 * r * r - 53 * r + 24) / 2;
             },
             s.energySquared},
            {[](double x, double, double) { return x; }, s.conserved},
            {[](double, double y, double) { return y; }, s.conserved},
            {[](double, double, double z) { return z; }, s.conserved},
            {[=](double x, double y, double z) { return (5 * square(x, y, z) - 9) * x; }, s.odd},
            {[=](double x, double y, double z) { return (5 * square(x, y, z) - 9) * y; }, s.odd},
            {[=](double x, double y, double z) { return (5 * square(x, y, z) - 9) * z; }, s.odd},
            {[=](double x, double y, double z) { return 3 * x * x - square(x, y, z); }, s.shear},
            {[](double, double y, double z) { return y * y - z * z; }, s.shear},
            {[](double x, double y, double) { return x * y; }, s.shear},
            {[](double, double y, double z) { return y * z; }, s.shear},
            {[](double x, double, double z) { return x * z; }, s.shear},
            {[=](double x, double y, double z) { return (3 * square(x, y, z) - 5) * (3 * x * x - square(x, y, z)); },
             s.ghost},
            {[=](double x, double y, double z) { return (3 * square(x, y, z) - 5) * (y * y - z * z); }, s.ghost},
            {[](double x, double y, double z) { return (y * y - z * z) * x; }, s.odd},
            {[](double x, double y, double z) { return (z * z - x * x) * y; }, s.odd},
            {[](double x, double y, double z) { return (x * x - y * y) * z; }, s.odd}};
}

double hermite(const std::array<int, 3>& c, int a, int b) { return c[a] * c[b] - (a == b ? 1.0 / 3 : 0); }

// A polynomial of third order and the moment that populations shall have of it.
struct ThirdMoment {
    std::function<double(const std::array<int, 3>&)> polynomial;
    double value;
};

// c_a^2 c_b - c_b/3 one by one, but on D3Q19, where those with the same b depend on each other, their sum and difference.
std::vector<ThirdMoment> thirdMoments(const LatticeData& lattice, const double (&value)[3][3][3])
{
    const auto single = [](int a, int b) {
        return [=](const std::array<int, 3>& c) { return (c[a] * c[a] - 1.0 / 3) * c[b]; };
    };
    std::vector<ThirdMoment> all;
    for (int b = 0; b < lattice.dimensions; ++b) {
        if (lattice.name == "D3Q19") {
            const int a = (b + 1) % 3, d = (b + 2) % 3;
            const auto first = single(a, b), second = single(d, b);
            all.push_back({[=](const auto& c) { return first(c) + second(c); }, value[a][a][b] + value[d][d][b]});
            all.push_back({[=](const auto& c) { return first(c) - second(c); }, value[a][a][b] - value[d][d][b]});
        } else {
            for (int a = 0; a < lattice.dimensions; ++a)
                if (a != b) all.push_back({single(a, b), value[a][a][b]});
        }
    }
    if (lattice.name == "D3Q27")
        all.push_back({[](const std::array<int, 3>& c) { return double(c[0] * c[1] * c[2]); }, value[0][1][2]});
    if (lattice.name == "D3Q15") throw std::invalid_argument("no third moments are known for lattice " + lattice.name);
    return all;
}

// What second moments of populations after collision imply of third order is added. Malaspinas 2015.
void addThirdOrder(const LatticeData& lattice, Equilibrium kind, Populations& f)
{
    const State state = stateOf(lattice, kind, f, {0, 0, 0});
    const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
    const Vector& u = state.velocity;
    double rest[3][3], third[3][3][3];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            rest[a][b] = -inertia * u[a] * u[b];
            for (int q = 0; q < lattice.size(); ++q) rest[a][b] += hermite(lattice.c[q], a, b) * f[q];
        }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int c = 0; c < 3; ++c)
                third[a][b][c] =
                    inertia * u[a] * u[b] * u[c] + u[a] * rest[b][c] + u[b] * rest[a][c] + u[c] * rest[a][b];
    for (const ThirdMoment& moment : thirdMoments(lattice, third)) {
        double norm = 0;
        for (int q = 0; q < lattice.size(); ++q)
            norm += lattice.w[q] * moment.polynomial(lattice.c[q]) * moment.polynomial(lattice.c[q]);
        for (int q = 0; q < lattice.size(); ++q)
            f[q] += lattice.w[q] * moment.polynomial(lattice.c[q]) * moment.value / norm;
    }
}

std::vector<Moment> moments(const LatticeData& lattice, const Rates& rates)
{
    if (lattice.name == "D2Q9") return momentsD2Q9(rates);
    if (lattice.name == "D3Q19") return momentsD3Q19(rates);
    throw std::invalid_argument("no moments are known for lattice " + lattice.name);
}

bool isRecursive(Collision collision)
{
    return collision == Collision::recursiveRegularized || collision == Collision::hybridRegularized;
}

} // namespace

Equilibrium equilibriumNamed(const std::string& name)
{
    if (name == "quasiCompressible") return Equilibrium::quasiCompressible;
    if (name == "incompressible") return Equilibrium::incompressible;
    throw std::invalid_argument("equilibrium " + name + " is unknown to the reference");
}

Collision collisionNamed(const std::string& name)
{
    if (name == "bgk") return Collision::bgk;
    if (name == "trt") return Collision::trt;
    if (name == "mrt") return Collision::mrt;
    if (name == "regularized") return Collision::regularized;
    if (name == "recursiveRegularized") return Collision::recursiveRegularized;
    if (name == "hybridRegularized") return Collision::hybridRegularized;
    if (name == "cumulantOnes") return Collision::cumulantOnes;
    if (name == "cumulant") return Collision::cumulant;
    throw std::invalid_argument("collision " + name + " is unknown to the reference");
}

Rates ratesOf(const LatticeData& lattice, double tau, double magic)
{
    Rates rates;
    rates.shear = 1 / tau;
    rates.odd = 1 / (0.5 + magic / (tau - 0.5));
    rates.energy = lattice.dimensions == 2 ? 1.64 : 1.19;
    rates.energySquared = lattice.dimensions == 2 ? 1.54 : 1.4;
    rates.ghost = 1.4;
    return rates;
}

State stateOf(const LatticeData& lattice, Equilibrium kind, const Populations& f, const Vector& halfForce)
{
    State state;
    state.density = 0;
    for (double value : f) state.density += value;
    const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
    for (int a = 0; a < 3; ++a) {
        double momentum = halfForce[a];
        for (int q = 0; q < lattice.size(); ++q) momentum += lattice.c[q][a] * f[q];
        state.velocity[a] = momentum / inertia;
    }
    return state;
}

double equilibrium(const LatticeData& lattice, Equilibrium kind, int q, const State& state)
{
    const double cu = dot(lattice.c[q], state.velocity);
    const double uu = dot(state.velocity, state.velocity);
    const double flow = 3 * cu + 9.0 / 2 * cu * cu - 3.0 / 2 * uu;
    if (kind == Equilibrium::incompressible) return lattice.w[q] * (state.density + flow);
    return lattice.w[q] * state.density * (1 + flow);
}

double source(const LatticeData& lattice, int q, const Vector& u, const Vector& force)
{
    const auto& c = lattice.c[q];
    Vector direction;
    for (int a = 0; a < 3; ++a) direction[a] = 3 * (c[a] - u[a]) + 9 * dot(c, u) * c[a];
    return lattice.w[q] * dot(direction, force);
}

void takeStrain(const LatticeData& lattice, Equilibrium kind, const Rates& rates, double sigma,
                const double (&gradient)[3][3], const Vector& force, Populations& f)
{
    const int n = lattice.size();
    const State state = stateOf(lattice, kind, f, {force[0] / 2, force[1] / 2, force[2] / 2});
    const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
    Populations excess(n);
    for (int q = 0; q < n; ++q)
        excess[q] = f[q] - equilibrium(lattice, kind, q, state) + source(lattice, q, state.velocity, force) / 2;
    for (int a = 0; a < lattice.dimensions; ++a)
        for (int b = 0; b < lattice.dimensions; ++b) {
            double missing = -inertia / rates.shear * (gradient[a][b] + gradient[b][a]) / 3;
            for (int q = 0; q < n; ++q) missing -= hermite(lattice.c[q], a, b) * excess[q];
            for (int q = 0; q < n; ++q)
                f[q] += (1 - sigma) * 9.0 / 2 * lattice.w[q] * hermite(lattice.c[q], a, b) * missing;
        }
}

void collide(const LatticeData& lattice, Equilibrium kind, Collision collision, const Rates& rates, const Vector& force,
             Populations& f)
{
    if (collision == Collision::cumulantOnes || collision == Collision::cumulant) {
        collideCumulants(lattice, kind, rates.shear, collision == Collision::cumulant, force, f);
        return;
    }
    const int n = lattice.size();
    const State state = stateOf(lattice, kind, f, {force[0] / 2, force[1] / 2, force[2] / 2});

    // What relaxes: the distance from equilibrium, and the half of the force that came with it.
    Populations excess(n), push(n);
    for (int q = 0; q < n; ++q) {
        push[q] = source(lattice, q, state.velocity, force);
        excess[q] = f[q] - equilibrium(lattice, kind, q, state) + push[q] / 2;
    }

    if (collision == Collision::bgk) {
        for (int q = 0; q < n; ++q) f[q] += push[q] - rates.shear * excess[q];
    } else if (collision == Collision::trt) {
        for (int q = 0; q < n; ++q) {
            const double even = (excess[q] + excess[lattice.opposite[q]]) / 2;
            const double odd = (excess[q] - excess[lattice.opposite[q]]) / 2;
            f[q] += push[q] - rates.shear * even - rates.odd * odd;
        }
    } else if (collision == Collision::regularized || isRecursive(collision)) {
        double stress[3][3] = {};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int q = 0; q < n; ++q) stress[a][b] += hermite(lattice.c[q], a, b) * excess[q];
        const double trace = stress[0][0] + stress[1][1] + stress[2][2];
        for (int a = 0; a < lattice.dimensions; ++a) stress[a][a] -= trace / lattice.dimensions;
        // After the collision the trace is that of the momentum with all of the force: half is in velocity and push
        const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
        const double square = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
        const double pushed = square / (4 * inertia * lattice.dimensions);
        for (int q = 0; q < n; ++q) {
            double projected = 0;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    projected += 9.0 / 2 * lattice.w[q] * hermite(lattice.c[q], a, b) * stress[a][b];
            f[q] = equilibrium(lattice, kind, q, state) + push[q] / 2 + (1 - rates.shear) * projected;
            for (int a = 0; a < lattice.dimensions; ++a)
                f[q] += 9.0 / 2 * lattice.w[q] * hermite(lattice.c[q], a, a) * pushed;
        }
        if (isRecursive(collision)) addThirdOrder(lattice, kind, f);
    } else {
        for (int q = 0; q < n; ++q) f[q] += push[q];
        for (const Moment& moment : moments(lattice, rates)) {
            double norm = 0, value = 0;
            std::vector<double> row(n);
            for (int q = 0; q < n; ++q) {
                row[q] = moment.polynomial(lattice.c[q][0], lattice.c[q][1], lattice.c[q][2]);
                norm += row[q] * row[q];
                value += row[q] * excess[q];
            }
            for (int q = 0; q < n; ++q) f[q] -= moment.rate * value / norm * row[q];
        }
    }
}

} // namespace lbm::reference
