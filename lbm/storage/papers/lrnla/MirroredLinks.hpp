// MirroredLinks: how the compact update numbers links, as if seen from a corner of a group of eight cells: component +1 points into
// the group, for whichever of them (Levchenko & Perepelkina 2022, section 4.2). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"

namespace lbm::lrnla {

// Axes along which a link's component has that sign, one bit an axis.
template<class L, int sign>
constexpr int axesOf(int q)
{
    int axes = 0;
    for (int a = 0; a < 3; ++a)
        if (L::c[q][a] == sign) axes |= 1 << a;
    return axes;
}
template<class L>
constexpr int inward(int q)
{
    return axesOf<L, 1>(q);
}
template<class L>
constexpr int outward(int q)
{
    return axesOf<L, -1>(q);
}

// The number that link q has where the axes of `mirrored` point the other way.
template<class L>
constexpr int mirroredLink(int q, int mirrored)
{
    for (int p = 0; p < L::Q; ++p) {
        bool same = true;
        for (int a = 0; a < 3; ++a) same = same && L::c[p][a] == (mirrored >> a & 1 ? -L::c[q][a] : L::c[q][a]);
        if (same) return p;
    }
    return -1;
}

// Where a population that has been streamed, but not yet decompacted, is kept: in cell `cell` of the group as population `link`.
struct Kept {
    int cell, link;
};

// q: link of the box; i: the node's cell in its group; octant: axes that point the other way in its part of a folded box.
template<class L>
constexpr Kept keptAs(int q, int i, int octant)
{
    const int link = mirroredLink<L>(q, i ^ octant);
    return {i ^ outward<L>(link), link};
}

} // namespace lbm::lrnla
