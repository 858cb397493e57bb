// Collide: the arithmetic of rows of nodes, given where their populations are. Storage patterns say where to read
// and write, these loops move and compute, and one function pointer per tile joins them, so that patterns and
// collisions are compiled once each instead of once per pair. Moving belongs to the loop: what a collision takes
// from the neighbours comes straight into its registers, and leaves from them.
//
// A row here is a cache line of nodes; the next population of the same nodes lies Runs<T>::stride values on.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/CollideMoments.hpp"
#include "lbm/storage/rows/FieldRows.hpp"
#include "lbm/storage/rows/Surroundings.hpp"

#include <algorithm>
#include <type_traits>

namespace lbm {

// Both kinds of collision work through the rows of one tile and meanwhile ask for what another will want to read, to
// the second cache: the lines of one row with each row's results. That is what keeps memory busy; asked for in a burst
// they fill the core's few miss registers and stall it. Any line left out is one that the arithmetic waits for: the
// neighbours' rows above all, of which the caches' own prefetchers know nothing. With the same results they ask for
// the lines of a row of their own tile, some rows on, to the nearest cache: else its loads would have to wait for
// those registers, which stores past the caches keep as well.
constexpr int rowsAhead = 2;

// Rows are collided where they are. columns: where the results of population q go, [Q].
template<class T>
using CollideOwn = void (*)(T* const* rows, int n, T* const* ahead, int m, const int* columns, const Parameters<T>&,
                            const FieldRows<T>&);

// What arrives from the neighbours is collided. target: the tile's first value, for results that do not go back.
template<class T>
using CollideAround = void (*)(const TileView<T>& here, const TileView<T>& ahead, T* target, const Parameters<T>&,
                               const FieldRows<T>&);

// n nodes whose populations each lie one behind the other, at [Q] places; what leaves along one goes where the opposite one came from. So
// half as many addresses are in use as with places of their own, which are more than a processor has registers for (a fifth of the time in caches).
template<class T>
using CollideRows = void (*)(T* const* places, int n, const Parameters<T>&);

template<class T>
struct CollideKernel {
    CollideOwn<T> own;
    CollideAround<T> inPlace, pull;
    MomentKernel<T> moments;
    CollideRows<T> rows = nullptr; // null: nodes are told rates
};

template<class L, class Collision, class Eq, class R, class T>
void collideOwn(T* const* rows, int n, T* const* ahead, int m, const int* columns, const Parameters<T>& p,
                [[maybe_unused]] const FieldRows<T>& fields)
{
    using Traits = PackTraits<R>;
    const NodeReader<L, Collision, R, T> reader(fields, p.force, p.forced);
    constexpr int line = lineNodes<T>, stride = Runs<T>::stride;
    for (int i = 0; i < n; ++i) {
        int k = i * m / n;
        T* const next = rows[std::min(i + rowsAhead, n - 1)];
        T* const other = k < (i + 1) * m / n ? ahead[k] : next;
        for (T* pack = rows[i]; pack < rows[i] + line; pack += Traits::width) {
            R g[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = Traits::load(pack + q * stride); });
            collideAt<L, Collision, Eq>(g, p, reader, fields.row ? fields.row[i] : i, int(pack - rows[i]));
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                if (pack == rows[i]) {
                    __builtin_prefetch(other + q * stride, 0, 2);
                    __builtin_prefetch(next + q * stride, 0, 3);
                }
                Traits::store(pack + columns[q] * stride, g[q]);
            });
        }
        while (++k < (i + 1) * m / n)
            unroll<L::Q>([&](auto q)
                             __attribute__((always_inline)) { __builtin_prefetch(ahead[k] + q * stride, 0, 2); });
    }
}

