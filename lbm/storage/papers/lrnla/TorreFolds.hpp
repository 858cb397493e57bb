// TorreFolds: the towers of n cells a side that make up a pass, and who may start when. One needs its right neighbours along the
// three axes to be done. Threads take them from one list, whose order holds for all of them: whoever waits, waits for one that
// another thread has already begun. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/ZOrder.hpp"

#include <atomic>

namespace lbm::lrnla {

// Blocks of n cells a side, from `lower` up to but without `upper` along each axis.
struct BlockRange {
    Place lower{}, upper{};

    bool holds(const Place& block) const
    {
        for (int a = 0; a < 3; ++a)
            if (block[a] < lower[a] || block[a] >= upper[a]) return false;
        return true;
    }
    int size(int axis) const { return upper[axis] - lower[axis]; }
};

class TorreFolds {
public:
    // cells: of the box; first: 0 or 1, where groups begin at step 0; threads: 1 takes the order of the paper, Morton's curve
    // backwards; else diagonal fronts come one after another. others: those that somebody else climbs and finishes, named by the
    // block where they begin; for them fronts come in order, too.
    TorreFolds(const Place& cells, int n, int first, int steps, int threads, const BlockRange& others = {}) :
        n_(n), first_(first)
    {
        // Towers from the left reach the box up to the last step: groups at -1 - steps at the earliest
        const int before = (steps + 1 + first + n - 1) / n;
        for (int a = 0; a < 3; ++a) size_[a] = cells[a] / n + before;
        before_ = before;
        std::vector<std::uint64_t> key;
        for (int z = 0; z < size_[2]; ++z)
            for (int y = 0; y < size_[1]; ++y)
                for (int x = 0; x < size_[0]; ++x) {
                    const std::uint64_t front = threads > 1 || others.holds(others.lower) ? x + y + z : 0;
                    key.push_back(front << 48 | zipped(Place{x, y, z}));
                    if (!others.holds({x - before, y - before, z - before})) order_.push_back(folds_.size());
                    folds_.push_back({x, y, z});
                }
        std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) { return key[i] > key[j]; });
        done_ = std::vector<std::atomic<int>>(folds_.size());
    }

    // A thread's share: tower(base) for each group of each TorreFold that it gets, backwards along Morton's curve.
    template<class F>
    void work(F&& tower)
    {
        for (std::size_t k; (k = taken_.fetch_add(1, std::memory_order_relaxed)) < order_.size();) {
            const std::size_t fold = order_[k];
            awaitRight(folds_[fold]);
            for (std::uint64_t i = std::uint64_t(n_ / 2) * (n_ / 2) * (n_ / 2); i-- > 0;) {
                const Place within = unzipped<3>(i);
                Place base;
                for (int a = 0; a < 3; ++a) base[a] = (folds_[fold][a] - before_) * n_ + 2 * within[a] + first_;
                tower(base);
            }
            finish(fold);
        }
    }

    // For those who climb others, by the block where a TorreFold begins.
    bool isDone(const Place& block) const { return done_[at(block)].load(std::memory_order_acquire) != 0; }
    void finish(const Place& block) { finish(at(block)); }

private:
    std::size_t at(const Place& block) const
    {
        return (std::size_t(block[2] + before_) * size_[1] + block[1] + before_) * size_[0] + block[0] + before_;
    }

    void finish(std::size_t fold)
    {
        done_[fold].store(1, std::memory_order_release);
        done_[fold].notify_all();
    }

    void awaitRight(const Place& at) const
    {
        for (int a = 0; a < 3; ++a) {
            Place right = at;
            if (++right[a] == size_[a]) continue;
            const std::size_t i = (std::size_t(right[2]) * size_[1] + right[1]) * size_[0] + right[0];
            while (!done_[i].load(std::memory_order_acquire)) done_[i].wait(0, std::memory_order_acquire);
        }
    }

    int n_, first_, before_;
    Place size_;
    std::vector<Place> folds_;
    std::vector<std::size_t> order_;
    std::vector<std::atomic<int>> done_;
    std::atomic<std::size_t> taken_{0};
};

} // namespace lbm::lrnla
