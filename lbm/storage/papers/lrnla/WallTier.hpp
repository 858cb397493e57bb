// WallTier: half-way bounce-back at resting walls in the compact update. A population that a wall turns round keeps the number
// of its link: the next group numbers its node's links the other way round along all axes. So links whose components all point
// into a group, or all out of it, are blocked by not exchanging the two cells' values. The others go by way of a third cell, where
// they may be in the way of those that pass a wall's corner: what is turned round there is kept beside the cells until the next
// step. Solid cells hold zeros, which collisions leave as they are. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Group.hpp"
#include "lbm/storage/papers/lrnla/GroupWalls.hpp"

namespace lbm::lrnla {

// Before a group is decompacted. kept: values beside the cells.
template<class L, class R>
void turnArriving(const GroupWalls<L>& walls, const WallRecord& r, Group<L, R>& g, const R* kept)
{
    using Traits = OctantTraits<R>;
    const WallLink* link = walls.links(r);
    const std::uint32_t* place = walls.values(r);
    for (const WallLink* end = link + r.arriving; link != end; ++link)
        Traits::swap(link->lanes, g.cell[link->cell].f[link->link], g.cell[link->other].f[link->link]);
    for (const WallLink* end = link + r.turned; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, kept[*place++]);
    }
    for (const WallLink* end = link + r.copied; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, Traits::acrossAll(link->cell, kept[*place++]));
    }
    for (const WallLink* end = link + r.none; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, R(0));
    }
}

// After it has been compacted: what has been written where exchange would have it.
template<class L, class R>
void turnLeaving(const GroupWalls<L>& walls, const WallRecord& r, Cell<L, R>* const (&after)[8], R* kept)
{
    const WallLink* link = walls.links(r) + r.arriving;
    const std::uint32_t* place = walls.values(r);
    for (const WallLink* end = link + r.turned; link != end; ++link)
        kept[*place++] = after[link->other]->f[opposite(link->link)];
    link += r.copied + r.none;
    for (const WallLink* end = link + r.leaving; link != end; ++link)
        OctantTraits<R>::swap(link->lanes, after[link->cell]->f[link->link], after[link->other]->f[link->link]);
}

// Decompact, collide and compact a group that meets a wall. Its cells beyond the ends, if it has any, go somewhere, too.
template<class L, class R, class Collide>
void wallTier(const GroupWalls<L>& walls, const WallRecord& r, Group<L, R>& g, const Collide& relax,
              Cell<L, R>* const (&after)[8], R* kept)
{
    if (r.solid) {
        for (Cell<L, R>* cell : after)
            for (R& f : cell->f) f = R(0);
        return;
    }
    turnArriving(walls, r, g, kept);
    fusedTier(g, relax, after);
    turnLeaving(walls, r, after, kept);
}

} // namespace lbm::lrnla
