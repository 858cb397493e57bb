// CollideMoments: the arithmetic of a storage that keeps moments (see MomentSet) in place of populations, for collisions
// that are functions of them. As in Collide.hpp a row is a cache line of nodes; moments lie as populations do, the next
// one of the same nodes in the next line.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentSet.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/physics/Regularized.hpp"
#include "lbm/physics/Surroundings.hpp"

#include <array>

namespace lbm {

// A face of a tile: 0 to 5 for -x, +x, -y, +y, -z, +z.
constexpr int faces = 6;

template<class L>
constexpr bool leaves(int q, int face) { return L::c[q][face/2] == (face % 2 ? 1 : -1); }

// Number of q among the populations that leave through a face; of L::Q: how many those are.
template<class L>
constexpr int numberInFace(int q, int face)
{
    int n = 0;
    for (int i = 0; i < q; ++i) n += leaves<L>(i, face);
    return n;
}

// Rows of a tile, n of them: its first moment, their numbers, and where row r is to go, behind the target.
template<class T>
struct MomentRows {
    const T* tile;
    const std::uint8_t* row;
    int n;
    const std::int32_t* places;
};

template<class T>
struct MomentKernel {
    // Moments become populations, all of them, or those that leave through a face.
    void (*all)(const MomentRows<T>&, T* target, const T* const* soon) = nullptr;
    std::array<void (*)(const MomentRows<T>&, T* target), faces> leaving{};

    // What arrives at a tile is summed to moments and collided. soon: [rows], moments that are fetched meanwhile, as many
    // with each row as memory brings in that time; asked for in a burst they would stall the core. Null where a
    // collision takes more than moments.
    void (*collect)(const TileView<T>& here, T* moments, const T* const* soon, const Parameters<T>&) = nullptr;

    // Of one node.
    void (*node)(const double* moments, double* populations) = nullptr;
    void (*relax)(T* moments, const Parameters<T>&) = nullptr;
};

// face -1: all.
template<class L, class Collision, class Eq, class R, int face, class T>
LBM_INLINE void expandRows(const MomentRows<T>& rows, T* target, const T* const* soon)
{
    using Traits = PackTraits<R>;
    using M = MomentSet<L, R>;
    constexpr int line = lineNodes<T>, row = M::count*line;
    const auto keep = [&](auto q, T* at, const R& value) __attribute__((always_inline)) {
        if constexpr (face < 0) Traits::store(at + q*line, value);
        else if constexpr (leaves<L>(q, face)) Traits::store(at + numberInFace<L>(q, face)*line, value);
    };
    for (int i = 0; i < rows.n; ++i) {
        const T* from = rows.tile + rows.row[i]*row;
        T* to = target + rows.places[rows.row[i]];
        for (int first = 0; first < line; first += Traits::width) {
            M m;
            unroll<M::count>([&](auto k) __attribute__((always_inline)) {
                if constexpr (face < 0 && k < M::count/2) __builtin_prefetch(soon[rows.row[i]] + k*line, 0, 2);
                m.value[k] = Traits::load(from + k*line + first);
            });
            Collision::template populations<Eq>(m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                keep(q, to + first, R(even + odd));
                if constexpr (q != 0) keep(Constant<q + 1>{}, to + first, R(even - odd));
            });
        }
    }
}

template<class L, class Collision, class Eq, class R, class T>
void expandMoments(const MomentRows<T>& rows, T* target, const T* const* soon)
{
    expandRows<L, Collision, Eq, R, -1>(rows, target, soon);
}

template<class L, class Collision, class Eq, class R, int face, class T>
void expandFace(const MomentRows<T>& rows, T* target)
{
    expandRows<L, Collision, Eq, R, face>(rows, target, static_cast<const T* const*>(nullptr));
}

// here: windows of populations, as for Exchange::pull.
template<class L, class Collision, class Eq, class R, class T>
void collectMoments(const TileView<T>& here, T* moments, const T* const* soon, const Parameters<T>& p)
{
    using Traits = PackTraits<R>;
    using Around = Surroundings<L, Exchange::pull, T>;
    constexpr int line = lineNodes<T>, count = MomentSet<L, R>::count;
    const MomentRates<T> rates(p);
    const auto collect = [&](int i, auto withWalls) __attribute__((always_inline)) {
        constexpr bool walls = decltype(withWalls)::value;
        const int row = here.order[i];
        const LaneMask<T>* arrives = here.arrives + (walls ? row*L::Q : 0);
        Around around;
        around.look(here, row);
        for (int first = 0; first < line; first += Traits::width) {
            const unsigned fluid = walls ? here.fluid[row] >> first & Around::all : 0;
            R g[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                const unsigned mask = walls ? arrives[q] >> first & Around::all : 0u;
                g[q] = Traits::fromLanes(around.template arriving<q, walls>(first, fluid, mask));
            });
            auto m = momentsOf<L>(g);
            Collision::template relax<Eq>(m, rates);
            T* to = moments + row*count*line + first;
            unroll<count>([&](auto k) __attribute__((always_inline)) {
                if (first == 0 && k >= count/2) __builtin_prefetch(soon[row] + k*line, 0, 2);
                Traits::store(to + k*line, m.value[k]);
            });
        }
    };
    int i = 0;
    for (; i < here.plain; ++i) collect(i, std::false_type());
    for (; i < here.n; ++i) collect(i, std::true_type());
}

template<class L, class Collision, class Eq>
void expandNode(const double* moments, double* g)
{
    MomentSet<L, double> m;
    for (int k = 0; k < m.count; ++k) m.value[k] = moments[k];
    Collision::template populations<Eq>(m, [&](auto q, double even, double odd) {
        g[q] = even + odd;
        if constexpr (q != 0) g[q + 1] = even - odd;
    });
}

template<class L, class Collision, class Eq, class T>
void relaxNode(T* moments, const Parameters<T>& p)
{
    MomentSet<L, T> m;
    for (int k = 0; k < m.count; ++k) m.value[k] = moments[k];
    Collision::template relax<Eq>(m, MomentRates<T>(p));
    for (int k = 0; k < m.count; ++k) moments[k] = m.value[k];
}

template<class L, class Collision, class Eq, class R, class T>
constexpr MomentKernel<T> momentKernel()
{
    MomentKernel<T> kernel;
    if constexpr (requires(MomentSet<L, R> m, const MomentRates<T>& rates) { Collision::template relax<Eq>(m, rates); }) {
        kernel.all = &expandMoments<L, Collision, Eq, R, T>;
        kernel.leaving = {&expandFace<L, Collision, Eq, R, 0, T>, &expandFace<L, Collision, Eq, R, 1, T>,
                          &expandFace<L, Collision, Eq, R, 2, T>, &expandFace<L, Collision, Eq, R, 3, T>,
                          &expandFace<L, Collision, Eq, R, 4, T>, &expandFace<L, Collision, Eq, R, 5, T>};
        kernel.collect = &collectMoments<L, Collision, Eq, R, T>;
        kernel.node = &expandNode<L, Collision, Eq>;
        kernel.relax = &relaxNode<L, Collision, Eq, T>;
    }
    return kernel;
}

} // namespace lbm
