// Solver: the one virtual boundary of the core, crossed once per advance(n). Adapters and the plug-in
// see a running lattice through this alone. Units: lattice. C++17.
//
// Nodes are named by their linear index in the Domain's box. A solver holds no fluid-node numbering
// of its own on this side, so that tiles, lists or moments can stand behind it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/api/FixedPointSum.hpp"
#include "lbm/api/NodeSet.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>

namespace lbm {

// Hydrodynamic state of a node. strainRate = (grad u + grad u^T)/2 as xx, xy, xz, yy, yz, zz [1/step].
struct Macroscopic {
    double density = 1;
    Vec3 velocity{0, 0, 0};
    std::array<double, 6> strainRate{0, 0, 0, 0, 0, 0};
};

// Result of Solver::health: cheap enough to be asked for every coupling step. Of the same nodes and values it is the same to the last
// bit, whatever parts, ranks and threads share them.
struct Health {
    double maxSpeed = 0; // over the nodes looked at
    double minDensity = 1, maxDensity = 1;
    FixedPointSum excess{}; // sum of density - 1 over them, from which mass and its drift follow
    std::int64_t nodes = 0; // how many they were
    NodeIndex fastest = -1; // the first such node, or -1: all are at rest
    NodeIndex bad = -1;     // first node with a value that is not finite, or -1
};

// What an opening remembers at a link, besides populations: if it lets sound out, the running mean of what a wave changes: where it imposes
// a pressure the speed outwards, where a velocity the density's deviation from 1 (speedLeaving); else where it leaves, see Leaving.hpp.
struct OpeningMemory {
    BoundaryKind kind = BoundaryKind::wall;                 // of the link, when it remembered
    double mean = std::numeric_limits<double>::quiet_NaN(); // not before the first step with that kind
};

struct NodeBoxes;
struct LinearState;

struct MemoryUse {
    std::size_t populations = 0; // bytes; with what nodes are told one by one
    std::size_t geometry = 0;    // tile maps, masks, links, boundary state
    std::size_t ideal = 0;       // what the pattern needs for the fluid nodes alone
};

// Throughput-relevant facts of the tiling; names as in seed literature (porosity, tile porosity).
struct TilingFacts {
    std::int64_t tiles = 0, uniformTiles = 0, fluidNodes = 0;
    int nodesPerTile = 1;
    double tilePorosity = 1; // fluid nodes / nodes of non-empty tiles
};

class Solver {
public:
    virtual ~Solver() = default;

    virtual const KernelRow& row() const = 0;
    virtual const Domain& domain() const = 0;
    virtual TilingFacts tiling() const = 0;
    virtual MemoryUse memory() const = 0;

    // How steps are executed where that is not simply all nodes step by step; else empty.
    virtual std::string executor() const { return {}; }

    // Steps that a pass over all nodes takes, where as many are left of those that `advance` is told; results are the same to the
    // last bit, however they are told.
    virtual int stepsOfPass() const { return 1; }

    virtual std::int64_t step() const = 0; // steps done since construction
    virtual void advance(std::int64_t steps) = 0;

    // For reading and writing again and again. The set may outlive the solver; no other solver takes it. Throws
    // std::out_of_range for a node that is not fluid, std::invalid_argument for a direction that the lattice lacks.
    virtual std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const = 0;
    virtual std::shared_ptr<const NodeSet> place(const NodeGroups&) const = 0;

    // Groups that are boxes: the same sums as of their nodes term by term, which this one makes of them. See NodeBoxes.hpp.
    virtual std::shared_ptr<const NodeSet> place(const NodeBoxes&) const;

    // All that take a set throw std::invalid_argument for one of another solver, or of a kind that the call has no use for.
    // By one thread at a time.

    // A state a node. Sets equilibrium plus the non-equilibrium part that belongs to the strain rate, which sample reads back;
    // where populations do not tell it (tau close to 1, closures of the shear rate), from the velocities around.
    virtual void initialise(const NodeSet&, const Macroscopic* states) = 0;

    // The fluid nodes of boxes that share none, needed once: a state a box. Weights and the kind of the boxes' sums do not count.
    virtual void initialise(const NodeBoxes&, const LinearState* states);

    // Of nodes or of sums of their states: valuesOf(Reading) each. A group's density is 1 plus the sum of density - 1.
    virtual Extremes sample(const NodeSet&, Reading, double* values) const = 0;

    // Canonical populations after collision, as deviation from the lattice weight (f_q - w_q), q in the
    // lattice's order; the same whatever the storage and the step's parity. populations: [nodes][Q].
    virtual int directions() const = 0;
    virtual Extremes getPopulations(const NodeSet&, double* populations) const = 0;
    virtual void setPopulations(const NodeSet&, const double* populations) = 0;

    // One value a group.
    virtual Extremes sumPopulations(const NodeSet&, double* sums) const = 0;

    // The same for nodes that are needed once, such as all of a lattice: placed piece by piece.
    void initialise(const NodeIndex* nodes, std::size_t n, const Macroscopic* states);
    void sample(const NodeIndex* nodes, std::size_t n, Macroscopic* states) const;
    void getPopulations(const NodeIndex* nodes, std::size_t n, double* populations) const;
    void setPopulations(const NodeIndex* nodes, std::size_t n, const double* populations);

    // values: one a link of the patch, in the order of Domain::links. Throws std::invalid_argument for a
    // patch that began as `wall`, a kind that it cannot become (see Config::patches) or for a wrong count.
    virtual void setBoundary(int patch, const LinkValue* values, std::size_t n) = 0;

