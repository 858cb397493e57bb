// PartedNodes: a NodeSet of a PartedSolver: what each part has of it. A group goes to a part that has all of its nodes, be it
// as ghosts, which hold what their owners do, if not their strain rates; nodes of groups that no part has the whole of are fetched and summed here, so that
// sums do not depend on the number of parts. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/PartDomain.hpp"
#include "lbm/solver/NodeBlocks.hpp"
#include "lbm/solver/OwnedSet.hpp"
#include "lbm/solver/Part.hpp"

namespace lbm {

// Parts of one domain: what each advances, and its solver.
struct PartOfDomain {
    PartDomain domain;
    std::unique_ptr<Part> solver;
};

class PartedNodes final : public NodeSet {
public:
    struct Share {
        std::size_t part;
        std::shared_ptr<const NodeSet> set;
        std::vector<std::size_t> places; // of its nodes or groups in the whole set
    };

    PartedNodes(const SetOwner&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                const NodeIndex* nodes, std::size_t n);
    PartedNodes(const SetOwner&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                const NodeGroups&);

    const SetOwner& owner() const { return owner_; }
    const std::vector<Share>& shares() const { return shares_; }

    // Groups that no part has the whole of: their nodes, and terms in one block of these; null: none.
    const PartedNodes* splitNodes() const { return splitNodes_.get(); }
    const NodeBlocks& split() const { return *split_; }
    const std::vector<std::size_t>& splitPlaces() const { return splitPlaces_; }

    // f(share, values of its own): reads all shares and puts each value where it belongs.
    template<class Read>
    Extremes gather(std::size_t width, double* values, Read&& read) const;

    // f(share, values of its own) of values of the whole set.
    template<class Write>
    void scatter(std::size_t width, const double* values, Write&& write) const;

private:
    double* room(std::size_t values) const
    {
        if (room_.size() < values) room_.resize(values);
        return room_.data();
    }

    SetOwner owner_;
    std::vector<Share> shares_;
    std::unique_ptr<PartedNodes> splitNodes_;
    std::unique_ptr<NodeBlocks> split_;
    std::vector<std::size_t> splitPlaces_;
    mutable std::vector<double> room_; // kept from call to call
};

} // namespace lbm

#include "lbm/solver/GroupSum.hpp"

#include <algorithm>

namespace lbm {

template<class Read>
Extremes PartedNodes::gather(std::size_t width, double* values, Read&& read) const
{
    Extremes all;
    for (const Share& share : shares_) {
        double* own = room(share.places.size() * width);
        include(all, read(share, own));
        for (std::size_t i = 0; i < share.places.size(); ++i)
            std::copy_n(own + i * width, width, values + share.places[i] * width);
    }
    return all;
}

template<class Write>
void PartedNodes::scatter(std::size_t width, const double* values, Write&& write) const
{
    for (const Share& share : shares_) {
        double* own = room(share.places.size() * width);
        for (std::size_t i = 0; i < share.places.size(); ++i)
            std::copy_n(values + share.places[i] * width, width, own + i * width);
        write(share, own);
    }
}

} // namespace lbm
