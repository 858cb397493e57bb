// KeptPopulations: populations of nodes after a collision that links of other nodes draw on in the next step (mirrors, further
// ones of curved links, remote links), and whole states of boundary nodes, where storage `moments` has no place that they
// could be read from by then. They are made of the new moments, a register of nodes at once: of rows that have many such
// nodes, and of others gathered from wherever they are, a layer of a tile at a time, while its moments are near. Two copies,
// one being read while the other is written, in the order of the tiles, whose threads write them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Row.hpp"
#include "lbm/storage/moments/cpu/WindowLayout.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace lbm {

// A boundary node whose populations are all kept, in its BoundaryState.
struct WholeState {
    std::int32_t tile;
    std::int16_t local;
    std::int32_t state;
};

template<class L, class T, class TileT>
class KeptPopulations {
public:
    using Layout = WindowLayout<L, T, TileT>;
    static constexpr int line = lineNodes<T>, count = MomentSet<L, T>::count;

    KeptPopulations() = default;

    // `what` may have the same population more than once. whole: in the order of the tiles and of their nodes.
    KeptPopulations(std::int32_t tiles, const std::vector<DistantPopulation>& what,
                    const std::vector<WholeState>& whole) :
        places_(what.size())
    {
        if (what.empty() && whole.empty()) return;
        std::vector<std::uint32_t> order(what.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto unit = [](const auto& of) { return unitOf(of.tile, of.local); };
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return unit(what[a]) < unit(what[b]); });
        auto kept = order.begin();
        auto state = whole.begin();
        for (std::size_t u = 0; u < unitOf(tiles, 0); ++u) {
            first_.push_back(std::uint32_t(batches_.size()));
            const auto firstKept = kept;
            const auto firstState = state;
            while (kept != order.end() && unit(what[*kept]) == u) ++kept;
            while (state != whole.end() && unit(*state) == u) ++state;
            if (kept != firstKept || state != firstState) addLayer(what, {firstKept, kept}, {firstState, state});
        }
        first_.push_back(std::uint32_t(batches_.size()));
        batches_.push_back(batchHere(false));
        for (auto& copy : values_) copy.assign(size_, T(0));
    }

    // Of the i-th of `what`, in values.
    std::uint32_t place(std::size_t i) const { return places_[i]; }
    const T* values(int copy) const { return values_[copy].data(); }

    // Of all that a layer of a tile keeps. moments: the tile's.
    void keep(int copy, std::int32_t tile, int layer, const T* moments, const MomentKernel<T>& kernel,
              BoundaryState<L, T>* states)
    {
        if (first_.empty()) return;
        const std::uint32_t* const first = &first_[std::size_t(tile) * Layout::layers + layer];
        alignas(64) T made[L::Q * line];
        for (std::uint32_t i = first[0]; i < first[1]; ++i) {
            const Batch &batch = batches_[i], &next = batches_[i + 1];
            kernel.sent(moments, batch.at, batch.row, made);
            T* to = values_[copy].data() + batch.values;
            for (std::uint32_t k = batch.runs; k < next.runs; to += runs_[k++].n)
                Row<T, line>::copy(to, made + runs_[k].from, (1u << runs_[k].n) - 1);
            for (std::uint32_t k = batch.states; k < next.states; ++k) {
                T(&after)[L::Q] = states[states_[k].state].after[copy];
                for (int q = 0; q < L::Q; ++q) after[q] = made[q * line + states_[k].lane];
            }
        }
    }

    // Of one node, by what keeps them all: to the last bit the same. Other threads may do so for other nodes.
    void keepNode(int copy, const TilePlace& place, const T* moments, const MomentKernel<T>& kernel,
                  BoundaryState<L, T>* states)
    {
        if (first_.empty()) return;
        const std::uint32_t* const first = &first_[unitOf(place.tile, place.local)];
        for (std::uint32_t i = first[0]; i < first[1]; ++i) {
            const Batch &batch = batches_[i], &next = batches_[i + 1];
            const int lane = int(std::find(batch.at, batch.at + line, addressOf(place.local)) - batch.at);
            if (lane == line) continue;
            std::int32_t same[line];
            std::fill(same, same + line, batch.at[lane]);
            alignas(64) T made[L::Q * line];
            kernel.sent(moments, same, false, made);
            T* to = values_[copy].data() + batch.values;
            for (std::uint32_t k = batch.runs; k < next.runs; to += runs_[k++].n) {
                const int behind = lane - runs_[k].from % line;
                if (behind >= 0 && behind < runs_[k].n) to[behind] = made[runs_[k].from / line * line];
            }
            for (std::uint32_t k = batch.states; k < next.states; ++k)
                for (int q = 0; q < L::Q && states_[k].lane == lane; ++q)
                    states[states_[k].state].after[copy][q] = made[q * line];
            return;
        }
    }

    std::size_t bytes() const
    {
        return first_.size() * sizeof(first_[0]) + places_.size() * sizeof(places_[0]) + batches_.size() * sizeof(Batch)
            + runs_.size() * sizeof(Run) + states_.size() * sizeof(State) + 2 * values_[0].size() * sizeof(T);
    }

