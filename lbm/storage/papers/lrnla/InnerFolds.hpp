// InnerFolds: TorreFolds of a folded box that somebody else than its threads climbs, a device for one (Levchenko & Perepelkina 2022,
// section 2.6): those that no end of the box meets. Cells are of eight octants, [link][octant]. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/TorreFolds.hpp"
#include "lbm/storage/papers/lrnla/WallCells.hpp"

#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace lbm::lrnla {

// Walls of a box: those of WallLists, while whoever climbs is made, and what is kept beside the cells, of eight octants each. Null
// without walls.
struct SharedWalls {
    const WallLists* lists = nullptr;
    void* values = nullptr;
    std::size_t valueBytes = 0; // of all
};

// What both sides share. Lines are of n cells, a pass is of n steps, and groups begin at even places.
struct SharedBox {
    Place cells; // of the folded box
    int n;
    void *tiles, *lines; // by ZOrder and FarshOrder
    std::size_t tileBytes, lineBytes;
    SharedWalls walls = {};
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

// Layers of them across the axis that has most, for each of so many as near to the same number as can be: what is handed from one to
// the next crosses few faces. The last one begins. Throws std::invalid_argument where there are too few.
inline std::vector<BlockRange> layersOf(const BlockRange& blocks, int parts)
{
    int along = 2;
    for (int a = 1; a >= 0; --a)
        if (blocks.size(a) > blocks.size(along)) along = a;
    if (blocks.size(along) < parts)
        throw std::invalid_argument("LRnLA: " + std::to_string(blocks.size(along))
                                    + " layers of inner blocks are too few for " + std::to_string(parts) + " devices");
    std::vector<BlockRange> layers(std::size_t(parts), blocks);
    for (int i = 0; i < parts; ++i) {
        layers[i].lower[along] = blocks.lower[along] + blocks.size(along) * i / parts;
        layers[i].upper[along] = blocks.lower[along] + blocks.size(along) * (i + 1) / parts;
    }
    return layers;
}

class InnerFolds {
public:
    virtual ~InnerFolds() = default;

    // A pass's inner ones, each when its right neighbours are done. Those that fail are finished, too, so that nobody waits for
    // them; the fault is thrown.
    virtual void climb(TorreFolds&) = 0;
};

// Several that have a share each, which they climb at once. To one another they are what the box's threads are.
class SharedInnerFolds : public InnerFolds {
public:
    explicit SharedInnerFolds(std::vector<std::unique_ptr<InnerFolds>> shares) : shares_(std::move(shares)) {}

    void climb(TorreFolds& folds) override
    {
        std::vector<std::exception_ptr> faults(shares_.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < shares_.size(); ++i)
            threads.emplace_back([&, i] {
                try {
                    shares_[i]->climb(folds);
                } catch (...) {
                    faults[i] = std::current_exception();
                }
            });
        for (std::thread& thread : threads) thread.join();
        for (const std::exception_ptr& fault : faults)
            if (fault) std::rethrow_exception(fault);
    }

private:
    std::vector<std::unique_ptr<InnerFolds>> shares_;
};

} // namespace lbm::lrnla
