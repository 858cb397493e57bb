// Slabs: the order in which a domain is advanced of which a device holds a piece at a time. Layers of tiles along the last axis
// are taken up by slabs; a pass advances all of them by some steps. At each step a slab lies a little lower than at the
// one before, by as many layers as a step reaches, so that it finds all it draws on: what lies below was advanced
// with the slab before it, and nothing is computed twice. The last slab of a pass stays at the box's top. Of a periodic
// box the first one leaves a wedge, which grows from step to step; another slab closes it at the end, with what has been left at
// the top. (Skewing of wave fronts, as in Wolfe 1989.) C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

// From the first to behind the last. Above the top of a periodic box they count on.
struct LayerRange {
    int first = 0, last = 0;
    bool empty() const { return first >= last; }
    int count() const { return empty() ? 0 : last - first; }
};

// Of layers of tiles.
struct SlabShape {
    std::vector<int> bounds; // slab k takes up layers bounds[k] to bounds[k + 1]; the last is the number of all
    int reach = 1;           // of a step
    bool remembers = false;  // before a step, some nodes' state is written down for others, reach away
    bool periodic = false;

    int layers() const { return bounds.back(); }
    int slabs() const { return int(bounds.size()) - 1; }

    // By so many layers a slab is lower at each step: who reads what is written down comes behind who writes it.
    int skew() const { return reach * (remembers ? 2 : 1); }

    // Steps that a pass can have at most.
    int mostSteps() const;

    // Layers from the bottom that a pass of so many steps needs until its end.
    int kept(int steps) const { return periodic ? skew() * (steps + 1) : 0; }
};

class Slabs {
public:
    // The shape must outlive this.
    Slabs(const SlabShape& shape, int steps) : shape_(&shape), steps_(steps) {}

    int steps() const { return steps_; }
    // With the one that closes a periodic box, which takes up nothing.
    int count() const { return shape_->slabs() + (shape_->periodic ? 1 : 0); }

    // What a slab brings in before its first step.
    LayerRange takenUp(int slab) const;
    // What it advances in a step of the pass, and for what others' nodes are written down before that.
    LayerRange stepped(int slab, int step) const;
    LayerRange remembered(int slab, int step) const;
    // What has come to the end of the pass with it.
    LayerRange finished(int slab) const;
    // The last slab with which one of some layers has.
    int finishedWith(const LayerRange& layers) const;

    // So many slabs before one must be out of the window before it is taken up, and before its steps.
    static constexpr int outBeforeTakenUp = 3, outBeforeSteps = 2;

private:
    // Layers of a slab that is `down` lower, but none below `floor`.
    LayerRange lowered(int slab, int down, int floor) const;
    // The lowest layer of a step, of a periodic box.
    int floorOf(int step) const { return shape_->periodic ? shape_->skew() * (step + 1) : 0; }
    bool closes(int slab) const { return slab == shape_->slabs(); }

    const SlabShape* shape_;
    int steps_;
};

// Slabs of passes, one after another: a pass follows close behind the one before.
class SlabOrder {
public:
    // steps: of each pass. The shape must outlive this.
    SlabOrder(const SlabShape& shape, const std::vector<int>& steps);

    int count() const { return int(passes_.size()) * slabsOfPass_; }
    int slab(int at) const { return at % slabsOfPass_; }
    int pass(int at) const { return at / slabsOfPass_; }
    const Slabs& slabs(int at) const { return passes_[std::size_t(pass(at))]; }
    bool endsPass(int at) const { return slab(at) == slabsOfPass_ - 1; }

    // The last one that must have gone out before one is taken up: then there is room for it, and what it takes up has come to the
    // end of the pass before. Negative: none. And before its steps.
    int outBeforeTakenUp(int at) const;
    int outBeforeSteps(int at) const { return at - Slabs::outBeforeSteps; }

private:
    std::vector<Slabs> passes_;
    int slabsOfPass_;
};

// A step of a slab in tiles: `remembered`, what others look at, is seen to before. number: among those of the pass.
struct SlabStep {
    TileRanges remembered, stepped;
    int ahead; // steps of the pass before it
    std::size_t number;
    LayerRange layers; // that are stepped
};

// Steps of passes, as even as can be: a short one would wait for the link alone.
std::vector<int> passesOf(std::int64_t steps, int longest);

// Of layers, which may go on above the top; below: tiles below each.
TileRanges tilesIn(const LayerRange&, const std::vector<std::int32_t>& below);

// Values that a window must hold of an array of which layer z begins at first[z] ([layers + 1]): what is kept from the bottom,
// and of what lies behind, for the copy that is brought in and for the other one. Passes follow one another without a gap, the next
// one's first slabs behind the last ones of the one before: by so many values the array has moved on in the window
// then (0: a periodic box, whose first layers come out last, and one that the window holds as a whole).
struct WindowSizes {
    std::size_t head = 0;
    std::array<std::size_t, 2> ring{0, 0}, onward{0, 0};
};
WindowSizes windowOf(const SlabShape&, int steps, const std::vector<std::size_t>& first);

// Bounds of slabs of about so many tiles, given the tiles below each layer ([layers + 1]).
std::vector<int> slabBounds(const std::vector<std::int32_t>& tilesBelow, std::int64_t tilesOfSlab);

} // namespace lbm
