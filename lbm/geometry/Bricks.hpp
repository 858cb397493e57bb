// Bricks: a Domain's box cut in two again and again until there are as many boxes as parts are wanted, each with about as much
// to do as the others (recursive coordinate bisection, Berger & Bokhari 1987). Faces lie across z or y where they can, for rows
// of nodes along x stay whole, and on multiples of tiles where that leaves the parts as equal as they are to be. Bricks that
// follow each other in number share their cuts: they lie near each other. Who says how many pieces there are along each axis
// (CutNumbers) has the box cut so first, and each piece as above if it is several parts. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/CutNumbers.hpp"

#include <utility>
#include <vector>

namespace lbm {

struct Brick {
    Int3 first{0, 0, 0}, size{0, 0, 0};
};

// What parts and their faces cost, in updates of a fluid node.
struct CutCosts {
    CutCosts(double last = 1, std::vector<double> link = {}) : acrossLast(last), ofLink(std::move(link)) {}

    // How dear a face is that lies across the last axis, beside one across the others but x; infinite: none does.
    double acrossLast;
    std::vector<double> ofLink; // by patch, of a link that has a record, besides its node; empty: none
};

namespace cutting {
class BrickCutter;
}

class Bricks {
public:
    // Of the part that has most to do over the mean, less one: what is aimed at. Finer planes are taken for it than those of tiles.
    static constexpr double aim = 0.05;

    // tile: extents. Throws std::invalid_argument unless each of the `parts` bricks can have a fluid node, and for numbers that parts are
    // no multiple of.
    Bricks(const Domain&, int parts, const Int3& tile, const CutCosts& = {}, const CutNumbers& = {});

    int count() const { return int(bricks_.size()); }
    const Brick& operator[](int i) const { return bricks_[std::size_t(i)]; }

    // Which brick holds a node of the box.
    int owner(const Int3& node) const;

private:
    friend class cutting::BrickCutter;

    // Nodes below `at` along `axis` are in the lower branch. A branch below zero is brick -1 - branch.
    struct Cut {
        int axis, at, lower, upper;
    };

    std::vector<Brick> bricks_;
    std::vector<Cut> cuts_;
    int root_ = 0;
};

} // namespace lbm
