// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Closure.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace lbm {

namespace rheology {

double powerLaw(const double* c, double shearRate) { return c[0] * std::pow(shearRate, c[1] - 1); }

double crossPowerLaw(const double* c, double shearRate)
{
    return c[1] + (c[0] - c[1]) / (1 + std::pow(c[2] * shearRate, c[3]));
}

double birdCarreau(const double* c, double shearRate)
{
    return c[1] + (c[0] - c[1]) * std::pow(1 + std::pow(c[2] * shearRate, c[4]), (c[3] - 1) / c[4]);
}

double herschelBulkley(const double* c, double shearRate)
{
    return c[0] / shearRate + c[1] * std::pow(shearRate, c[2] - 1);
}

double casson(const double* c, double shearRate)
{
    const double root = std::sqrt(c[1] / shearRate) + std::sqrt(c[0]);
    return root * root;
}

} // namespace rheology

namespace {

[[noreturn]] void refuse(const ClosureDescriptor& closure, int i, double value, const std::string& why)
{
    std::ostringstream message;
    message << "closure " << closure.name << ": " << closure.coefficient[i].name << " = " << value << ": " << why;
    throw std::invalid_argument(message.str());
}

// Whatever shears: from next to nothing to far beyond what a lattice bears.
void checkViscosity(const ClosureDescriptor& closure, const ClosureCoefficients& c)
{
    for (double shearRate = 1e-12; shearRate < 1e3; shearRate *= 10) {
        const double nu = viscosity(closure, c, shearRate);
        if (nu > 0 && std::isfinite(nu)) continue;
        std::ostringstream message;
        message << "closure " << closure.name << ": the viscosity is " << nu << " at a shear rate of " << shearRate
                << " (in units of the coefficients); it must be above 0 at any, or else tau <= 0.5";
        throw std::invalid_argument(message.str());
    }
}

} // namespace

const ClosureDescriptor& checkClosure(const std::string& name, const ClosureCoefficients& c)
{
    const ClosureDescriptor* found = findClosure(name);
    if (!found) {
        std::string valid;
        for (const ClosureDescriptor& d : closureDescriptors) valid.append(" ").append(d.name);
        throw std::invalid_argument("unknown closure '" + name + "'; valid:" + valid);
    }
    for (int i = 0; i < found->coefficients; ++i) {
        if (!std::isfinite(c[i]) || c[i] < 0) refuse(*found, i, c[i], "must be a number, not below 0");
        if (found->coefficient[i].unit == Unit::index && !(c[i] > 0)) refuse(*found, i, c[i], "must be above 0");
    }
    if (found->least >= 0 && !(c[found->least] > 0))
        refuse(*found, found->least, c[found->least], "must be above 0, or else tau <= 0.5 where fluid is thinnest");
    if (found->least >= 0 && found->most >= 0 && !(c[found->most] >= c[found->least]))
        refuse(*found, found->most, c[found->most], "must not be below the least viscosity");
    if (found->ofShearRate()) checkViscosity(*found, c);
    return *found;
}

double viscosity(const ClosureDescriptor& closure, const ClosureCoefficients& c, double shearRate)
{
    double nu = closure.viscosity(c.data(), std::max(shearRate, 1e-300));
    if (closure.most >= 0) nu = std::min(nu, c[closure.most]);
    return closure.least >= 0 ? std::max(nu, c[closure.least]) : nu;
}

ClosureCoefficients inLatticeUnits(const ClosureDescriptor& closure, ClosureCoefficients c, double dx, double dt)
{
    double index = 1;
    for (int i = 0; i < closure.coefficients; ++i)
        if (closure.coefficient[i].unit == Unit::index) index = c[i];
    for (int i = 0; i < closure.coefficients; ++i) switch (closure.coefficient[i].unit) {
            case Unit::none:
            case Unit::index: break;
            case Unit::viscosity: c[i] *= dt / (dx * dx); break;
            case Unit::time: c[i] /= dt; break;
            case Unit::stress: c[i] *= dt * dt / (dx * dx); break;
            case Unit::consistency: c[i] *= std::pow(dt, 2 - index) / (dx * dx); break;
        }
    return c;
}

} // namespace lbm
