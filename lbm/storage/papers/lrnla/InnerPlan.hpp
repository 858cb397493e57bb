// InnerPlan: inner TorreFolds in the order in which a device takes them, many at once, with their towers of eight cells a side and the
// lines that cross from and to those at the ends of the box. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Farsh.hpp"
#include "lbm/storage/papers/lrnla/InnerFolds.hpp"

namespace lbm::lrnla {

// A tower of a batch, in towers from the corner of the blocks, and which of the batch's TorreFolds it belongs to.
struct InnerTower {
    std::uint16_t x, y, z, fold;
};

// TorreFolds of one front, or some of them. Ranges of InnerPlan's lists.
struct InnerBatch {
    struct Range {
        std::size_t first, last;
        std::size_t size() const { return last - first; }
    };
    std::vector<Place> blocks;
    Range towers, arriving, leaving;
};

// Line: from InnerPlan's LineOf, the line of the box; where towers find its cells.
template<class Line>
struct InnerPlan {
    static constexpr int side = 8;

    BlockRange blocks;
    int towers[3]; // with those to the right, of others, which leave lines for these
    std::vector<InnerBatch> batches;
    std::vector<InnerTower> order;
    std::vector<Line> arriving, leaving;

    // range: blocks of n cells a side. most: TorreFolds of a batch. lineOf(towers, tower, y, within): the line of the box's cell that
    // begins at y, and that finds itself there among those that leave the tower.
    template<class LineOf>
    InnerPlan(const BlockRange& range, int n, int most, const LineOf& lineOf) : blocks(range), each_(n / side)
    {
        if (n < side || n % side != 0)
            throw std::invalid_argument("LRnLA: towers on a device are of " + std::to_string(side)
                                        + " cells a side, blocks of " + std::to_string(n));
        for (int a = 0; a < 3; ++a) towers[a] = blocks.size(a) * each_ + 1;
        for (int front = blocks.size(0) + blocks.size(1) + blocks.size(2) - 3; front >= 0; --front) {
            const std::vector<Place> all = ofFront(front);
            for (std::size_t i = 0; i < all.size(); i += std::size_t(most))
                add({all.begin() + i, all.begin() + std::min(all.size(), i + most)}, lineOf);
        }
    }

private:
    std::vector<Place> ofFront(int front) const
    {
        std::vector<Place> all;
        const Place& l = blocks.lower;
        for (int z = 0; z < blocks.size(2); ++z)
            for (int y = 0; y < blocks.size(1); ++y)
                if (const int x = front - y - z; x >= 0 && x < blocks.size(0))
                    all.push_back({l[0] + x, l[1] + y, l[2] + z});
        return all;
    }

    template<class LineOf>
    void add(std::vector<Place> some, const LineOf& lineOf)
    {
        InnerBatch batch{std::move(some), {order.size(), 0}, {arriving.size(), 0}, {leaving.size(), 0}};
        // Fronts of all its TorreFolds at once, from the right
        for (int front = 3 * (each_ - 1); front >= 0; --front)
            for (std::size_t i = 0; i < batch.blocks.size(); ++i)
                for (int z = std::max(0, front - 2 * (each_ - 1)); z < std::min(each_, front + 1); ++z)
                    for (int y = std::max(0, front - z - (each_ - 1)); y < std::min(each_, front - z + 1); ++y) {
                        const Place& b = batch.blocks[i];
                        const Place& l = blocks.lower;
                        const Place at{(b[0] - l[0]) * each_ + front - z - y, (b[1] - l[1]) * each_ + y,
                                       (b[2] - l[2]) * each_ + z};
                        order.push_back(
                            {std::uint16_t(at[0]), std::uint16_t(at[1]), std::uint16_t(at[2]), std::uint16_t(i)});
                        addLines(at, lineOf);
                    }
        batch.towers.last = order.size();
        batch.arriving.last = arriving.size();
        batch.leaving.last = leaving.size();
        batches.push_back(std::move(batch));
    }

    // Cells that leave a tower through some of its lower faces are followed by those that leave its neighbour across these.
    template<class LineOf>
    void addLines(const Place& tower, const LineOf& lineOf)
    {
        bool last = false, first = false;
        for (int a = 0; a < 3; ++a) {
            last = last || tower[a] + 2 == towers[a];
            first = first || tower[a] == 0;
        }
        if (!last && !first) return;
        for (int i = 0; i < side * side * side; ++i) {
            const Place local{i % side, i / side % side, i / side / side};
            Place begin, neighbour = tower;
            bool arrives = false, leaves = false, crosses = false;
            for (int a = 0; a < 3; ++a) {
                begin[a] = placeOf(a, tower[a], local[a]);
                if (local[a] != 0) continue;
                crosses = true;
                ++neighbour[a];
                arrives = arrives || neighbour[a] + 1 == towers[a];
                leaves = leaves || tower[a] == 0;
            }
            if (!crosses) continue;
            if (leaves) leaving.push_back(lineOf(towers, tower, begin, local));
            if (!arrives) continue;
            for (int a = 0; a < 3; ++a) begin[a] = placeOf(a, neighbour[a], local[a]);
            arriving.push_back(lineOf(towers, neighbour, begin, local));
        }
    }

    int placeOf(int axis, int tower, int local) const { return (blocks.lower[axis] * each_ + tower) * side + local; }

    int each_; // towers of a TorreFold along an axis
};

} // namespace lbm::lrnla
