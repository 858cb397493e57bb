// MomentLayers: how populations lie while a sweep turns moments into populations and back (storage/MomentWindow). It slides
// along the last axis of the lattice, layer by layer; a row is a cache line of nodes along x, and populations are shifted
// along x on their way out of registers, so that only whole rows are to be moved after that. Those of a layer lie in three
// stacks, by where they go: to the layer below, within the layer, to the layer above. [row][population of the stack][node]
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/physics/ThirdMoments.hpp"
#include "lbm/storage/rows/Runs.hpp"

namespace lbm {

// Distance of a node's moments: each is a run of memory of its own.
template<class T>
constexpr int momentStep = Runs<T>::stride;

// A face of a tile: 0 to 5 for -x, +x, -y, +y, -z, +z.
constexpr int faces = 6;

template<class L>
constexpr bool leaves(int q, int face)
{
    return L::c[q][face / 2] == (face % 2 ? 1 : -1);
}

// Number of q among the populations that leave through a face; of L::Q: how many those are.
template<class L>
constexpr int numberInFace(int q, int face)
{
    int n = 0;
    for (int i = 0; i < q; ++i) n += leaves<L>(i, face);
    return n;
}

constexpr int stacks = 3;

template<class L>
constexpr int stackOf(int q)
{
    return L::c[q][L::D - 1] + 1;
}

// As numberInFace.
template<class L>
constexpr int numberInStack(int q, int stack)
{
    int n = 0;
    for (int i = 0; i < q; ++i) n += stackOf<L>(i) == stack;
    return n;
}

// Rows that q moves within its layer.
template<class L>
constexpr int rowStep(int q)
{
    return L::D == 3 ? L::c[q][1] : 0;
}

// Single nodes that populations cross into from the row beside, of many rows: where the i-th population that leaves through
// the face lies that row `row` sends.
template<class L, class T, int face>
constexpr int laneAt(int row, int i)
{
    constexpr int line = lineNodes<T>;
    return (row / line * numberInFace<L>(L::Q, face) + i) * line + row % line;
}

// Rows of a layer that become populations.
template<class T>
struct LayerSource {
    const T* moments;           // of the first row
    const LaneMask<T>* sending; // [n]: rows with none set are left out
    int first, n;               // number of the first row in its tile; how many
    const T *left, *right;      // lanes that come in across x
    T* sent;                    // lanes that leave upwards along x
    T* stack[stacks];           // the first row's
    const T* ahead;             // as moments: of rows that are fetched with these
    const T* const* others;     // [fetched]: other rows that are fetched meanwhile
    int fetched;
    T* own;                   // what rows of the layer send, not shifted: [row of the layer][Q][node]
    unsigned keeps;           // of which rows, a bit each
    FourthFactors<T> factors; // of the collision that left the moments, if they are of third order
};

// How velocities around a layer lie (VelocityWindow): [row][component][node], and of the nodes beside rows [row][component]. Nothing
// lies between, for all is to stay in the first cache.
template<class L, class R, class T>
struct VelocityRows {
    using Traits = PackTraits<R>;
    using C = Lanes<T, Traits::width>;
    static constexpr int line = lineNodes<T>, pitch = line, row = L::D * pitch;

    // Of the nodes before those from `first` on in a row, of which the first one lies elsewhere, and of those behind.
    static LBM_INLINE R before(const T* row, int first, const R& own, const T* beside)
    {
        if (Traits::width < line && first > 0) return Traits::load(row + first - 1);
        const auto v = Traits::toLanes(own);
        return Traits::fromLanes(C::put(C::up(v, v), 1u, beside));
    }
    static LBM_INLINE R behind(const T* row, int first, const R& own, const T* beside)
    {
        if (Traits::width < line && first + Traits::width < line) return Traits::load(row + first + 1);
        const auto v = Traits::toLanes(own);
        return Traits::fromLanes(C::put(C::down(v, v), 1u << (Traits::width - 1), beside));
    }
};

// Rows of a layer that gather what arrives.
template<class T>
struct LayerTarget {
    const T* stack[stacks];  // of the layer above, of this one, of the one below; the first row's
    T* moments;              // of the first row
    int first;               // number of the first row in its tile
    const std::uint8_t* row; // [n]: numbers of the rows to work on
    int n;
    const LaneMask<T>*fluid, *arrives; // of the tile's rows, see TileView
    const T* own; // as LayerSource's; what comes over links to no other node lies where the opposite population was
    FourthFactors<T> factors; // as LayerSource's
    const T* velocity[3] =
        {}; // before the step, of the layer below, of this one, of the one above; the first row's, if they are found
    const T* beside[2] = {}; // the same of the nodes before this layer's rows and behind them
};

// Rows of a tile's face, with the tile beside it and what comes from the other side.
template<class T>
struct FaceSource {
    const T *tile, *left;    // moments
    const T* right;          // lanes
    const std::int32_t* row; // [n, filled up to whole lines with any of them]: where their moments lie
    int n;
    FourthFactors<T> factors; // as LayerSource's
};

// How populations leave registers for a row.
template<class L, class R, class T>
struct ShiftedRow {
    using Traits = PackTraits<R>;
    using C = Lanes<T, Traits::width>;
    static constexpr int line = lineNodes<T>;
    static constexpr bool whole = Traits::width == line; // a register holds a row

    // in: the value that comes from the row beside. out: where the one that leaves upwards goes, if it is sent on.
    template<int q, bool sends>
    static LBM_INLINE void store(T* row, int first, const R& value, [[maybe_unused]] const T* in,
                                 [[maybe_unused]] T* out)
    {
        constexpr int cx = L::c[q][0];
        if constexpr (cx == 0 || !whole) {
            Traits::store(row + first, value);
        } else {
            const auto v = Traits::toLanes(value);
            const auto turned = cx == 1 ? C::up(v, v) : C::down(v, v);
            if constexpr (cx == 1 && sends) C::storeFirst(out, turned);
            C::store(row, C::put(turned, cx == 1 ? 1u : 1u << (line - 1), in));
        }
    }

    // Where registers are narrower rows are shifted when they are complete.
    template<int q, bool sends>
    static LBM_INLINE void finish([[maybe_unused]] T* row, [[maybe_unused]] const T* in, [[maybe_unused]] T* out)
    {
        constexpr int cx = L::c[q][0];
        if constexpr (whole || cx == 0) return;
        if constexpr (cx == 1 && sends) *out = row[line - 1];
        if constexpr (cx == 1) {
            for (int x = line - 1; x > 0; --x) row[x] = row[x - 1];
            row[0] = *in;
        } else {
            for (int x = 0; x < line - 1; ++x) row[x] = row[x + 1];
            row[line - 1] = *in;
        }
    }
};

} // namespace lbm
