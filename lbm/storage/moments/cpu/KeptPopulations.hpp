// KeptPopulations: populations of nodes after a collision that links of other nodes draw on in the next step (mirrors, further
// ones of curved links, remote links), and whole states of boundary nodes, where storage `moments` has no place that they
// could be read from by then. They are made of the new moments, a layer of a tile at a time, while its moments are near
// (KeptBatches). Two copies, one being read while the other is written, in the order of the tiles, whose threads write them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Row.hpp"
#include "lbm/storage/moments/cpu/KeptBatches.hpp"

namespace lbm {

template<class L, class T, class TileT>
class KeptPopulations {
public:
    using Layout = WindowLayout<L, T, TileT>;
    static constexpr int line = lineNodes<T>;

    KeptPopulations() = default;

    // See KeptListing.
    KeptPopulations(std::int32_t tiles, const std::vector<DistantPopulation>& what,
                    const std::vector<WholeState>& whole) :
        lists_(KeptListing<L, T, TileT>(what, whole).batches(tiles))
    {
        for (auto& copy : values_) copy.assign(lists_.size, T(0));
    }

    // Of the i-th of `what`, in values.
    std::uint32_t place(std::size_t i) const { return lists_.places[i]; }
    const T* values(int copy) const { return values_[copy].data(); }

    // Of all that a layer of a tile keeps. moments: the tile's.
    void keep(int copy, std::int32_t tile, int layer, const T* moments, const MomentKernel<T>& kernel,
              const FourthFactors<T>& factors, SentPopulations<L, T>* sent)
    {
        if (lists_.first.empty()) return;
        const std::uint32_t* const first = &lists_.first[std::size_t(tile) * Layout::layers + layer];
        alignas(64) T made[L::Q * line];
        for (std::uint32_t i = first[0]; i < first[1]; ++i) {
            const auto &batch = lists_.batches[i], &next = lists_.batches[i + 1];
            kernel.sent(moments, batch.at, batch.row, factors, made);
            T* to = values_[copy].data() + batch.values;
            for (std::uint32_t k = batch.runs; k < next.runs; to += lists_.runs[k++].n)
                Row<T, line>::copy(to, made + lists_.runs[k].from, (1u << lists_.runs[k].n) - 1);
            for (std::uint32_t k = batch.states; k < next.states; ++k) {
                T(&after)[L::Q] = sent[lists_.states[k].state].of;
                for (int q = 0; q < L::Q; ++q) after[q] = made[q * line + lists_.states[k].lane];
            }
        }
    }

    // Of one node, by what keeps them all: to the last bit the same. Other threads may do so for other nodes.
    void keepNode(int copy, const TilePlace& place, const T* moments, const MomentKernel<T>& kernel,
                  const FourthFactors<T>& factors, SentPopulations<L, T>* sent)
    {
        if (lists_.first.empty()) return;
        const std::uint32_t* const first = &lists_.first[layerOf<L, T, TileT>(place.tile, place.local)];
        for (std::uint32_t i = first[0]; i < first[1]; ++i) {
            const auto &batch = lists_.batches[i], &next = lists_.batches[i + 1];
            const int lane = int(std::find(batch.at, batch.at + line, addressOf<L, T>(place.local)) - batch.at);
            if (lane == line) continue;
            std::int32_t same[line];
            std::fill(same, same + line, batch.at[lane]);
            alignas(64) T made[L::Q * line];
            kernel.sent(moments, same, false, factors, made);
            T* to = values_[copy].data() + batch.values;
            for (std::uint32_t k = batch.runs; k < next.runs; to += lists_.runs[k++].n) {
                const int behind = lane - lists_.runs[k].from % line;
                if (behind >= 0 && behind < lists_.runs[k].n) to[behind] = made[lists_.runs[k].from / line * line];
            }
            for (std::uint32_t k = batch.states; k < next.states; ++k)
                for (int q = 0; q < L::Q && lists_.states[k].lane == lane; ++q)
                    sent[lists_.states[k].state].of[q] = made[q * line];
            return;
        }
    }

    std::size_t bytes() const { return lists_.bytes() + 2 * values_[0].size() * sizeof(T); }

private:
    KeptBatches<T> lists_;
    std::vector<T> values_[2];
};

} // namespace lbm
