// Farsh: functionally arranged shadow (Perepelkina & Levchenko 2021), what crosses the slopes of towers. Cells of one diagonal
// share a line, whose j-th cell is the one at step j: lines start in a gnomon of the box, three faces, each along Morton's curve
// in blocks of n x n. Who reads a cell puts the one that it hands on in its place. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

template<class CellT>
class Farsh {
public:
    // cells: of the box, multiples of n; steps: length of a line.
    Farsh(const Place& cells, int n, int steps) : cells_(cells), n_(n), steps_(steps)
    {
        std::size_t lines = 0;
        for (int face = 0; face < 3; ++face) {
            first_[face] = lines;
            lines += std::size_t(cells[axes[face][0]]) * cells[axes[face][1]];
        }
        lines_ = HostArray<CellT>(lines * steps);
    }

    // Of the diagonal through x, which need not lie in the box; null where the diagonal misses it.
    CellT* line(const Place& x)
    {
        const int least = std::min({x[0], x[1], x[2]});
        const int face = x[2] == least ? 0 : x[1] == least ? 1 : 2;
        const int a = axes[face][0], b = axes[face][1];
        const int i = x[a] - least, j = x[b] - least;
        if (i >= cells_[a] || j >= cells_[b]) return nullptr;
        const std::size_t block = std::size_t(j / n_) * (cells_[a] / n_) + i / n_;
        const std::size_t within = zipped(std::array<int, 2>{i & (n_ - 1), j & (n_ - 1)});
        return lines_.data() + (first_[face] + block * n_ * n_ + within) * steps_;
    }

private:
    static constexpr int axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};

    Place cells_;
    int n_, steps_;
    std::size_t first_[3];
    HostArray<CellT> lines_;
};

} // namespace lbm::lrnla
