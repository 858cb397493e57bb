// Closure: where a node's relaxation rates come from. One rate for all nodes, or one that follows from the shear rate
//   g = sqrt(2 S:S),  S = (grad u + grad u^T)/2,
// at the node, or from its velocity gradient, or one a node that is told from outside. All that distinguishes closures stands in one table: registry,
// dictionaries, checkpoints and messages read it here. Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <string>
#include <string_view>

namespace lbm {

constexpr int closureCoefficients = 5; // at most
using ClosureCoefficients = std::array<double, closureCoefficients>;

// How a coefficient changes with the units of length and time.
// consistency: a stress over (1/time)^index. index: an exponent, above 0.
enum class Unit : unsigned char { none, index, viscosity, time, stress, consistency };

// What Config::coefficients mean, in order: name, what it is, its unit, and a value that makes sense.
struct ClosureCoefficient {
    std::string_view name, meaning;
    Unit unit = Unit::none;
    double example = 0;
};

struct ClosureDescriptor {
    std::string_view name;
    std::string_view kernel; // of kernels.list: closures that differ in a function of the shear rate alone share one
    double (*viscosity)(const double* coefficients, double shearRate); // null: Config::tau says it, and the kernel adds
    int coefficients;
    int least, most; // coefficients that bound the viscosity, -1: none does
    ClosureCoefficient coefficient[closureCoefficients];
    bool byNode = false; // Solver::setRelaxationTimes says it, node by node

    // The storage finds it from the velocities around a node: eddies that know rotation from strain
    bool ofGradient = false;

