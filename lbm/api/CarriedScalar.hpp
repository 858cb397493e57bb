// CarriedScalar: a ScalarLattice that the flow of a Solver carries, and that drives the flow by its weight (Boussinesq). One step of it
// takes `stride` steps of the flow:
//     arrive()                  the scalar of the coming time; forces on the flow follow from it
//     Solver::advance(stride)
//     collide()                 with the flow's velocity of that time
// Forces on nodes are those of the scalar in the middle of the steps that the flow is to make, linear in time.
//
// Beside a solver of one part on a GPU that holds all of its lattice the scalar lies in that memory, too, and is stepped there:
// velocities do not go over the host, nor do forces on nodes where a Buoyancy is all that they have; walls that are told forces, and
// nodes with others of their own, ask for them there. Beside all others, and where the device has too little memory left, it steps on
// the host, which samples velocities, and whoever tells nodes their forces asks for between(). The same formulas
// (lbm/physics/ScalarNode.hpp).
//
// Units: lattice; of the scalar's own steps where they are its own (diffusivity, speed of collide()). Values of all fluid nodes in
// rising order. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/ScalarLattice.hpp"
#include "lbm/api/Solver.hpp"

namespace lbm {

// Force per unit mass of a node with the scalar s: base + (above - beta s) g.
struct Buoyancy {
    Vec3 base{0, 0, 0}, g{0, 0, 0};
    double above = 0, beta = 0;
};

constexpr double forceOf(const Buoyancy& b, double s, int a)
{
    return b.base[std::size_t(a)] + (b.above - b.beta * s) * b.g[std::size_t(a)];
}

class CarriedScalar {
public:
    virtual ~CarriedScalar() = default;

    virtual bool onDevice() const = 0;
    virtual std::string whyOnHost() const = 0; // beside a solver on a device; else empty
    virtual std::size_t size() const = 0;      // fluid nodes
    virtual std::size_t hostBytes() const = 0;
    virtual std::size_t deviceBytes() const = 0;

    // See ScalarLattice.
    virtual void setDiffusivity(const ScalarDiffusivity&) = 0;
    virtual void setBoundary(int patch, const ScalarLinkValue*, std::size_t n) = 0;
    virtual std::vector<double> passed(int patch) const = 0;
    virtual void values(double*) const = 0;

    // From the next call on. Throws std::invalid_argument below 1.
    virtual void setStride(int) = 0;

    // Equilibrium in the flow that the solver has.
    virtual void initialise(const double* values) = 0;

    // Steps that are `ratio` times as long: see ScalarLattice::rescale. The solver's flow is that of the new units.
    virtual void rescale(double ratio, const ScalarDiffusivity&) = 0;

    // With a Buoyancy nodes are told their forces, where they lie: true. False: by who asks for between(), for they are not.
    virtual bool arrive(const Buoyancy*) = 0;
    virtual void
    between(double*) const = 0; // the scalar that forces follow, after arrive(); single precision rounds it on a device

    // Of nodes that arrive() told, placed by the solver: [nodes][3].
    virtual void forces(const NodeSet&, double*) const = 0;

    // Largest velocity of a node in it; infinite where one is no number.
    virtual double collide() = 0;

    // Weighted sums over nodes of what arrived last or was set: `begin` of each group, and one more; nodes by their number.
    virtual void placeSums(std::vector<std::size_t> begin, std::vector<std::int32_t> nodes,
                           std::vector<double> weights) = 0;
    virtual void sums(double*) const = 0;

    // After collide(): populations, [populations()][nodes], and what arrived, [nodes]. With them and what links were told a step goes
    // on bit for bit.
    virtual int populations() const = 0;
    virtual void getState(double* populations, double* arrived) const = 0;
    virtual void setState(const double* populations, const double* arrived) = 0;
};

// What a Solver is, too, that has scalars of its own way. domain: what others see of the solver's.
class HasScalars {
public:
    virtual ~HasScalars() = default;

    // Null: it has none for this, and the host does it; why: the reason.
    virtual std::unique_ptr<CarriedScalar> placeScalar(std::shared_ptr<const Domain> domain, const ScalarConfig&,
                                                       std::string& why) = 0;
};

// The scalar is not used once the solver is gone. Throws as makeScalarLattice.
std::unique_ptr<CarriedScalar> placeScalar(Solver&, std::shared_ptr<const Domain>, const ScalarConfig&);

// Bytes on a device, about. Of a fluid node, with sums of as many cells as there are nodes: half a node's links more where half of all
// rows end.
double scalarBytesOnDevice(int dimensions, int valueBytes, bool diffusivityByNode = false);

// Of all of a domain, with its links along the axes that meet patches.
double scalarBytesOnDevice(const Domain&, int valueBytes, bool diffusivityByNode = false);

} // namespace lbm
