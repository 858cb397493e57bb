// PartDomain: the Domain of one brick with the nodes around it that its steps draw on (ghosts), which other parts, or the
// part itself where the whole is periodic, advance and hand over. In front of the brick room for ghosts is a multiple of
// tiles, be it that it is not filled: so no tile holds nodes of the brick and ghosts before them, and where the brick is
// so many tiles long, none those behind it. Tiles of ghosts alone need no steps. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Bricks.hpp"

#include <memory>
#include <vector>

namespace lbm {

// Where a part lies in the whole, without its nodes and links: for who knows the whole and tells parts elsewhere.
class PartFrame {
public:
    // reach: layers of ghosts. tile: extents.
    PartFrame(const Domain& whole, const Brick& brick, int reach, const Int3& tile);

    const Brick& brick() const { return brick_; }

    // A node of the whole as one of this part, or -1: its own one if it has it, else the first of its images among the ghosts.
    NodeIndex local(const Int3& node) const;

    // Coordinates in the part, and in the whole.
    Int3 coordinates(NodeIndex local) const
    {
        return {int(local % size_[0]), int(local / size_[0] % size_[1]), int(local / size_[0] / size_[1])};
    }
    Int3 global(NodeIndex local) const;

    bool owns(const Int3& node) const;

protected:
    Brick brick_;
    int reach_;
    Int3 offset_, whole_; // of node (0,0,0) in the whole, below zero among images; the whole's size
    Int3 size_, ghostsBelow_, ghostsAbove_;
    Int3 empty_; // layers of nodes below that are left out
    std::array<bool, 3> periodic_{false, false, false}, wraps_{false, false, false};
};

class PartDomain : public PartFrame {
public:
    PartDomain(const Domain& whole, const Brick& brick, int reach, const Int3& tile) :
        PartDomain(whole, PartFrame(whole, brick, reach, tile))
    {}
    // frame: of that whole
    PartDomain(const Domain& whole, const PartFrame& frame);

    const std::shared_ptr<const Domain>& domain() const { return domain_; }

    // The record in the whole's links of each link.
    const std::vector<std::int64_t>& links() const { return links_; }

    // f(node of this part): of ghosts that are fluid, by number; looks at nothing else.
    template<class F>
    void forGhosts(F&& f) const
    {
        const Domain& d = *domain_;
        for (int z = 0; z < d.size[2]; ++z)
            for (int y = 0; y < d.size[1]; ++y) {
                const NodeIndex row = d.index(0, y, z);
                const auto some = [&](int from, int to) {
                    d.fluid.forEachIn(row + from, to - from, [&](std::int64_t x) { f(row + from + x); });
                };
                const int first = d.ghostsBelow[0], last = d.size[0] - d.ghostsAbove[0];
                if (d.isGhost({first, y, z})) {
                    some(0, d.size[0]);
                    continue;
                }
                some(0, first);
                some(last, d.size[0]);
            }
    }

private:
    void fill(const Domain& whole, Domain& part);

    std::shared_ptr<const Domain> domain_;
    std::vector<std::int64_t> links_;
};

} // namespace lbm
