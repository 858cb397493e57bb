// Reference: the method in its plainest form. Double precision, two copies of a dense array, no tiles,
// no threads, no vectors; every population of every node is written out from the formula. It shares with the
// kernels the lattice data, Domain and Config, nothing else, and is what they are held against.
// Slow on purpose: meant for some thousand nodes. Units: lattice.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/reference/Closure.hpp"
#include "lbm/reference/Collision.hpp"
#include "lbm/reference/Edges.hpp"
#include "lbm/reference/Neighbours.hpp"
#include "lbm/reference/Openings.hpp"
#include "lbm/reference/Symmetry.hpp"

#include <cstdint>
#include <vector>

namespace lbm::reference {

class Reference {
public:
    // Uses lattice, collision, equilibrium, closure, tau, magic, sigma, force and patches of the Config; the rest
    // (storage, precision, ...) does not apply. Throws std::invalid_argument for what it does not know.
    Reference(const Domain&, const Config&);

    const LatticeData& lattice() const { return lattice_; }
    void advance(std::int64_t steps);

    // Population after collision, as deviation from its weight (as Solver::getPopulations).
    double population(NodeIndex node, int q) const { return f_[at(node, q)] - lattice_.w[q]; }
    void setPopulation(NodeIndex node, int q, double deviation) { f_[at(node, q)] = deviation + lattice_.w[q]; }

    void initialise(NodeIndex, const Macroscopic&);
    State state(NodeIndex) const; // half of the force taken off

    void setBoundary(int patch, const std::vector<LinkValue>& values);
    // Of all nodes ...
    void setForce(const Vec3& force) { forces_.assign(forces_.size(), force); }
    void setRelaxationTime(double tau) { taus_.assign(taus_.size(), tau); }

    // ... and of one.
    void setForce(NodeIndex node, const Vec3& force) { forces_[std::size_t(node)] = force; }
    void setRelaxationTime(NodeIndex node, double tau) { taus_[std::size_t(node)] = tau; }
    void setMagic(double magic) { magic_ = magic; }

    // Sum of all populations of all fluid nodes.
    double mass() const;

private:
    // What a node's strain rate is told by on one side: a velocity and how far away, 0: nothing.
    struct Side {
        double distance;
        Vector velocity;
    };

    // [a][b] du_b/dx_a
    struct Gradient {
        double of[3][3];
    };

    std::size_t at(NodeIndex node, int q) const { return std::size_t(node) * lattice_.size() + q; }
    Populations populations(NodeIndex) const;
    Populations mixed(const std::vector<Share>&) const;
    Closure closureAt(NodeIndex) const;
    Vector stored(NodeIndex) const; // velocity, with the whole force
    Gradient gradientAt(NodeIndex) const;
    State known(const Populations&, const Vec3& force) const; // half of the force taken off
    Vec3 forceAt(const std::vector<Share>&) const;
    Populations incoming(NodeIndex);
    int direction(const Int3& c) const; // -1: not one of the lattice's
    int mirrored(int q, const Vec3& normal) const;
    double completed(NodeIndex, int q, int record);
    double turnedIn(NodeIndex, int q, int patch) const;
    Vec3 halfWay(NodeIndex, int wall) const; // wall: record
    double acrossFrames(NodeIndex, int q, const LinkValue&) const;
    double interpolated(NodeIndex, int q, int record, const Populations& arrived) const;
    double betweenWalls(NodeIndex, int q, int record, int across) const;
    double turned(int q, int record) const; // 6 w c.u
    // record: of the link whose patch it is; memory: of that which remembers.
    double reflected(NodeIndex, int q, const LinkValue&, int record, int memory);
    double leaving(NodeIndex, int out, const LinkValue&, const Vector& imposed, int record, int memory);
    void lookIntoMirror(int record);
    Vec3 slipNormal(int record) const;
    State behindPressure(const State& there, const LinkValue&, const Donor&, int record);
    double openingInMirror(NodeIndex, int q, int record, int corner);
    double mirroredFlow(NodeIndex, int q, const LinkValue&, int record, bool corner, const Populations& flow);
    double behindPlane(int q, const Vec3& n, const std::vector<Image>& images) const;
    double carriedOn(NodeIndex, int q, const LinkValue&, int record, bool corner);
    Side sideOf(NodeIndex, const Int3& c) const;
    void impose(NodeIndex, Populations& arrived) const;
    double deviation(double value, double recovery, int record);
    double velocityOfDensity(double density, double outflow) const;

    Domain domain_;
    LatticeData lattice_;
    Equilibrium equilibrium_;
    Collision collision_;
    Closure closure_; // but for tau
    double magic_, sigma_;
    std::vector<double> taus_; // by node
    std::vector<Vec3> forces_; // by node
    Neighbours neighbours_;
    std::vector<LinkValue> patches_;         // what each began as
    std::vector<LinkValue> linkValues_;      // one a Link record
    std::vector<Donor> donors_;              // likewise
    std::vector<SentRound> sentRound_;       // likewise
    std::vector<std::vector<Image>> images_; // likewise, of planes of symmetry
    std::vector<double> means_;              // likewise; NaN: not known yet
    std::vector<WholeNode> wholeNodes_;      // by node
    std::vector<double> f_;                  // [node][Q], whole populations after collision
};

} // namespace lbm::reference
