// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Closure.hpp"

#include <cmath>
#include <stdexcept>

namespace lbm::reference {

namespace {

using Tensor = double[3][3];

double traceOf(const Tensor& t) { return t[0][0] + t[1][1] + t[2][2]; }

double product(const Tensor& t, const Tensor& s)
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += t[a][b] * s[a][b];
    return sum;
}

// Symmetric part; without its trace.
void symmetric(const Tensor& t, bool deviatoric, Tensor& result)
{
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            result[a][b] = (t[a][b] + t[b][a]) / 2 - (deviatoric && a == b ? traceOf(t) / 3 : 0);
}

// Powers as Nicoud & Ducros 1999 write them.
double wale(double Cw, const Tensor& g)
{
    Tensor squared = {}, Sd, S;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 3; ++k) squared[a][b] += g[a][k] * g[k][b];
    symmetric(squared, true, Sd);
    symmetric(g, false, S);
    const double rotation = product(Sd, Sd), strain = product(S, S);
    const double under = std::pow(strain, 2.5) + std::pow(rotation, 1.25);
    return under > 0 ? Cw * Cw * std::pow(rotation, 1.5) / under : 0;
}

// Vreman 2004. The second invariant of g^T g would be lost in rounding where it is small; it is half the sum of the squares of
// g_ik g_jl - g_il g_jk over all i, j and k < l.
double vreman(double c, const Tensor& g)
{
    double invariant = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int l = 0; l < 3; ++l)
                for (int k = 0; k < l; ++k) {
                    const double minor = g[i][k] * g[j][l] - g[i][l] * g[j][k];
                    invariant += minor * minor / 2;
                }
    const double square = product(g, g);
    return square > 0 ? c * std::sqrt(invariant / square) : 0;
}

// Verstappen 2011: of a tensor without trace det S = tr S^3/3.
double qr(double c, const Tensor& g)
{
    Tensor S;
    symmetric(g, true, S);
    double cube = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 3; ++k) cube += S[a][b] * S[b][k] * S[k][a];
    const double q = product(S, S) / 2, r = -cube / 3;
    return q > 0 && r > 0 ? c * r / q : 0;
}

} // namespace

bool isOfGradient(const Closure& closure)
{
    return closure.name == "WALE" || closure.name == "Vreman" || closure.name == "QR";
}

double tauOfGradient(const Closure& closure, const double (&gradient)[3][3], double speed)
{
    const double constant = closure.coefficients[0], Re = closure.coefficients[1];
    const double eddies = closure.name == "WALE" ? wale(constant, gradient)
        : closure.name == "Vreman"               ? vreman(constant, gradient)
                                                 : qr(constant, gradient);
    const double own = closure.tau + 3 * eddies, least = Re > 0 ? 0.5 + 3 * speed / Re : 0;
    return own < least ? least : own;
}

double tauOfShearRate(const Closure& closure, double shearRate, double speed)
{
    const auto& c = closure.coefficients;
    if (closure.name == "constant" || closure.name == "nodeField" || isOfGradient(closure)) return closure.tau;
    if (closure.name == "smagorinsky") {
        const double own = closure.tau + 3 * c[0] * c[0] * shearRate, viscosity = c[1] > 0 ? speed / c[1] : 0;
        return own - 0.5 < 3 * viscosity ? 0.5 + 3 * viscosity : own;
    }
    if (closure.name != "powerLaw")
        throw std::invalid_argument("closure " + closure.name + " is unknown to the reference");
    const double viscosity = c[0] * std::pow(shearRate, c[1] - 1);
    return 0.5 + 3 * (viscosity < c[2] ? c[2] : viscosity > c[3] ? c[3] : viscosity);
}

double tauOfStress(const Closure& closure, double stress, double speed)
{
    if (closure.name == "constant" || closure.name == "nodeField" || isOfGradient(closure)) return closure.tau;
    const auto excess = [&](double rate) {
        return std::sqrt(2.0) / 3 * tauOfShearRate(closure, rate, speed) * rate - stress;
    };
    double low = 0, high = 1;
    while (excess(high) < 0) high *= 2;
    for (int i = 0; i < 200; ++i) {
        const double middle = (low + high) / 2;
        if (excess(middle) < 0) low = middle;
        else high = middle;
    }
    return tauOfShearRate(closure, high, speed);
}

double stressBeforeCollision(const LatticeData& lattice, Equilibrium kind, const Vector& force, const Populations& f)
{
    const State state = stateOf(lattice, kind, f, {force[0] / 2, force[1] / 2, force[2] / 2});
    double stress[3][3] = {};
    for (int q = 0; q < lattice.size(); ++q) {
        const double relaxes =
            f[q] - equilibrium(lattice, kind, q, state) + source(lattice, q, state.velocity, force) / 2;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) stress[a][b] += lattice.c[q][a] * lattice.c[q][b] * relaxes;
    }
    const double trace = stress[0][0] + stress[1][1] + stress[2][2];
    for (int a = 0; a < lattice.dimensions; ++a) stress[a][a] -= trace / lattice.dimensions;
    double square = 0;
    for (const auto& row : stress)
        for (double value : row) square += value * value;
    return std::sqrt(square) / (kind == Equilibrium::incompressible ? 1 : state.density);
}

} // namespace lbm::reference
