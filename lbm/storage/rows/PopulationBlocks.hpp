// PopulationBlocks: several steps of a block of a box, while it stays in a cache. An executor of storage `aa`.
//
// In place a node's step reads and writes the same values, and those of the next step have been written by the nodes around it: any order
// in which a row follows the step before of the rows around it gives the same digits, and nothing has to wait anywhere else. The
// order here: a box is cut along z; of a pass of T steps each takes two rows of a piece less than the one before, then pieces about the
// others' ends fill what is left and go on with the next pass. Along y steps follow each other a line behind, so that lines come into the
// cache and leave it once. Of two dimensions y takes the place of z, and there is one line. (Wave fronts in diamonds: Malas, Hager, Ltaief, Stengel, Wellein & Keyes 2015,
// https://doi.org/10.1137/140991133.)
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/inParallel.hpp"
#include "lbm/storage/rows/PopulationPlan.hpp"
#include "lbm/storage/rows/RowBorder.hpp"

#include <limits>
#include <memory>
#include <numeric>

namespace lbm {

template<class L, class T>
class PopulationBlocks {
public:
    using Rows = PopulationRows<L, T>;

    // Null: these steps are made one by one. geometry: of the storage, which must outlive this.
    template<class Geometry>
    static std::unique_ptr<PopulationBlocks> make(const Domain& domain, const Config& config, CollideRows<T> collide,
                                                  int threads, Geometry& geometry)
    {
        if (!collide || !config.blocks) return nullptr;
        const PopulationPlan plan = PopulationPlan::of(domain, config, sizeof(T), L::Q, threads);
        if (plan.steps == 0) return nullptr;
        auto blocks = std::make_unique<PopulationBlocks>(domain, config, plan, collide, threads);
        blocks->border_ = RowBorder<L, T>(domain, geometry, blocks->rows_, [&](int patch) {
            return !PopulationPlan::addsFixedValues(config, config.patches[patch]);
        });
        return blocks;
    }

    PopulationBlocks(const Domain& domain, const Config& config, const PopulationPlan& plan, CollideRows<T> collide,
                     int threads) :
        plan_(plan), collide_(collide), threads_(threads), rows_(domain)
    {
        const int pieces = int(plan.cuts.size()) - 1;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int k = 0; k < pieces; ++k)
            for (int y = 0; y < rows_.shape().lines(); ++y) rows_.clear(y, plan.cuts[k], plan.cuts[k + 1]);
        for (const LinkValue& patch : config.patches) fixed_.push_back(PopulationPlan::addsFixedValues(config, patch));
        listTold(domain, config);
        for (std::size_t p = 0; p < config.patches.size(); ++p) setPatch(int(p), &config.patches[p], 0);
    }

    Rows& rows() { return rows_; }
    const Rows& rows() const { return rows_; }
    int stepsOfPass() const { return plan_.steps; }
    std::size_t tableBytes() const { return rows_.tableBytes() + border_.bytes() + told_.size() * sizeof(Told); }

    // n == 0: the patch's one value for all of its links. False: these blocks cannot have it.
    bool setPatch(int patch, const LinkValue* values, std::size_t n)
    {
        const bool fixed = fixed_[patch];
        const auto mayHave = [&](const LinkValue& value) {
            return fixed ? addsFixedValues(value) : blocksMayHave(value);
        };
        if (!std::all_of(values, values + std::max<std::size_t>(n, 1), mayHave)) return false;
        std::size_t i = 0;
        for (const Told& told : told_) {
            if (told.patch != patch) continue;
            const LinkValue& value = values[n ? i++ : 0];
            if (told.number == none) continue;
            typename Rows::Added& added = rows_.added(told.number);
            // Ladd 1994: -6 w c.u of the link towards the wall, and what arrives comes the other way
            double u = 0;
            for (int a = 0; a < 3; ++a) u += L::c[added.q][a] * value.velocity[a];
            added.value = value.kind == BoundaryKind::wall ? T(0) : T(6 * L::w[added.q] * u);
        }
        return true;
    }

    // table: what is `now` tells which kind of step comes first, too.
    void advance(std::int64_t steps, const BoundaryTable<L, T>& table)
    {
        const bool odd = table.now;
        const std::int64_t passes = (steps + plan_.steps - 1) / plan_.steps;
        TeamFault fault;
#pragma omp parallel num_threads(threads_)
        {
            alignas(64) T room[Rows::roomValues];
            for (std::int64_t pass = 0; pass <= passes; ++pass) {
                const int last = int(std::min<std::int64_t>(plan_.steps, steps - (pass - 1) * plan_.steps)),
                          next = int(std::min<std::int64_t>(plan_.steps, steps - pass * plan_.steps));
                const int pieces = int(plan_.cuts.size()) - 1;
#pragma omp for schedule(static)
                for (int k = 0; k < pieces; ++k)
                    fault.keep([&] { work(pass, k, pass > 0 ? last : 0, std::max(next, 0), odd, table, room); });
            }
        }
        fault.rethrow();
    }

private:
    struct Told {
        int patch;
        std::uint32_t number; // of what rows add
    };
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max(); // no link of this lattice
    struct Level {
        int first, last; // rows
        bool odd;
    };

