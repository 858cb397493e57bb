// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Closure.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lbm {

namespace {

[[noreturn]] void refuse(const ClosureDescriptor& closure, int i, double value, const char* why)
{
    throw std::invalid_argument("closure " + std::string(closure.name) + ": " + std::string(closure.coefficient[i].name)
                                + " = " + std::to_string(value) + ": " + why);
}

} // namespace

const ClosureDescriptor& checkClosure(const std::string& name, const std::array<double, closureCoefficients>& c)
{
    const ClosureDescriptor* found = findClosure(name);
    if (!found) {
        std::string valid;
        for (const ClosureDescriptor& d : closureDescriptors) valid.append(" ").append(d.name);
        throw std::invalid_argument("unknown closure '" + name + "'; valid:" + valid);
    }
    for (int i = 0; i < found->coefficients; ++i)
        if (!std::isfinite(c[i]) || c[i] < 0) refuse(*found, i, c[i], "must be a number, not below 0");
    if (found->ofShearRate) {
        if (!(c[0] > 0)) refuse(*found, 0, c[0], "must be above 0");
        if (!(c[1] > 0)) refuse(*found, 1, c[1], "must be above 0");
        if (!(c[2] > 0)) refuse(*found, 2, c[2], "must be above 0, or else tau <= 0.5 where fluid is thinnest");
        if (!(c[3] >= c[2])) refuse(*found, 3, c[3], "must not be below the least viscosity");
    }
    return *found;
}

double viscosity(const ClosureDescriptor&, const std::array<double, closureCoefficients>& c, double shearRate)
{
    return std::clamp(c[0] * std::pow(shearRate, c[1] - 1), c[2], c[3]);
}

} // namespace lbm
