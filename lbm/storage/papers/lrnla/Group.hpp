// Group: cubes of eight cells and their compact update (Zakirov, Perepelkina, Levchenko & Khilkov 2021; Levchenko &
// Perepelkina 2022, sections 2.5 and 4.2). A step decompacts, collides and compacts one group by itself; the next one does the
// same with groups that are shifted by a cell along each axis. Links are numbered as if seen from a corner of the group:
// component +1 points into it, for whichever of the eight cells. Inward components are followed right after the collision,
// outward ones after the shift, when they have become inward. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/papers/lrnla/MirroredLinks.hpp"
#include "lbm/storage/papers/lrnla/Octants.hpp"

#include <utility>

namespace lbm::lrnla {

template<class L, class R>
struct Cell {
    R f[L::Q];
};

// Bit a of a cell's number: upper of two along axis a.
template<class L, class R>
struct Group {
    Cell<L, R> cell[8];
};

// Exchange of each population with the cell across the axes that axes(q) tells.
template<class L, class R, class Axes>
void exchange(Group<L, R>& g, Axes&& axes)
{
    for (int q = 0; q < L::Q; ++q)
        for (int i = 0; i < 8; ++i)
            if (const int other = i ^ axes(q); i < other) std::swap(g.cell[i].f[q], g.cell[other].f[q]);
}
template<class L, class R>
void compact(Group<L, R>& g)
{
    exchange(g, inward<L>);
}
template<class L, class R>
void decompact(Group<L, R>& g)
{
    exchange(g, outward<L>);
}
template<class L, class R, class Collide>
void collide(Group<L, R>& g, const Collide& relax)
{
    for (Cell<L, R>& cell : g.cell) relax(cell.f);
}

// The three in one: cells are read where decompact would take them from and written where compact would put them.
// after: where the eight cells go, none of which lies in g.
template<class L, class R, class Collide>
LBM_INLINE void fusedTier(const Group<L, R>& g, const Collide& relax, Cell<L, R>* const (&after)[8])
{
    using Pair = CellPair<R>;
    const Collide own = relax; // what is stored cannot change it
    if constexpr (Pair::fits) {
#pragma GCC unroll 1
        for (int i = 0; i < 8; i += 2) {
            typename Pair::Wide f[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                const int from = i ^ outward<L>(q);
                f[q] = Pair::join(g.cell[from].f[q], g.cell[from ^ 1].f[q]);
            });
            own(f);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                const int to = i ^ inward<L>(q);
                after[to]->f[q] = Pair::first(f[q]);
                after[to ^ 1]->f[q] = Pair::second(f[q]);
            });
        }
    } else {
#pragma GCC unroll 1
        for (int i = 0; i < 8; ++i) {
            R f[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { f[q] = g.cell[i ^ outward<L>(q)].f[q]; });
            own(f);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { after[i ^ inward<L>(q)]->f[q] = f[q]; });
        }
    }
}

} // namespace lbm::lrnla
