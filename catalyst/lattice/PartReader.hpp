// PartReader: the parts of a lattice that this process has (lbm/api/PartWork.hpp), with nodes around them, whose flow it is told. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeReader.hpp"
#include "lbm/api/PartWork.hpp"

namespace lbm {

// A box of a domain, across its periodic sides, too, if it begins or ends there (low may be below zero), with its nodes and links.
// A box along all of an axis keeps that periodic.
Domain cutOut(const Domain& whole, const Int3& low, const Int3& size);

// The node of the whole that one of such a box is
NodeIndex nodeOfWhole(const Domain& box, NodeIndex node);

class PartReader final : public LatticeReader {
public:
    // domain: a box of the whole (cutOut) with the nodes of the parts, which are those in the boxes `own`, one a part. It lives
    // longer than this.
    PartReader(const Domain& domain, std::vector<PartPlace> own) : domain_(domain), own_(std::move(own)) {}

    // A part, in the order of boxes: all of them before nodes are placed. It lives longer than this.
    void add(const Solver& part) { parts_.push_back(&part); }

    // Other nodes, which rise, whose flow is told; place() knows them and those of parts.
    void expect(std::vector<NodeIndex> nodes) { around_ = std::move(nodes); }
    const std::vector<NodeIndex>& expected() const { return around_; }

    // Nodes of parts, rising, with velocities [m/s] that parts have them seen from: CheckedReadings
    void setFrames(std::vector<NodeIndex> nodes, std::vector<Vec3> velocities);

    // Of expected nodes, valuesOf(Reading::flow) each: what is sampled from now on; and what makes velocities of frames those of the
    // lattice. Throws std::invalid_argument for another number.
    void tell(std::vector<double> flows, double ofFrames);

    const Domain& domain() const override { return domain_; }
    const KernelRow& row() const override { return parts_.front()->row(); }

    // As each part counts them
    std::vector<std::int32_t> tiles(const std::vector<NodeIndex>&) const override;

    // Throws std::out_of_range for a node of which nothing is known.
    std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const override;

    // Throws std::logic_error where something else than a flow is asked for of a node around parts.
    void sample(const NodeSet&, Reading, double* values) const override;

private:
    class Set;

    // Of some nodes those that a part has, as it numbers them, and their places among these
    struct OfPart {
        std::vector<NodeIndex> nodes;
        std::vector<std::size_t> at;
    };
    std::vector<OfPart> byPart(const NodeIndex* nodes, std::size_t n) const;

    const Domain& domain_;
    std::vector<PartPlace> own_;
    std::vector<const Solver*> parts_;
    std::vector<NodeIndex> around_, moving_;
    std::vector<Vec3> frames_;
    std::vector<double> flows_;
    double ofFrames_ = 0;
};

} // namespace lbm
