// FluidSide: which nodes are fluid, by parity of crossings or by the winding number, whichever the options
// and the surface ask for; see SurfaceDomain.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/WindingSide.hpp"

#include <memory>

namespace lbm::exact {

class FluidSide {
public:
    // References are kept. Fills what the facts say of the rule; throws SurfaceError for an inside point
    // outside the box.
    FluidSide(const TriangleMesh& mesh, const Surface& surface, const LatticeBox& box, const SurfaceOptions& options,
              SurfaceFacts& facts);

    // What can be told of some planes without the others: their fluid by parity, or their nodes around the surface by the winding
    // number, where `known`; of no other plane a bit is set. count: of nodes cleared on the surface, or of these.
    struct Marks {
        BitSet known, inside;
        std::int64_t count = 0;
    };
    // device: of winding()'s tree; null: the processor takes the numbers.
    Marks marks(const std::vector<Slab>& slabs, int threads, const DeviceWinding* device) const;

    // One bit a node, from the marks of all planes; slabs: of all. Counts in the facts.
    BitSet mark(Marks all, const std::vector<Slab>& slabs, int threads);

    // Whether the fluid is on the inner side of the bodies.
    bool inside() const { return inside_; }
    // Null where parity decides.
    const WindingSide* winding() const { return winding_.get(); }

    // Places are in node spacings from node (0,0,0).
    bool enclosed(const Vec3& place) const;
    static Vec3 placeOf(const Int3& node) { return {double(node[0]), double(node[1]), double(node[2])}; }

private:
    void chooseRule(const TriangleMesh& mesh);
    void setEnclosure(const TriangleMesh& mesh);
    void chooseSide();
    std::int64_t finish(const std::vector<Slab>& slabs, int threads, BitSet& fluid) const;
    void trim(const Slab& slab, BitSet& fluid) const;
    std::vector<std::uint64_t> enclosedAlongX() const;
    bool enclosedAlong(int axis, double place) const;
    Vec3 placeOf(const Vec3& position) const;

    const Surface& surface_;
    const LatticeBox& box_;
    const SurfaceOptions& options_;
    SurfaceFacts& facts_;
    std::unique_ptr<WindingSide> winding_;
    std::optional<Bounds> enclosure_; // places
    bool inside_ = true;
};

} // namespace lbm::exact
