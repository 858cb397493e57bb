// WindowPlan: sweeps over the tiles that update them in place, one range of tiles a thread, in the order of the grid. A tile
// needs what the faces around it sent in the step before, though some of these tiles are updated by then. Of faces
//   - a tile saves what later ones will need, and what it needs of later ones is made of their moments when the first
//     asks; both wait in a ring, as long as the sweep is within `reach` tiles;
//   - across the ends of ranges and around periodic axes they are made before the sweep begins: `ahead`.
// Neighbours across x that follow each other need nothing of this.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"
#include "lbm/storage/WindowLayout.hpp"

#include <algorithm>
#include <unordered_map>

namespace lbm {

struct TileFace {
    std::int32_t tile;
    int face;
};

template<class L>
class WindowPlan {
public:
    WindowPlan(const TileGrid& grid, int ranges) : grid_(grid), ranges_(ranges)
    {
        for (int k = 0; k < ranges; ++k) reach_ = std::max(reach_, reachOf(begin(k), begin(k + 1)));
        std::vector<std::uint8_t> known(grid.tiles());
        saves_.resize(grid.tiles());
        firstAhead_.assign(grid.tiles() + 1, 0);
        for (int k = 0; k < ranges; ++k)
            for (std::int32_t t = begin(k); t < begin(k + 1); ++t) {
                for (int n = 0; n < 27; ++n) need(t, n, k, known);
                firstMade_.push_back(std::int32_t(made_.size()));
                firstAhead_[t + 1] = std::int32_t(links_.size());
            }
    }

    int ranges() const { return ranges_; }
    std::int32_t begin(int k) const { return std::int32_t(std::int64_t(grid_.tiles())*k/ranges_); }
    std::int32_t reach() const { return reach_; }

    // True if tile t + 1 is the neighbour of t across x, in the same range.
    bool followed(std::int32_t t, int k) const { return t + 1 < begin(k + 1) && grid_.neighbours(t)[14] == t + 1; }

    // Faces, a bit each, that tile t saves.
    unsigned saves(std::int32_t t) const { return saves_[t]; }

    // Faces that tile t makes of tiles behind it: from made(t) to made(t + 1).
    const TileFace* made(std::int32_t t) const { return made_.data() + (t == 0 ? 0 : firstMade_[t - 1]); }

    // Faces made before the sweep, and which of them is the one of tile t's neighbour at n; -1: it is in the ring.
    const std::vector<TileFace>& ahead() const { return ahead_; }
    std::int32_t numberAhead(std::int32_t t, int n) const
    {
        for (std::int32_t i = firstAhead_[t]; i < firstAhead_[t + 1]; ++i)
            if (links_[i].n == n) return links_[i].number;
        return -1;
    }

    std::size_t bytes() const
    {
        return saves_.size() + (firstMade_.size() + firstAhead_.size())*sizeof(std::int32_t)
            + (made_.size() + ahead_.size())*sizeof(TileFace) + links_.size()*sizeof(Link);
    }

private:
    struct Link {
        int n;
        std::int32_t number;
    };

    // The largest distance of neighbours in the order of the grid.
    std::int32_t reachOf(std::int32_t first, std::int32_t last) const
    {
        std::int32_t reach = 0;
        for (std::int32_t t = first; t < last; ++t)
            for (int n = 14; n < 27; ++n) {
                const std::int32_t u = grid_.neighbours(t)[n];
                if (sends<L>(n) && u < last && beside(t, u, n)) reach = std::max(reach, u - t);
            }
        return reach;
    }

    // Not around a periodic axis.
    bool beside(std::int32_t t, std::int32_t u, int n) const
    {
        const Int3 here = grid_.origin(t), there = grid_.origin(u), d = {n % 3 - 1, n/3 % 3 - 1, n/9 - 1};
        for (int a = 0; a < 3; ++a)
            if (there[a] != here[a] + d[a]*grid_.extents()[a]) return false;
        return true;
    }

    void need(std::int32_t t, int n, int k, std::vector<std::uint8_t>& known)
    {
        const std::int32_t u = grid_.neighbours(t)[n];
        if (!sends<L>(n) || u == grid_.tiles()) return;
        const int dx = n % 3 - 1, f = faceShown(n);
        // The window beside has it.
        if (dx < 0 && t > begin(k) && followed(t - 1, k)) return;
        if (dx > 0 && followed(t, k)) return;
        const bool swept = u >= begin(k) && u < begin(k + 1) && beside(t, u, n);
        if (f < 2 || !swept) links_.push_back({n, aheadNumber(u, f)});
        else if (u < t) saves_[u] |= std::uint8_t(1u << f);
        else if (!(known[u] >> f & 1)) {
            known[u] |= std::uint8_t(1u << f);
            made_.push_back({u, f});
        }
    }

    std::int32_t aheadNumber(std::int32_t tile, int face)
    {
        const auto [found, fresh] = numbers_.try_emplace(std::int64_t(tile)*faces + face, std::int32_t(ahead_.size()));
        if (fresh) ahead_.push_back({tile, face});
        return found->second;
    }

    const TileGrid& grid_;
    int ranges_;
    std::int32_t reach_ = 0;
    std::vector<std::uint8_t> saves_;
    std::vector<std::int32_t> firstMade_, firstAhead_;
    std::vector<TileFace> made_, ahead_;
    std::vector<Link> links_;
    std::unordered_map<std::int64_t, std::int32_t> numbers_;
};

} // namespace lbm
