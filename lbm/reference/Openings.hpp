// Openings: what the flow behind an opening or a plane of symmetry is taken from, and the nodes in front that take on
// their whole state.
//
// The plane that a patch has near a node is the one that fits the points best where links of the nodes around (and its
// own) meet the patch: n.p = 1 by least squares, p as seen from two links straight inside. Straight: along the sum of the
// node's links through the patch, the link sum. It is taken itself where the points span no plane or one that is inclined
// to it by more than 60 degrees.
//
// A patch of symmetry that goes round an edge (points off that plane by more than 0.15, root mean square; or by 0.01, where the node
// sees it straight at level places alone) is no plane: a link there has the first of the axes' planes that its node's own link along the
// axis meets half-way, or level. One behind a corner of two level planes, neither of which its node sees straight, has nothing behind
// it: what the node sends comes back.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/reference/Neighbours.hpp"

#include <vector>

namespace lbm::reference {

struct Share {
    NodeIndex node;
    double weight;
};

// A link ends at a ghost node behind the opening. Seen from the ghost, the flow lies straight inwards, along the plane's
// normal, in the next layer of nodes: between fluid nodes that no patch cuts off from the link's own. If the opening is
// nearer to that place than to the ghost, it is sought one layer deeper.
struct Donor {
    Vec3 outward{0, 0, 0};     // unit normal; 0 where the link sum is
    Int3 inward{0, 0, 0};      // the lattice's direction closest to the link sum, turned inwards
    std::vector<Share> flow;   // adds up to one; none: nothing but patches there
    std::vector<Share> beyond; // the same a layer further on, if there is anything
    double reach = 2;          // from flow to ghost, over from flow to opening, along the normal; from 1 to 2
    int corner = -1;           // without flow: the record of the link that leads there, if any
};

// One a Link record.
std::vector<Donor> donorsOf(const Domain&, const Neighbours&, const std::vector<LinkValue>& patches);

// A node with links through a patch that imposes whole states (LinkValue::velocityGradient).
struct WholeNode {
    std::vector<int> through; // records of those: the shortest, at most the first six
    Int3 straight{0, 0, 0};   // of these the link of length 1 that is closest to its patch's normal; 0: none
};

// One a node of the Domain, without links through such patches: nothing. directions: of the lattice.
std::vector<WholeNode> wholeNodes(const Domain&, const Neighbours&, const std::vector<LinkValue>& patches,
                                  const std::vector<std::array<int, 3>>& directions);

} // namespace lbm::reference
