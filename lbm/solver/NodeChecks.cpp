// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/NodeChecks.hpp"

#include "lbm/api/Storage.hpp"

#include <cmath>
#include <sstream>

namespace lbm {

namespace {

std::string byNodeClosures()
{
    std::string names;
    for (const ClosureDescriptor& c : closureDescriptors)
        if (c.byNode) names.append(names.empty() ? "" : ", ").append(c.name);
    return names;
}

bool wantsFields(const Config& config)
{
    const ClosureDescriptor& closure = *findClosure(config.closure);
    return config.nodeForces || closure.byNode || foundAround(config).any();
}

[[noreturn]] void refuse(const char* what, const std::string& value, const Int3& x, const char* why)
{
    std::ostringstream message;
    message << what << " of node (" << x[0] << ' ' << x[1] << ' ' << x[2] << ") is " << value << ": " << why;
    throw std::invalid_argument(message.str());
}

template<class... Values>
std::string text(const Values&... values)
{
    std::ostringstream out;
    (out << ... << values);
    return out.str();
}

} // namespace

void checkNodeFields(const Config& config, const KernelRow& row)
{
    if (config.nodeForces && row.closure == uniformClosure().kernel)
        throw std::invalid_argument("forces by node: closure '" + std::string(uniformClosure().name)
                                    + "' has one force for all nodes; take " + byNodeClosures());
    if (wantsFields(config) && !storageOf(row).nodeFields) {
        std::string with;
        for (const StorageDescriptor& s : storageDescriptors)
            if (s.device == row.device && s.nodeFields) with.append(" ").append(s.name);
        throw UnknownKernel("storage '" + row.storage
                            + "' has no kernels for relaxation times or forces by node; valid:" + with);
    }
}

void checkGradients(const Config& config, const KernelRow& row)
{
    const auto serves = [&](const StorageDescriptor& s) {
        return s.device == row.device && takesGradients(s) && (config.parts == 1 || keepsWholeGhosts(s));
    };
    const FoundAround found = foundAround(config);
    if (!found.any() || serves(storageOf(row))) return;
    std::string with;
    for (const StorageDescriptor& s : storageDescriptors)
        if (serves(s)) with.append(" ").append(s.name);
    throw UnknownKernel((found.strain ? "collision '" + config.collision : "closure '" + config.closure)
                        + "' takes the velocities around a node, which storage '" + row.storage + "' does not find"
                        + (takesGradients(storageOf(row)) ? " in ghosts of other parts" : "") + " on device "
                        + row.device + "; valid:" + (with.empty() ? " none" : with));
}

void requireNodeTau(const ClosureDescriptor& closure)
{
    if (!closure.byNode)
        throw std::invalid_argument("relaxation times by node: closure '" + std::string(closure.name)
                                    + "' does not take them; take " + byNodeClosures());
}

void requireNodeForces(bool asked)
{
    if (!asked)
        throw std::invalid_argument("forces by node: the solver was made without room for them (Config::nodeForces)");
}

void checkNodeTau(double tau, bool single, const Int3& x)
{
    if (!std::isfinite(tau)) refuse("the relaxation time", text(tau), x, "not a number");
    if (!(tau > 0.5)) refuse("the relaxation time", text(tau), x, "must be above 0.5");
    if (single && !(float(tau) > 0.5f))
        refuse("the relaxation time", text("0.5 + ", tau - 0.5), x,
               "in single precision that is 0.5, and must be above");
}

void checkNodeForce(const double* force, const Int3& x)
{
    for (int a = 0; a < 3; ++a)
        if (!std::isfinite(force[a]))
            refuse("the force", text('(', force[0], ' ', force[1], ' ', force[2], ')'), x, "not a number");
}

} // namespace lbm
