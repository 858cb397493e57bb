// Collide: the arithmetic of rows of nodes, given where their populations are. Storage patterns say where to read
// and write, these loops move and compute, and one function pointer per tile joins them, so that patterns and
// collisions are compiled once each instead of once per pair. Moving belongs to the loop: what a collision takes
// from the neighbours comes straight into its registers, and leaves from them.
//
// A row here is a cache line of nodes; the next population of the same nodes lies in the next line.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/physics/Parameters.hpp"

#include <algorithm>

namespace lbm {

// Where the rows around a row are, by 13 + dx + 3 dy + 9 dz (x counts rows): in which tile around the row's own,
// and how many values behind its beginning population 0 lies.
struct RowPlaces {
    std::int32_t tile[27], offset[27];
};

// A tile for a collision: the tiles around it and its rows to work on. The first `plain` of them are fluid and
// reached from all sides by fluid. Of the others, `fluid` has a mask for each row and `arrives` Q of them: nodes
// whose value of population q comes from the node at -c_q. The other fluid nodes reflect.
template<class T>
struct TileView {
    T* tile[27];
    const RowPlaces* places;        // of all rows of the tile
    const std::uint8_t* order;
    int plain, n;
    const LaneMask<T> *fluid, *arrives;
};

// Both kinds of collision work through the rows of one tile and meanwhile ask for what another will want to read: the
// lines of one row with each row's results. That is what keeps memory busy; asked for in a burst they fill the
// core's few miss registers and stall it. Any line left out is one that the arithmetic waits for: the neighbours'
// rows above all, of which the caches' own prefetchers know nothing.

// Rows are collided where they are. columns: where the results of population q go, [Q].
template<class T>
using CollideOwn = void (*)(T* const* rows, int n, T* const* soon, int m, const int* columns, const Parameters<T>&);

// What arrives from the neighbours is collided. target: the tile's first value, for results that do not go back.
template<class T>
using CollideAround = void (*)(const TileView<T>& here, const TileView<T>& soon, T* target, const Parameters<T>&);

template<class T>
struct CollideKernel {
    CollideOwn<T> own;
    CollideAround<T> exchange, pull;
};

template<class L, class Collision, class Eq, class R, class T>
void collideOwn(T* const* rows, int n, T* const* soon, int m, const int* columns, const Parameters<T>& p)
{
    using Traits = PackTraits<R>;
    constexpr int line = lineNodes<T>;
    for (int i = 0; i < n; ++i) {
        for (int k = i*m/n; k < (i + 1)*m/n; ++k)
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { __builtin_prefetch(soon[k] + q*line, 0, 2); });
        for (T* pack = rows[i]; pack < rows[i] + line; pack += Traits::width) {
            R g[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = Traits::load(pack + q*line); });
            Collision::template apply<L, Eq>(g, p);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { Traits::store(pack + columns[q]*line, g[q]); });
        }
    }
}

// Where what arrives along q lies, and what it replaces.
enum class Exchange {
    exchange,    // in the slot of the opposite link; results go where they arrive next, into slot q
    pull         // in slot q; results go to the target, past the caches
};

// The populations around a row, or, where registers are narrower, around its nodes from `first` on.
template<class L, Exchange kind, class T>
class Surroundings {
public:
    static constexpr int line = lineNodes<T>;
    static constexpr int W = PackTraits<Pack<T>>::width;
    static constexpr unsigned all = (1u << W) - 1;
    using C = Lanes<T, W>;
    using V = typename C::V;

    LBM_INLINE Surroundings(const TileView<T>& view, int row)
    {
        const RowPlaces& place = view.places[row];
        unroll<27>([&](auto n) __attribute__((always_inline)) {
            if constexpr (touched(n % 3 - 1, n/3 % 3 - 1, n/9 - 1)) at_[n] = view.tile[place.tile[n]] + place.offset[n];
        });
    }

    template<int q> LBM_INLINE void fetch() const { __builtin_prefetch(row<q>(), 0, 2); }

    template<int q, bool walls>
    LBM_INLINE V arriving(int first, unsigned fluid, unsigned arrives) const
    {
        constexpr int cx = L::c[q][0];
        V v = C::load(row<q>() + first);
        if constexpr (cx == 1) v = C::up(C::load(beside<q>(first)), v);
        if constexpr (cx == -1) v = C::down(v, C::load(beside<q>(first)));
        if constexpr (walls && q != 0) v = C::over(C::zero(fluid, mirror<q>() + first), arrives, v);
        return v;
    }

