// StrainRates: strain rates of nodes from differences of the velocities around them and at walls, for states of which
// populations do not tell it (see NodeViscosity). Of second order, of first where a side tells nothing: openings that do
// not fix velocity, and slip. The nodes around are placed as one more set. Those of groups are sums of their nodes', in the order of terms:
// the same bits whoever has the nodes, one part or several (PartedNodes). Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/physics/NodeViscosity.hpp"
#include "lbm/solver/BoxDifferences.hpp"
#include "lbm/solver/OwnedSet.hpp"

namespace lbm {

class StrainRates {
public:
    // The Domain must outlive this.
    StrainRates(const Domain&, const Config&);

    // As Solver::setBoundary, of patches that it accepts.
    void setBoundary(int patch, const LinkValue* values, std::size_t n);

    // Relaxation times that nodes are told one by one: where populations tell a strain rate, differences have nothing to add.
    void setRelaxationTime(double tau);
    void setRelaxationTimes(const std::vector<NodeIndex>& nodes, const double* tau);

    // Is there a node of which populations do not tell it?
    bool needed(const NodeViscosity& viscosity) const
    {
        return viscosity.isByNode() ? silentNodes_ > 0 : !viscosity.tellsStrain();
    }

    // values: of the solver's sample for that set and reading, of which strain rates are made whole with what populations do not tell of
    // them; extremes: to add them to.
    void complete(const Solver&, const OwnedSet&, Reading, double* values, Extremes& extremes) const;

    // The same differences, for who goes through the nodes of a box.
    BoxDifferences differencesIn(const NodeBox&) const;

private:
    struct Side {
        NodeIndex node;   // -1: none
        double distance;  // 0: tells nothing
        const Link* link; // whose velocity counts without a node; null: at rest
    };

    Side sideOf(const Int3& x, NodeIndex node, const Int3& c) const;
    Side sideOf(const Link&) const;
    // Of a LinkValue, which there is one of for each link, what differences look at
    struct Told {
        Vec3 velocity;
        BoundaryKind kind;
        WallScheme scheme;
    };
    static Told told(const LinkValue& value) { return {value.velocity, value.kind, value.scheme}; }

    const Told& valueOf(const Link&) const;
    void placeAround(const Solver&, const OwnedSet&) const;
    void addOfNodes(const Solver&, const OwnedSet&, Reading, double* values, Extremes&) const;
    void setOfGroups(const Solver&, const OwnedSet&, Reading, double* values, Extremes&) const;

    const Domain& domain_;
    std::vector<Told> patches_;
    std::vector<std::vector<Told>> values_;   // by patch, one a link; empty: as patches_
    std::vector<std::int32_t> numberInPatch_; // of each link, once there are values
    std::int64_t version_ = 0;                // of the links' kinds and of silent_
    BitSet silent_; // nodes of which populations do not tell it; where relaxation times are told by node
    std::int64_t silentNodes_ = 0;
};

} // namespace lbm
