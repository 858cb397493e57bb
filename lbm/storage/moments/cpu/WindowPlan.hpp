// WindowPlan: sweeps over the tiles that update them in place, one range of tiles a thread, in the order of the grid. A tile
// needs what the tiles around it sent in the step before, though some of these are updated by then. Of faces
//   - a tile saves what later ones will need, and what it needs of later ones is made of their moments when the first
//     asks; both wait in rings, as long as the sweep is within `reach` tiles;
//   - across the ends of ranges, around periodic axes and of ghosts they are made before the sweep begins: `ahead`.
// Across x a tile gets lanes: from the tile before it those that this one sent, of the one behind it its moments'.
// Populations cross edges by way of the tile between, which may be one without fluid: then its face is made ahead, too.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"
#include "lbm/storage/moments/cpu/WindowLayout.hpp"

#include <algorithm>

namespace lbm {

// Of a tile between left and right; where it has no fluid there is no such tile, but what these two send through it.
struct TileFace {
    std::int32_t tile;
    int face;
    std::int32_t left, right;
};

template<class L>
class WindowPlan {
public:
    // crosses(t, side, face): some node of tile t at its end across x (side 0: the first, 1: the last) and at the face is
    // fluid.
    template<class Crosses>
    WindowPlan(const TileGrid& grid, int ranges, Crosses&& crosses) :
        grid_(grid), ranges_(ranges), numbers_(grid.tiles(), none), saves_(grid.tiles())
    {
        for (std::int32_t t = 0; t < grid.stepped(); ++t) {
            firstStray_.push_back(std::int32_t(strays_.size()));
            for (int n = 1; n < 27; n += 3) needStrays(t, n, crosses);
        }
        firstStray_.push_back(std::int32_t(strays_.size()));
        std::vector<std::uint8_t> known(grid.tiles());
        eachNeed(known, [](std::int32_t, std::int32_t, int, bool) {});
        std::fill(known.begin(), known.end(), 0);
        firstMade_.push_back(0);
        eachNeed(known, [&](std::int32_t t, std::int32_t u, int face, bool first) {
            reach_[face / 2] = std::max(reach_[face / 2], std::abs(u - t));
            if (number(u, face) >= 0) return;
            if (u < t) saves_[u] |= std::uint8_t(1u << face);
            else if (first) made_.push_back(faceOf(u, face));
        });
    }

    int ranges() const { return ranges_; }
    std::int32_t begin(int k) const { return std::int32_t(std::int64_t(grid_.stepped()) * k / ranges_); }

    // The largest distance, in the order of the grid, of tiles that need each other's faces across an axis.
    std::int32_t reach(int axis) const { return reach_[axis]; }

    // Faces, a bit each, that tile t saves.
    unsigned saves(std::int32_t t) const { return saves_[t]; }

    // Faces that tile t makes of tiles behind it: from made(t) to made(t + 1).
    const TileFace* made(std::int32_t t) const { return made_.data() + firstMade_[t]; }

    // Faces made before the sweep, and which of them a tile's is; -1: none.
    const std::vector<TileFace>& ahead() const { return ahead_; }
    std::int32_t number(std::int32_t tile, int face) const { return numbers_[tile][face]; }

    // As number, where tile t has no neighbour at n.
    std::int32_t stray(std::int32_t t, int n) const
    {
        for (std::int32_t i = firstStray_[t]; i < firstStray_[t + 1]; ++i)
            if (strays_[i].n == n) return strays_[i].number;
        return -1;
    }

    std::size_t bytes() const
    {
        return saves_.size() * (1 + sizeof numbers_[0])
            + (firstMade_.size() + firstStray_.size()) * sizeof(std::int32_t) + strays_.size() * sizeof(Stray)
            + (made_.size() + ahead_.size()) * sizeof(TileFace);
    }

private:
    using Numbers = std::array<std::int32_t, faces>;
    static constexpr Numbers none{-1, -1, -1, -1, -1, -1};

