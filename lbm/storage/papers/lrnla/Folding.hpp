// Folding: where the populations of a box lie that is folded along each axis, or whose ends are planes of symmetry (ReFold).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"
#include "lbm/storage/papers/lrnla/MirroredLinks.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

class Folding {
public:
    // folds: 2, or 1 for a box that is not folded. Throws std::invalid_argument where groups do not fill what is left.
    Folding(const Place& size, int folds) : size_(size)
    {
        for (int a = 0; a < 3; ++a) {
            if (size[a] < 2 * folds || size[a] % (2 * folds) != 0)
                throw std::invalid_argument("LRnLA: an extent of " + std::to_string(size[a]) + " cannot be folded");
            cells_[a] = size[a] / folds;
        }
    }

    LBM_HD const Place& size() const { return size_; }
    LBM_HD const Place& cells() const { return cells_; }

    // A node's cell, and which of its group's it is at the next step. octant: bit a for the upper half along axis a, which is
    // numbered from its end.
    struct Home {
        Place cell;
        int i, octant;
    };
    LBM_HD Home home(const Place& x, std::int64_t steps) const
    {
        Home h{x, 0, 0};
        for (int a = 0; a < 3; ++a) {
            if (x[a] >= cells_[a]) {
                h.cell[a] = size_[a] - 1 - x[a];
                h.octant |= 1 << a;
            }
            h.i |= int((h.cell[a] + steps) & 1) << a;
        }
        return h;
    }

    struct At {
        Place cell;
        int link, octant;
    };

    // Of a population that has arrived at node x after so many steps. keptOf(i, octant): keptAs of its link.
    template<class KeptOf>
    LBM_HD At find(const Place& x, std::int64_t steps, KeptOf&& keptOf) const
    {
        const Home h = home(x, steps);
        Place y = h.cell;
        int octant = h.octant;
        const int i = h.i;
        const Kept kept = keptOf(i, octant);
        for (int a = 0; a < 3; ++a) {
            if (!((i ^ kept.cell) >> a & 1)) continue;
            y[a] += i >> a & 1 ? -1 : 1;
            if (y[a] >= 0 && y[a] < cells_[a]) continue;
            y[a] -= y[a] < 0 ? -1 : 1;
            if (size_[a] != cells_[a]) octant ^= 1 << a;
        }
        return {y, kept.link, octant};
    }

private:
    Place size_, cells_;
};

} // namespace lbm::lrnla
