// GhostStep: a step of tiles with ghost buffers in two dimensions. A block of threads brings its tile into shared
// memory, around it what arrives from other tiles, and nodes find their populations there without asking which it was.
// What leaves the tile is put together there, so that buffers are read and written in rows.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Launch.cuh"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <cuda_pipeline_primitives.h>

namespace lbm {

// Populations by the node that they left, the rest population aside; and those that leave the tile, by the axis that
// they cross.
template<class L, class TileT, class T>
struct GhostStage {
    static constexpr int edge = GhostTable<L, TileT>::edge, width = edge + 2;

    T sent[L::Q - 1][width * width];
    T leaving[L::Q - 1][2][edge];
    std::int32_t written[L::Q - 1][2]; // buffers, -1: none

    __device__ static int at(int x, int y) { return (y + 1) * width + x + 1; }
};

// A thread's part in moving buffers: the threads of a warp share a direction, and half of them an axis.
template<class L, class TileT>
struct GhostPart {
    using Table = GhostTable<L, TileT>;
    static constexpr int edge = Table::edge, sharing = 2 * edge;
    static_assert(L::D == 2 && (L::Q - 1) * sharing == TileT::N, "a thread a value that arrives across an axis");

    int group, axis, position;

    __device__ explicit GhostPart(int thread) :
        group(thread / sharing), axis(thread / edge % 2), position(thread % edge)
    {}

    // f(Constant<q>) for the direction of this thread, if it crosses the axis.
    template<class F>
    __device__ LBM_INLINE void forDirection(F&& f) const
    {
        unroll<L::Q - 1>([&](auto i) __attribute__((always_inline)) {
            constexpr int q = i + 1, cx = L::c[q][0], cy = L::c[q][1];
            if (group == i && (axis == 0 ? cx : cy) != 0) f(Constant<q>{});
        });
    }

    template<int q>
    static constexpr bool diagonal = L::c[q][0] != 0 && L::c[q][1] != 0;

    // What comes along a diagonal from beyond the tile's corner takes the place of the one that goes by.
    template<int q>
    __device__ bool corner() const
    {
        constexpr int cx = L::c[q][0], cy = L::c[q][1];
        return diagonal<q> && position == ((axis == 0 ? cy : cx) > 0 ? edge - 1 : 0);
    }

    // -1: none.
    __device__ int bufferRead(const std::int32_t* buffers) const
    {
        int buffer = -1;
        forDirection([&](auto q) __attribute__((always_inline)) {
            if (axis == 1 && corner<q>()) return;
            buffer = buffers[Table::readBase(q) + (corner<q>() ? 2 : diagonal<q> ? axis : 0)];
        });
        return buffer;
    }

    __device__ int bufferWritten(const std::int32_t* buffers) const
    {
        int buffer = -1;
        forDirection([&](auto q) __attribute__((always_inline)) {
            buffer = buffers[Table::writeBase(q) + (diagonal<q> ? axis : 0)];
        });
        return buffer;
    }

    // Of the stage: where the value that is read belongs.
    template<class Stage>
    __device__ int target() const
    {
        int at = 0;
        forDirection([&](auto q) __attribute__((always_inline)) {
            constexpr int beforeX = L::c[q][0] > 0 ? -1 : edge, beforeY = L::c[q][1] > 0 ? -1 : edge;
            at = axis == 1 ? Stage::at(position, beforeY) : Stage::at(beforeX, corner<q>() ? beforeY : position);
        });
        return at;
    }
};

template<class Node>
constexpr bool isStaged = [] {
    if constexpr (requires { Node::staged; }) return Node::staged;
    return false;
}();

// Threads that a multiprocessor shall hold at least: more would spill (1536 in double precision: 3 % slower).
template<class T>
constexpr int ghostThreads = sizeof(T) == 8 ? 1280 : 2048;

template<class Phase, class Node, class Collision, class Eq, class T>
__global__ void __launch_bounds__(Node::N, ghostThreads<T> / Node::N)
    stepGhosts(TilesView view, T* populations, Parameters<T> p, bool backwards)
{
    using L = typename Node::L;
    using Part = GhostPart<L, typename Node::Tile>;
    using Stage = GhostStage<L, typename Node::Tile, T>;
    using Table = typename Node::Table;
    constexpr int N = Node::N, edge = Table::edge;
    __shared__ Stage stage;
    letNextBegin();
    const std::int32_t tile = blockOf(backwards);
    const int local = threadIdx.x, x = local % edge, y = local / edge, own = Stage::at(x, y);
    T* here = populations + std::size_t(tile) * L::Q * N + local;

    // Rows that leave the tile as a whole need not be kept, unless a link may reflect.
    bool plain = false;
    if (y == 0 || y == edge - 1) plain = view.detailOf[tile] == plainTile;
    const auto kept = [&](auto q) __attribute__((always_inline))
    {
        constexpr int cy = L::c[q][1];
        return cy == 0 || !plain || y != (cy > 0 ? edge - 1 : 0);
    };

    T g[L::Q];
    std::uint32_t links = 0;
    {
        const Part part(local);
        const std::int32_t* buffers = view.ghosts + std::size_t(tile) * Table::entries;
        const int read = part.bufferRead(buffers);
        if (part.position == 0) stage.written[part.group][part.axis] = part.bufferWritten(buffers);
        const std::int32_t detail = view.detailOf[tile];
        awaitPrevious();
        unroll<L::Q - 1>([&](auto i) __attribute__((always_inline)) {
            constexpr Constant<i + 1> q;
            if (kept(q)) __pipeline_memcpy_async(&stage.sent[i][own], here + q * N, sizeof(T));
        });
        g[0] = here[0];
        if (read >= 0)
            __pipeline_memcpy_async(
                &stage.sent[part.group][part.template target<Stage>()],
                populations + view.ghostStart[Phase::Load::copy] + std::size_t(read) * edge + part.position, sizeof(T));
        __pipeline_commit();
        if (detail >= 0) links = view.links[std::size_t(detail) * N + local];
        __pipeline_wait_prior(0);
    }
    __syncthreads();

    if (!(links & solidNode)) {
        unroll<L::Q - 1>([&](auto i) __attribute__((always_inline)) {
            constexpr int q = i + 1, back = L::c[q][0] + L::c[q][1] * Stage::width;
            g[q] = links >> q & 1 ? stage.sent[opposite(q) - 1][own] : stage.sent[i][own - back];
        });
        Collision::template apply<L, Eq>(g, p);
        const int at = forgotten(threadIdx.x), x = at % edge, y = at / edge;
        T* here = populations + std::size_t(tile) * L::Q * N + at;
        here[0] = g[0];
        unroll<L::Q - 1>([&](auto i) __attribute__((always_inline)) {
            constexpr Constant<i + 1> q;
            constexpr int cx = L::c[q][0], cy = L::c[q][1];
            if (kept(q)) here[q * N] = g[q];
            if (cx != 0 && x == (cx > 0 ? edge - 1 : 0)) stage.leaving[i][0][y] = g[q];
            if (cy != 0 && y == (cy > 0 ? edge - 1 : 0)) stage.leaving[i][1][x] = g[q];
        });
    }
    __syncthreads();
    const Part part(threadIdx.x);
    if (const int buffer = stage.written[part.group][part.axis]; buffer >= 0)
        populations[view.ghostStart[Phase::Store::copy] + std::size_t(buffer) * edge + part.position] =
            stage.leaving[part.group][part.axis][part.position];
}

} // namespace lbm
