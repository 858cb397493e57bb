// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Cumulant.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

namespace lbm::reference {
namespace {

using Powers = std::array<int, 3>;
using Table = std::map<Powers, double>;

int order(const Powers& p) { return p[0] + p[1] + p[2]; }

double power(double x, int n) { return n == 0 ? 1 : n == 1 ? x : x * x; }

// Every set of powers, those of no axis of the lattice being zero, in an order in which lower ones come first.
std::vector<Powers> allPowers(int dimensions)
{
    std::vector<Powers> all;
    for (int x = 0; x <= 2; ++x)
        for (int y = 0; y <= 2; ++y)
            for (int z = 0; z <= (dimensions == 3 ? 2 : 0); ++z) all.push_back({x, y, z});
    return all;
}

// m_p = c_p + what lower cumulants give: sum over b <= p - e of binomials times c_(b+e) m_(p-e-b), e an axis of p.
double ofLower(const Powers& p, const Table& moments, const Table& cumulants)
{
    const int axis = p[0] > 0 ? 0 : p[1] > 0 ? 1 : 2;
    Powers rest = p;
    --rest[axis];
    const auto binomial = [](int n, int k) { return n == 2 && k == 1 ? 2.0 : 1.0; };
    double sum = 0;
    Powers b;
    for (b[0] = 0; b[0] <= rest[0]; ++b[0])
        for (b[1] = 0; b[1] <= rest[1]; ++b[1])
            for (b[2] = 0; b[2] <= rest[2]; ++b[2]) {
                if (b == rest) continue; // c_p itself
                double weight = 1;
                Powers own = b, other = rest;
                ++own[axis];
                for (int a = 0; a < 3; ++a) {
                    weight *= binomial(rest[a], b[a]);
                    other[a] -= b[a];
                }
                sum += weight * cumulants.at(own) * moments.at(other);
            }
    return sum;
}

Table momentsOf(const LatticeData& lattice, const Populations& f)
{
    Table moments;
    for (const Powers& p : allPowers(lattice.dimensions))
        for (int q = 0; q < lattice.size(); ++q) {
            double term = f[q];
            for (int a = 0; a < 3; ++a) term *= power(lattice.c[q][a], p[a]);
            moments[p] += term;
        }
    return moments;
}

Table cumulantsOf(const LatticeData& lattice, const Table& moments)
{
    Table cumulants;
    for (const Powers& p : allPowers(lattice.dimensions))
        cumulants[p] = order(p) == 0 ? 0 : moments.at(p) - ofLower(p, moments, cumulants);
    return cumulants;
}

Table momentsOfCumulants(const LatticeData& lattice, const Table& cumulants)
{
    Table moments;
    for (const Powers& p : allPowers(lattice.dimensions))
        moments[p] = order(p) == 0 ? 1 : cumulants.at(p) + ofLower(p, moments, cumulants);
    return moments;
}

// Each population is a moment of the polynomial that is one at its own link and zero at the others.
double population(const LatticeData& lattice, int q, const Table& moments)
{
    double sum = 0;
    for (const Powers& p : allPowers(lattice.dimensions)) {
        double weight = 1;
        for (int a = 0; a < lattice.dimensions; ++a) {
            const int c = lattice.c[q][a];
            const double ofCentre[3] = {1, 0, -1}, ofSide[3] = {0, 0.5 * c, 0.5};
            weight *= c == 0 ? ofCentre[p[a]] : ofSide[p[a]];
        }
        sum += weight * moments.at(p);
    }
    return sum;
}

struct Optimised {
    double omega3 = 1, omega4 = 1, omega5 = 1, A = 0, B = 0;
};

// As the paper writes them (equations (14)-(16), (113), (114)), with omega_2 = 1. Not for omega below 7/4, from where they come in.
Optimised optimisedRates(double omega)
{
    Optimised r;
    const double w = omega, w2 = 1, share = w < 1.75 ? 0 : w > 1.8 ? 1 : (w - 1.75) / 0.05;
    if (share == 0) return r;
    const double omega3 =
        8 * (w - 2) * (w2 * (3 * w - 1) - 5 * w) / (8 * (5 - 2 * w) * w + w2 * (8 + w * (9 * w - 26)));
    const double omega4 = 8 * (w - 2) * (w + w2 * (3 * w - 7)) / (w2 * (56 - 42 * w + 9 * w * w) - 8 * w);
    const double omega5 = 24 * (w - 2) * (4 * w * w + w * w2 * (18 - 13 * w) + w2 * w2 * (2 + w * (6 * w - 11)))
        / (16 * w * w * (w - 6) - 2 * w * w2 * (216 + 5 * w * (9 * w - 46))
           + w2 * w2 * (w * (3 * w - 10) * (15 * w - 28) - 48));
    r.omega3 = 1 + share * (omega3 - 1);
    r.omega4 = 1 + share * (omega4 - 1);
    r.omega5 = 1 + share * (omega5 - 1);
    r.A = share * (4 * w * w + 2 * w * w2 * (w - 6) + w2 * w2 * (w * (10 - 3 * w) - 4))
        / ((w - w2) * (w2 * (2 + 3 * w) - 8 * w));
    r.B = share * (4 * w * w2 * (9 * w - 16) - 4 * w * w - 2 * w2 * w2 * (2 + 9 * w * (w - 2)))
        / (3 * (w - w2) * (w2 * (2 + 3 * w) - 8 * w));
    return r;
}

double limited(double omega, double cumulant)
{
    return omega + (1 - omega) * std::abs(cumulant) / (0.01 + std::abs(cumulant));
}

Powers along(int a, int n, int b = 0, int m = 0)
{
    Powers p{0, 0, 0};
    p[a] += n;
    p[b] += m;
    return p;
}

// c: of unit density; u: with half of the force; h: that half over inertia.
Table relaxed(const LatticeData& lattice, const Table& c, double omega, bool optimised, const Vector& u,
              const Vector& h)
{
    const int D = lattice.dimensions;
    Table after;
    for (const Powers& p : allPowers(D)) after[p] = 0;

    double stress[3][3] = {}, trace = 0, gradient[3] = {}, term[3] = {}, sum = 0, pushed = 0;
    for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) stress[a][b] = c.at(along(a, 1, b, 1)) - (a == b ? 1.0 / 3 : 0) + h[a] * h[b];
        trace += stress[a][a];
        pushed += h[a] * h[a];
    }
    for (int a = 0; a < D; ++a) {
        gradient[a] = -1.5 * omega * (stress[a][a] - trace / D) - (optimised ? trace / 2 : 0);
        term[a] = -3 * (1 - omega / 2) * u[a] * u[a] * gradient[a];
        sum += term[a];
    }
    double pressure = 0;
    if (optimised)
        for (int a = 0; a < D; ++a) pressure += -1.5 * u[a] * u[a] * gradient[a];
    for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
            double& value = after[along(a, 1, b, 1)];
            value = (1 - omega) * stress[a][b] - h[a] * h[b];
            if (a == b) value += 1.0 / 3 - (1 - omega) * trace / D + pushed / D + term[a] - sum / D + pressure / D;
        }
    if (!optimised) return after;

    const Optimised r = optimisedRates(omega);
    // Strain rates of terms of fourth order: of what the collision leaves (lbm/physics/Cumulant.hpp)
    const double left = r.A != 0 || r.B != 0 ? 1 / (1 - omega) : 0;
    const double mean = (after[{2, 0, 0}] + after[{0, 2, 0}] + after[{0, 0, 2}]) / 3;
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        const Powers abb = along(a, 1, b, 2), add = along(a, 1, d, 2);
        const double plus = c.at(abb) + c.at(add), minus = c.at(abb) - c.at(add);
        const double newPlus = (1 - limited(r.omega3, plus)) * plus, newMinus = (1 - limited(r.omega4, minus)) * minus;
        after[abb] = (newPlus + newMinus) / 2;
        after[add] = (newPlus - newMinus) / 2;
        const double shear = -3 * omega * left * after[along(b, 1, d, 1)],
                     stretch = 1.5 * omega * left * (after[along(a, 2)] - mean); // d_b u_b + d_d u_d
        Powers mixed = along(b, 1, d, 1);
        mixed[a] = 2;
        after[along(b, 2, d, 2)] = -2.0 / 3 * (1 / omega - 0.5) * r.A * stretch;
        after[mixed] = -1.0 / 3 * (1 / omega - 0.5) * r.B * shear;
    }
    after[{1, 1, 1}] = (1 - limited(r.omega5, c.at({1, 1, 1}))) * c.at({1, 1, 1});
    return after;
}

} // namespace

