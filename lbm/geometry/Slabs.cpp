// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/Slabs.hpp"

#include <algorithm>
#include <limits>

namespace lbm {

// The wedge and what is left at the top must not meet.
int SlabShape::mostSteps() const { return periodic ? (layers() / skew() - 1) / 2 : std::numeric_limits<int>::max(); }

LayerRange Slabs::lowered(int slab, int down, int floor) const
{
    const std::vector<int>& bounds = shape_->bounds;
    const bool open = !shape_->periodic, first = slab == 0, last = slab == shape_->slabs() - 1;
    const auto bound = [&](int k) { return std::clamp(bounds[std::size_t(k)] - down, floor, shape_->layers()); };
    LayerRange range{bound(slab), bound(slab + 1)};
    if (open && first) range.first = 0;
    if (open && last) range.last = shape_->layers();
    return range;
}

LayerRange Slabs::takenUp(int slab) const
{
    if (closes(slab)) return {};
    const std::vector<int>& bounds = shape_->bounds;
    const auto top = [&](int k) { return std::min(bounds[std::size_t(k)] + shape_->skew(), shape_->layers()); };
    return {slab == 0 ? 0 : top(slab), top(slab + 1)};
}

LayerRange Slabs::stepped(int slab, int step) const
{
    const int down = shape_->skew() * step;
    if (closes(slab)) return {shape_->layers() - down, shape_->layers() + floorOf(step)};
    return lowered(slab, down, floorOf(step));
}

LayerRange Slabs::remembered(int slab, int step) const
{
    const int down = shape_->skew() * step, reach = shape_->reach, n = shape_->layers();
    if (!shape_->periodic) return lowered(slab, down - reach, 0);
    const int floor = floorOf(step) - reach;
    if (closes(slab)) return {n - down + reach, n + floor};
    const auto bound = [&](int k) { return std::max(shape_->bounds[std::size_t(k)] - down + reach, floor); };
    return {bound(slab), bound(slab + 1)};
}

// A layer's neighbours must have made the last step, too: in one copy they leave populations there.
LayerRange Slabs::finished(int slab) const
{
    const int down = shape_->skew() * steps_, floor = floorOf(steps_);
    if (closes(slab)) return {shape_->layers() - down, shape_->layers() + floor};
    return lowered(slab, down, floor);
}

int Slabs::finishedWith(const LayerRange& layers) const
{
    const int n = shape_->layers();
    const auto meets = [&](const LayerRange& a, int shift) {
        return std::max(a.first, layers.first + shift) < std::min(a.last, layers.last + shift);
    };
    int last = 0;
    for (int slab = 0; slab < count(); ++slab)
        if (meets(finished(slab), 0) || meets(finished(slab), n)) last = slab;
    return last;
}

SlabOrder::SlabOrder(const SlabShape& shape, const std::vector<int>& steps) : slabsOfPass_(Slabs(shape, 1).count())
{
    for (const int s : steps) passes_.emplace_back(shape, s);
}

int SlabOrder::outBeforeTakenUp(int at) const
{
    const int room = at - Slabs::outBeforeTakenUp, firstOfPass = at - slab(at);
    if (firstOfPass == 0) return room;
    const int before = slabs(firstOfPass - 1).finishedWith(slabs(at).takenUp(slab(at)));
    return std::max(room, firstOfPass - slabsOfPass_ + before);
}

TileRanges tilesIn(const LayerRange& layers, const std::vector<std::int32_t>& below)
{
    const int n = int(below.size()) - 1;
    const auto tiles = [&](int first, int last) {
        if (first >= last) return TileRange{0, 0};
        return TileRange{below[std::size_t(first)], below[std::size_t(last)]};
    };
    if (layers.empty()) return {TileRange{0, 0}, TileRange{0, 0}};
    return {tiles(std::min(layers.first, n), std::min(layers.last, n)),
            tiles(std::max(layers.first, n) - n, std::max(layers.last, n) - n)};
}

std::vector<int> passesOf(std::int64_t steps, int longest)
{
    const std::int64_t count = (steps + longest - 1) / longest;
    std::vector<int> passes;
    for (std::int64_t i = 0; i < count; ++i) passes.push_back(int(steps * (i + 1) / count - steps * i / count));
    return passes;
}

namespace {

// Of two passes, one behind the other, as an array of twice the length: what lies between the lowest layer that is still needed
// and the highest that is.
WindowSizes windowOfPasses(const SlabShape& shape, int down, const std::vector<std::size_t>& first)
{
    const int n = shape.layers(), slabs = shape.slabs();
    const std::size_t all = first[std::size_t(n)];
    const auto bound = [&](int g) { return shape.bounds[std::size_t(g % slabs)]; };
    const auto before = [&](int g) { return std::size_t(g / slabs) * all; };
    const auto lowest = [&](int g) {
        return g < 0 ? 0 : before(g) + (g % slabs == 0 ? 0 : first[std::size_t(std::max(bound(g) - down, 0))]);
    };
    const auto top = [&](int g, int further) {
        const int layer = shape.bounds[std::size_t(g % slabs) + 1] + further;
        return before(g) + first[std::size_t(std::min(layer, n))];
    };
    WindowSizes sizes;
    for (int g = 0; g < 2 * slabs; ++g) {
        sizes.ring[0] = std::max(sizes.ring[0], top(g, shape.skew()) - lowest(g - Slabs::outBeforeTakenUp + 1));
        sizes.ring[1] = std::max(sizes.ring[1], top(g, 0) - lowest(g - Slabs::outBeforeSteps + 1));
    }
    for (int copy = 0; copy < 2; ++copy) {
        sizes.onward[copy] = sizes.ring[copy] < all ? all : 0;
        sizes.ring[copy] = std::min(sizes.ring[copy], all);
    }
    return sizes;
}

} // namespace

WindowSizes windowOf(const SlabShape& shape, int steps, const std::vector<std::size_t>& first)
{
    const int n = shape.layers(), down = shape.skew() * steps, head = std::min(shape.kept(steps), n);
    if (!shape.periodic) return windowOfPasses(shape, down, first);
    const auto valuesIn = [&](int from, int to) {
        from = std::clamp(from, head, n);
        return first[std::size_t(std::clamp(to, from, n))] - first[std::size_t(from)];
    };
    const auto bound = [&](int slab) { return slab <= 0 ? 0 : shape.bounds[std::size_t(slab)] - down; };
    WindowSizes sizes;
    sizes.head = first[std::size_t(head)];
    for (int k = 0; k < shape.slabs(); ++k) {
        const int top = shape.bounds[std::size_t(k) + 1];
        sizes.ring[0] = std::max(sizes.ring[0], valuesIn(bound(k - Slabs::outBeforeTakenUp + 1), top + shape.skew()));
        sizes.ring[1] = std::max(sizes.ring[1], valuesIn(bound(k - Slabs::outBeforeSteps + 1), top));
    }
    return sizes;
}

std::vector<int> slabBounds(const std::vector<std::int32_t>& tilesBelow, std::int64_t tilesOfSlab)
{
    const int layers = int(tilesBelow.size()) - 1;
    std::vector<int> bounds{0};
    for (int z = 1; z < layers; ++z)
        if (tilesBelow[std::size_t(z) + 1] - tilesBelow[std::size_t(bounds.back())] > tilesOfSlab) bounds.push_back(z);
    bounds.push_back(layers);
    return bounds;
}

} // namespace lbm