// next, ahead: the rows that are asked for meanwhile, one of the same tile and one of another.
template<class L, class Collision, class Eq, class R, Streaming kind, bool walls, class T>
LBM_INLINE void collideRow(const TileView<T>& here, int row, const Surroundings<L, kind, T>& around,
                           const Surroundings<L, kind, T>& next, const Surroundings<L, kind, T>& ahead, T* target,
                           const Parameters<T>& p, const NodeReader<L, Collision, R, T>& reader)
{
    using Traits = PackTraits<R>;
    using Around = Surroundings<L, kind, T>;
    const LaneMask<T>* arrives = here.arrives + (walls ? row * L::Q : 0);
    [[maybe_unused]] const bool readAgain = walls && here.readAgain >> row & 1;
    for (int first = 0; first < lineNodes<T>; first += Traits::width) {
        const unsigned fluid = walls ? here.fluid[row] >> first & Around::all : 0;
        auto mask = [&](int q) { return walls ? arrives[q] >> first & Around::all : 0u; };
        R g[L::Q];
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            g[q] = Traits::fromLanes(around.template arriving<q, walls>(first, fluid, mask(q)));
        });
        collideAt<L, Collision, Eq>(g, p, reader, row, first);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if (first == 0) {
                ahead.template fetch<q>();
                next.template fetchNear<q>();
            }
            if constexpr (kind == Streaming::pull) {
                T* const to = target + here.places[row].offset[13] + q * Runs<T>::stride + first;
                if (readAgain) Traits::store(to, g[q]);
                else Traits::stream(to, g[q]);
            } else around.template leave<q, walls>(first, fluid, mask(opposite(q)), Traits::toLanes(g[q]));
        });
    }
}

template<class L, class Collision, class Eq, class R, Streaming kind, class T>
void collideAround(const TileView<T>& here, const TileView<T>& ahead, T* target, const Parameters<T>& p,
                   const FieldRows<T>& fields)
{
    const NodeReader<L, Collision, R, T> reader(fields, p.force, p.forced);
    using Around = Surroundings<L, kind, T>;
    auto point = [](Around & at, const TileView<T>& view, int i) __attribute__((always_inline))
    {
        at.point(view, view.order[std::min(i, view.n - 1)]);
    };
    constexpr int ring = 4; // a power of two above rowsAhead
    Around around[ring], other;
    for (int k = 0; k < rowsAhead; ++k) point(around[k], here, k);
    int i = 0;
    auto collide = [&](auto walls) __attribute__((always_inline))
    {
        Around& next = around[(i + rowsAhead) % ring];
        point(next, here, i + rowsAhead);
        point(other, ahead, i);
        constexpr bool w = decltype(walls)::value;
        collideRow<L, Collision, Eq, R, kind, w>(here, here.order[i], around[i % ring], next, other, target, p, reader);
    };
    for (; i < here.plain; ++i) collide(std::false_type());
    for (; i < here.n; ++i) collide(std::true_type());
    for (; i < ahead.n; ++i) {
        point(other, ahead, i);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { other.template fetch<q>(); });
    }
}

template<class L, class Collision, class Eq, class R, class T>
void collideRows(T* const* places, int n, const Parameters<T>& parameters)
{
    using Traits = PackTraits<R>;
    // Copies, which no store can change
    const Parameters<T> p = parameters;
    const NodeReader<L, Collision, R, T> reader({}, p.force, p.forced); // of what holds for all nodes
    T* at[L::Q];
    std::copy_n(places, L::Q, at);
    for (int x = 0; x < n; x += Traits::width) {
        R g[L::Q];
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = Traits::load(at[q] + x); });
        collideAt<L, Collision, Eq>(g, p, reader, 0, 0);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { Traits::store(at[opposite(q)] + x, g[q]); });
    }
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideRows<T> rowsKernel()
{
    if constexpr (takesNodeTau<Collision> || takesStrain<Collision>) return nullptr;
    else return &collideRows<L, Collision, Eq, R, T>;
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    // No storage that asks for these finds strain rates (takesGradients)
    if constexpr (takesStrain<Collision>)
        return {&collideOwn<L, Collision, Eq, R, T>, nullptr, nullptr, momentKernel<L, Collision, Eq, R, T>()};
    else
        return {&collideOwn<L, Collision, Eq, R, T>, &collideAround<L, Collision, Eq, R, Streaming::inPlace, T>,
                &collideAround<L, Collision, Eq, R, Streaming::pull, T>, momentKernel<L, Collision, Eq, R, T>(),
                rowsKernel<L, Collision, Eq, R, T>()};
}

} // namespace lbm