void collideCumulants(const LatticeData& lattice, Equilibrium kind, double omega, bool optimised, const Vector& force,
                      Populations& f)
{
    if (lattice.name != "D3Q27" && (optimised || lattice.name != "D2Q9"))
        throw std::invalid_argument("no cumulants are known for lattice " + lattice.name);
    const State state = stateOf(lattice, kind, f, {force[0] / 2, force[1] / 2, force[2] / 2});
    const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
    const double rest = kind == Equilibrium::incompressible ? state.density - 1 : 0; // what does not move with the flow
    Populations own(f.size());
    for (int q = 0; q < lattice.size(); ++q) own[q] = (f[q] - rest * lattice.w[q]) / inertia;

    const Table before = cumulantsOf(lattice, momentsOf(lattice, own));
    Vector h;
    for (int a = 0; a < 3; ++a) h[a] = force[a] / 2 / inertia;
    Table after = relaxed(lattice, before, omega, optimised, state.velocity, h);
    for (int a = 0; a < lattice.dimensions; ++a) after[along(a, 1)] = state.velocity[a] + h[a];
    const Table moments = momentsOfCumulants(lattice, after);
    for (int q = 0; q < lattice.size(); ++q) f[q] = rest * lattice.w[q] + inertia * population(lattice, q, moments);
}

} // namespace lbm::reference
