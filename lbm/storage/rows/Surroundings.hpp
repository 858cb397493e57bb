// Surroundings: what collisions see of a tile. Populations are read where they wait for a row of nodes, and stored
// where they go: in the rows around it, shifted by a lane where they come from the side, or in the row itself where
// they are reflected.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/rows/Runs.hpp"

namespace lbm {

// Where the rows around a row are, by 13 + dx + 3 dy + 9 dz (x counts rows): in which tile around the row's own,
// and how many values behind its beginning population 0 lies.
struct RowPlaces {
    std::int32_t tile[27], offset[27];
};

// A tile for a collision: the tiles around it and its rows to work on. The first `plain` of them are fluid and
// reached from all sides by fluid. Of the others, `fluid` has a mask for each row and `arrives` Q of them: nodes
// whose value of population q comes from the node at -c_q. The other fluid nodes reflect; where results do not go back,
// what rows of `replaced` reflect is read from `reflects`, laid out as the tile. Rows are a bit each.
template<class T>
struct TileView {
    T *tile[27], *reflects;
    std::uint64_t replaced, readAgain; // the latter: results of these are not stored past the caches
    const RowPlaces* places;           // of all rows of the tile
    const std::uint8_t* order;
    int plain, n;
    const LaneMask<T>*fluid, *arrives;
};

// Where what arrives along q lies, and what it replaces.
enum class Streaming {
    inPlace, // in the slot of the opposite link; results go where they arrive next, into slot q
    pull     // in slot q; results go to the target, most of them past the caches
};

// The populations around the row that it looks at, or, where registers are narrower, around its nodes from `first` on.
template<class L, Streaming kind, class T>
class Surroundings {
public:
    static constexpr int line = lineNodes<T>;
    static constexpr int W = PackTraits<Pack<T>>::width;
    static constexpr unsigned all = (1u << W) - 1;
    using C = Lanes<T, W>;
    using V = typename C::V;

    LBM_INLINE void point(const TileView<T>& view, int row)
    {
        const RowPlaces& place = view.places[row];
        unroll<27>([&](auto n) __attribute__((always_inline)) {
            if constexpr (touched(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1))
                at_[n] = view.tile[place.tile[n]] + place.offset[n];
        });
        if constexpr (kind == Streaming::pull)
            reflects_ = (view.replaced >> row & 1 ? view.reflects : view.tile[13]) + place.offset[13];
    }

    template<int q>
    LBM_INLINE void fetch() const
    {
        __builtin_prefetch(row<q>(), 0, 2);
    }

    // To the nearest cache, with the rows beside.
    template<int q>
    LBM_INLINE void fetchNear() const
    {
        __builtin_prefetch(row<q>(), 0, 3);
        if constexpr (L::c[q][0] != 0) __builtin_prefetch(side<q>(), 0, 3);
    }

    template<int q, bool walls>
    LBM_INLINE V arriving(int first, unsigned fluid, unsigned arrives) const
    {
        constexpr int cx = L::c[q][0];
        const Ways ways = waysOf<q, walls>(first, fluid, arrives);
        V v = C::load(ways.row);
        if constexpr (cx == 1) v = C::up(C::load(ways.beside), v);
        if constexpr (cx == -1) v = C::down(v, C::load(ways.beside));
        if constexpr (walls && q != 0) v = C::over(C::zero(fluid, ways.mirror), arrives, v);
        return v;
    }

    // The way back of arriving<opposite(q)>, lane by lane; arrives is of the opposite link, too.
    template<int q, bool walls>
    LBM_INLINE void leave(int first, unsigned fluid, unsigned arrives, V v) const
    {
        constexpr int back = opposite(q), cx = L::c[q][0];
        const Ways ways = waysOf<back, walls>(first, fluid, arrives);
        const unsigned out = !walls ? all : q == 0 ? fluid : arrives;
        if constexpr (walls && q != 0) C::store(ways.mirror, fluid & ~out, v);
        if constexpr (cx == 0) {
            if constexpr (walls) C::store(ways.row, out, v);
            else C::store(ways.row, v);
        } else {
            v = cx == 1 ? C::up(v, v) : C::down(v, v);
            C::store(ways.row, Shift<cx, W>::inside(out), v);
            C::store(ways.beside, Shift<cx, W>::outside(out), v);
        }
    }

private:
    // Some population comes from there, or passes through it along a row.
    static constexpr bool touched(int dx, int dy, int dz)
    {
        for (const auto& c : L::c)
            if ((c[0] == dx || dx == 0) && c[1] == dy && c[2] == dz) return true;
        return false;
    }

    static constexpr int slot(int q) { return kind == Streaming::inPlace ? opposite(q) : q; }

    template<int q>
    LBM_INLINE T* row() const
    {
        return at_[13 - 3 * L::c[q][1] - 9 * L::c[q][2]] + slot(q) * Runs<T>::stride;
    }

    template<int q>
    LBM_INLINE T* mirror() const // what is reflected
    {
        return (kind == Streaming::pull ? reflects_ : at_[13]) + slot(opposite(q)) * Runs<T>::stride;
    }

    template<int q>
    LBM_INLINE T* side() const
    {
        return at_[13 - L::c[q][0] - 3 * L::c[q][1] - 9 * L::c[q][2]] + slot(q) * Runs<T>::stride;
    }

    // The register that holds the value for the first or last node of this one.
    template<int q>
    LBM_INLINE T* beside(int first) const
    {
        constexpr int cx = L::c[q][0];
        if constexpr (W == line) return side<q>();
        if constexpr (cx == 1) return first == 0 ? side<q>() + line - W : row<q>() + first - W;
        else return first + W == line ? side<q>() : row<q>() + first + W;
    }

    // Where population q of some nodes comes from. A place that none of them needs is replaced by another one's: even a
    // load without lanes asks for its line, which would be one that nobody has fetched.
    struct Ways {
        T *row, *beside, *mirror;
    };

    template<int q, bool walls>
    LBM_INLINE Ways waysOf(int first, unsigned fluid, unsigned arrives) const
    {
        constexpr int cx = L::c[q][0];
        Ways ways{row<q>() + first, beside<q>(first), mirror<q>() + first};
        if constexpr (walls && q != 0) {
            constexpr unsigned end = cx == 1 ? 1 : cx == -1 ? 1u << (W - 1) : 0;
            if (!(arrives & ~end)) ways.row = ways.mirror;
            if (!(arrives & end)) ways.beside = ways.row;
            if (!(fluid & ~arrives)) ways.mirror = ways.row;
        }
        return ways;
    }

    T *at_[27], *reflects_;
};

} // namespace lbm