    // Links of walls that may move, and openings with a velocity.
    void listTold(const Domain& domain, const Config& config)
    {
        struct Entry {
            std::size_t row;
            typename Rows::Added added;
            std::size_t told;
        };
        std::vector<Entry> entries;
        for (const Link& link : domain.links) {
            if (config.patches[link.patch].kind == BoundaryKind::wall || !fixed_[link.patch]) continue;
            const Int3 x = domain.coordinates(link.node), c = directionOf(link.direction);
            for (int q = 0; q < L::Q; ++q) {
                if (L::c[q][0] != -c[0] || L::c[q][1] != -c[1] || L::c[q][2] != -c[2]) continue;
                entries.push_back({rows_.numberOf(x), {rows_.placeInRow(x[0]), std::uint16_t(q), T(0)}, told_.size()});
            }
            told_.push_back({link.patch, none});
        }
        if (entries.empty()) return;
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
        std::vector<typename Rows::Added> added;
        std::vector<std::uint32_t> first(rows_.shape().number(rows_.shape().lines(), 0) + 1, 0);
        for (const Entry& entry : entries) {
            told_[entry.told].number = std::uint32_t(added.size());
            added.push_back(entry.added);
            ++first[entry.row + 1];
        }
        std::partial_sum(first.begin(), first.end(), first.begin());
        rows_.add(std::move(added), std::move(first));
    }

    // Piece k of a pass: what the pass before, of `filled` steps, has left about its middle, then `rising` steps.
    void work(std::int64_t pass, int k, int filled, int rising, bool odd, const BoundaryTable<L, T>& table, T* room)
    {
        const std::vector<int>& c = plan_.cuts;
        const int pieces = int(c.size()) - 1, height = rows_.shape().rows();
        const bool walls = !rows_.shape().wraps[rows_.shape().row], begun = (pass * plan_.steps + odd) & 1,
                   filledBegun = (pass * plan_.steps - plan_.steps + odd) & 1;
        const auto middle = [&](int i) { return (c[i] + c[i + 1]) / 2; };
        const auto levelsOf = [&](int low, int centre, int high, bool atLow, bool atHigh, bool valley) {
            std::vector<Level> levels;
            for (int j = 1; valley && j < filled; ++j)
                levels.push_back({centre - j, centre + j, filledBegun != (j & 1)});
            for (int j = 0; j < rising; ++j)
                levels.push_back({low + (atLow ? 0 : j), high - (atHigh ? 0 : j), begun != (j & 1)});
            return levels;
        };
        if (pass % 2 == 0)
            return sweep(levelsOf(c[k], middle(k), c[k + 1], walls && k == 0, walls && k == pieces - 1, true), table,
                         room);
        // About the ends of the others; the two at walls are one thread's
        const int low = k > 0 ? middle(k - 1) : walls ? 0 : middle(pieces - 1) - height;
        sweep(levelsOf(low, c[k], middle(k), walls && k == 0, false, !walls || k > 0), table, room);
        if (walls && k == 0) sweep(levelsOf(middle(pieces - 1), height, height, false, true, false), table, room);
    }

    void sweep(const std::vector<Level>& levels, const BoundaryTable<L, T>& table, T* room)
    {
        if (levels.empty()) return;
        const int n = int(levels.size()), lines = rows_.shape().lines(),
                  late = rows_.shape().wraps[rows_.shape().line] ? 1 : 0;
        // Along a periodic y step k begins at line k and ends at line k - 1 of the next turn
        for (int front = 0; front < lines + (1 + late) * (n - 1); ++front)
            for (int k = 0; k < n; ++k)
                if (const int y = front - k; y >= late * k && y < lines + late * k)
                    step(y % lines, levels[k], table, room);
    }

    void step(int y, const Level& level, const BoundaryTable<L, T>& table, T* room)
    {
        for (int k = level.first; k < level.last; ++k) {
            const int z = rows_.wrapped(k);
            rows_.addTold(y, z);
            border_.replace(rows_, y, z, level.odd, table);
            rows_.step(y, z, level.odd, collide_, table.parameters, room);
            border_.keep(rows_, y, z, level.odd);
        }
    }

    PopulationPlan plan_;
    CollideRows<T> collide_;
    int threads_;
    Rows rows_;
    RowBorder<L, T> border_;
    std::vector<bool> fixed_; // by patch
    std::vector<Told> told_;  // in the order of the domain's links
};

} // namespace lbm
