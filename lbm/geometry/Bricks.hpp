// Bricks: a Domain's box cut in two again and again until there are as many boxes as parts are wanted, each with about as many
// fluid nodes as the others. Faces lie across z or y where they can, for rows of nodes along x stay whole, and on multiples of
// tiles where that costs little balance. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

struct Brick {
    Int3 first{0, 0, 0}, size{0, 0, 0};
};

class Bricks {
public:
    // tile: extents. acrossLast: how dear a face is that lies across the last axis, beside one across the others but x.
    // Throws std::invalid_argument unless `parts` bricks can be cut, each with a fluid node.
    Bricks(const Domain&, int parts, const Int3& tile, double acrossLast = 1);

    int count() const { return int(bricks_.size()); }
    const Brick& operator[](int i) const { return bricks_[std::size_t(i)]; }

    // Which brick holds a node of the box.
    int owner(const Int3& node) const;

private:
    // Nodes below `at` along `axis` are in the lower branch. A branch below zero is brick -1 - branch.
    struct Cut {
        int axis, at, lower, upper;
    };

    int divide(const Domain&, const Brick& box, int parts, const Int3& tile);

    double acrossLast_;

    std::vector<Brick> bricks_;
    std::vector<Cut> cuts_;
    int root_ = 0;
};

} // namespace lbm
