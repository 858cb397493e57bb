// Donors: for links through an opening or a plane of symmetry, the fluid nodes from which the flow is carried on
// behind it. A link from x along c ends at a ghost node; its donor lies straight inwards of the ghost, along the patch's
// normal, between up to four nodes. Where the opening cuts closer to the donor than to the ghost, one deeper is taken.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/MirrorFit.hpp"

#include <array>
#include <functional>

namespace lbm {

struct DonorShare {
    NodeIndex node;
    double weight;
};

struct Donor {
    std::int64_t link;              // record in Domain::links
    std::vector<DonorShare> shares; // fluid nodes, weights add up to 1; none: the donor would lie behind another patch
    std::vector<DonorShare> beyond; // the same one step further in; may be none, as of planes of symmetry
    std::vector<MirrorShare> fit;   // of planes of symmetry that are no mirrors of the lattice
    double reach = 2;               // distance of ghost and donor over that of opening and donor, from 1 to 2
    Vec3 outward{0, 0, 0};          // unit normal
    std::int64_t corner = -1;       // without shares: the record of the link from x to the donor; -1: a resting wall
    std::uint8_t sent = 13;         // of turns: directionCode of the donor's population that arrives
    std::uint8_t inward = 13;       // directionCode from the ghost inwards, on a patch that leans along the lattice
    // At an edge round which two planes of symmetry go: directionCodes in which two shares sent what arrives, half of each. With A
    // before the edge, B beyond it and D round the corner from A, what they send to the edge is A', B' and D'. Half of A' goes on
    // to D, half is mirrored to B; so does D'; of B' one half goes to either. So nothing is lost, as it was where each took what its
    // own plane showed.
    std::array<std::uint8_t, 2> round{13, 13};
};

// One list after the other.
using DonorRuns = std::vector<std::vector<Donor>>;

// Runs of Domain::links that threads look at one by one: how many.
std::size_t donorRuns(const Domain&);

// One for each link of the chosen patches, in the order of Domain::links. symmetric: those that are planes of symmetry; frames:
// those between frames, whose donor is the node at the other end, as it is of turns. visit(run, its donors): by several threads, in any
// order of runs; what it does not keep is forgotten.
void eachDonorRun(const Domain&, const std::vector<bool>& patches, const std::vector<bool>& symmetric,
                  const std::vector<bool>& frames, const std::function<void(std::size_t, std::vector<Donor>&&)>& visit);

// All of them.
DonorRuns findDonors(const Domain&, const std::vector<bool>& patches, const std::vector<bool>& symmetric = {},
                     const std::vector<bool>& frames = {});

} // namespace lbm
