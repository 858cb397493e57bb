// MomentArrays: what storage `moments` keeps of its tiles from step to step: moments, what the first nodes of rows send
// downwards along x, their velocities where gradients are asked for, and the faces that are made before a sweep. See MomentWindow.
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
    static constexpr std::size_t firstSize = std::size_t(Layout::rows) * Layout::layers * L::D;

    // Tiles whose moments share runs of memory.
    static constexpr std::int32_t groupTiles = Runs<T>::nodes / TileT::N;
    static constexpr std::size_t groupSize = std::size_t(count) * momentStep<T>;
    static_assert(groupTiles > 0);

    // Nothing is held before hold() is called. crosses: see WindowPlan. velocities: those of the first nodes of rows are kept,
    // momentum over inertia as it is stored.
    template<class Crosses>
    MomentArrays(const TileGrid& grid, const MomentKernel<T>& kernel, int threads, Crosses&& crosses, bool velocities,
                 bool incompressible) :
        plan(grid, threads, crosses),
        grid_(grid),
        kernel_(kernel),
        velocities_(velocities),
        incompressible_(incompressible)
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
        if (velocities_) firsts_ = HostArray<T>((grid_.tiles() + 1) * firstSize);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int k = 0; k < threads; ++k) {
            const std::size_t first = groupsBefore(plan.begin(k)), groups = groupsBefore(plan.begin(k + 1)) - first,
                              tiles = plan.begin(k + 1) - plan.begin(k);
            std::memset(data_.data() + first * groupSize, 0, groups * groupSize * sizeof(T));
            std::memset(lanes(plan.begin(k)), 0, tiles * laneSize * sizeof(T));
            if (velocities_) std::memset(firstOf(plan.begin(k)), 0, tiles * firstSize * sizeof(T));
        }
    }

    std::size_t values() const
    {
        if (!data_.data()) return 0;
        return groupsBefore(grid_.tiles() + 1) * groupSize
            + std::size_t(grid_.tiles() + 1) * (laneSize + (velocities_ ? firstSize : 0)) + aheadPlaces_.back();
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

    // Velocities of the first nodes of a tile's rows, [row][component], written with the moments: read from these each would cost a
    // line of memory.
    const T* firsts(std::int32_t t) const { return firsts_.data() + t * firstSize; }

    // Of a row's moments, to the last bit as VelocityWindow has those of whole rows: which of them a node is read by depends on the
    // sweeps' ranges.
    static T velocityOf(const T* row, int lane, int a, bool incompressible)
    {
        const T j = row[(1 + a) * momentStep<T> + lane];
        return incompressible ? j : (T(1) / (T(1) + row[lane])) * j;
    }

    // Of those rows, up to `last`, whose line of rows was not complete when row `first` - 1 was reached. fluid: of the tile's
    // rows; nobody asks for lines that have none there.
    void keepLanes(std::int32_t t, int first, int last, const LaneMask<T>* fluid)
    {
        keepFirsts(t, first, last);
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
        keepFirsts(place.tile, row, row + 1);
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

    T* firstOf(std::int32_t t) { return firsts_.data() + t * firstSize; }
    void keepFirsts(std::int32_t t, int first, int last)
    {
        if (!velocities_) return;
        T* to = firstOf(t) + first * L::D;
        const T* row = tile(t) + first * line;
        for (int i = first; i < last; ++i, row += line)
            for (int a = 0; a < L::D; ++a) *to++ = velocityOf(row, 0, a, incompressible_);
    }

    const TileGrid& grid_;
    MomentKernel<T> kernel_;
    bool velocities_, incompressible_;
    HostArray<T> data_, lanes_, ahead_, firsts_;
    std::vector<std::size_t> aheadPlaces_;
};

} // namespace lbm
