// ScalarGeometry: where populations along the axes come from, for the fluid nodes of a Domain in rising order. Nodes in a row that
// find all their neighbours the same numbers away are a run, which steps do without lists; others keep six numbers each. What a link
// into a patch brings has a slot.
// Throws std::invalid_argument for patches that turn, parts with ghosts, more nodes than 32 bits number.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/lattice/Macros.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace lbm {

// Numbers of links: see ScalarLinks.
struct ScalarRun {
    std::int32_t begin, end;
    std::array<std::int32_t, 7> from; // how far the node is that each population comes from
};

// A node that is part of no run: by link the node that it comes from, or -1 - slot.
struct ScalarEdge {
    std::int32_t node;
    std::array<std::int32_t, 7> from;
};

// A link along an axis that meets a patch: the number of what is sent into it, and the node that sends such to this one (-1: none).
struct ScalarSlot {
    std::int32_t node, behind;
    std::uint8_t link;
    float fraction;
};

LBM_HD constexpr int oppositeScalarLink(int link) { return ((link - 1) ^ 1) + 1; }

class ScalarGeometry {
public:
    explicit ScalarGeometry(const Domain&);

    std::int32_t nodes() const { return nodes_; }
    const std::vector<ScalarRun>& runs() const { return runs_; }
    const std::vector<ScalarEdge>& edges() const { return edges_; }
    const std::vector<ScalarSlot>& slots() const { return slots_; }

    // Of a patch's links, in the order of Domain::links, the slot; -1: diagonal.
    const std::vector<std::int32_t>& slotsOf(int patch) const { return slotsOf_[std::size_t(patch)]; }

    std::size_t bytes() const;

private:
    using Sources = std::array<std::int32_t, 7>;
    void findSlots(const Domain&, const std::vector<std::int32_t>& numbers);
    Sources sources(const Domain&, NodeIndex, const std::vector<std::int32_t>& numbers) const;
    void append(const Domain&, NodeIndex, std::int32_t number, const Sources&);

    int links_; // of a node
    std::int32_t nodes_ = 0;
    std::vector<ScalarRun> runs_;
    std::vector<ScalarEdge> edges_;
    std::vector<ScalarSlot> slots_;
    std::vector<std::vector<std::int32_t>> slotsOf_;
    std::vector<std::int32_t> firstSlot_; // of each node, and one more; while it is made
};

} // namespace lbm