private:
    // A register of nodes: where their moments lie in the tile, and the first of each list. The next batch's ends it.
    struct Batch {
        std::int32_t at[line];
        std::uint32_t runs, values, states;
        bool row; // they are the nodes of one
    };

    // Neighbouring lanes of one population: from [Q][line] to places one behind the other.
    struct Run {
        std::uint16_t from;
        std::uint8_t n;
    };

    struct State {
        std::int32_t state;
        std::uint8_t lane;
    };

    struct Slot {
        std::uint32_t batch;
        std::uint8_t lane;
    };

    // From this on gathering single nodes costs more.
    static constexpr int manyInRow = 3;

    // Number of a layer.
    static std::size_t unitOf(std::int32_t tile, int local)
    {
        return std::size_t(tile) * Layout::layers + local / (Layout::rows * line);
    }

    static std::int32_t addressOf(int local) { return local / line * count * line + local % line; }

    Batch batchHere(bool row) const
    {
        return {{}, std::uint32_t(runs_.size()), size_, std::uint32_t(states_.size()), row};
    }

    // some: of `what`.
    void addLayer(const std::vector<DistantPopulation>& what, std::span<const std::uint32_t> some,
                  std::span<const WholeState> states)
    {
        std::vector<std::int16_t> nodes;
        for (const std::uint32_t i : some) nodes.push_back(what[i].local);
        for (const WholeState& s : states) nodes.push_back(s.local);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const std::size_t before = batches_.size();
        placeNodes(nodes);

        std::vector<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> kept; // batch, from, of `what`
        for (const std::uint32_t i : some) {
            const Slot& slot = slots_[what[i].local];
            kept.push_back({slot.batch, std::uint16_t(what[i].q * line + slot.lane), i});
        }
        std::sort(kept.begin(), kept.end());
        std::vector<std::pair<std::uint32_t, State>> whole;
        for (const WholeState& s : states) whole.push_back({slots_[s.local].batch, {s.state, slots_[s.local].lane}});

        auto next = kept.begin();
        for (std::size_t b = before; b < batches_.size(); ++b) {
            Batch filled = batchHere(batches_[b].row);
            std::copy_n(batches_[b].at, line, filled.at);
            batches_[b] = filled;
            int last = -1;
            for (; next != kept.end() && std::get<0>(*next) == b; ++next) {
                const int from = std::get<1>(*next);
                if (from != last) addValue(from, last);
                last = from;
                places_[std::get<2>(*next)] = size_ - 1;
            }
            for (const auto& [batch, state] : whole)
                if (batch == b) states_.push_back(state);
        }
    }

    void addValue(int from, int last)
    {
        ++size_;
        if (last >= 0 && from == last + 1 && from % line != 0) ++runs_.back().n;
        else runs_.push_back({std::uint16_t(from), 1});
    }

    void placeNodes(const std::vector<std::int16_t>& nodes)
    {
        std::vector<std::int16_t> single;
        for (auto n = nodes.begin(); n != nodes.end();) {
            const int row = *n / line;
            const auto last = std::find_if(n, nodes.end(), [&](int local) { return local / line != row; });
            if (last - n < manyInRow) {
                single.insert(single.end(), n, last);
            } else {
                Batch batch = batchHere(true);
                for (int lane = 0; lane < line; ++lane) batch.at[lane] = addressOf(row * line + lane);
                for (auto i = n; i != last; ++i) slots_[*i] = {std::uint32_t(batches_.size()), std::uint8_t(*i % line)};
                batches_.push_back(batch);
            }
            n = last;
        }
        for (std::size_t i = 0; i < single.size(); ++i) {
            if (i % line == 0) {
                batches_.push_back(batchHere(false));
                std::fill_n(batches_.back().at, line, addressOf(single[i]));
            }
            batches_.back().at[i % line] = addressOf(single[i]);
            slots_[single[i]] = {std::uint32_t(batches_.size() - 1), std::uint8_t(i % line)};
        }
    }

    std::vector<std::uint32_t> first_, places_; // batches by layer of each tile; by `what`
    std::vector<Batch> batches_;
    std::vector<Run> runs_;
    std::vector<State> states_;
    std::array<Slot, TileT::N> slots_; // of the layer that is being added, by node
    std::uint32_t size_ = 0;
    std::vector<T> values_[2];
};

} // namespace lbm
