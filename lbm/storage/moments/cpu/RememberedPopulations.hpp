// RememberedPopulations: single populations that links of other nodes draw on in the next step (further ones of curved links, remote links), where a
// storage has no place that they could be read from by then. Two copies, as of boundary nodes' states: one is read while
// the other is written. In the order of the tiles, whose threads write them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TileGeometry.hpp"

#include <numeric>

namespace lbm {

template<class T>
class RememberedPopulations {
public:
    RememberedPopulations(std::int32_t tiles, const std::vector<DistantPopulation>& what) : of_(what.size())
    {
        if (what.empty()) return;
        first_.assign(tiles + 1, 0);
        for (const DistantPopulation& distant : what) ++first_[distant.tile + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (const DistantPopulation& distant : what) {
            places_.push_back(next[distant.tile]++);
            of_[places_.back()] = distant;
        }
        for (auto& copy : values_) copy.assign(what.size(), T(0));
    }

    // Of the i-th of `what`, in values.
    std::uint32_t place(std::size_t i) const { return places_[i]; }
    const T* values(int copy) const { return values_[copy].data(); }

    // populations(local): those of the tile's node. local -1: of all its nodes.
    template<class Populations>
    void remember(int copy, std::int32_t tile, int local, Populations&& populations)
    {
        if (of_.empty()) return;
        for (std::uint32_t i = first_[tile]; i < first_[tile + 1]; ++i)
            if (local < 0 || of_[i].local == local) values_[copy][i] = T(populations(of_[i].local)[of_[i].q]);
    }

private:
    std::vector<std::uint32_t> first_, places_; // by tile; by `what`
    std::vector<DistantPopulation> of_;
    std::vector<T> values_[2];
};

} // namespace lbm
