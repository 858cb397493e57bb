// Phase: where a node finds the populations that arrive at it, and where it leaves those that go, in one step
// of a pattern that keeps nodes in place. An access means either the node's own memory or that of the
// neighbour across the link, and either the slot of the population itself or that of the opposite one.
// A pattern is a phase for the even and one for the odd step, and its number of copies.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"

namespace lbm {

template<bool atNeighbour, bool inOpposite>
struct Access {
    static constexpr bool neighbour = atNeighbour;
    LBM_HD static constexpr int slot(int q) { return inOpposite ? opposite(q) : q; }
};

// Populations are loaded from the neighbour that they left (at -c_q), stored at the one that they go to (at c_q).
template<class LoadAccess, class StoreAccess>
struct Phase {
    using Load = LoadAccess;
    using Store = StoreAccess;
};

// Where the populations of nodes lie and how nodes are numbered.
enum class Layout {
    tiles,       // all nodes of the tiles that hold a fluid one
    packedTiles, // the same without solid nodes
    ghostTiles,  // tiles, and buffers for what passes from one to another
    box,         // all nodes of the box; runs of them take the part of tiles
    wordBox,     // the same, with a word a node that says which links are open, instead of a type
    fluidNodes,  // the fluid nodes, one after another; runs of them
    fluidIndex   // the same, found by a map of the box; runs of the box's nodes
};

// Two lattices, the plain pattern that the others are held against; on a GPU it pulls, as t2c does.
struct AbPhases {
    static constexpr const char* name = "ab";
    static constexpr Layout layout = Layout::tiles;
    static constexpr int copies = 2;
    using Even = Phase<Access<true, false>, Access<false, false>>;
    using Odd = Even;
};

// Two lattices, pull: section 3 of Tomczak & Szafran 2019.
struct T2cPhases {
    static constexpr const char* name = "t2c";
    static constexpr Layout layout = Layout::tiles;
    static constexpr int copies = 2;
    using Even = Phase<Access<true, false>, Access<false, false>>;
    using Odd = Even;
};

// One lattice. Bailey, Myre, Walsh, Lilja & Saar 2009.
struct AaPhases {
    static constexpr const char* name = "aa";
    static constexpr Layout layout = Layout::tiles;
    static constexpr int copies = 1;
    using Even = Phase<Access<false, false>, Access<false, true>>;
    using Odd = Phase<Access<true, true>, Access<true, false>>;
};

} // namespace lbm
