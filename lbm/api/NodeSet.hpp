// NodeSet: nodes of a lattice that are read or written again and again. A Solver places them once (Solver::place), after which
// they are resident where its lattice is: no call looks a node up, allocates or uploads a list. A set of groups gives weighted
// sums over its nodes, made where the lattice is: means over the cells of a mesh, momentum of a wall's links. Each group is
// summed in the order of its terms, so that results do not depend on the number of threads, nor on the device beyond rounding.
// Immutable. Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

class NodeSet {
public:
    // Of states sumsOfFlow give density and velocity alone, and hold nothing for strain rates.
    enum class Kind { nodes, sumsOfFlow, sumsOfStates, sumsOfPopulations };

    virtual ~NodeSet() = default;
    NodeSet(const NodeSet&) = delete;
    NodeSet& operator=(const NodeSet&) = delete;

    Kind kind() const { return kind_; }

    // Nodes, or groups: for how many of them a call gives or takes values.
    std::size_t size() const { return size_; }

protected:
    NodeSet(Kind kind, std::size_t size) : kind_(kind), size_(size) {}

private:
    Kind kind_;
    std::size_t size_;
};

// Groups of weighted nodes, to be placed. One thread sums a group: many small ones suit a device, a single large one does not.
struct NodeGroups {
    explicit NodeGroups(NodeSet::Kind sums = NodeSet::Kind::sumsOfStates) : kind(sums) {}

    NodeSet::Kind kind;
    std::vector<NodeIndex> nodes;         // of each term
    std::vector<double> weights;          // of each term
    std::vector<std::uint8_t> directions; // of each term, in the lattice's order; in sums of populations alone
    std::vector<std::size_t> begin{0};    // the first term of each group, and one more

    void add(NodeIndex node, double weight)
    {
        nodes.push_back(node);
        weights.push_back(weight);
    }
    void add(NodeIndex node, double weight, int direction)
    {
        add(node, weight);
        directions.push_back(std::uint8_t(direction));
    }
    void endGroup() { begin.push_back(nodes.size()); }

    std::size_t size() const { return begin.size() - 1; }
};

// What Solver::sample gives of each node or group, one value after the other.
enum class Reading {
    flow,       // density, velocity
    strainRate, // xx, xy, xz, yy, yz, zz
    state       // both: a Macroscopic
};

constexpr int valuesOf(Reading reading)
{
    return reading == Reading::flow ? 4 : reading == Reading::strainRate ? 6 : 10;
}

// Largest values of the single nodes that a call has read, whatever it sums; not a number if one of them was none.
struct Extremes {
    double speedSquare = 0; // of states
    double excess = 0;      // of states: |density - 1|
    double rate = 0;        // of states, of readings that ask for it (of flows it is 0): sum of |strain rates|
    double deviation = 0;   // of populations: sum of |f_q - w_q|
};

// Throws std::out_of_range unless every node is fluid.
void requireFluid(const Domain&, const NodeIndex* nodes, std::size_t n);

} // namespace lbm
