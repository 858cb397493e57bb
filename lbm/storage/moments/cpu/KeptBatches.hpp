// KeptBatches: which populations KeptPopulations makes of a layer's moments, a register of nodes at once: of rows that have many
// nodes of which something is kept, and of single ones, gathered from wherever they are.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/WindowLayout.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

namespace lbm {

// A boundary node whose populations are all kept, see SentPopulations.
struct WholeState {
    std::int32_t tile;
    std::int16_t local;
    std::int32_t state;
};

// Neighbouring lanes of one population: from [Q][line] to places one behind the other.
struct KeptRun {
    std::uint16_t from;
    std::uint8_t n;
};

struct KeptState {
    std::int32_t state;
    std::uint8_t lane;
};

template<class T>
struct KeptBatches {
    static constexpr int line = lineNodes<T>;

    // A register of nodes: where their moments lie in the tile, and the first of each list. The next batch's ends it.
    struct Batch {
        std::int32_t at[line];
        std::uint32_t runs, values, states;
        bool row; // they are the nodes of one
    };

    Batch here(bool row) const { return {{}, std::uint32_t(runs.size()), size, std::uint32_t(states.size()), row}; }

    std::size_t bytes() const
    {
        return (first.size() + places.size()) * sizeof(std::uint32_t) + batches.size() * sizeof(Batch)
            + runs.size() * sizeof(KeptRun) + states.size() * sizeof(KeptState);
    }

    std::vector<std::uint32_t> first, places; // batches by layer of each tile; values by what is asked for
    std::vector<Batch> batches;
    std::vector<KeptRun> runs;
    std::vector<KeptState> states;
    std::uint32_t size = 0; // of values
};

// Number of a tile's layer.
template<class L, class T, class TileT>
std::size_t layerOf(std::int32_t tile, int local)
{
    using Layout = WindowLayout<L, T, TileT>;
    return std::size_t(tile) * Layout::layers + local / (Layout::rows * Layout::line);
}

// Where the first moment of a node lies in its tile.
template<class L, class T>
std::int32_t addressOf(int local)
{
    return local;
}

// Makes them.
template<class L, class T, class TileT>
class KeptListing {
public:
    // `what` may have the same population more than once. whole: in the order of the tiles and of their nodes.
    KeptListing(const std::vector<DistantPopulation>& what, const std::vector<WholeState>& whole) :
        what_(what), whole_(whole)
    {}

    KeptBatches<T> batches(std::int32_t tiles)
    {
        lists_.places.resize(what_.size());
        if (what_.empty() && whole_.empty()) return std::move(lists_);
        std::vector<std::uint32_t> order(what_.size());
        std::iota(order.begin(), order.end(), 0);
        const auto layer = [](const auto& of) { return layerOf<L, T, TileT>(of.tile, of.local); };
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return layer(what_[a]) < layer(what_[b]); });
        auto kept = order.begin();
        auto state = whole_.begin();
        for (std::size_t u = 0; u < layerOf<L, T, TileT>(tiles, 0); ++u) {
            lists_.first.push_back(std::uint32_t(lists_.batches.size()));
            const auto firstKept = kept;
            const auto firstState = state;
            while (kept != order.end() && layer(what_[*kept]) == u) ++kept;
            while (state != whole_.end() && layer(*state) == u) ++state;
            if (kept != firstKept || state != firstState) addLayer({firstKept, kept}, {firstState, state});
        }
        lists_.first.push_back(std::uint32_t(lists_.batches.size()));
        lists_.batches.push_back(lists_.here(false));
        return std::move(lists_);
    }

private:
    static constexpr int line = lineNodes<T>;
    using Batch = typename KeptBatches<T>::Batch;

    struct Slot {
        std::uint32_t batch;
        std::uint8_t lane;
    };

    // From this on gathering single nodes costs more.
    static constexpr int manyInRow = 3;

    // some: of `what`.
    void addLayer(std::span<const std::uint32_t> some, std::span<const WholeState> states)
    {
        std::vector<std::int16_t> nodes;
        for (const std::uint32_t i : some) nodes.push_back(what_[i].local);
        for (const WholeState& s : states) nodes.push_back(s.local);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const std::size_t before = lists_.batches.size();
        placeNodes(nodes);

        std::vector<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> kept; // batch, from, of `what`
        for (const std::uint32_t i : some) {
            const Slot& slot = slots_[what_[i].local];
            kept.push_back({slot.batch, std::uint16_t(what_[i].q * line + slot.lane), i});
        }
        std::sort(kept.begin(), kept.end());
        std::vector<std::pair<std::uint32_t, KeptState>> whole;
        for (const WholeState& s : states) whole.push_back({slots_[s.local].batch, {s.state, slots_[s.local].lane}});

        auto next = kept.begin();
        for (std::size_t b = before; b < lists_.batches.size(); ++b) {
            Batch filled = lists_.here(lists_.batches[b].row);
            std::copy_n(lists_.batches[b].at, line, filled.at);
            lists_.batches[b] = filled;
            int last = -1;
            for (; next != kept.end() && std::get<0>(*next) == b; ++next) {
                const int from = std::get<1>(*next);
                if (from != last) addValue(from, last);
                last = from;
                lists_.places[std::get<2>(*next)] = lists_.size - 1;
            }
            for (const auto& [batch, state] : whole)
                if (batch == b) lists_.states.push_back(state);
        }
    }

    void addValue(int from, int last)
    {
        ++lists_.size;
        if (last >= 0 && from == last + 1 && from % line != 0) ++lists_.runs.back().n;
        else lists_.runs.push_back({std::uint16_t(from), 1});
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
                Batch batch = lists_.here(true);
                for (int lane = 0; lane < line; ++lane) batch.at[lane] = addressOf<L, T>(row * line + lane);
                for (auto i = n; i != last; ++i)
                    slots_[*i] = {std::uint32_t(lists_.batches.size()), std::uint8_t(*i % line)};
                lists_.batches.push_back(batch);
            }
            n = last;
        }
        for (std::size_t i = 0; i < single.size(); ++i) {
            if (i % line == 0) {
                lists_.batches.push_back(lists_.here(false));
                std::fill_n(lists_.batches.back().at, line, addressOf<L, T>(single[i]));
            }
            lists_.batches.back().at[i % line] = addressOf<L, T>(single[i]);
            slots_[single[i]] = {std::uint32_t(lists_.batches.size() - 1), std::uint8_t(i % line)};
        }
    }

    const std::vector<DistantPopulation>& what_;
    const std::vector<WholeState>& whole_;
    std::array<Slot, TileT::N> slots_; // of the layer that is being added, by node
    KeptBatches<T> lists_;
};

} // namespace lbm
