// WallLaw: walls that do not resolve the flow beside them, where the law of the wall (Spalding, J. Appl. Mech. 28, 1961) decides the
// stress beside eddies that live on the lattice: link by link, at any angle to the lattice, from the lattice alone.
//
// The stress is the law's from the velocity `away` spacings from where the link meets the wall, along the normal there, between
// nodes; nearer where there are walls. The nodes next to the wall resolve no eddies that would carry the stress between them, so that
// their velocity is not the law's (Kawai & Larsson, Phys. Fluids 24, 2012, 015105). It follows over the time that the flow there
// takes to pass that distance. The fluid slips past such that the momentum that links take is this stress: of a flow linear beside
// the wall they take tau = gain/6 + P, P what the populations that the link's node sends carry of momentum through the wall, along it
// and beyond equilibrium, so that
//   gain = 6 (tau - P),   u_s = u_1 - gain y_1,
// u_1 along the wall, y_1 from it; neither backwards nor faster than the node. Where half a spacing lies in the viscous layer the
// lattice resolves what is beside the wall, and the fluid sticks. P is measured, so that the stress is right whatever collision,
// closure and guard leave there (with Pi = -2/3 tau S of a steady flow gain is tau over the node's viscosity). What a link's population
// carries of the momentum along the flow across it, but beside the wall, is told back to it: these shares do not cancel between nodes in
// stairs, and the walls of a duct turned by 30 degrees about its axis took next to nothing. What flows past carries
// momentum that such links have to return (SlippingWall.hpp), and no mass (SlipBalance.hpp): what links let through besides, for they
// are made of their node's own populations, is told to them across the wall where it happens, and counted link by link for each piece
// of the wall (WallPieces.hpp), both by lags (WallLags.hpp).
//
// A solver of one part on a GPU follows the law there: nothing goes over the host until it is asked for. All others sample on the
// device and follow the law by the host's threads (see `onDevice`). The same formulas, lbm/physics/LawLink.hpp.
//
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/api/WallLags.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lbm {

// What is handed over once, of one patch. It is an interpolatedWall of WallScheme::slipping, one of `patches`.
struct WallLawSetup {
    int patch = 0;
    std::vector<Vec3> normals; // outwards at its links, in the order of Domain::links
    std::vector<bool> sticks;  // the lattice does not resolve the fluid beside the link; empty: it does everywhere
    // Of the wall, from 0 on: which one the link is of (WallPieces.hpp); empty: there is one.
    std::vector<std::uint32_t> sides;
    double kappa = 0.41, E = 9.8;   // of the law
    std::vector<LinkValue> patches; // as in the solver's Config
    int threads = 0;                // of the host; 0: as OpenMP would
};

class WallLaw {
public:
    virtual ~WallLaw() = default;

    // Distance of what is sampled, where there is room for it; nearer places are tried in steps of half a spacing, down to 1.
    static constexpr double away = 2.5;

    virtual std::size_t size() const = 0;   // links
    virtual std::size_t pieces() const = 0; // of the wall, 1 if it has no links
    virtual bool onDevice() const = 0;
    // That it holds: of the device's memory where it is followed there, else of the host's
    virtual std::size_t bytes() const = 0;

    // The wall's own velocities at its links; none: at rest, as at first. Throws std::invalid_argument for another number of them.
    virtual void setWall(const std::vector<Vec3>& velocities) = 0;

    // From the flow that there is, and tells the links. viscosity: the fluid's own; steps: since the last time. Throws
    // std::invalid_argument unless the viscosity is above 0.
    virtual void update(double viscosity, double steps) = 0;

    // Of each link stress over density, velocity past the wall and what it gains per spacing from it, [3][links][3], what its
    // population carries odd beyond momentum and beside the flow, [links], what it gains across the wall behind each of the lags,
    // [lags][links]; and what each piece of the wall lets through behind these, [pieces][lags]: all that an update takes from those
    // before, so that a run goes on bit for bit. Empty before the first update. Links are told. Throws std::invalid_argument for
    // another number of values.
    static constexpr std::size_t linksStateSize(std::size_t links) { return (10 + wallLags::count) * links; }
    static constexpr std::size_t stateSize(std::size_t links, std::size_t pieces)
    {
        return linksStateSize(links) + wallLags::count * pieces;
    }
    virtual std::vector<double> state() const = 0;
    virtual void setState(const std::vector<double>&) = 0;

    // Units have changed: what multiplies velocities. Links are told with the next update.
    virtual void convert(double faster) = 0;

    // Velocities that links were told last.
    virtual std::vector<Vec3> told() const = 0;

    // Of links, means: distance in wall units of what is sampled, and the share whose stress needed more, at the last update, than to
    // bring the fluid to rest.
    struct Report {
        double yPlus = 0, clipped = 0;
    };
    virtual Report report(double viscosity) const = 0;
};

// What a Solver is, too, that has laws of its own way.
class HasWallLaws {
public:
    virtual ~HasWallLaws() = default;
    virtual std::unique_ptr<WallLaw> placeLaw(const WallLawSetup&) = 0;
};

// Laws are not used once their solver is gone, but may be destroyed then; nobody else tells the links of a patch that has one.
// Throws std::invalid_argument for a patch that is none or another kind of wall, arrays that do not fit its links, or constants that
// are not above 0.
std::unique_ptr<WallLaw> placeLaw(Solver&, const WallLawSetup&);

// About what laws of so many links will hold (WallLaw::bytes, and the host's tables of those on a device), before there is a solver.
struct WallLawMemory {
    double host = 0, device = 0; // bytes
};
WallLawMemory expectedLawMemory(const Config&, double links);

// The share of the law in what a link takes where half a spacing lies at this y+: 0 in the viscous layer, where the fluid sticks, 1 in
// the logarithmic one.
double lawShare(double yPlus);

// The law itself, in any units: friction velocity of a flow at u in a distance y from the wall, and u+ at a y+.
double frictionVelocity(double u, double y, double nu, double kappa, double E);
double lawVelocity(double yPlus, double kappa, double E);

} // namespace lbm
