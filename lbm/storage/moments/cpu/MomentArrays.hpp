// MomentArrays: what storage `moments` keeps of its tiles from step to step: moments, what the first nodes of rows send
// downwards along x, and the faces that are made before a sweep. See MomentWindow.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/moments/cpu/WindowPlan.hpp"

namespace lbm {

template<class L, class T, class TileT>
class MomentArrays {
public:
    using Layout = WindowLayout<L, T, TileT>;
    static constexpr int count = MomentSet<L, T>::count, line = lineNodes<T>;
    static constexpr std::size_t laneSize = Layout::face[0].size;

    // Tiles whose moments share runs of memory.
    static constexpr std::int32_t groupTiles = Runs<T>::nodes / TileT::N;
    static constexpr std::size_t groupSize = std::size_t(count) * momentStep<T>;
    static_assert(groupTiles > 0);

    // Nothing is held before hold() is called. crosses: see WindowPlan.
    template<class Crosses>
    MomentArrays(const TileGrid& grid, const MomentKernel<T>& kernel, int threads, Crosses&& crosses) :
        plan(grid, threads, crosses), grid_(grid), kernel_(kernel)
    {
        aheadPlaces_.push_back(0);
        for (const TileFace& f : plan.ahead()) aheadPlaces_.push_back(aheadPlaces_.back() + Layout::face[f.face].size);
    }

    // Zero is the rest state. Each thread touches the tiles that it will work on.
    void hold(int threads)
    {
        data_ = HostArray<T>(groupsBefore(grid_.tiles() + 1) * groupSize);
        lanes_ = HostArray<T>((grid_.tiles() + 1) * laneSize);
        ahead_ = HostArray<T>(aheadPlaces_.back());
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int k = 0; k < threads; ++k) {
            const std::size_t first = groupsBefore(plan.begin(k)), groups = groupsBefore(plan.begin(k + 1)) - first,
                              tiles = plan.begin(k + 1) - plan.begin(k);
            std::memset(data_.data() + first * groupSize, 0, groups * groupSize * sizeof(T));
            std::memset(lanes(plan.begin(k)), 0, tiles * laneSize * sizeof(T));
        }
    }

    std::size_t values() const
    {
        if (!data_.data()) return 0;
        return groupsBefore(grid_.tiles() + 1) * groupSize + std::size_t(grid_.tiles() + 1) * laneSize
            + aheadPlaces_.back();
    }
    std::size_t tableBytes() const { return plan.bytes() + aheadPlaces_.size() * sizeof(std::size_t); }

    // [moment][row][node], moments at a distance of momentStep.
    T* tile(std::int32_t t) { return data_.data() + placeOf(t); }
    const T* tile(std::int32_t t) const { return data_.data() + placeOf(t); }

    // The first moment of a node; the others follow at a distance of momentStep.
    T* at(const TilePlace& place) { return tile(place.tile) + place.local; }
    const T* at(const TilePlace& place) const { return tile(place.tile) + place.local; }

    // Lanes that leave through a tile's first face, see laneAt: read from moments they would cost a line of memory each.
    // Written with the moments.
    T* lanes(std::int32_t t) { return lanes_.data() + t * laneSize; }

    // Of those rows, up to `last`, whose line of rows was not complete when row `first` - 1 was reached. fluid: of the tile's
    // rows; nobody asks for lines that have none there.
    void keepLanes(std::int32_t t, int first, int last, const LaneMask<T>* fluid)
    {
        constexpr int all = Layout::rows * Layout::layers;
        const auto sends = [](LaneMask<T> nodes) { return nodes & 1; };
        for (int row = first / line * line; row < last; row += line)
            if ((row + line <= last || last == all)
                && std::any_of(fluid + row, fluid + std::min(row + line, all), sends))
                kernel_.leaving[0]({tile(t), nullptr, nullptr, Layout::face[0].at.data() + row, line, next},
                                   lanes(t) + laneAt<L, T, 0>(row, 0));
    }

    // Of a node that is set, by what sweeps keep them with: to the last bit the same. Other threads may set other rows.
    void keepLane(const TilePlace& place)
    {
        if (place.local % line != 0) return;
        const int row = place.local / line;
        std::int32_t same[line];
        std::fill(same, same + line, Layout::face[0].at[row]);
        alignas(64) T made[numberInFace<L>(L::Q, 0) * line];
        kernel_.leaving[0]({tile(place.tile), nullptr, nullptr, same, line, now}, made);
        for (int i = 0; i < numberInFace<L>(L::Q, 0); ++i) lanes(place.tile)[laneAt<L, T, 0>(row, i)] = made[i * line];
    }

    // Of the plan's i-th face.
    void makeAhead(std::size_t i) { make(plan.ahead()[i], ahead_.data() + aheadPlaces_[i]); }

    std::int32_t tiles() const { return grid_.tiles(); }

    // Null: there is no such tile, or the plan has none of it.
    const T* ahead(std::int32_t t, int face) const { return t == tiles() ? nullptr : ahead(plan.number(t, face)); }
    const T* ahead(std::int32_t number) const { return number < 0 ? nullptr : ahead_.data() + aheadPlaces_[number]; }

    void make(const TileFace& of, T* target)
    {
        const auto& face = Layout::face[of.face];
        if (of.face == 0) Layout::copy(lanes(of.tile), target, laneSize);
        else
            kernel_.leaving[of.face]({tile(of.tile), tile(of.left), lanes(of.right), face.at.data(), face.n, now},
                                     target);
    }

    const WindowPlan<L> plan;

    // What moments of third order take besides: of the collision that left those of all tiles, and of the step's own.
    FourthFactors<T> now{}, next{};

private:
    static std::size_t groupsBefore(std::int32_t t) { return std::size_t(t + groupTiles - 1) / groupTiles; }
    static std::size_t placeOf(std::int32_t t)
    {
        return t / groupTiles * groupSize + std::size_t(t % groupTiles) * TileT::N;
    }

    const TileGrid& grid_;
    MomentKernel<T> kernel_;
    HostArray<T> data_, lanes_, ahead_;
    std::vector<std::size_t> aheadPlaces_;
};

} // namespace lbm
