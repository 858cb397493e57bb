// What scalars beside a flow have in common, wherever they are stepped. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/CarriedScalar.hpp"
#include "lbm/api/TeamSize.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

inline double positiveOfScalar(double value, const char* what)
{
    if (value > 0 && std::isfinite(value)) return value;
    throw std::invalid_argument(std::string("a scalar's lattice: ") + what + " is " + std::to_string(value)
                                + "; it must be above 0");
}

// Of nodes as they are to be kept, or none. Throws as positiveOfScalar.
template<class R>
std::vector<R> diffusivitiesOfScalar(const ScalarDiffusivity& value, std::size_t nodes)
{
    if (!value.ofNodes) {
        positiveOfScalar(value.all, "the diffusivity");
        return {};
    }
    std::vector<R> result(nodes);
    for (std::size_t i = 0; i < nodes; ++i)
        result[i] = R(positiveOfScalar(value.ofNodes[i], "the diffusivity of a node"));
    return result;
}

inline int checkedStride(int stride)
{
    if (stride >= 1) return stride;
    throw std::invalid_argument("a scalar's lattice: its steps take " + std::to_string(stride)
                                + " of the flow's; at least 1");
}

inline int threadsOfScalar(const ScalarConfig& config, const Domain& domain)
{
    Config of;
    of.threads = config.threads;
    return threadsFor(of, domain.fluidNodes());
}

// All fluid nodes, rising.
inline std::shared_ptr<const NodeSet> placedFluid(const Solver& solver, const Domain& domain)
{
    std::vector<NodeIndex> nodes;
    nodes.reserve(std::size_t(domain.fluidNodes()));
    domain.fluid.forEachIn(0, domain.nodes(), [&](NodeIndex i) { nodes.push_back(i); });
    return solver.place(nodes.data(), nodes.size());
}

} // namespace lbm
