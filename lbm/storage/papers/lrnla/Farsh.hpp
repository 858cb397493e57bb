// Farsh: functionally arranged shadow (Perepelkina & Levchenko 2021), what crosses the slopes of towers. Cells of one diagonal
// share a line, whose j-th cell is the one at step j: lines start in a gnomon of the box, three faces, each along Morton's curve
// in blocks of n x n. Who reads a cell puts the one that it hands on in its place. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

// Which line a diagonal has.
class FarshOrder {
public:
    static constexpr std::size_t none = std::size_t(-1);

    // cells: of the box, multiples of n.
    FarshOrder(const Place& cells, int n) : cells_(cells), n_(n)
    {
        for (int face = 0; face < 3; ++face) {
            first_[face] = lines_;
            lines_ += std::size_t(cells[axes[face][0]]) * cells[axes[face][1]];
        }
    }

    std::size_t lines() const { return lines_; }

    // Of the diagonal through x, which need not lie in the box; none where the diagonal misses it.
    std::size_t operator()(const Place& x) const
    {
        const int least = std::min({x[0], x[1], x[2]});
        const int face = x[2] == least ? 0 : x[1] == least ? 1 : 2;
        const int a = axes[face][0], b = axes[face][1];
        const int i = x[a] - least, j = x[b] - least;
        if (i >= cells_[a] || j >= cells_[b]) return none;
        const std::size_t block = std::size_t(j / n_) * (cells_[a] / n_) + i / n_;
        const std::size_t within = zipped(std::array<int, 2>{i & (n_ - 1), j & (n_ - 1)});
        return first_[face] + block * n_ * n_ + within;
    }

private:
    static constexpr int axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};

    Place cells_;
    int n_;
    std::size_t first_[3], lines_ = 0;
};

template<class CellT>
class Farsh {
public:
    // steps: length of a line.
    Farsh(const Place& cells, int n, int steps) :
        order_(cells, n), steps_(steps), lines_(order_.lines() * std::size_t(steps))
    {}

    // Of the diagonal through x; null where it misses the box.
    CellT* line(const Place& x)
    {
        const std::size_t at = order_(x);
        return at == FarshOrder::none ? nullptr : lines_.data() + at * steps_;
    }

    // All lines, one after the other.
    CellT* data() { return lines_.data(); }
    std::size_t size() const { return order_.lines() * std::size_t(steps_); }

private:
    FarshOrder order_;
    int steps_;
    HostArray<CellT> lines_;
};

} // namespace lbm::lrnla
