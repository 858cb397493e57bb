// Collision: equilibria, body force and relaxation of one node, written from the formulas, one
// population after the other. f are whole populations (not deviations), in lattice order.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/reference/LatticeData.hpp"

#include <string>
#include <vector>

namespace lbm::reference {

using Vector = std::array<double, 3>;
using Populations = std::vector<double>;

enum class Equilibrium { quasiCompressible, incompressible };
enum class Collision { bgk, trt, mrt, regularized, recursiveRegularized, hybridRegularized, cumulantOnes, cumulant };

// Throw std::invalid_argument for an unknown word.
Equilibrium equilibriumNamed(const std::string&);
Collision collisionNamed(const std::string&);

struct Rates {
    double shear = 1; // and everything even in TRT
    double odd = 1;
    double energy = 1, energySquared = 1, ghost = 1; // MRT
    double conserved = 0;                            // MRT; of no consequence but to rounding
};

// Shear from tau, odd from (tau - 1/2)(1/odd - 1/2) = magic, the MRT rates as lbm/physics/Mrt.hpp states them.
Rates ratesOf(const LatticeData&, double tau, double magic);

struct State {
    double density = 1;
    Vector velocity{0, 0, 0};
};

// Before collision half of the force is still to be added, after it half is to be taken off.
State stateOf(const LatticeData&, Equilibrium, const Populations&, const Vector& halfForce);

double equilibrium(const LatticeData&, Equilibrium, int q, const State&);

// A body force's, Guo, Zheng & Shi 2002, without the factor (1 - omega/2).
double source(const LatticeData&, int q, const Vector& velocity, const Vector& force);

// hybridRegularized, before it collides: the share sigma of the stress beyond equilibrium stays, the rest is that of a velocity
// gradient, [a][b] du_b/dx_a. Jacob, Malaspinas & Sagaut 2018.
void takeStrain(const LatticeData&, Equilibrium, const Rates&, double sigma, const double (&gradient)[3][3],
                const Vector& force, Populations& f);

// Replaces the incoming populations by the outgoing ones.
void collide(const LatticeData&, Equilibrium, Collision, const Rates&, const Vector& force, Populations& f);

} // namespace lbm::reference