    constexpr bool ofShearRate() const { return viscosity != nullptr; }
    constexpr bool addsEddies() const { return !ofShearRate() && coefficients > 0; } // to the fluid's own viscosity
};

namespace rheology {

// Each for shear rates above 0, as OpenFOAM's models of these names have them.
double powerLaw(const double* c, double shearRate);
double crossPowerLaw(const double* c, double shearRate);
double birdCarreau(const double* c, double shearRate);
double herschelBulkley(const double* c, double shearRate);
double casson(const double* c, double shearRate);

} // namespace rheology

constexpr ClosureDescriptor closureDescriptors[] = {
    {"constant", "constant", nullptr, 0, -1, -1, {}},
    // nu = (tau - 1/2)/3 + Cs^2 g; Smagorinsky 1963, on a lattice Hou, Sterling, Chen & Doolen 1996. At least |u|/Re.
    {"smagorinsky",
     "smagorinsky",
     nullptr,
     2,
     -1,
     -1,
     {{"Cs", "Smagorinsky's constant times filter width over node distance", Unit::none, 0.17},
      {"Re", "largest grid Reynolds number of any node, for which viscosity is raised; 0: none", Unit::none, 0}}},
    // nu = k g^(n - 1)
    {"powerLaw",
     "shearRate",
     rheology::powerLaw,
     4,
     2,
     3,
     {{"k", "consistency", Unit::consistency, 0.02},
      {"n", "index", Unit::index, 0.6},
      {"nuMin", "least viscosity", Unit::viscosity, 0.005},
      {"nuMax", "largest viscosity", Unit::viscosity, 0.3}}},
    // nu = nuInf + (nu0 - nuInf)/(1 + (m g)^n)
    {"CrossPowerLaw",
     "shearRate",
     rheology::crossPowerLaw,
     4,
     -1,
     -1,
     {{"nu0", "viscosity at rest", Unit::viscosity, 0.2},
      {"nuInf", "viscosity in fast shear", Unit::viscosity, 0.01},
      {"m", "time", Unit::time, 100},
      {"n", "index", Unit::index, 0.8}}},
    // nu = nuInf + (nu0 - nuInf) (1 + (k g)^a)^((n - 1)/a)
    {"BirdCarreau",
     "shearRate",
     rheology::birdCarreau,
     5,
     -1,
     -1,
     {{"nu0", "viscosity at rest", Unit::viscosity, 0.2},
      {"nuInf", "viscosity in fast shear", Unit::viscosity, 0.01},
      {"k", "time", Unit::time, 100},
      {"n", "index", Unit::index, 0.5},
      {"a", "width of the transition", Unit::none, 2}}},
    // nu = (tau0 + k g^n)/g
    {"HerschelBulkley",
     "shearRate",
     rheology::herschelBulkley,
     4,
     -1,
     3,
     {{"tau0", "yield stress", Unit::stress, 1e-5},
      {"k", "consistency", Unit::consistency, 0.02},
      {"n", "index", Unit::index, 0.6},
      {"nu0", "largest viscosity", Unit::viscosity, 0.3}}},
    // nu = (sqrt(tau0/g) + sqrt(m))^2
    {"Casson",
     "shearRate",
     rheology::casson,
     4,
     2,
     3,
     {{"m", "viscosity in fast shear", Unit::viscosity, 0.02},
      {"tau0", "yield stress", Unit::stress, 1e-5},
      {"nuMin", "least viscosity", Unit::viscosity, 0.005},
      {"nuMax", "largest viscosity", Unit::viscosity, 0.3}}},
    // As told from outside: turbulence models that live on a mesh, mixtures, layers
    {"nodeField", "nodeField", nullptr, 0, -1, -1, {}, true},
    // nu = (tau - 1/2)/3 + what lbm/physics/EddyViscosity.hpp makes of the velocity gradient, and at least |u|/Re; by the
    // kernels that take a relaxation time a node. Nicoud & Ducros 1999, as OpenFOAM 1912 has it ...
    {"WALE",
     "nodeField",
     nullptr,
     2,
     -1,
     -1,
     {{"Cw", "WALE's constant times filter width over node distance", Unit::none, 0.325},
      {"Re", "largest grid Reynolds number of any node, for which viscosity is raised; 0: none", Unit::none, 0}},
     false,
     true},
    // ... Vreman 2004 ...
    {"Vreman",
     "nodeField",
     nullptr,
     2,
     -1,
     -1,
     {{"c", "Vreman's constant times the square of filter width over node distance", Unit::none, 0.07},
      {"Re", "largest grid Reynolds number of any node, for which viscosity is raised; 0: none", Unit::none, 0}},
     false,
     true},
    // ... and Verstappen 2011, with the constant for a filter that is a box: 3/(2 pi^2)
    {"QR",
     "nodeField",
     nullptr,
     2,
     -1,
     -1,
     {{"c", "constant times the square of filter width over node distance", Unit::none, 0.152},
      {"Re", "largest grid Reynolds number of any node, for which viscosity is raised; 0: none", Unit::none, 0}},
     false,
     true},
};

// One rate for all nodes; its kernels have one force for all, too.
constexpr const ClosureDescriptor& uniformClosure() { return closureDescriptors[0]; }

// Null: no such closure.
constexpr const ClosureDescriptor* findClosure(std::string_view name)
{
    for (const ClosureDescriptor& c : closureDescriptors)
        if (c.name == name) return &c;
    return nullptr;
}

// Throws std::invalid_argument for a name that is none, or coefficients that mean nothing, which it names.
const ClosureDescriptor& checkClosure(const std::string& name, const ClosureCoefficients&);

// Kinematic viscosity at a shear rate, within the closure's bounds, of one for which ofShearRate holds. In units of the
// coefficients.
double viscosity(const ClosureDescriptor&, const ClosureCoefficients&, double shearRate);

// Eddies' kinematic viscosity by a velocity gradient, [a][b] du_b/dx_a, of a closure for which ofGradient holds, where nodes are 1
// apart; with nodes dx apart dx^2 times that. Units of time are the gradient's.
double eddyViscosity(const ClosureDescriptor&, const ClosureCoefficients&, const double (&gradient)[3][3]);

// Coefficients in SI as those of a lattice with node distance dx [m] and time step dt [s].
ClosureCoefficients inLatticeUnits(const ClosureDescriptor&, ClosureCoefficients, double dx, double dt);

} // namespace lbm
