// BoxRim: what passes over a part of a box (BoxPass.cuh) need of the parts beside it across y, and these of it: rows of nodes in tiles of
// ghosts, as many as a pass has steps at most. A block of threads whose column reads ghosts waits until the parts beside have handed over
// theirs, and hands over rows of its own when it is done (RimPassing.cuh). Such blocks come first, so that others hide the way.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/BoxStage.cuh"
#include "lbm/storage/moments/gpu/RimPassing.cuh"

namespace lbm {

// Which part of the box a block of threads has.
struct BoxBlock {
    int x, column, piece;
};

// The whole box: it has no ghosts.
struct NoBoxRim {
    static constexpr bool cut = false;
};

template<class Tiles>
struct BoxRim {
    static constexpr bool cut = true;
    RimTables<Tiles>* tables;
    // Of the parts below and above: which taker it is, -1: none so far; and its first tile of ghosts.
    std::int32_t taker[2], ghostsThere[2];
    std::int32_t ghosts; // first tile of the part's own
    int columns, blocks; // that read ghosts, and blocks of threads that have them
};

#ifdef __CUDACC__

template<class Shape, class Rim>
__device__ LBM_INLINE BoxBlock ownBlock(const BoxView& box, [[maybe_unused]] const Rim& rim)
{
    if constexpr (!Rim::cut) return {int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)};
    else {
        const int columns = (box.rows + Shape::rowsOf - 1) / Shape::rowsOf, inner = columns - rim.columns;
        const bool isRim = int(blockIdx.x) < rim.blocks;
        const int b = isRim ? blockIdx.x : blockIdx.x - rim.blocks, n = isRim ? rim.columns : inner;
        const int column = b / box.blocks % n, piece = b / box.blocks / n;
        return {b % box.blocks, !isRim ? column + 1 : column == 0 ? 0 : columns - column, piece};
    }
}

// Of some rows of a state those that lie beside other parts, into the ghosts of these.
template<class Shape, class Tiles>
__device__ void handOverRows(const BoxView& box, const BoxRim<Tiles>& rim, const typename Shape::R* state, int copy,
                             int x, int first, int count, int begin, int layers)
{
    using Places = BoxPlaces<Shape>;
    constexpr int rows = PassColumn::steps, vectors = Places::row * int(sizeof(typename Shape::R)) / int(sizeof(uint4));
    const auto at = [](auto* p, std::size_t value) {
        return reinterpret_cast<uint4*>(const_cast<Shape::R*>(p) + value);
    };
    for (int side = 0; side < 2; ++side) {
        typename Shape::R* const there =
            rim.tables->takers[rim.taker[side]].copies[copy].data + std::size_t(rim.ghostsThere[side]) * Places::tile;
        const int lowest = side == 0 ? 0 : box.rows - rows;
        for (int i = threadIdx.x; i < layers * rows * vectors; i += blockDim.x) {
            const int v = i % vectors, r = i / vectors % rows, y = lowest + r, z = begin + i / vectors / rows;
            if (y < first || y >= first + count) continue;
            // Above those of the part below, and below those of the one above
            const uint4* own = at(state, Places::layer(box, z) + Places::block(box, x, y));
            uint4* ghost =
                at(there, Places::ghostLayer(box, z) + Places::ghostBlock(box, x, side == 0 ? box.rows + r : r - rows));
            ghost[v] = own[v];
        }
    }
}

// The state between passes, for those to begin with; a block has 32 nodes and all rows of a layer. Tells two steps more, so that the copy in
// which the state lies keeps its parity.
template<class Shape, class Tiles>
__global__ void __launch_bounds__(256) handOverBox(const typename Shape::R* state, BoxView box, BoxRim<Tiles> rim)
{
    const unsigned steps = *static_cast<const volatile unsigned*>(&rim.tables->steps);
    handOverRows<Shape>(box, rim, state, steps & 1, blockIdx.x, 0, box.rows, blockIdx.y, 1);
    tellTakers(*rim.tables, gridDim.x * gridDim.y, steps + 2);
}

#endif

} // namespace lbm
