// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/FluidSide.hpp"

#include "adapters/surface/NodeWords.hpp"

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
    setEnclosure(mesh);
    if (options_.rule == InsideRule::exact || options_.rule == InsideRule::parity) return;
    TriangleMesh bodies = bodiesOf(mesh, options_);
    const Topology topology = topologyOf(bodies);
    if (options_.rule == InsideRule::automatic) {
        facts_.why = whyNotParity(bodies, topology, box_);
        if (facts_.why.empty()) return;
    }
    facts_.byWindingNumber = true;
    winding_ = std::make_unique<WindingSide>(std::move(bodies), topology, box_, options_.threads);
}

// Crossings of the enclosure and of a body in it make an even number, as none does outside.
void FluidSide::setEnclosure(const TriangleMesh& mesh)
{
    if (options_.enclosure < 0) return;
    const Bounds b = fluidBounds(mesh, options_);
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

FluidSide::Marks FluidSide::marks(const std::vector<Slab>& slabs, int threads, const DeviceWinding* device) const
{
    const NodeIndex nodes = NodeIndex(box_.size[0]) * box_.size[1] * box_.size[2];
    Marks own;
    if (winding_ && !slabs.empty()) {
        KnownNodes near = winding_->nearSides(device, slabs, threads, own.count);
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
    const NodeWord turned = inside_ ? 0 : ~NodeWord(0);
    const std::vector<NodeWord> alongX = enclosedAlongX();
    for (NodeIndex row = firstNode(slab); row < endNode(slab); row += slab.size[0]) {
        const int y = int(row / slab.size[0] % slab.size[1]), z = int(row / slab.size[0] / slab.size[1]);
        const bool within = enclosedAlong(1, y) && enclosedAlong(2, z);
        forWords(slab.size[0], [&](int x, int n) {
            const NodeWord own = within ? alongX[std::size_t(x / nodesOfWord)] : 0;
            putWord(fluid, row + x, n, (wordAt(fluid, row + x, n) ^ turned) & own);
        });
    }
}

// Which nodes of a row the enclosure holds, if it does the row.
std::vector<NodeWord> FluidSide::enclosedAlongX() const
{
    std::vector<NodeWord> words;
    forWords(box_.size[0], [&](int x, int n) {
        words.push_back(0);
        for (int i = 0; i < n; ++i) words.back() |= NodeWord(enclosedAlong(0, x + i)) << i;
    });
    return words;
}

bool FluidSide::enclosedAlong(int axis, double place) const
{
    return !enclosure_ || (place > enclosure_->min[axis] && place < enclosure_->max[axis]);
}

bool FluidSide::enclosed(const Vec3& place) const
{
    return enclosedAlong(0, place[0]) && enclosedAlong(1, place[1]) && enclosedAlong(2, place[2]);
}

Vec3 FluidSide::placeOf(const Vec3& position) const
{
    Vec3 place;
    for (int a = 0; a < 3; ++a) place[a] = (position[a] - box_.origin[a]) / box_.spacing;
    return place;
}

} // namespace lbm::exact
