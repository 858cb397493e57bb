// PartedNodes: a NodeSet of a PartedSolver: what each part has of it. A group goes to a part that has all of its nodes, be it
// as ghosts, which hold what their owners do, if not their strain rates; nodes of groups that no part has the whole of are fetched and summed here, so that
// sums do not depend on the number of parts.
//
// Sets are placed once, and are the maps by which cells, faces and nodes find each other: each part (or rank, RemotePart) keeps the
// nodes and weights, and values go over when somebody writes or asks for them. They are no mapDistribute of OpenFOAM's, which moves
// values between lists that processes hold of themselves, all of them in one call: here nodes are summed to cells where they lie, be
// it on a GPU, before anything is sent; of the mesh the first process has all, and the others make no call of OpenFOAM; a list of
// places is 16 bytes a run here, and 4 bytes an element at both ends there; and mapDistribute copies values once more at both ends (its
// buffers), where gather() reads to where they belong. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/PartDomain.hpp"
#include "lbm/solver/GroupSum.hpp"
#include "lbm/solver/NodeBlocks.hpp"
#include "lbm/solver/OwnedSet.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/solver/NumberRuns.hpp"

#include <algorithm>

namespace lbm {

// f, which may have other processes begin something, and settle, which waits for them, whatever f throws: values of what is
// under way are still to come to where they were wanted. What both have seen.
template<class F, class Settle>
Extremes andSettle(F&& f, Settle&& settle)
{
    Extremes all;
    try {
        all = f();
    } catch (...) {
        try {
            settle();
        } catch (const std::exception&) { // the first fault is what counts
        }
        throw;
    }
    include(all, settle());
    return all;
}

// Parts of one domain: what each advances, and its solver, which has its nodes and links.
struct PartOfDomain {
    PartFrame frame;
    std::unique_ptr<Part> solver;
};

// Who places sets, and room that their calls share, one at a time: kept from call to call.
struct SetMaker {
    SetOwner owner = std::make_shared<const char>();
    std::shared_ptr<std::vector<double>> room = std::make_shared<std::vector<double>>();
};

// What a NodeSet of nodes that keeps none of them in this process is, too.
class NodesElsewhere {
public:
    virtual ~NodesElsewhere() = default;
    virtual NodeIndex node(std::size_t i) const = 0;
};

class PartedNodes final : public NodeSet {
public:
    struct Share {
        std::size_t part;
        std::shared_ptr<const NodeSet> set;
        NumberRuns places; // of its nodes or groups in the whole set
    };

    PartedNodes(const SetMaker&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                const NodeIndex* nodes, std::size_t n);
    PartedNodes(const SetMaker&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                const NodeGroups&);
    // A box goes to the part that owns all of it; what several have is split as groups are.
    PartedNodes(const SetMaker&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                const NodeBoxes&);

    const SetOwner& owner() const { return owner_; }
    const std::vector<Share>& shares() const { return shares_; }

    // Some groups that no part has the whole of: their nodes, terms in one block of these, and places in the whole set. Where cells
    // are large beside nodes they are many, and are fetched so many nodes at a time.
    struct Split {
        std::unique_ptr<PartedNodes> nodes;
        std::unique_ptr<NodeBlocks> terms;
        std::vector<std::size_t> places;
    };
    const std::vector<Split>& splits() const { return splits_; }

    // Node i of a share of nodes, as its part numbers it.
    static NodeIndex nodeOf(const Share&, std::size_t i);

    // read(share, values of its own), of all shares; puts each value where it belongs when settle() has returned, which tells what
    // has been seen of shares that other processes were still about. It is called whatever read throws. Those of other
    // processes come last in the order of parts, and are begun with.
    template<class Read, class Settle>
    Extremes gather(std::size_t width, double* values, Read&& read, Settle&& settle) const;

    // write(share, values of its own) of values of the whole set; the same.
    template<class Write, class Settle>
    void scatter(std::size_t width, const double* values, Write&& write, Settle&& settle) const;

private:
    // f(share): of all.
    template<class F>
    Extremes forShares(F&& f) const
    {
        Extremes all;
        for (std::size_t s = shares_.size(); s-- > 0;) include(all, f(shares_[s]));
        return all;
    }

    // Their nodes are so many, or of one group.
    static constexpr std::size_t nodesOfSplit = std::size_t(1) << 16;

    void placeSplit(const SetMaker&, const Domain& whole, const Bricks&, const std::vector<PartOfDomain>&,
                    const NodeGroups& split, std::vector<std::size_t> places);

    double* room(std::size_t values) const
    {
        if (room_->size() < values) room_->resize(values);
        return room_->data();
    }

    SetOwner owner_;
    std::shared_ptr<std::vector<double>> room_;
    std::vector<Share> shares_;
    std::vector<Split> splits_;
};

} // namespace lbm

namespace lbm {

template<class Read, class Settle>
Extremes PartedNodes::gather(std::size_t width, double* values, Read&& read, Settle&& settle) const
{
    // What follows each other in the whole set is read to where it belongs
    std::size_t n = 0;
    for (const Share& share : shares_)
        if (share.places.runs() > 1) n += share.places.size();
    double* own = room(n * width);
    std::vector<double*> itsOwn;
    for (const Share& share : shares_) {
        const bool direct = share.places.runs() == 1;
        itsOwn.push_back(direct ? values + share.places.front() * width : own);
        if (!direct) own += share.places.size() * width;
    }
    const auto readIts = [&](const Share& share) { return read(share, itsOwn[std::size_t(&share - shares_.data())]); };
    const Extremes all = andSettle([&] { return forShares(readIts); }, settle);
    for (std::size_t s = 0; s < shares_.size(); ++s) {
        if (shares_[s].places.runs() == 1) continue;
        shares_[s].places.each([&](std::size_t first, std::size_t before, std::size_t many) {
            std::copy_n(itsOwn[s] + before * width, many * width, values + first * width);
        });
    }
    return all;
}

template<class Write, class Settle>
void PartedNodes::scatter(std::size_t width, const double* values, Write&& write, Settle&& settle) const
{
    const auto writeIts = [&](const Share& share) {
        if (share.places.runs() == 1) {
            write(share, values + share.places.front() * width);
            return Extremes{};
        }
        double* own = room(share.places.size() * width);
        share.places.each([&](std::size_t first, std::size_t before, std::size_t many) {
            std::copy_n(values + first * width, many * width, own + before * width);
        });
        write(share, own);
        return Extremes{};
    };
    andSettle([&] { return forShares(writeIts); }, settle);
}

} // namespace lbm
