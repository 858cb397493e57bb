// Closure: relaxation time of a node from its stress or its strain rate, solved for by halving intervals.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/reference/Collision.hpp"

namespace lbm::reference {

struct Closure {
    std::string name;                   // throws std::invalid_argument where it is used, if it is unknown
    std::array<double, 5> coefficients; // see lbm/api/Closure.hpp
    double tau;                         // without the closure's share; of nodeField the node's own
};

// shearRate = sqrt(2 S:S). speed: of the velocity, which has half of the force.
double tauOfShearRate(const Closure&, double shearRate, double speed);

// Does tau follow from the velocity gradient? Of such a closure tauOfShearRate and tauOfStress know the fluid's own share alone.
bool isOfGradient(const Closure&);

// gradient[a][b] = du_b/dx_a
double tauOfGradient(const Closure&, const double (&gradient)[3][3], double speed);

// The tau for which sqrt(2)/3 tau g is the stress, sqrt(Pi:Pi) over inertia, Pi as stressBeforeCollision says.
double tauOfStress(const Closure&, double stress, double speed);

// sqrt(Pi:Pi) over inertia, Pi = sum over c of (c c - their trace) times what relaxes of populations that have arrived.
double stressBeforeCollision(const LatticeData&, Equilibrium, const Vector& force, const Populations&);

} // namespace lbm::reference
