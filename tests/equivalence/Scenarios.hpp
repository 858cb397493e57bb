// Scenarios: small domains with everything that a storage may get wrong, and a course of events.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lbm::test {

// After `steps` further steps (from the start, or from the event before) states are compared; then
// whatever is set here changes.
struct Event {
    int steps = 1;
    std::vector<std::pair<int, std::vector<LinkValue>>> boundaries; // patch, one value a link
    Vec3 force{0, 0, 0};
    double tau = 0.8;
    double magic = 3.0 / 16;
};

struct Scenario {
    std::string name;
    std::shared_ptr<const Domain> domain;
    std::vector<LinkValue> patches;
    Vec3 force{0, 0, 0};
    double tau = 0.8;
    bool closed = false;     // nothing enters or leaves
    bool nodeForces = false; // forces differ from node to node, where closures allow for it
    std::vector<Event> events;
};

// For the links of one lattice. Tiles of the kernels start at node (0,0,0) and have sides of 4, 8 or 16 nodes.
std::vector<Scenario> scenarios(const std::vector<Int3>& directions);

// Adds some with relaxation times at which the optimised rates of cumulants are not one.
void addSmallTaus(std::vector<Scenario>&);

std::vector<NodeIndex> fluidNodesOf(const Domain&);

// What some of the nodes are told for themselves when an event is through, or, of number 0, at the start.
struct Told {
    std::vector<NodeIndex> nodes;
    std::vector<double> tau;    // not close to 1, where populations do not tell strain rates
    std::vector<double> forces; // [nodes][3]
};
Told toldAt(const Domain&, std::size_t number);

// On a GPU sums of moments have links around a periodic axis that is not a whole number of tiles added behind the others; in a part
// such an axis may be cut, and the links are as all others. All else depends on no cut where products and sums are kept apart.
bool sumsDependOnCuts(const KernelRow&, const Domain&);

// [n][Q], different for every node, some per cent of the weights.
std::vector<double> randomPopulations(std::size_t nodes, std::size_t directions);

} // namespace lbm::test
