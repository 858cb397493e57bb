// OpeningFlux: what passes openings, as the lattice counts it: what nodes with a link to an opening hand to the other
// nodes around them in the coming step, less what these hand back. In a steady flow this is, to rounding, what openings let
// in and out; else it differs by what the openings' own nodes store. Any storage and device.
//
// Along walls past which the fluid slips, and planes of symmetry, links pass the stream on, too: what goes into such a wall with one
// comes out of it a node further. Where walls lie across axes that is counted (of a duct 12 nodes wide 5.5 % of the stream); links of
// others are taken to return to their node what it sends.
// Units: lattice (mass per step, density 1). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <memory>
#include <vector>

namespace lbm {

class OpeningFlux {
public:
    // One entry a patch of the solver's Domain: openings, and walls and planes past which the fluid slips (none: no patch).
    OpeningFlux(const Solver&, const std::vector<bool>& open, const std::vector<bool>& slips = {});

    // Of any nodes, which rise: what they hand to all others.
    OpeningFlux(const Solver&, const NodeIndex* nodes, std::size_t n);

    struct Rates {
        double in = 0, out = 0; // sums over the openings' nodes by the sign of what passes them
    };

    // Of the solver that it was made with, or one that reads it.
    Rates compute(const Solver&) const;

private:
    void placeGroups(const Solver&, const NodeIndex* begin, const NodeIndex* end, const std::vector<bool>& slips);

    std::shared_ptr<const NodeSet> passing_; // a group a node at an opening
    mutable std::vector<double> in_;         // of each group, kept from call to call
};

} // namespace lbm
