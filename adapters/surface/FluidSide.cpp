// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/FluidSide.hpp"

namespace lbm::exact {

FluidSide::FluidSide(const TriangleMesh& mesh, const Surface& surface, const LatticeBox& box,
                     const SurfaceOptions& options, SurfaceFacts& facts) :
    surface_(surface), box_(box), options_(options), facts_(facts)
{
    chooseRule(mesh);
    chooseSide();
}

void FluidSide::chooseRule(const TriangleMesh& mesh)
{
    if (options_.rule == InsideRule::exact || options_.rule == InsideRule::parity) return;
    TriangleMesh bodies = bodiesOf(mesh, options_);
    const Topology topology = topologyOf(bodies);
    if (options_.rule == InsideRule::automatic) {
        facts_.why = whyNotParity(bodies, topology, box_);
        if (facts_.why.empty()) return;
    }
    facts_.byWindingNumber = true;
    winding_ = std::make_unique<WindingSide>(std::move(bodies), topology, box_);
    if (options_.enclosure < 0) return;
    TriangleMesh around = mesh;
    around.triangles.erase(around.triangles.begin(), around.triangles.begin() + options_.enclosure);
    const Bounds b = bounds(around);
    enclosure_ = Bounds{placeOf(b.min), placeOf(b.max)};
}

void FluidSide::chooseSide()
{
    if (winding_) inside_ = !enclosure_;
    if (!options_.insidePoint) return;
    const Vec3 place = placeOf(*options_.insidePoint);
    for (int a = 0; a < 3; ++a)
        if (!(place[a] >= -0.5 && place[a] <= box_.size[a] - 0.5))
            throw SurfaceError("the inside point lies outside the box of the lattice");
    inside_ = winding_ ? winding_->inside(place) : isInside(surface_, surface_.snap(*options_.insidePoint));
}

FluidSide::Marks FluidSide::marks(const std::vector<Slab>& slabs, int threads) const
{
    const NodeIndex nodes = NodeIndex(box_.size[0]) * box_.size[1] * box_.size[2];
    Marks own;
    if (winding_ && !slabs.empty()) {
        KnownNodes near = winding_->nearSides(slabs, threads, own.count);
        own.known = std::move(near.known);
        own.inside = std::move(near.inside);
        return own;
    }
    if (winding_) own.known = BitSet(nodes);
    own.inside = BitSet(nodes);
    if (!winding_) own.count = finish(slabs, threads, own.inside);
    return own;
}

BitSet FluidSide::mark(Marks all, const std::vector<Slab>& slabs, int threads)
{
    if (!winding_) {
        facts_.nodesOnSurface = all.count;
        return std::move(all.inside);
    }
    ScanCounts counts;
    BitSet fluid = winding_->scan({std::move(all.known), std::move(all.inside)}, slabs, threads, counts);
    facts_.nearNodes = all.count;
    facts_.faceNodes = counts.across;
    facts_.nodesOnSurface = finish(slabs, threads, fluid);
    return fluid;
}

// Returns how many nodes lie on the surface.
std::int64_t FluidSide::finish(const std::vector<Slab>& slabs, int threads, BitSet& fluid) const
{
    std::vector<std::int64_t> cleared(slabs.size());
    parallelFor(int(slabs.size()), threads, [&](int i) {
        if (!winding_) flipInside(surface_, slabs[i], fluid);
        trim(slabs[i], fluid);
        cleared[i] = clearOnSurface(surface_, options_.transparent, slabs[i], fluid);
    });
    return std::accumulate(cleared.begin(), cleared.end(), std::int64_t(0));
}

// From the inner side to the one with fluid, and to what the enclosure holds.
void FluidSide::trim(const Slab& slab, BitSet& fluid) const
{
    if (inside_ && !enclosure_) return;
    Int3 n;
    NodeIndex node = NodeIndex(slab.size[0]) * slab.size[1] * slab.begin;
    for (n[2] = slab.begin; n[2] < slab.end; ++n[2])
        for (n[1] = 0; n[1] < slab.size[1]; ++n[1])
            for (n[0] = 0; n[0] < slab.size[0]; ++n[0], ++node)
                fluid.set(node, fluid[node] == inside_ && enclosed(placeOf(n)));
}

bool FluidSide::enclosed(const Vec3& place) const
{
    if (!enclosure_) return true;
    for (int a = 0; a < 3; ++a)
        if (!(place[a] > enclosure_->min[a] && place[a] < enclosure_->max[a])) return false;
    return true;
}

Vec3 FluidSide::placeOf(const Vec3& position) const
{
    Vec3 place;
    for (int a = 0; a < 3; ++a) place[a] = (position[a] - box_.origin[a]) / box_.spacing;
    return place;
}

} // namespace lbm::exact
