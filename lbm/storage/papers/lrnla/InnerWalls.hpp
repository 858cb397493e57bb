// InnerWalls: what those who climb a range of inner TorreFolds know of walls: cells of its blocks and of those that these move on to, and
// where what is kept beside a block's cells begins in the box and in memory of their own. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/InnerFolds.hpp"

namespace lbm::lrnla {

class InnerWalls {
public:
    // Values that are kept beside a block's cells follow each other, for the box numbers its cells along Morton's curve.
    struct Values {
        std::uint32_t inBox, own, count;
    };

    WallLists lists;             // of the range's cells; kept: by places of its own
    std::vector<Values> ofBlock; // [z][y][x]
    Place cells, blocks;         // extents of both
    std::size_t values = 0;

    InnerWalls(const SharedBox& box, const BlockRange& range) : range_(range)
    {
        for (int a = 0; a < 3; ++a) {
            blocks[a] = range.size(a) + 1;
            cells[a] = blocks[a] * box.n;
        }
        findBlocks(box);
        copyCells(box);
    }

    const Values& of(const Place& block) const
    {
        const Place& l = range_.lower;
        return ofBlock[plain(blocks, {block[0] - l[0], block[1] - l[1], block[2] - l[2]})];
    }

private:
    static std::size_t plain(const Place& extent, const Place& x)
    {
        return (std::size_t(x[2]) * extent[1] + x[1]) * extent[0] + x[0];
    }

    Place inBox(const Place& x, int each) const
    {
        Place there;
        for (int a = 0; a < 3; ++a) there[a] = range_.lower[a] * each + x[a];
        return there;
    }

    void findBlocks(const SharedBox& box)
    {
        const int n = box.n;
        forEachCell({0, 0, 0}, blocks, [&](const Place& block) {
            const Place corner = inBox({block[0] * n, block[1] * n, block[2] * n}, n);
            const KeptLinks& first = box.walls.lists->kept[plain(box.cells, corner)];
            const KeptLinks& last =
                box.walls.lists->kept[plain(box.cells, {corner[0] + n - 1, corner[1] + n - 1, corner[2] + n - 1})];
            const std::uint32_t count = last.first + std::uint32_t(std::popcount(last.links)) - first.first;
            ofBlock.push_back({first.first, std::uint32_t(values), count});
            values += count;
        });
    }

    void copyCells(const SharedBox& box)
    {
        const std::size_t all = std::size_t(cells[0]) * cells[1] * cells[2];
        const std::size_t ofBox = std::size_t(box.cells[0]) * box.cells[1] * box.cells[2];
        const std::size_t octants = box.walls.lists->blocked.size() / ofBox;
        lists = {std::vector<std::uint32_t>(octants * all), std::vector<KeptLinks>(all)};
        forEachCell({0, 0, 0}, cells, [&](const Place& cell) {
            const std::size_t i = plain(cells, cell), there = plain(box.cells, inBox(cell, box.n));
            for (std::size_t octant = 0; octant < octants; ++octant)
                lists.blocked[octant * all + i] = box.walls.lists->blocked[octant * ofBox + there];
            const Values& block = ofBlock[plain(blocks, {cell[0] / box.n, cell[1] / box.n, cell[2] / box.n})];
            lists.kept[i] = box.walls.lists->kept[there];
            lists.kept[i].first += block.own - block.inBox;
        });
    }

    BlockRange range_;
};

} // namespace lbm::lrnla
