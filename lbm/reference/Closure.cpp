// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Closure.hpp"

#include <cmath>
#include <stdexcept>

namespace lbm::reference {

double tauOfShearRate(const Closure& closure, double shearRate, double speed)
{
    const auto& c = closure.coefficients;
    if (closure.name == "constant" || closure.name == "nodeField") return closure.tau;
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
    if (closure.name == "constant" || closure.name == "nodeField") return closure.tau;
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
