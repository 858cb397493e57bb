// MassDrift: what the mass of a flow past a plane changes by. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/api/Solver.hpp"

#include <cmath>
#include <vector>

namespace lbm::test {

// In 100 steps of a flow along x that varies in all directions, over the mass of all nodes, which are all fluid.
inline double massDrift(Solver& solver, const Domain& domain)
{
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        const Int3 x = domain.coordinates(i);
        nodes.push_back(i);
        states.emplace_back();
        states.back().velocity = {0.05, 0.01 * std::sin(x[0] + 0.3 * x[2]), 0.01 * std::cos(x[1] - 0.2 * x[2])};
    }
    const auto excess = [&] {
        solver.sample(nodes.data(), nodes.size(), states.data());
        double sum = 0;
        for (const Macroscopic& state : states) sum += state.density - 1;
        return sum / double(states.size());
    };
    solver.initialise(nodes.data(), nodes.size(), states.data());
    const double before = excess();
    solver.advance(100);
    return excess() - before;
}

} // namespace lbm::test
