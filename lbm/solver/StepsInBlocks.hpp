// StepsInBlocks: steps of a storage in place, block by block (TimeBlocks). Its tiles need no order within a step, and steps of
// other parity find populations elsewhere; all threads are at the same step of the same block, so that the storage has
// one parity at a time. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Reach.hpp"
#include "lbm/device/CacheSize.hpp"
#include "lbm/device/TeamBarrier.hpp"
#include "lbm/geometry/Slabs.hpp"
#include "lbm/geometry/TimeBlocks.hpp"

#include <optional>
#include <stdexcept>

#include <omp.h>

namespace lbm {

template<class Storage>
class StepsInBlocks {
public:
    // bytes: stored. Without a word of the Config, blocks are taken where they were found faster: several threads, which
    // together want more than memory delivers, and much more than the cache holds.
    StepsInBlocks(const Storage& storage, const Domain& domain, const Config& config, int threads, double bytes) :
        threads_(threads), longest_(config.blockSteps > 0 ? config.blockSteps : 16)
    {
        const bool asked = config.blockSteps > 1 || config.blockLines > 0;
        if (config.blockSteps == 1 || domain.hasGhosts()) return;
        const double cache = double(cacheOfLastLevel());
        if (!asked && (threads == 1 || bytes < 8 * cache)) return;
        const TileGrid& grid = storage.geometry().grid();
        blocks_.emplace(grid, domain, reachOf(config));
        if (asked && !blocks_->possible())
            throw std::invalid_argument(
                "blockSteps, blockLines: blocks lie lower at each step along y or z, and the domain is "
                "periodic, or one tile thick, along both");
        // The rest is for others on the machine and for what neighbours reload; a thread fills no more than its share
        const double room = std::min(cache / 2, threads * 8.0 * (1 << 20));
        widths_ = config.blockLines > 0 ? blocks_->widthsOf(config.blockLines)
                                        : blocks_->widthsFor(room / (bytes / std::max(grid.tiles(), 1)));
        if (widths_[0] > 0 && widths_[1] > 0) return;
        if (asked) widths_ = blocks_->widthsOf(TimeBlocks::thinnest);
        else blocks_.reset();
    }

    // Few steps pay for no block.
    bool pay(std::int64_t steps) const { return blocks_ && steps >= std::min(4, longest_); }

    void advance(Storage& storage, std::int64_t steps) const
    {
        storage.prepare();
        std::vector<BlockStep> order;
        int made = 0; // steps of the pass in `order`
        for (const int pass : passesOf(steps, longest_)) {
            if (pass != made) order = blocks_->pass(pass, widths_);
            made = pass;
            advancePass(storage, order, pass);
        }
    }

private:
    void advancePass(Storage& storage, const std::vector<BlockStep>& order, int steps) const
    {
        TeamBarrier team;
#pragma omp parallel num_threads(threads_)
        {
            typename Storage::Buffer buffer;
            for (std::size_t i = 0; i < order.size(); ++i) {
                updateOwn(storage, order[i], buffer);
                team.wait([&] {
                    const int next = i + 1 < order.size() ? order[i + 1].step : steps;
                    if ((next - order[i].step) % 2 != 0) storage.finishStep();
                });
            }
        }
    }

    // A thread's share of the tiles of all ranges.
    static void updateOwn(Storage& storage, const BlockStep& s, typename Storage::Buffer& buffer)
    {
        const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
        auto first = std::int32_t(s.tiles * thread / threads), last = std::int32_t(s.tiles * (thread + 1) / threads);
        for (const TileRange& range : s.ranges) {
            const std::int32_t end = range.first + std::min(last, range.count());
            for (std::int32_t t = range.first + std::max(first, 0); t < end; ++t) storage.update(t, buffer);
            first -= range.count();
            last -= range.count();
        }
    }

    int threads_, longest_;
    std::optional<TimeBlocks> blocks_;
    BlockWidths widths_{0, 0};
};

} // namespace lbm
