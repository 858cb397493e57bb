// KeptStates: states of nodes that are kept where the nodes lie, on a device or by another process, and set again in other units: what
// another length of the lattice time step asks of all nodes. 80 bytes a node while they are kept. Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"

namespace lbm {

// From units of one time step to those of another: of density - 1, velocities and strain rates.
struct StateScale {
    double density = 1, velocity = 1, strainRate = 1;
};

// A constant expression in name, which device compilers take for their own, too.
constexpr Macroscopic scaled(Macroscopic m, const StateScale& scale)
{
    m.density = 1 + (m.density - 1) * scale.density;
    for (int a = 0; a < 3; ++a) m.velocity[a] *= scale.velocity;
    for (int k = 0; k < 6; ++k) m.strainRate[k] *= scale.strainRate;
    return m;
}

class KeptStates {
public:
    virtual ~KeptStates() = default;
    Extremes seen; // of the nodes
};

// What a Solver is, too, that keeps states in its own way.
class KeepsStates {
public:
    virtual ~KeepsStates() = default;
    virtual std::shared_ptr<const KeptStates> keepStates(const NodeBox&) const = 0;
    virtual void setStates(const KeptStates&, const StateScale&) = 0;
};

// The fluid nodes of a box, whose weights do not count, as Solver::sample reads them, strain rates with them. Throws as requireInside.
std::shared_ptr<const KeptStates> keepStates(const Solver&, const NodeBox&);

// Those nodes, of the same solver, as Solver::initialise sets them, to what was kept times `scale`. Throws std::invalid_argument for what
// another kind of solver has kept.
void setStates(Solver&, const KeptStates&, const StateScale& scale);

// The same by way of this process, for solvers that have no other one.
std::shared_ptr<const KeptStates> keepOnHost(const Solver&, const NodeBox&);
void setFromHost(Solver&, const KeptStates&, const StateScale& scale);

// What was kept as what its solver made of it.
template<class Kept>
const Kept& ownStates(const KeptStates& states)
{
    if (const auto* own = dynamic_cast<const Kept*>(&states)) return *own;
    throw std::invalid_argument("solver: states of nodes that another solver has kept");
}

// How many fluid nodes of a box lie before each of its rows along x, by y and then z, and of all of them.
std::vector<std::size_t> fluidBefore(const Domain&, const NodeBox&);

} // namespace lbm
