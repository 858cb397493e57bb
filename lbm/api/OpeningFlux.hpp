// OpeningFlux: what passes openings, as the lattice counts it: what nodes with a link to an opening hand to the other
// nodes around them in the coming step, less what these hand back. In a steady flow this is, to rounding, what openings let
// in and out; else it differs by what the openings' own nodes store. Any storage and device.
// Units: lattice (mass per step, density 1). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <string>
#include <vector>

namespace lbm {

class OpeningFlux {
public:
    // open: one entry a patch. Throws std::invalid_argument for an unknown lattice.
    OpeningFlux(const Domain&, const std::string& lattice, const std::vector<bool>& open);

    struct Rates {
        double in = 0, out = 0;         // sums over the openings' nodes by the sign of what passes them
    };
    Rates compute(const Solver&) const;

private:
    struct Pair {
        std::size_t node, other;        // in nodes_: at an opening, and further in
        int there, back;                // populations
    };

    template<class L> void collect(const Domain&, const std::vector<bool>& open);

    std::size_t directions_ = 0;
    std::vector<NodeIndex> nodes_;
    std::vector<Pair> pairs_;   // by node
};

} // namespace lbm
