// What a block of threads has while it passes over a column of a box (see BoxPass): shape, shared memory, and how moments come
// into it. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Bulk.cuh"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/storage/moments/gpu/BoxArithmetic.cuh"

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

namespace lbm {

// What kernels must know of the box: blocks of 32 nodes along x, rows, layers, and layers that a block of threads slides through.
struct BoxView {
    int blocks, rows, layers, piece;
};

// steps: of the pass. Of double precision one block of threads has room on a multiprocessor, of single precision two.
template<class RT, class TileTT, int stepCount>
struct BoxShape {
    using R = RT;
    using TileT = TileTT;
    static constexpr int steps = stepCount, width = PassColumn::width, rowsOf = PassColumn::rows,
                         count = BoxMoments<R>::count;
    static constexpr int rim = steps, rows = rowsOf + 2 * rim, threads = 32 * rows;
    static constexpr int blocks = PassColumn::blocks(sizeof(R)); // on a multiprocessor
    // Where populations of the first of two steps arrive, and of the last one. Odd, so that a column lies in all banks.
    static constexpr int firstPitch = width + 3, first = firstPitch * (rowsOf + 2);
    static constexpr int lastPitch = width + 1, last = lastPitch * rowsOf;
    static constexpr int rimGroups = (rows * 2 * rim + 31) / 32, rimCopies = count * rows * 2;
    static constexpr bool aboveInShared = sizeof(R) == 4 && steps == 2; // for want of registers
    static_assert(TileT::TX == width && rows % 2 == 0 && rows <= 32 && rimCopies <= threads);
};

template<class Shape>
struct BoxStage {
    using R = typename Shape::R;
    alignas(128) R moments[Shape::rows][Shape::count][32]; // of the layer to come
    R rim[Shape::rimGroups][Shape::count][32];             // across x: by row, side and distance
    R toFirst[Shape::steps == 2 ? BoxLinks::count : 1][Shape::steps == 2 ? Shape::first : 1];
    R toLast[BoxLinks::count][Shape::last];
    R above[Shape::aboveInShared ? 5 : 1][Shape::aboveInShared ? Shape::first : 1];
    BulkBarrier arrived;
};

// Where moments lie (see MomentTiles): a layer, and a block of 32 nodes in it; the same of a part's ghosts (BoxRim), from their first tile
// on: rows below the part, down from -1, and above it.
template<class Shape>
struct BoxPlaces {
    using TileT = typename Shape::TileT;
    static constexpr int row = Shape::count * Shape::width, tile = Shape::count * TileT::N; // values

    __device__ static std::size_t layer(const BoxView& box, int z)
    {
        return std::size_t(z / TileT::TZ) * (box.rows / TileT::TY) * box.blocks * tile
            + z % TileT::TZ * (TileT::TY * row);
    }
    __device__ static std::uint32_t block(const BoxView& box, int x, int y)
    {
        return std::uint32_t(y / TileT::TY * box.blocks + x) * tile + y % TileT::TY * row;
    }

    // Rows beyond the last one of ghosts read that one; nothing that is stored depends on them.
    __device__ static std::size_t ghostLayer(const BoxView& box, int z)
    {
        return std::size_t(z / TileT::TZ) * 2 * box.blocks * tile + z % TileT::TZ * (TileT::TY * row);
    }
    __device__ static std::uint32_t ghostBlock(const BoxView& box, int x, int y)
    {
        const int local = y < 0 ? TileT::TY + y : min(y - box.rows, PassColumn::steps - 1);
        return std::uint32_t(y < 0 ? x : box.blocks + x) * tile + local * row;
    }
};

// Moments to come into shared memory: rows by bulk copies, the rim across x by copies of a node or two.
// cut: rows beyond the box are ghosts, from `ghosts` on.
template<class Shape, bool cut>
struct BoxFetch {
    using R = typename Shape::R;
    using Places = BoxPlaces<Shape>;
    BoxStage<Shape>& stage;
    const R *from, *ghosts;
    const BoxView& box;
    int x, y;
    bool copies, rimOfGhosts;
    R* rimTo;
    std::uint32_t rimFrom;

    __device__ LBM_INLINE BoxFetch(BoxStage<Shape>& stage, const R* from, const R* ghosts, const BoxView& box,
                                   int block, int column) :
        stage(stage),
        from(from),
        ghosts(ghosts),
        box(box),
        x(block),
        y(column * Shape::rowsOf),
        copies(threadIdx.x < Shape::rimCopies)
    {
        const int i = copies ? threadIdx.x : 0, row = i % Shape::rows, side = i / Shape::rows % 2,
                  k = i / Shape::rows / 2, place = (2 * row + side) * Shape::rim;
        rimTo = &stage.rim[place / 32][k][place % 32];
        const int beside = side ? (x + 1) % box.blocks : (x + box.blocks - 1) % box.blocks;
        rimOfGhosts = isGhost(row);
        rimFrom = blockOf(beside, row) + k * Shape::width + (side ? 0 : Shape::width - Shape::rim);
    }

    // Of a row of the column with its rim. (The last column may reach beyond the box.)
    __device__ LBM_INLINE bool isGhost(int row) const
    {
        const int r = y + row - Shape::rim;
        return cut && (r < 0 || r >= box.rows);
    }
    __device__ LBM_INLINE std::uint32_t blockOf(int x, int row) const
    {
        const int r = y + row - Shape::rim;
        return isGhost(row) ? Places::ghostBlock(box, x, r) : Places::block(box, x, wrapped(r, box.rows));
    }

    // Of something around which there is a rim; no less than that.
    __device__ LBM_INLINE static int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

    // z: of the box, or beyond it by a rim. Each warp asks for a row.
    __device__ LBM_INLINE void ask(int z)
    {
        const int l = wrapped(z, box.layers);
        const auto layer = [&](bool ofGhosts) __attribute__((always_inline))
        {
            return cut && ofGhosts ? ghosts + Places::ghostLayer(box, l) : from + Places::layer(box, l);
        };
        const int row = threadIdx.x / 32, lane = threadIdx.x % 32;
        const R* source = layer(isGhost(row)) + blockOf(x, row);
        if constexpr (bulkCopies) {
            constexpr std::uint32_t bytes = Places::row * sizeof(R);
            if (threadIdx.x == 0) stage.arrived.expect(bytes * Shape::rows);
            if (lane == 0) stage.arrived.copy(stage.moments[row], source, bytes);
        } else {
            constexpr int each = 16 / sizeof(R);
            for (int i = lane * each; i < Places::row; i += 32 * each)
                __pipeline_memcpy_async(stage.moments[row][0] + i, source + i, 16);
        }
        if (copies) __pipeline_memcpy_async(rimTo, layer(rimOfGhosts) + rimFrom, Shape::rim * sizeof(R));
        __pipeline_commit();
    }
};

} // namespace lbm