    // The way back of arriving<opposite(q)>, lane by lane; arrives is of the opposite link, too.
    template<int q, bool walls>
    LBM_INLINE void leave(int first, unsigned fluid, unsigned arrives, V v) const
    {
        constexpr int back = opposite(q), cx = L::c[q][0];
        const unsigned out = !walls ? all : q == 0 ? fluid : arrives;
        if constexpr (walls && q != 0) C::store(mirror<back>() + first, fluid & ~out, v);
        if constexpr (cx == 0) {
            if constexpr (walls) C::store(row<back>() + first, out, v);
            else C::store(row<back>() + first, v);
        } else {
            v = cx == 1 ? C::up(v, v) : C::down(v, v);
            C::store(row<back>() + first, Shift<cx, W>::inside(out), v);
            C::store(beside<back>(first), Shift<cx, W>::outside(out), v);
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

    static constexpr int slot(int q) { return kind == Exchange::exchange ? opposite(q) : q; }

    template<int q> LBM_INLINE T* row() const { return at_[13 - 3*L::c[q][1] - 9*L::c[q][2]] + slot(q)*line; }
    template<int q> LBM_INLINE T* mirror() const { return at_[13] + slot(opposite(q))*line; }   // what is reflected

    // The register that holds the value for the first or last node of this one.
    template<int q> LBM_INLINE T* beside(int first) const
    {
        constexpr int cx = L::c[q][0];
        T* side = at_[13 - cx - 3*L::c[q][1] - 9*L::c[q][2]] + slot(q)*line;
        if constexpr (W == line) return side;
        if constexpr (cx == 1) return first == 0 ? side + line - W : row<q>() + first - W;
        else return first + W == line ? side : row<q>() + first + W;
    }

    T* at_[27];
};

// next: the row that is asked for meanwhile.
template<class L, class Collision, class Eq, class R, Exchange kind, bool walls, class T>
LBM_INLINE void collideRow(const TileView<T>& here, int row, const Surroundings<L, kind, T>& next, T* target,
                           const Parameters<T>& p)
{
    using Traits = PackTraits<R>;
    using Around = Surroundings<L, kind, T>;
    const Around around(here, row);
    const LaneMask<T>* arrives = here.arrives + (walls ? row*L::Q : 0);
    for (int first = 0; first < lineNodes<T>; first += Traits::width) {
        const unsigned fluid = walls ? here.fluid[row] >> first & Around::all : 0;
        auto mask = [&](int q) { return walls ? arrives[q] >> first & Around::all : 0u; };
        R g[L::Q];
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            g[q] = Traits::fromLanes(around.template arriving<q, walls>(first, fluid, mask(q)));
        });
        Collision::template apply<L, Eq>(g, p);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if (first == 0) next.template fetch<q>();
            if constexpr (kind == Exchange::pull)
                Traits::stream(target + here.places[row].offset[13] + q*lineNodes<T> + first, g[q]);
            else
                around.template leave<q, walls>(first, fluid, mask(opposite(q)), Traits::toLanes(g[q]));
        });
    }
}

template<class L, class Collision, class Eq, class R, Exchange kind, class T>
void collideAround(const TileView<T>& here, const TileView<T>& soon, T* target, const Parameters<T>& p)
{
    using Around = Surroundings<L, kind, T>;
    auto next = [&](int i) __attribute__((always_inline)) { return Around(soon, soon.order[std::min(i, soon.n - 1)]); };
    int i = 0;
    for (; i < here.plain; ++i)
        collideRow<L, Collision, Eq, R, kind, false>(here, here.order[i], next(i), target, p);
    for (; i < here.n; ++i)
        collideRow<L, Collision, Eq, R, kind, true>(here, here.order[i], next(i), target, p);
    for (; i < soon.n; ++i)
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { next(i).template fetch<q>(); });
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    return {&collideOwn<L, Collision, Eq, R, T>, &collideAround<L, Collision, Eq, R, Exchange::exchange, T>,
            &collideAround<L, Collision, Eq, R, Exchange::pull, T>};
}

} // namespace lbm
