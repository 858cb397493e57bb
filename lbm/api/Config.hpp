// Config: everything a solver is made from besides the Domain. Strings are the words of
// system/lbmDict and of lbmBench's options; the registry turns them into a type or an error.
// Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Closure.hpp"
#include "lbm/api/CutNumbers.hpp"
#include "lbm/api/Domain.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lbm {

enum class BoundaryKind : std::uint8_t {
    wall,             // resting wall, half-way bounce-back
    movingWall,       // half-way bounce-back with the wall's velocity
    interpolatedWall, // the wall where the link's fraction says, at rest or moving
    velocity,         // velocity opening: non-equilibrium bounce-back with the given velocity
    pressure,         // pressure opening: density given; velocity of the node and `velocity`, gained from there on
    pressureVelocity, // both given (backflow through an inletOutlet, totalPressure with direction)
    outflow,          // zero gradient of velocity; the density's gradient goes on
    slip,             // no flow through, no shear; also symmetry. `velocity` holds the unit normal
    shear,            // no flow through, the shear stress that is given; `velocity` holds the unit normal
    frame,            // between two fluid nodes whose velocities are seen from different frames: `velocity` is what the
                      // node sees the other one's frame move with, half-way; `density` - 1 what its own is higher by
    turn              // the flow behind is that of a node elsewhere, turned (Domain::turns)
};

// Planes that the flow behind is a mirror's image of, but for the shear.
constexpr bool isPlane(BoundaryKind kind) { return kind == BoundaryKind::slip || kind == BoundaryKind::shear; }

// How interpolatedWall interpolates, see lbm/boundary/InterpolatedWall.hpp. A link that lacks the fluid nodes behind it
// that a scheme draws on takes the next one that it does not lack them for.
enum class WallScheme : std::uint8_t {
    quadratic, // with up to two nodes behind the wall's own
    linear,    // with the node behind, where the wall is nearer than half-way
    local,     // what arrives from the node behind, and the node's own populations
    slipping   // the node's own populations: see lbm/api/SlippingWall.hpp for the velocity to tell a link
};

// What a link imposes at its crossing point. Which members count depends on the kind.
struct LinkValue {
    BoundaryKind kind = BoundaryKind::wall;
    Vec3 velocity{0, 0, 0};                    // lattice units; unit outward normal for slip and shear
    double density = 1;                        // 1 + p/cs^2; of shear 1 + shearPart
    WallScheme scheme = WallScheme::quadratic; // of Config::patches; does not change at run time

    // Of pressure and velocity: 0 reflects sound, as whatever holds one of them does. Else sound leaves, and the mean
    // returns to what is imposed at this rate per step (see lbm/boundary/NonReflecting.hpp).
    double recovery = 0;

    // Of velocity and pressure, of Config::patches, for good: nodes at the opening take on its whole state, with the stress of
    // the velocities around them (see lbm/boundary/VelocityGradient.hpp), instead of populations link by link.
    bool velocityGradient = false;
};

// What a stress t, which the fluid does to a plane with normal n, adds to the population that comes in over the link along c
// of lattice weight w. Where a link crosses several planes, the parts of all add up. In a flow of constant shear all populations
// are then what they are in the fluid, whatever the relaxation times.
inline double shearPart(double w, const Int3& c, const Vec3& n, const Vec3& t)
{
    const double across = c[0] * n[0] + c[1] * n[1] + c[2] * n[2];
    return 18 * w * (across < 0 ? -across : across) * (c[0] * t[0] + c[1] * t[1] + c[2] * t[2]);
}

struct Config {
    std::string lattice = "D3Q19";
    std::string collision = "trt";
    std::string equilibrium = "incompressible";
    std::string storage = "aa";
    std::string closure = "constant"; // see lbm/api/Closure.hpp, with what coefficients mean
    ClosureCoefficients coefficients{0, 0, 0, 0};
    std::string precision = "double";
    // cpu | cuda | cuda:NUMBER | cuda:NAME, a part of the device's name; of several, which share the parts, cuda:0,1 | cuda:all.
    // Those that are named ranks (below) of a host share out in their order, to each as many; with `cuda` each takes one
    std::string device = "cpu";
    std::string arithmetic;  // simd | scalar (serves tests) | simt (cuda); empty: the device's fastest
    std::string tile;        // e.g. 8x4x4; empty: the first row of kernels.list that fits
    int threads = 0;         // 0: as OpenMP would, but at most one per 8192 fluid nodes
    double deviceMemory = 0; // bytes that a GPU gives; 0: what is free. What does not fit streams through it
    int slabSteps = 0;       // where a domain does, steps that a slab of it makes before it leaves; 0: by a model
    int slabLayers = 0;      // and layers of tiles in a slab; 0: by a model
    // CPU: boxes make several steps a pass where they can (lbm/storage/rows/PopulationBlocks.hpp, storage/moments/cpu/MomentBlocks.hpp). Of
    // `moments` where passes end decides the order of sums: results are the same to rounding, not to the last bit, however steps are told
    bool blocks = false;
    int parts = 1; // bricks that the domain is cut into; 1, or as many as ranks, on several devices: one each
    CutNumbers
        cuts; // of parts, of which each piece then is one or several, cut on; their number is a multiple of the pieces'
    // Of parts on several devices, how ghosts are handed over: peer (stored into the other device's memory), nccl (between ranks),
    // mpi (by way of the host's memory, between ranks by MPI); auto, or empty: of each two the first of these that is possible
    std::string exchange;
    bool sharedDevices = false; // a device may be named twice: for tests where there is only one
    int ranks = 1;              // processes of MPI that parts are spread over, see lbm/api/Ranks.hpp; at most `parts`

    double tau = 1;          // relaxation time of the shear stress, > 0.5, without what the closure adds
    double magic = 3.0 / 16; // TRT and MRT: (tau+ - 1/2)(tau- - 1/2); 3/16 puts the half-way wall exactly
    double sigma =
        0.98; // hybridRegularized: share of the stress that populations bring, above 0; the rest is by differences
    Vec3 force{0, 0, 0};     // body force per unit volume, of nodes that are not told another one
    bool nodeForces = false; // room for Solver::setForces; not with the closure `constant`

    // One entry a patch of the Domain: uniform values to begin with. Kinds may change at run time through
    // Solver::setBoundary, but a patch that begins as `wall` or `interpolatedWall` stays one, and one that begins as
    // `movingWall` or `velocity` stays one of these two: the others look at more nodes than their own.
    std::vector<LinkValue> patches;
};

// One supported combination.
struct KernelRow {
    std::string lattice, collision, closure, equilibrium, storage, precision, device, arithmetic,
        tile; // closure: its kernel
};

std::string name(const KernelRow&);

// Facts behind words of a Config or a row.
inline bool isIncompressible(const Config& config) { return config.equilibrium == "incompressible"; }
inline bool isOnHost(const KernelRow& row) { return row.device == "cpu"; }
inline bool isSingle(const KernelRow& row) { return row.precision == "float"; }
inline int valueBytes(const KernelRow& row) { return isSingle(row) ? 4 : 8; } // of what is computed with

} // namespace lbm
