// OwnedSet: what sets have in common wherever they lie, and by which a Solver knows those that it has placed.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/NodeBlocks.hpp"

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <utility>

namespace lbm {

// Alive as long as a set of it is, so that no later solver has the same one.
using SetOwner = std::shared_ptr<const char>;

// What strain rates of a set are found from where populations do not tell them, see StrainRates. Of groups that is those of their
// nodes; of nodes the velocities of theirs and of what lies at their sides.
struct StrainTerms {
    // A side of a node that is a link, or tells otherwise than a node or a wall halfway.
    struct Side {
        std::size_t number; // in `differing`
        int axis, above;
        double distance;
        std::int64_t link; // of the Domain, whose velocity counts; -1: at rest
    };
    std::int64_t version = -1;            // of StrainRates; -1: never asked for
    std::shared_ptr<const NodeSet> nodes; // of groups: as NodeBlocks numbers them
    std::vector<double> values;           // of these, kept from call to call
    std::vector<std::size_t> differing;   // which nodes of the set populations tell nothing of
    std::vector<std::int32_t> own;        // of these: which of `nodes` they are
    std::vector<std::int32_t> beside;     // and what lies at their sides, [axis][below, above]; -1: no node
    std::vector<Side> sides;              // by number
};

class OwnedSet : public NodeSet {
public:
    const SetOwner& owner() const { return owner_; }

    // Nodes, and terms of groups, only of a set that strain rates are read of.
    const NodeBlocks& blocks() const { return blocks_; }
    StrainTerms& strainTerms() const { return strainTerms_; }

protected:
    OwnedSet(const SetOwner& owner, NodeBlocks nodes) :
        NodeSet(nodes.kind, nodes.blocks.back().group), blocks_(std::move(nodes)), owner_(owner)
    {}

    bool tellsStrain() const { return kind() == Kind::nodes || kind() == Kind::sumsOfStates; }

    NodeBlocks blocks_;

private:
    SetOwner owner_;
    mutable StrainTerms strainTerms_;
};

// The set as what its solver has made of it. Throws std::invalid_argument unless it is of that solver and of one of the kinds.
template<class Placed>
const Placed& ownSet(const NodeSet& set, const SetOwner& owner, std::initializer_list<NodeSet::Kind> kinds)
{
    const auto* placed = dynamic_cast<const Placed*>(&set);
    if (!placed || placed->owner() != owner)
        throw std::invalid_argument("solver: a set of nodes that another solver has placed");
    for (const NodeSet::Kind kind : kinds)
        if (kind == set.kind()) return *placed;
    throw std::invalid_argument("solver: a set of nodes of a kind that this call has no use for");
}

template<class Placed>
const Placed& ownSet(const NodeSet& set, const SetOwner& owner, Reading reading)
{
    using Kind = NodeSet::Kind;
    if (reading == Reading::flow)
        return ownSet<Placed>(set, owner, {Kind::nodes, Kind::sumsOfFlow, Kind::sumsOfStates});
    return ownSet<Placed>(set, owner, {Kind::nodes, Kind::sumsOfStates});
}

} // namespace lbm
