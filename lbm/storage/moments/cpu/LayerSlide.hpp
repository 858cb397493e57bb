// LayerSlide: what SlideMoments is told of a layer of a tile.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

namespace lbm {

// A layer that sends, and the one before it, which has all it takes then. Where there is none its moments are null.
template<class T>
struct LayerSlide {
    int first, n;   // number of the sending layer's first row in its tile; how many
    bool last;      // of the tile's layers
    const T* from;  // moments of the first row of the layer that sends
    T* to;          // of the layer before it
    const T* ahead; // of rows that are fetched with these

    // Lanes that come in across x, and those that leave upwards.
    const T *left, *right;
    T* sent;

    // Rows of faces that come in across y, of this layer. Null: nothing does. What the last row sends across y, and this layer
    // to the tile above, if somebody wants it.
    const T *before, *behind;
    T *across, *above;

    // Rows of faces that come in across the last axis: the first one, the one before it and the one behind the last.
    const T *face, *faceBefore, *faceBehind;

    // Planes that wait, [row][value][node]: what rises from this layer takes the place of what rose to the one before it.
    T *rising, *level;

    // Moments of what resting walls send back to rows of this layer and of the one before it, [row][moment][node].
    T *reflected, *reflectedBefore;

    // Of the tile's rows and, arrives, links; null: all of them arrive wherever this layer sends to.
    const LaneMask<T>*fluid, *sending, *arrives;

    const std::uint32_t *active, *walled; // rows of each of the tile's layers, a bit each
    const T* const* others;               // [fetched]: other rows that are fetched meanwhile
    int fetched;
};

} // namespace lbm
