// Reference: the method in its plainest form. Double precision, two copies of a dense array, no tiles,
// no threads, no vectors; every population of every node is written out from the formula. It shares with the
// kernels the lattice data, Domain and what is found in it before a run (donors, shares of interpolation), and
// Config, nothing else, and is what they are held against.
// Slow on purpose: meant for some thousand nodes. Units: lattice.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/boundary/Donors.hpp"
#include "lbm/boundary/InterpolatedWall.hpp"
#include "lbm/boundary/OpeningNodes.hpp"
#include "lbm/reference/Collision.hpp"

#include <cstdint>
#include <vector>

namespace lbm::reference {

class Reference {
public:
    // Uses lattice, collision, equilibrium, tau, magic, force and patches of the Config; the rest
    // (storage, precision, ...) does not apply. Throws std::invalid_argument for what it does not know.
    Reference(const Domain&, const Config&);

    const LatticeData& lattice() const { return lattice_; }
    void advance(std::int64_t steps);

    // Population after collision, as deviation from its weight (as Solver::getPopulations).
    double population(NodeIndex node, int q) const { return f_[at(node, q)] - lattice_.w[q]; }
    void setPopulation(NodeIndex node, int q, double deviation) { f_[at(node, q)] = deviation + lattice_.w[q]; }

    void initialise(NodeIndex, const Macroscopic&);
    State state(NodeIndex) const;       // half of the force taken off

    void setBoundary(int patch, const std::vector<LinkValue>& values);
    void setForce(const Vec3& force) { force_ = force; }
    void setRelaxationTime(double tau) { rates_ = ratesOf(lattice_, tau_ = tau, magic_); }

    // Sum of all populations of all fluid nodes.
    double mass() const;

private:
    std::size_t at(NodeIndex node, int q) const { return std::size_t(node)*lattice_.size() + q; }
    NodeIndex neighbour(NodeIndex, const Int3& c) const;    // -1: outside the box or not fluid
    Populations populations(NodeIndex) const;
    Populations mixed(const std::vector<DonorShare>&) const;
    State known(const Populations&) const;                  // half of the force taken off
    Populations incoming(NodeIndex);
    int recordAt(NodeIndex, const Int3& c) const;           // -1: none
    int direction(const Int3& c) const;                     // -1: not one of the lattice's
    int mirrored(int q, const Vec3& normal) const;
    double completed(NodeIndex, int q, int record);
    double interpolated(NodeIndex, int q, int record, const Populations& arrived) const;
    double reflected(NodeIndex, int q, const LinkValue&, int record);
    double carriedOn(NodeIndex, int q, const LinkValue&, const Donor&, bool corner);
    void impose(const NodeSurroundings&, Populations& arrived) const;
    double ruffle(double value, double recovery, int record);
    double velocityOfDensity(double density, double outflow) const;

    Domain domain_;
    LatticeData lattice_;
    Equilibrium equilibrium_;
    Collision collision_;
    Rates rates_;
    double tau_, magic_;
    Vec3 force_;
    std::vector<int> linkOf_;               // [node][27]: index of a Link record, or -1
    std::vector<LinkValue> linkValues_;     // one a Link record
    std::vector<WallScheme> schemes_;       // one a patch
    std::vector<Donor> donors_;
    std::vector<int> donorOf_;              // by Link record
    std::vector<Vec3> outward_;             // by Link record
    std::vector<double> calm_;              // by Link record; NaN: not known yet
    std::vector<NodeSurroundings> openings_;
    std::vector<int> openingOf_;            // by node, -1: none
    std::vector<double> f_;                 // [node][Q], whole populations after collision
};

} // namespace lbm::reference
