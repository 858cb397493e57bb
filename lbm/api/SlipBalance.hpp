// SlipBalance: what links of a wall past which the fluid slips bring into it and take from it, which together is nothing.
//
// A link c of weight w whose wall moves with u, of which the node's own populations carry their part, brings 6 w c.u less than
// it takes. Along a wall that is a plane of symmetry of the lattice, across an axis or a diagonal, links come in pairs: what flows
// on into the wall with one comes out of it with its mirror image one node further, as specular reflection has it. Where the slip
// is another one there, either gets half of the difference.
//
// Where a wall ends at an opening the image would lie beyond it: that link is one more through which fluid comes in, or leaves, along
// the wall. What the fluid half-way does across the wall is taken off there, and of links straight into it, as of pairs.
//
// What has no pair (at other ends and edges of a wall, on walls oblique to the lattice, where steps bring and take by turns) keeps what
// uniform streams need. Where such a wall ends at an opening, what its last links bring and take is the opening's (`leave`): it is part
// of the stream that enters or leaves there. Spread over the wall it cost the stream its momentum (a bend turned by 20 degrees, through
// whose wall up to 5 % of the stream passed so, had 0.7 to 1.5 times simpleFoam's pressure, by spacing). What it brings in all, leaves evenly through the whole wall: it would add to the flow (of OpenFOAM's
// pitzDaily 0.6 %, most of it at the edge of the step, behind which the jet was 5 % faster than simpleFoam's).
//
// That is what the fluid is taken to do half-way. What links really let through differs where it does not: a part of the velocity of
// a node across the wall passes them (as of the closed room of OpenFOAM's iglooWithFridges, which gained 5.6 % of its mass). `beyond`
// counts it from populations, and who tells links hands it on.
//
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/api/Solver.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

// Which link of a wall is the mirror image of each: -1, none; its own where it goes straight into the wall, or the image lies beyond
// an opening. patches: one entry a patch; links: numbers in Domain::links, rising; normals: of the wall at each, outwards; zero where
// the fluid sticks.
std::vector<std::int64_t> slipPartners(const Domain&, const std::vector<LinkValue>& patches,
                                       const std::vector<std::size_t>& links, const std::vector<Vec3>& normals);

class SlipBalance {
public:
    SlipBalance() = default;

    // patches: what links are before they are told, one entry a patch. weights: the lattice's, by direction code.
    SlipBalance(const Domain&, const std::vector<LinkValue>& patches, const std::vector<std::size_t>& links,
                const std::vector<Vec3>& normals, const std::vector<double>& weights);

    // Changes what links are told such that the wall as a whole brings nothing. velocities: of the fluid half a link from its node.
    // values: one a link. beyond: what it takes besides (mass per step, density 1).
    void close(const std::vector<Vec3>& velocities, LinkValue* values, double beyond = 0) const;

    // It has an image (slipPartners).
    bool paired(std::size_t link) const { return links_[link].partner >= 0; }

    // This share of what a link takes, beyond what its image brings if it has one, is not the wall's to bring back.
    void leave(std::size_t link, double share) { links_[link].left = share; }

    // The sums of populations by which links take mass in a step if they are told nothing, a group a link. Of walls of
    // WallScheme::slipping.
    static NodeGroups passing(const Solver&, const std::vector<LinkValue>& patches,
                              const std::vector<std::size_t>& links);

    // What the wall takes beyond what it does if the fluid half-way moves with `velocities`. passed: those sums. values: what links
    // are told before they are closed.
    double beyond(const std::vector<double>& passed, const std::vector<Vec3>& velocities,
                  const LinkValue* values) const;

private:
    struct Of {
        Vec3 along, normal;
        double weight, told; // 6 w; slippingShare
        std::int64_t partner;
        double left = 0; // see `leave`
    };
    std::vector<Of> links_;
    double area_ = 0; // through the wall along normals, of all links
};

} // namespace lbm