    // The same, from piece to piece: tell(first, n, values) writes those of so many links from that one on; each is asked for once, in
    // rising order. A list of all is never in this process, where others have parts of it.
    using TellLinks = std::function<void(std::size_t first, std::size_t n, LinkValue* values)>;
    virtual void tellBoundary(int patch, std::size_t n, const TellLinks& tell);

    // What the storage keeps of a node, as it keeps it: populations as above or, in its own form, moments (see
    // storedState). A solver of the same storage that is given it, stateTau before it, and openingMemory, goes on bit for bit; to
    // others populationsOfStored translates. values: [nodes][storedState(row()).values].
    virtual void getStored(const NodeSet& set, double* values) const { getPopulations(set, values); }
    virtual void setStored(const NodeSet& set, const double* values) { setPopulations(set, values); }
    void getStored(const NodeIndex* nodes, std::size_t n, double* values) const;
    void setStored(const NodeIndex* nodes, std::size_t n, const double* values);

    // The relaxation time of the step that left the nodes' state, which may be another one than that of the next step: moments of third
    // order (17 values) stand for populations by it. Until a step is made or nodes are set, the next step's; then, nodes that are set
    // are taken for such of this time. Who sets all nodes to what another time left tells it before. Throws std::invalid_argument
    // unless tau > 0.5.
    virtual double stateTau() const = 0;
    virtual void setStateTau(double tau) = 0;

    // Steps that the state has behind it, those of a run that this one goes on with among them; at first those since construction. 16 bits
    // are rounded at random, by other numbers in each step: whoever sets nodes and shall go on bit for bit tells it.
    virtual void setStateSteps(std::int64_t steps) = 0;

    // Of the links of patches that began neither as `wall` nor as `interpolatedWall`, patch by patch, in the order of
    // Domain::links: the same for every storage and tile. How many they are; what `n` of them remember, which must be there; all; and to
    // set all, which throws std::invalid_argument for another size.
    virtual std::size_t remembering() const = 0;
    virtual std::vector<OpeningMemory> openingMemory(std::size_t first, std::size_t n) const = 0;
    std::vector<OpeningMemory> openingMemory() const { return openingMemory(0, remembering()); }
    virtual void setOpeningMemory(const std::vector<OpeningMemory>&) = 0;

    // Of all nodes, whatever they were told before.
    virtual void setForce(const Vec3& force) = 0;
    virtual void setRelaxationTime(double tau) = 0;
    virtual void setCoefficients(const ClosureCoefficients&) = 0; // of Config::closure
    virtual void setMagic(double magic) = 0;

    // Of nodes one by one: relaxation times tau = 1/2 + 3 nu (> 0.5), one a node, for a closure that takes them
    // (ClosureDescriptor::byNode), and body forces per unit volume, [nodes][3], where Config::nodeForces asks for room. From the
    // next step on, and for whatever is initialised or sampled next; nodes of no set keep what they have, at first that of the
    // Config. They are no part of getStored: whoever goes on from it tells them again. Throw std::invalid_argument, and change
    // nothing (but long lists are told piece by piece), for a solver that was not asked for room, or a value that makes no sense,
    // whose node they name.
    virtual void setRelaxationTimes(const NodeSet&, const double* tau) = 0;
    virtual void setForces(const NodeSet&, const double* forces) = 0;
    void setRelaxationTimes(const NodeIndex* nodes, std::size_t n, const double* tau);
    void setForces(const NodeIndex* nodes, std::size_t n, const double* forces);

    // Looks at about one node in `stride` (1: all; of small lattices it may be none) for values that are not finite and for extremes.
    // Which they are does not depend on parts, ranks, devices and storages (lbm/solver/HealthBlocks.hpp).
    virtual Health health(int stride) const = 0;
};

struct UnknownKernel : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// All rows of kernels.list that this build holds.
const std::vector<KernelRow>& kernels();

// The row that a Config names. Throws UnknownKernel naming the entry at fault and its valid values.
const KernelRow& findKernel(const Config&);

// What a row stores of a node: so many values, of so many bytes, so often (two copies or one).
struct StoredState {
    int values, valueBytes, copies;
};
StoredState storedState(const KernelRow&);

// Populations of nodes of which Solver::getStored of a row's solver gave `stored`, and Solver::stateTau `tau`. Throws UnknownKernel if
// this build lacks the row's collision.
void populationsOfStored(const KernelRow&, const double* stored, std::size_t n, double* populations, double tau);

// Bytes that makeSolver will allocate for populations, or moments in their place, of so many nodes, solid ones of tiles included.
std::size_t populationBytes(const KernelRow&, double nodesInTiles);

// About what makeSolver will take; geometry of a device's kernels lies in the host's memory, too. Throws as findKernel.
MemoryUse expectedMemory(const Domain&, const Config&);

// Into how many parts the domain is cut: where several devices are named and no number is given, one each.
int partsOf(const Config&);

// Throws UnknownKernel, std::invalid_argument (tau, patches, domain, parts) or std::bad_alloc. The Domain is shared.
std::unique_ptr<Solver> makeSolver(std::shared_ptr<const Domain>, const Config&);

// Directions of a lattice by name, in its order (rest first); empty for an unknown lattice.
std::vector<Int3> latticeDirections(const std::string& lattice);

// 2 or 3; 0 for an unknown lattice.
int latticeDimensions(const std::string& lattice);

// Weights of these directions.
std::vector<double> latticeWeights(const std::string& lattice);

// For each node the number of the tile that holds it, as kernels with this tile (KernelRow::tile) count them; -1: none.
// Throws std::invalid_argument for a word that is no tile.
std::vector<std::int32_t> tileNumbers(const Domain&, const std::string& tile, const std::vector<NodeIndex>& nodes);

} // namespace lbm
