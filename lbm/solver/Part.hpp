// Part: a Solver that may be one of several that share a larger domain (PartedSolver). It steps its own tiles, rim before
// inner ones; ghosts' state is taken over from who owns them, as it is stored there, by Halos. PartSteps puts both in order.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/api/UnsetVector.hpp"
#include "lbm/geometry/CutFacts.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/model/SlabPlan.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

// Ghosts of one part, and the nodes of their owner, one by one.
struct HaloNodes {
    std::vector<NodeIndex> ghosts, owners;
};

// What is taken over: what the next step of the ghosts' part will look at, or all that is stored of them, for who reads nodes; or all
// of those that lie in the layers that slabs have just stepped (SlabPart).
enum class Handover { forStep, whole, piece };

class Halo {
public:
    virtual ~Halo() = default;

    // Whether of what is being taken pieces are left, for each of which start and take are called again: of all halos of a process
    // those of one piece before those of the next.
    virtual bool more() const { return false; }

    // After a step of both parts, rims of which suffice. May return before it is done; the next step of either part waits for
    // it where it has to, and so does who reads nodes.
    virtual void take(Handover) = 0;

    // Before any halo is taken: what others wait for may leave.
    virtual void start(Handover) {}

    virtual std::size_t bytes() const = 0;

    // Whether what is taken for steps may be recorded, see OnDevice.
    virtual bool repeats() const { return false; }

    // Whether the parts' steps may hand over by themselves what is taken for steps; and that from now on they do.
    virtual bool mayPass() const { return false; }
    virtual void pass() {}

    // Before any halo of the part is gone: lets go what is another process's.
    virtual void close() {}

    // How what is handed over gets to another device; empty: both parts are on one.
    virtual std::string way() const { return {}; }
};

// One side of a Halo whose other one is another process's: bytes in the storage's own precision, in an order that both know.
class HaloEnd {
public:
    virtual ~HaloEnd() = default;

    // What goes over now, after as many steps as it has made: of a whole handover the next piece, see Halo::more.
    virtual std::size_t size(Handover) = 0;
    virtual bool more() const { return false; }

    // Where these bytes lie at this side, as many as the largest piece has. Free to be written when this returns.
    virtual char* room() = 0;

    // Of owners into the room, or for ghosts out of it.
    virtual void pack(Handover) { throw std::logic_error("halo: ghosts are not handed over"); }
    virtual void unpack(Handover) { throw std::logic_error("halo: owners take nothing over"); }

    virtual std::size_t bytes() const = 0;

    // See Halo.
    virtual std::string way() const { return {}; }

    // Of ghosts: a name by which other processes of the host reach memory of two handovers, which take turns; empty: none does.
    // Where the owners' end takes it, it packs straight into it, until it lets it go; and both have no use for a room any more.
    virtual std::string shared() { return {}; }
    virtual bool packInto(const std::string&) { return false; }
    virtual void letGo() {}
    // Of ghosts: what came in a handover has been looked at.
    virtual void waitForUnpacked() {}
};

// What a Part is, too, that streams through its device in slabs, as all other parts do: in the same slabs and passes, so that they step
// the same layers one after the other (lbm/geometry/Slabs.hpp), and hand over these alone behind each piece. A piece reads of its
// neighbours what pieces before it made, as it does of the part's own nodes. Slabs take ghosts up and out with the part's nodes.
class SlabPart {
public:
    virtual ~SlabPart() = default;

    // Once, before halos are placed. sharing: so many parts have the device's free memory between them.
    virtual SlabOffer slabOffer(int sharing) const = 0;
    // Throws cuda::Error where nothing fits (no steps).
    virtual void stream(const SlabPlan&) = 0;

    // Passes over so many steps: how many pieces they are. Then each piece, and what follows it once halos have been begun; and the end.
    virtual std::int64_t beginPasses(std::int64_t steps) = 0;
    virtual void stepPiece() = 0;
    virtual void endPiece() = 0;
    virtual void endPasses(std::int64_t steps) = 0;
};

// Values of some of a part's links of a patch, run by run of their places among these.
struct LinkPiece {
    struct Run {
        std::size_t first, n;
    };
    std::vector<Run> runs;
    std::vector<LinkValue> values; // of one run behind the other's
};

class Part : public Solver {
public:
    // Null: all of it is resident.
    virtual SlabPart* inSlabs() { return nullptr; }

    // setBoundary of what came piece by piece, of n links in all: a part's list is whole with the part alone. Of a part elsewhere both may
    // return before they are done.
    virtual void keepBoundary(std::size_t n, const LinkPiece&);
    virtual void setKeptBoundary(int patch);

    // A step: first of the rim, then of inner tiles. May return before they are done; whatever is called next waits for them
    // where it has to.
    virtual void begin(PartOfTiles) = 0;
    virtual void wait() {}

    // As users are told; empty: there is but one.
    virtual std::string deviceName() const { return {}; }

    // What nodes were told one by one: [nodes], where the closure takes relaxation times by node, and [nodes][3], where there are
    // forces by node; null: not asked for.
    virtual void getFields(const NodeSet&, double* tau, double* forces) const = 0;

    // Ghosts of this part, from their owner. Throws std::invalid_argument unless both are of the same kernel.
    virtual std::unique_ptr<Halo> haloOf(Part& owner, const HaloNodes&) = 0;

    // The same from a part of another process. needed: PopulationsForStep of each ghost, which the owner's side is to know.
    virtual std::unique_ptr<HaloEnd> endOfGhosts(const std::vector<NodeIndex>& ghosts,
                                                 std::vector<std::uint32_t>& needed) = 0;
    virtual std::unique_ptr<HaloEnd> endOfOwners(const std::vector<NodeIndex>& owners,
                                                 const std::vector<std::uint32_t>& needed) = 0;

private:
    UnsetVector<LinkValue> kept_;
};

// Populations of a ghost, one bit each, that its part's next step will look at. All where boundaries that reach further than links
// do are near, where they remember the ghost, or where it shares a tile with the part's own nodes and is stepped with them.
class PopulationsForStep {
public:
    // The Domain, of a part, must outlive this.
    PopulationsForStep(const Domain&, std::vector<Int3> directions);
    PopulationsForStep(const PopulationsForStep&) = delete;
    void operator=(const PopulationsForStep&) = delete;

    std::uint32_t operator()(NodeIndex ghost, bool stepped) const;

private:
    const Domain& domain_;
    std::vector<Int3> directions_;
    BitSet linked_;
    LinkedNodes nearLinks_;
};

} // namespace lbm
