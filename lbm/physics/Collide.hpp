// Collide: the arithmetic of packs of nodes, given where their populations are. Storage patterns say where to
// read and write, these loops move and compute, and one function pointer per tile joins them, so that patterns
// and collisions are compiled once each instead of once per pair. Moving belongs to the loop: what a collision
// takes from the neighbours comes straight into its registers, and leaves from them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/physics/Parameters.hpp"

#include <cstdint>
#include <type_traits>

namespace lbm {

// Nodes whose value of one population fill a cache line; their next population follows in the next line.
template<class T> constexpr int lineNodes = 64/int(sizeof(T));

template<class T>
using LaneMask = std::conditional_t<lineNodes<T> <= 8, std::uint8_t, std::uint16_t>;

// Where the packs around a pack of nodes are, by 13 + dx + 3 dy + 9 dz (x counts packs): in which tile around the
// pack's own, and how many values behind its beginning population 0 lies.
struct PackPlaces {
    std::int32_t tile[27], offset[27];
};

// Lanes of a pack that are fluid, and for each population q those whose value comes from the node at -c_q. The
// other fluid lanes reflect.
template<class T>
struct PackWalls {
    bool any;       // if not, every lane of every population arrives from the neighbours
    LaneMask<T> fluid, arrives[27];
};

// A tile for a collision: the tiles around it and its packs with a fluid node.
template<class T>
struct TileView {
    T* tile[27];
    int n = 0;
    const PackPlaces* const* pack;
    const PackWalls<T>* walls = nullptr;     // one a pack, or none at all

    T* own(int i) const { return tile[13] + pack[i]->offset[13]; }
};

// Both kinds of collision work through the packs of one tile and meanwhile ask for what another will want to read:
// a few lines between the arithmetic of each pack. That is what keeps memory busy; asked for in a burst they
// fill the core's few miss registers and stall it.

// Packs are collided where they are. columns: where the results of population q go, [Q].
template<class T>
using CollideOwn = void (*)(const TileView<T>& here, const TileView<T>& soon, const int* columns, const Parameters<T>&);

// What arrives from the neighbours is collided. target: first value of the tile, for results that do not go back.
template<class T>
using CollideAround = void (*)(const TileView<T>& here, const TileView<T>& soon, T* target, const Parameters<T>&);

template<class T>
struct CollideKernel {
    CollideOwn<T> own;
    CollideAround<T> exchange, pull;
};

template<class L, class Collision, class Eq, class R, class T>
void collideOwn(const TileView<T>& here, const TileView<T>& soon, const int* columns, const Parameters<T>& p)
{
    using Traits = PackTraits<R>;
    constexpr int line = lineNodes<T>, packNodes = PackTraits<Pack<T>>::width;
    for (int i = 0; i < here.n; ++i) {
        for (int k = i*soon.n/here.n; k < (i + 1)*soon.n/here.n; ++k)
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { __builtin_prefetch(soon.own(k) + q*line, 0, 2); });
        T* const own = here.own(i);
        for (T* pack = own; pack < own + packNodes; pack += Traits::width) {
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

// The populations around one pack.
template<class L, Exchange kind, class T>
class Surroundings {
public:
    static constexpr int line = lineNodes<T>;
    static constexpr int W = PackTraits<Pack<T>>::width;
    static constexpr unsigned all = (1u << W) - 1;
    using C = Lanes<T, W>;
    using V = typename C::V;

    LBM_INLINE Surroundings(const TileView<T>& view, int i)
    {
        const PackPlaces& place = *view.pack[i];
        unroll<27>([&](auto n) __attribute__((always_inline)) {
            if constexpr (touched(n % 3 - 1, n/3 % 3 - 1, n/9 - 1)) at_[n] = view.tile[place.tile[n]] + place.offset[n];
        });
    }

    static LBM_INLINE void fetch(const TileView<T>& view, int i)
    {
        const Surroundings s(view, i);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { __builtin_prefetch(s.template row<q>(), 0, 2); });
    }

    template<int q, bool walls>
    LBM_INLINE V arriving(const PackWalls<T>* w) const
    {
        constexpr int cx = L::c[q][0];
        V v = C::load(row<q>());
        if constexpr (cx == 1) v = C::up(C::load(side<q>()), v);
        if constexpr (cx == -1) v = C::down(v, C::load(side<q>()));
        if constexpr (walls && q != 0) v = C::over(C::zero(w->fluid, mirror<q>()), w->arrives[q], v);
        return v;
    }

    // The way back of arriving<opposite(q)>, lane by lane.
    template<int q, bool walls>
    LBM_INLINE void leave(const PackWalls<T>* w, V v) const
    {
        constexpr int back = opposite(q), cx = L::c[q][0];
        unsigned out = all;
        if constexpr (walls) out = q == 0 ? w->fluid : w->arrives[back];
        if constexpr (walls && q != 0) C::store(mirror<back>(), w->fluid & ~out, v);
        if constexpr (cx == 0) {
            if constexpr (walls) C::store(row<back>(), out, v);
            else C::store(row<back>(), v);
        } else {
            v = cx == 1 ? C::up(v, v) : C::down(v, v);
            C::store(row<back>(), (cx == 1 ? out << 1 : out >> 1) & all, v);
            C::store(side<back>(), cx == 1 ? out >> (W - 1) : (out & 1) << (W - 1), v);
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
    template<int q> LBM_INLINE T* side() const { return at_[13 - L::c[q][0] - 3*L::c[q][1] - 9*L::c[q][2]] + slot(q)*line; }
    template<int q> LBM_INLINE T* mirror() const { return at_[13] + slot(opposite(q))*line; }   // what is reflected

    T* at_[27];
};

template<class L, class Collision, class Eq, class R, Exchange kind, bool walls, class T>
LBM_INLINE void collidePack(const TileView<T>& here, int i, T* target, const Parameters<T>& p)
{
    using Traits = PackTraits<R>;
    const Surroundings<L, kind, T> around(here, i);
    const PackWalls<T>* w = walls ? here.walls + i : nullptr;
    R g[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        g[q] = Traits::fromLanes(around.template arriving<q, walls>(w));
    });
    Collision::template apply<L, Eq>(g, p);
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (kind == Exchange::pull) Traits::stream(target + here.pack[i]->offset[13] + q*lineNodes<T>, g[q]);
        else around.template leave<q, walls>(w, Traits::toLanes(g[q]));
    });
}

template<class L, class Collision, class Eq, class R, Exchange kind, class T>
void collideAround(const TileView<T>& here, const TileView<T>& soon, T* target, const Parameters<T>& p)
{
    for (int i = 0; i < here.n; ++i) {
        for (int k = i*soon.n/here.n; k < (i + 1)*soon.n/here.n; ++k) Surroundings<L, kind, T>::fetch(soon, k);
        if (here.walls && here.walls[i].any) collidePack<L, Collision, Eq, R, kind, true>(here, i, target, p);
        else collidePack<L, Collision, Eq, R, kind, false>(here, i, target, p);
    }
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    return {&collideOwn<L, Collision, Eq, R, T>, &collideAround<L, Collision, Eq, R, Exchange::exchange, T>,
            &collideAround<L, Collision, Eq, R, Exchange::pull, T>};
}

} // namespace lbm
