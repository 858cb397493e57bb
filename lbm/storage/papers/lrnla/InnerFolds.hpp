// InnerFolds: TorreFolds of a folded box that somebody else than its threads climbs, a device for one (Levchenko & Perepelkina 2022,
// section 2.6): those that no end of the box meets. Cells are of eight octants, [link][octant]. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/TorreFolds.hpp"

namespace lbm::lrnla {

// What both sides share. Lines are of n cells, a pass is of n steps, and groups begin at even places.
struct SharedBox {
    Place cells; // of the folded box
    int n;
    void *tiles, *lines; // by ZOrder and FarshOrder
    std::size_t tileBytes, lineBytes;
};

// TorreFolds<n, n> whose cells lie in the box at all of n steps, and after them.
inline BlockRange innerBlocks(const Place& cells, int n)
{
    BlockRange blocks;
    for (int a = 0; a < 3; ++a) {
        blocks.upper[a] = cells[a] / n - 1;
        if (blocks.upper[a] < 1)
            throw std::invalid_argument("LRnLA: of " + std::to_string(cells[a])
                                        + " cells none are inner ones of blocks of " + std::to_string(n));
    }
    return blocks;
}

class InnerFolds {
public:
    virtual ~InnerFolds() = default;

    // A pass's inner ones, each when its right neighbours are done. Those that fail are finished, too, so that nobody waits for
    // them; the fault is thrown.
    virtual void climb(TorreFolds&) = 0;
};

} // namespace lbm::lrnla