    struct Stray {
        int n;
        std::int32_t number;
    };

    template<class Crosses>
    void needStrays(std::int32_t t, int n, Crosses&& crosses)
    {
        const auto& around = grid_.neighbours(t);
        if (n == 13 || around[n] != grid_.tiles()) return;
        const auto sent = [&](int m, int side) {
            return sends<L>(m) && around[m] != grid_.tiles() && crosses(around[m], side, faceShown(n));
        };
        if (!sent(n - 1, 1) && !sent(n + 1, 0)) return;
        strays_.push_back({n, std::int32_t(ahead_.size())});
        ahead_.push_back({grid_.tiles(), faceShown(n), around[n - 1], around[n + 1]});
    }

    TileFace faceOf(std::int32_t tile, int face) const
    {
        return {tile, face, grid_.neighbours(tile)[12], grid_.neighbours(tile)[14]};
    }

    // What cannot wait in a ring is put into ahead_. Of the rest: visit(t, u, face, first): t needs the face of u, and is
    // the first to do so.
    template<class Visit>
    void eachNeed(std::vector<std::uint8_t>& known, Visit&& visit)
    {
        for (int k = 0; k < ranges_; ++k)
            for (std::int32_t t = begin(k); t < begin(k + 1); ++t) {
                needLanes(t, k);
                for (int n = 1; n < 27; n += 3)
                    if (n != 13 && sends<L>(n) && grid_.neighbours(t)[n] != grid_.tiles())
                        needFace(t, n, k, known, visit);
                if (!firstMade_.empty()) firstMade_.push_back(std::int32_t(made_.size()));
            }
    }

    void needLanes(std::int32_t t, int k)
    {
        const std::int32_t before = grid_.neighbours(t)[12], behind = grid_.neighbours(t)[14];
        if (before != grid_.tiles() && (before != t - 1 || t == begin(k))) makeAhead(before, 1);
        if (behind != grid_.tiles() && (behind <= t || behind >= begin(k + 1))) makeAhead(behind, 0);
    }

    template<class Visit>
    void needFace(std::int32_t t, int n, int k, std::vector<std::uint8_t>& known, Visit&& visit)
    {
        const std::int32_t u = grid_.neighbours(t)[n];
        const int face = faceShown(n);
        const bool first = !(known[u] >> face & 1);
        if (u < begin(k) || u >= begin(k + 1) || !beside(t, u, n)) return makeAhead(u, face);
        known[u] |= std::uint8_t(1u << face);
        // A face is shifted along x, for which the tiles beside it must still be as they were.
        const auto old = [&](std::int32_t v) { return v == grid_.tiles() || (v >= t && v < begin(k + 1)); };
        if (u > t && first && !(old(grid_.neighbours(u)[12]) && old(grid_.neighbours(u)[14])))
            return makeAhead(u, face);
        visit(t, u, face, first);
    }

    // Not around a periodic axis.
    bool beside(std::int32_t t, std::int32_t u, int n) const
    {
        const Int3 here = grid_.origin(t), there = grid_.origin(u), d = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        for (int a = 0; a < 3; ++a)
            if (there[a] != here[a] + d[a] * grid_.extents()[a]) return false;
        return true;
    }

    void makeAhead(std::int32_t tile, int face)
    {
        if (number(tile, face) >= 0) return;
        numbers_[tile][face] = std::int32_t(ahead_.size());
        ahead_.push_back(faceOf(tile, face));
    }

    const TileGrid& grid_;
    int ranges_;
    std::array<std::int32_t, 3> reach_{};
    std::vector<Numbers> numbers_;
    std::vector<std::uint8_t> saves_;
    std::vector<std::int32_t> firstMade_, firstStray_; // by tile
    std::vector<Stray> strays_;
    std::vector<TileFace> made_, ahead_;
};

} // namespace lbm
