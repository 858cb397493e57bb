// Closure: where a node's relaxation rates come from. One rate for all nodes, or one that follows from the shear rate
//   g = sqrt(2 S:S),  S = (grad u + grad u^T)/2,
// at the node. All that distinguishes closures stands in one table: registry, dictionaries, checkpoints and messages read
// it here. Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <string>
#include <string_view>

namespace lbm {

constexpr int closureCoefficients = 4; // at most

// What Config::coefficients mean, in order: name, what it is, and a value that makes sense.
struct ClosureCoefficient {
    std::string_view name, meaning;
    double example = 0;
};

struct ClosureDescriptor {
    std::string_view name;
    std::string_view kernel; // of kernels.list: closures that differ in a function of the shear rate alone share one
    bool ofShearRate;        // viscosity is a function of the shear rate alone, and Config::tau has no say
    int coefficients;
    ClosureCoefficient coefficient[closureCoefficients];
};

constexpr ClosureDescriptor closureDescriptors[] = {
    {"constant", "constant", false, 0, {}},
    // nu = (tau - 1/2)/3 + Cs^2 g; Smagorinsky 1963, on a lattice Hou, Sterling, Chen & Doolen 1996.
    {"smagorinsky",
     "smagorinsky",
     false,
     1,
     {{"Cs", "Smagorinsky's constant times filter width over node distance", 0.17}}},
    // nu = k g^(n - 1), at least nuMin, at most nuMax (Ostwald & de Waele).
    {"powerLaw",
     "shearRate",
     true,
     4,
     {{"k", "consistency", 0.02},
      {"n", "index", 0.6},
      {"nuMin", "least viscosity", 0.005},
      {"nuMax", "largest viscosity", 0.3}}}};

// Null: no such closure.
constexpr const ClosureDescriptor* findClosure(std::string_view name)
{
    for (const ClosureDescriptor& c : closureDescriptors)
        if (c.name == name) return &c;
    return nullptr;
}

// Throws std::invalid_argument for a name that is none, or coefficients that mean nothing, which it names.
const ClosureDescriptor& checkClosure(const std::string& name, const std::array<double, closureCoefficients>&);

// Kinematic viscosity at a shear rate, of a closure for which ofShearRate holds.
double viscosity(const ClosureDescriptor&, const std::array<double, closureCoefficients>&, double shearRate);

} // namespace lbm
