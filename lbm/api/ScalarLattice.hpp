// ScalarLattice: a scalar that a flow carries and that diffuses, such as temperature, as a second field on the Domain of the flow's
// solver: populations along the axes alone (D3Q7, in planes D2Q5), two relaxation times. Of second order in space, and in time with
// steps that go with the square of the spacing: the flow's acceleration by the scalar is left out of what diffuses, as compressibility
// is in flows. Speeds stay well below half a spacing in a step, where diffusion is no longer what it should be, and the speed by the
// diffusivity below mostPeclet, beyond which the least waves grow.
//
// A step has two halves, between which the flow makes its own, so that both see each other at the same time:
//     arrive()   what was sent arrives: the scalar of the coming time, from which forces on the flow follow
//     collide()  with the flow's velocity of that time
// Units: lattice. Arrays have a value for each fluid node, in rising order of the nodes. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lbm {

enum class ScalarKind : std::uint8_t {
    flux, // so much comes into the fluid over the link in a step: diffusivity by gradient by the wall's share of the link
    value,   // the scalar where the link meets the patch
    outflow, // zero gradient along the link, for fluid that leaves
    transfer // as flux, `conductance` times what the node's scalar lacks of `value`
};

// What a link imposes. A new one lets nothing pass.
struct ScalarLinkValue {
    ScalarKind kind = ScalarKind::flux;
    double value = 0;
    bool interpolated = false; // of `value`: at the link's fraction, else half-way
    // Of `transfer`, by the wall's share of the link [spacing/step], not below 0. Those of a node's links have to add up to less than 2:
    // from there on its value swings higher with each step.
    double conductance = 0;
};

// Of all nodes, or of each: `ofNodes`, in rising order of the nodes. Each above 0.
struct ScalarDiffusivity {
    ScalarDiffusivity(double ofAll) : all(ofAll) {}
    explicit ScalarDiffusivity(const double* values) : ofNodes(values) {}

    double all = 0;
    const double* ofNodes = nullptr;
};

struct ScalarConfig {
    std::string precision = "double"; // or float
    int threads = 0;                  // as in Config
    double diffusivity = 0;           // above 0
    bool byNode = false;              // nodes are to be told their own: a device keeps room for it
    double magic = 1.0 / 8;           // see lbm/physics/ScalarNode.hpp
};

// Speed by diffusivity, in the lattice's units, that is stable in any direction; of waves of all lengths, by the amplification of
// collision and streaming with magic 1/8 (15.6 with a diffusivity of 0.0005, 19.5 with 0.001 to 0.005, without limit beyond 0.01).
constexpr double mostPeclet = 15, leastDiffusivityAtAnyPeclet = 0.01;

class ScalarLattice {
public:
    virtual ~ScalarLattice() = default;

    virtual const Domain& domain() const = 0;
    virtual std::size_t size() const = 0; // fluid nodes
    virtual std::size_t bytes() const = 0;

    // From the next collision on; copied. Throws std::invalid_argument unless above 0. Where it differs from node to node the flux over
    // a link is that of both nodes' resistances one after the other.
    virtual void setDiffusivity(const ScalarDiffusivity&) = 0;

    // One value a link of the patch, in the order of Domain::links; those of diagonal links do not count. Throws
    // std::invalid_argument for another number, or for a value that is none.
    virtual void setBoundary(int patch, const ScalarLinkValue*, std::size_t n) = 0;

    // Equilibrium. flow: density and velocity of each node, as Solver::sample gives Reading::flow; null: at rest.
    virtual void initialise(const double* values, const double* flow) = 0;

    // Steps that are `ratio` times as long, with the diffusivity of such, from the present scalar and its gradient. flow: in the new
    // units. Between collide() and arrive(); ends as they are are those of steps before.
    virtual void rescale(double ratio, const ScalarDiffusivity&, const double* flow) = 0;

    virtual void arrive() = 0;
    virtual const double* arrived() const = 0; // the scalar, until the next arrive()
    virtual void collide(const double* flow) = 0;

    // As the populations have it that were sent last.
    virtual void values(double*) const = 0;

    // What left the fluid over each link of a patch in the last step, in the order of Domain::links; 0: diagonal ones.
    virtual std::vector<double> passed(int patch) const = 0;

    // After a collision: with them a lattice goes on bit for bit. [populations()][nodes]
    virtual int populations() const = 0;
    virtual void getPopulations(double*) const = 0;
    virtual void setPopulations(const double*) = 0;
};

// Throws std::invalid_argument for values that make no sense, and for what it lacks: patches that turn, parts with ghosts.
std::unique_ptr<ScalarLattice> makeScalarLattice(std::shared_ptr<const Domain>, const ScalarConfig&);

} // namespace lbm
