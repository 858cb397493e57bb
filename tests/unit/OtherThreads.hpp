// OtherThreads: threads in devices' places, for HeteroReFold: each climbs a range of inner TorreFolds in the order of fronts. Part of
// lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"
#include "lbm/storage/papers/lrnla/HeteroReFold.hpp"
#include "lbm/storage/papers/lrnla/InnerPlan.hpp"
#include "lbm/storage/papers/lrnla/InnerWalls.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "tests/unit/TwoArrays.hpp"

#include <limits>
#include <optional>

namespace lbm::lrnla::test {

// What walls keep beside cells, moved between a box and a memory of a share's own as a device moves it. Whoever does not have a value has
// none: what is computed with it is no number.
template<class S>
class OwnValues {
    using R = Octants<S>;

    struct Line {
        Place cell; // from the corner of the range
    };

public:
    OwnValues(const SharedBox& box, const BlockRange& range) :
        n_(box.n),
        walls_(box, range),
        plan_(range, box.n, 3,
              [](const int (&)[3], const Place& tower, const Place&, const Place& local) {
                  Line line;
                  for (int a = 0; a < 3; ++a) line.cell[a] = tower[a] * InnerPlan<Line>::side + local[a];
                  return line;
              }),
        ofBox_(static_cast<R*>(box.walls.values)),
        own_(box.walls.valueBytes / sizeof(R), R(std::numeric_limits<S>::quiet_NaN()))
    {}

    const std::vector<InnerBatch>& batches() const { return plan_.batches; }
    R* data() { return own_.data(); }

    void take(const InnerBatch& batch)
    {
        for (const Place& block : batch.blocks) moveBlock(block, ofBox_, own_.data());
        moveLines(plan_.arriving, batch.arriving, ofBox_, own_.data());
    }
    void give(const InnerBatch& batch)
    {
        moveLines(plan_.leaving, batch.leaving, own_.data(), ofBox_);
        for (const Place& b : batch.blocks) moveBlock({b[0] + 1, b[1] + 1, b[2] + 1}, own_.data(), ofBox_);
    }

private:
    static void move(std::size_t place, R* from, R* to)
    {
        to[place] = from[place];
        from[place] = R(std::numeric_limits<S>::quiet_NaN());
    }

    void moveBlock(const Place& block, R* from, R* to)
    {
        const InnerWalls::Values& values = walls_.of(block);
        for (std::uint32_t i = 0; i < values.count; ++i) move(values.inBox + i, from, to);
    }

    void moveLines(const std::vector<Line>& lines, const InnerBatch::Range& range, R* from, R* to)
    {
        const Place &m = walls_.cells, &blocks = walls_.blocks;
        for (std::size_t i = range.first; i < range.last; ++i)
            for (int step = 0; step < n_; ++step) {
                Place x = lines[i].cell;
                for (int& c : x) c += step;
                const KeptLinks& kept = walls_.lists.kept[(std::size_t(x[2]) * m[1] + x[1]) * m[0] + x[0]];
                const InnerWalls::Values& block =
                    walls_.ofBlock[(std::size_t(x[2] / n_) * blocks[1] + x[1] / n_) * blocks[0] + x[0] / n_];
                for (int k = 0; k < std::popcount(kept.links); ++k)
                    move(kept.first + k - block.own + block.inBox, from, to);
            }
    }

    int n_;
    InnerWalls walls_;
    InnerPlan<Line> plan_;
    R* ofBox_;
    std::vector<R> own_;
};

template<class L, class S>
class OtherThreads : public HeteroReFold<L, S> {
    using Relax = Relaxation<L, QuasiCompressible, S>;
    using Torre = ConeTorre<L, Octants<S>, Relax>;

    struct Share : InnerFolds {
        Share(const SharedBox& b, const BlockRange& blocks, const Relax& r, OtherThreads*& s, int f) :
            box(b), range(blocks), relax(r), self(s), failsAfter(f)
        {
            if (b.walls.lists) values.emplace(b, range);
        }

        void climb(TorreFolds& folds) override
        {
            const ZOrder order(box.cells, box.n);
            Torre torre({box.cells, box.n, order, self->tiles(), self->farsh(), self->walls(),
                         values ? values->data() : nullptr},
                        relax);
            if (values) return climbBatches(torre, folds);
            for (int front = range.size(0) + range.size(1) + range.size(2); front >= 0; --front)
                forEach({range.size(0), range.size(1), range.size(2)}, [&](const Size& at) {
                    if (at[0] + at[1] + at[2] != front) return;
                    if (failsAfter-- == 0) fail(folds);
                    const Place block{range.lower[0] + at[0], range.lower[1] + at[1], range.lower[2] + at[2]};
                    awaitRight(folds, block);
                    each(torre, block);
                    folds.finish(block);
                });
        }

        void climbBatches(Torre& torre, TorreFolds& folds)
        {
            for (const InnerBatch& batch : values->batches()) {
                for (const Place& block : batch.blocks) awaitRight(folds, block);
                values->take(batch);
                for (const Place& block : batch.blocks) each(torre, block);
                values->give(batch);
                for (const Place& block : batch.blocks) folds.finish(block);
            }
        }

        void awaitRight(const TorreFolds& folds, const Place& block) const
        {
            for (int a = 0; a < 3; ++a) {
                Place right = block;
                ++right[a];
                while (!folds.isDone(right)) std::this_thread::yield();
            }
        }

        void each(Torre& torre, const Place& block)
        {
            for (std::uint64_t i = std::uint64_t(box.n / 2) * (box.n / 2) * (box.n / 2); i-- > 0;) {
                const Place within = unzipped<3>(i);
                torre.climb({block[0] * box.n + 2 * within[0], block[1] * box.n + 2 * within[1],
                             block[2] * box.n + 2 * within[2]});
            }
        }

        void fail(TorreFolds& folds)
        {
            forEachCell(range.lower, range.upper, [&](const Place& block) { folds.finish(block); });
            throw std::runtime_error("lost");
        }

        SharedBox box;
        BlockRange range;
        Relax relax;
        OtherThreads*& self;
        int failsAfter; // so many TorreFolds
        std::optional<OwnValues<S>> values;
    };

public:
    OtherThreads(const Size& size, int n, const Relax& relax, int shares = 1, const Solid& solid = {},
                 int failsAfter = -1) :
        HeteroReFold<L, S>(
            size, n, [&](const SharedBox& box) { return made(box, relax, shares, failsAfter); }, solid),
        self_(this)
    {}

private:
    std::unique_ptr<InnerFolds> made(const SharedBox& box, const Relax& relax, int shares, int failsAfter)
    {
        std::vector<std::unique_ptr<InnerFolds>> all;
        for (const BlockRange& range : layersOf(innerBlocks(box.cells, box.n), shares))
            all.push_back(std::make_unique<Share>(box, range, relax, self_, failsAfter));
        if (shares == 1) return std::move(all.front());
        return std::make_unique<SharedInnerFolds>(std::move(all));
    }

    OtherThreads* self_;
};

} // namespace lbm::lrnla::test
