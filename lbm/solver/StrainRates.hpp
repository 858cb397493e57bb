// StrainRates: strain rates of nodes from differences of the velocities around them and at walls, for states of which
// populations do not tell it (see NodeViscosity). Of second order, of first where a side tells nothing: openings that do
// not fix velocity, and slip. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <functional>

namespace lbm {

class StrainRates {
public:
    // Density and velocity of n nodes.
    using Flow = std::function<void(const NodeIndex* nodes, std::size_t n, Macroscopic* states)>;

    // The Domain must outlive this.
    StrainRates(const Domain&, const Config&);

    // As Solver::setBoundary, of patches that it accepts.
    void setBoundary(int patch, const LinkValue* values, std::size_t n);

    // states: of the n nodes, with velocities; their strain rates are set.
    void complete(const NodeIndex* nodes, std::size_t n, Macroscopic* states, const Flow&) const;

private:
    struct Side {
        NodeIndex node;         // -1: none
        double distance;        // 0: tells nothing
        Vec3 velocity;          // without a node
    };

    Side sideOf(const Int3& x, NodeIndex node, const Int3& c) const;
    const LinkValue& valueOf(const Link&) const;

    const Domain& domain_;
    std::vector<LinkValue> patches_;
    std::vector<std::vector<LinkValue>> values_;        // by patch, one a link; empty: as patches_
    std::vector<std::int32_t> numberInPatch_;           // of each link, once there are values
};

} // namespace lbm
