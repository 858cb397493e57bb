// The step of the moment representation on a GPU. A block of threads slides along a run of tiles, layer by layer: each
// thread reads the moments of its node, turns them into populations and puts those that move within the layer into
// shared memory; populations that arrive are summed to moments at once, and two layers of unfinished sums stay in
// registers. Threads beyond the tile bring the populations of its rim. DRAM sees every moment once each way.
// (Section 5 of Gounley et al. 2022 streams in two dimensions and keeps populations in shared memory.)
//
// Walls: the word of a node (TilesView::links) says over which links its own populations come back. What else happens
// at walls is a correction of the node's sums, made before the step (MomentExchange).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Parameters.hpp"
#include "lbm/physics/Regularized.hpp"
#include "lbm/storage/MomentExchange.hpp"
#include "lbm/storage/NodeKernels.cuh"

namespace lbm {

// Extents of a layer and the threads that work on it. The axis along which blocks slide is the last.
template<class LatticeT, class TileT>
struct Layer {
    using L = LatticeT;
    static constexpr int X = TileT::TX, Y = L::D == 3 ? TileT::TY : 1, depth = L::D == 3 ? TileT::TZ : TileT::TY;
    static constexpr int rimY = L::D == 3 ? 1 : 0;
    static constexpr int nodes = X*Y, width = X + 2;
    static constexpr int size = width*(Y + 2*rimY) + 1;         // the last one is nobody's
    static constexpr int threads = (nodes + 2*rimY*X + 2*(Y + 2*rimY) + 31)/32*32;
    static constexpr int slideStride = L::D == 3 ? 9 : 3;       // among the 27 tiles
    static constexpr int columns = L::D == 3 ? 9 : 3;
    static_assert((depth & (depth - 1)) == 0);

    static constexpr int along(int q) { return L::c[q][L::D - 1]; }
    static constexpr int cx(int q) { return L::c[q][0]; }
    static constexpr int cy(int q) { return L::D == 3 ? L::c[q][1] : 0; }
    static constexpr bool moves(int q) { return cx(q) != 0 || cy(q) != 0; }

    // Number among those that move within the layer.
    static constexpr int slot(int q)
    {
        int s = 0;
        for (int p = 0; p < q; ++p) s += moves(p);
        return s;
    }
    static constexpr int slots = slot(L::Q);
};

// Sums over the populations that move alike along the sliding axis. xy counts only where the lattice has such links.
template<class R>
struct SlabSums {
    R n, x, y, xx, yy, xy;
};

template<class Layer, int direction>
constexpr bool hasDiagonals = [] {
    for (int q = 0; q < Layer::L::Q; ++q)
        if (Layer::along(q) == direction && Layer::cx(q)*Layer::cy(q) != 0) return true;
    return false;
}();

// visit(number, member) of the sums that links along the sliding axis have.
template<class Layer, class R, class Visit>
__device__ LBM_INLINE void eachSumOf(Visit&& visit)
{
    using Sums = SlabSums<R>;
    visit(0, &Sums::n);
    visit(1, &Sums::x);
    visit(2, &Sums::xx);
    if constexpr (Layer::L::D == 3) {
        visit(3, &Sums::y);
        visit(4, &Sums::yy);
    }
    if constexpr (hasDiagonals<Layer, 1>) visit(5, &Sums::xy);
}

// value(Constant<q>) of all q with along(q) == direction.
template<class Layer, int direction, class R, class Value>
__device__ LBM_INLINE SlabSums<R> sumSlab(Value&& value)
{
    using L = typename Layer::L;
    SlabSums<R> s{};
    bool first[6] = {true, true, true, true, true, true};
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (Layer::along(q) == direction) {
            constexpr int cx = Layer::cx(q), cy = Layer::cy(q);
            if constexpr (!Layer::moves(q)) accumulate<1>(s.n, first[0], R(value(q)));
            // The first of two links that are opposite within the layer stands for both.
            if constexpr (cx > 0 || (cx == 0 && cy > 0)) {
                constexpr int p = [] {
                    for (int i = 0; i < L::Q; ++i)
                        if (Layer::along(i) == direction && Layer::cx(i) == -cx && Layer::cy(i) == -cy) return i;
                    return -1;
                }();
                const R one = value(q), other = value(Constant<p>{});
                const R even = one + other, odd = one - other;
                accumulate<1>(s.n, first[0], even);
                accumulate<cx>(s.x, first[1], odd);
                accumulate<cy>(s.y, first[2], odd);
                accumulate<cx*cx>(s.xx, first[3], even);
                accumulate<cy*cy>(s.yy, first[4], even);
                accumulate<cx*cy>(s.xy, first[5], even);
            }
        }
    });
    return s;
}

// To the sums of a node; second moments are raw there, that is of c_a c_b, until `finish`. set: they are the first.
template<class Layer, int direction, bool set, class L, class R>
__device__ LBM_INLINE void addSlab(MomentSet<L, R>& m, const SlabSums<R>& s)
{
    using M = MomentSet<L, R>;
    constexpr int Z = L::D - 1;
    bool first = set;
    const auto add = [&](int place, const R& value) __attribute__((always_inline)) {
        m.value[place] = first ? value : R(m.value[place] + value);
    };
    add(0, s.n);
    add(1, s.x);
    add(M::pi(0, 0), s.xx);
    if constexpr (L::D == 3) {
        add(2, s.y);
        add(M::pi(1, 1), s.yy);
        if constexpr (set || hasDiagonals<Layer, direction>) add(M::pi(0, 1), s.xy);
    }
    if constexpr (direction != 0) {
        add(1 + Z, direction < 0 ? -s.n : s.n);
        add(M::pi(Z, Z), s.n);
        add(M::pi(0, Z), direction < 0 ? -s.x : s.x);
        if constexpr (L::D == 3) add(M::pi(1, Z), direction < 0 ? -s.y : s.y);
    }
}

template<class L, class R>
__device__ LBM_INLINE void finish(MomentSet<L, R>& m)
{
    using M = MomentSet<L, R>;
    const R third = constant<R>(1.0/3)*m.value[0];
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= third; });
}

constexpr int longestRun = 32;      // tiles

// blocks: that a multiprocessor shall hold at least, which bounds a thread's registers. buffers: of shared memory; with
// two, threads wait for each other once a layer instead of twice. The moments of the next layer come ahead into
// registers, or into the second cache, or not.
enum class Ahead { none, cache, registers };

template<int blockCount, int bufferCount, Ahead aheadOf>
struct MomentTuning {
    static constexpr int blocks = blockCount, buffers = bufferCount;
    static constexpr Ahead ahead = aheadOf;
};

// Measured; see lbm/bench/results/moments.md.
template<class L, class R, class S, class TileT>
using TunedMoments = std::conditional_t<
    L::D == 2, MomentTuning<2, 2, Ahead::cache>,
    std::conditional_t<sizeof(R) == 8, MomentTuning<TileT::TX < 32 ? 4 : 2, 1, Ahead::none>,
                       MomentTuning<3, L::Q == 27 ? 1 : 2, sizeof(S) == 2 ? Ahead::registers : Ahead::none>>>;

// Shared memory of a block.
template<class Layer, class R, class Faces, int buffers>
struct MomentStage {
    static constexpr int edgeMoments = Faces::kept ? MomentSet<typename Layer::L, R>::count : 1;

    R moving[buffers][Layer::slots][Layer::size];   // populations that move within the layer ...
    R staying[3][Layer::nodes];                     // ... and those that stay in the column, by 1 + along
    R edge[2][edgeMoments][2*Layer::Y];      // new moments of the nodes on faces
    R above[6][Layer::nodes];       // SlabSums that wait for the layer above: they take no registers
    std::int32_t tile[(longestRun + 2)*Layer::columns];     // the run's tiles and those around, layer by layer
    std::int32_t detail[longestRun], table[longestRun];     // of the run's own: rows of words and of special nodes
};

template<class L, class Collision, class Eq, class R, class S, class TileT, class Tuning>
__global__ void __launch_bounds__(Layer<L, TileT>::threads, Tuning::blocks)
momentStep(TilesView view, RunsView runs, SpecialView<L, R> special, MomentTiles<L, R, S, TileT> from,
           MomentTiles<L, R, S, TileT> to, MomentRates<R> p, std::uint32_t seed)
{
    using Plane = Layer<L, TileT>;
    using M = MomentSet<L, R>;
    using Code = MomentCode<L, R, S>;
    using Raw = typename Code::Raw;
    using Faces = MomentFaces<L, S, TileT>;
    constexpr int depth = Plane::depth, N = TileT::N, width = Plane::width;
    extern __shared__ char memory[];
    auto& stage = *reinterpret_cast<MomentStage<Plane, R, MomentFaces<L, S, TileT>, Tuning::buffers>*>(memory);

    const int t = threadIdx.x, run = blockIdx.x;
    const std::int32_t* own = runs.tiles + runs.first[run];
    const int length = runs.first[run + 1] - runs.first[run];
    for (int i = t; i < (length + 2)*Plane::columns; i += Plane::threads) {
        const int k = i/Plane::columns - 1, column = i % Plane::columns;
        const int step = k < 0 ? -1 : k == length ? 1 : 0;
        const std::int32_t tile = own[k < 0 ? 0 : k == length ? length - 1 : k];
        const int around = 13 - Plane::columns/2 + column + step*Plane::slideStride;
        stage.tile[i] = view.neighbours[std::size_t(tile)*27 + around];
    }
    for (int i = t; i < length; i += Plane::threads) {
        stage.detail[i] = view.detailOf[own[i]];
        stage.table[i] = special.tableOf[own[i]];
    }
    __syncthreads();

    // Where the thread's node lies in the layer; the rim has coordinates -1, X and Y.
    int x, y = 0;
    bool idle = false;
    if (t < Plane::nodes) {
        x = t % Plane::X;
        y = t/Plane::X;
    } else if (t < Plane::nodes + 2*Plane::rimY*Plane::X) {
        x = (t - Plane::nodes) % Plane::X;
        y = t - Plane::nodes < Plane::X ? -1 : Plane::Y;
    } else {
        constexpr int side = Plane::Y + 2*Plane::rimY;
        const int i = t - Plane::nodes - 2*Plane::rimY*Plane::X;
        idle = i >= 2*side;
        x = i < side ? -1 : Plane::X;
        y = i % side - Plane::rimY;
    }
    const bool inside = t < Plane::nodes;
    const bool beside = Faces::kept && t >= Plane::nodes + 2*Plane::rimY*Plane::X;      // reads and writes faces
    const int dx = x < 0 ? -1 : x >= Plane::X, dy = y < 0 ? -1 : y >= Plane::Y;
    const int column = 1 + dx + (L::D == 3 ? 3*(1 + dy) : 0);
    const int local = x - dx*Plane::X + Plane::X*(y - dy*Plane::Y);
    const int at = idle ? Plane::size - 1 : x + 1 + width*(y + Plane::rimY);
    const int layers = length*depth;

    // Layers of the run count from -1 to `layers`.
    const S* source = nullptr;
    const R* face = nullptr;
    bool present = false;
    auto goTo = [&](int l) __attribute__((always_inline)) {
        if (l == -1 || (l & (depth - 1)) == 0) {
            const std::int32_t tile = idle || l > layers ? view.tiles : stage.tile[(l + depth)/depth*Plane::columns + column];
            const int layer = (l + depth) & (depth - 1);
            present = tile != view.tiles;
            source = from.at(tile, layer*Plane::nodes + local);
            if (beside) face = from.faces + Faces::at(tile, layer, dx < 0, y - dy*Plane::Y);
        } else {
            source += Plane::nodes;
            face += 2*Faces::count*Faces::rows;
        }
    };
    // Of a layer that is done, by the threads beside it.
    auto writeFaces = [&](int l) __attribute__((always_inline)) {
        if constexpr (!Faces::kept) return;
        if (!beside || idle || dy != 0 || l < 0) return;
        const int side = dx > 0;
        M m;
        unroll<M::count>([&](auto k) __attribute__((always_inline)) { m.value[k] = stage.edge[l & 1][k][side*Plane::Y + y]; });
        R g[L::Q];
        populationsOf<Collision, Eq>(m, g);
        R* target = to.faces + Faces::at(stage.tile[(l/depth + 1)*Plane::columns + Plane::columns/2], l & (depth - 1), side, y);
        Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
            target[k*Faces::rows] = side ? g[up] : g[down];
        });
    };
    auto wordOf = [&](int l) __attribute__((always_inline)) -> std::uint32_t {
        if (!inside || l < 0 || l >= layers) return 0;
        const std::int32_t detail = stage.detail[l/depth];
        return detail < 0 ? 0 : view.links[std::size_t(detail)*N + ((l & (depth - 1))*Plane::nodes + local)];
    };

    M sums;                     // of the layer below the current one
    std::uint32_t wordBelow = 0, word = 0, wordAbove = wordOf(0);
    unroll<M::count>([&](auto k) __attribute__((always_inline)) { sums.value[k] = R(0); });
    if (inside) for (auto& sum : stage.above) sum[t] = R(0);
    goTo(-1);
    Raw raw;
    if constexpr (Tuning::ahead == Ahead::registers) { if (present && !beside) raw = Code::template read<N>(source); }
    #pragma unroll 1
    for (int l = -1; l <= layers; ++l) {
        auto& out = stage.moving[l & (Tuning::buffers - 1)];
        if (beside) {
            R sent[Faces::count];
            unroll<Faces::count>([&](auto k) __attribute__((always_inline)) { sent[k] = present ? face[k*Faces::rows] : R(0); });
            goTo(l + 1);
            if constexpr (Tuning::buffers == 1) __syncthreads();
            Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
                out[dx < 0 ? Plane::slot(up) : Plane::slot(down)][at] = sent[k];
            });
        } else {
            M here;
            if constexpr (Tuning::ahead != Ahead::registers) { if (present) raw = Code::template read<N>(source); }
            if (present) here = Code::decode(raw);
            else unroll<M::count>([&](auto k) __attribute__((always_inline)) { here.value[k] = R(0); });
            goTo(l + 1);
            if constexpr (Tuning::ahead == Ahead::registers) { if (present) raw = Code::template read<N>(source); }
            if constexpr (Tuning::ahead == Ahead::cache) {
                if (present && (t & 3) == 0)
                    unroll<M::count>([&](auto k) __attribute__((always_inline)) { asm volatile("prefetch.global.L2 [%0];" :: "l"(source + k*N)); });
            }
            if constexpr (Tuning::buffers == 1) __syncthreads();
            Collision::template populations<Eq>(here, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                if constexpr (Plane::moves(q)) {
                    out[Plane::slot(q)][at] = even + odd;
                    out[Plane::slot(q + 1)][at] = even - odd;
                } else if (inside) {
                    stage.staying[1 + Plane::along(q)][t] = q == 0 ? even : R(even + odd);
                    if constexpr (q != 0) stage.staying[1 - Plane::along(q)][t] = even - odd;
                }
            });
        }
        __syncthreads();
        writeFaces(l - 2);
        if (!inside) continue;

        const auto& in = stage.moving[l & (Tuning::buffers - 1)];
        auto sent = [&](auto q, int from) __attribute__((always_inline)) -> R {
            if constexpr (Plane::moves(q)) return in[Plane::slot(q)][from];
            else return stage.staying[1 + Plane::along(q)][t];
        };
        auto arriving = [&](auto q) __attribute__((always_inline)) { return sent(q, at - Plane::cx(q) - width*Plane::cy(q)); };
        auto sentBack = [&](auto q) __attribute__((always_inline)) { return sent(Constant<opposite(q)>{}, at); };
        auto unless = [&](std::uint32_t bits) __attribute__((always_inline)) {
            return [&, bits](auto q) __attribute__((always_inline)) { return bits >> q & 1 ? R(0) : arriving(q); };
        };
        const bool walls = __any_sync(0xffffffffu, (wordBelow | word | wordAbove) != 0);

        // The layer below is complete with what comes down to it.
        addSlab<Plane, -1, false>(sums, walls ? sumSlab<Plane, -1, R>(unless(wordBelow)) : sumSlab<Plane, -1, R>(arriving));
        if (l > 0 && !(wordBelow & solidNode)) {
            const int k = (l - 1)/depth, node = ((l - 1) & (depth - 1))*Plane::nodes + local;
            finish(sums);
            if (stage.table[k] >= 0) {
                const std::int32_t number = special.table[std::size_t(stage.table[k])*N + node];
                if (number >= 0)
                    unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                        sums.value[i] += special.corrections[std::size_t(number)*M::count + i];
                    });
            }
            Collision::template relax<Eq>(sums, p);
            sums = to.store(stage.tile[(k + 1)*Plane::columns + Plane::columns/2], node, sums, seed);
            if constexpr (Faces::kept) if (x == 0 || x == Plane::X - 1) {
                const int place = (x == 0 ? 0 : Plane::Y) + y;
                unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                    stage.edge[(l - 1) & 1][i][place] = sums.value[i];
                });
            }
        }

        // The current one has what came up to it before.
        SlabSums<R> fromBelow{};
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::* sum) __attribute__((always_inline)) { fromBelow.*sum = stage.above[i][t]; });
        addSlab<Plane, 1, true>(sums, fromBelow);
        if (walls) {
            auto where = [&](auto q) __attribute__((always_inline)) { return word >> q & 1 ? sentBack(q) : R(0); };
            addSlab<Plane, 0, false>(sums, sumSlab<Plane, 0, R>([&](auto q) __attribute__((always_inline)) {
                return q != 0 && word >> q & 1 ? sentBack(q) : arriving(q);
            }));
            addSlab<Plane, 1, false>(sums, sumSlab<Plane, 1, R>(where));
            addSlab<Plane, -1, false>(sums, sumSlab<Plane, -1, R>(where));
            fromBelow = sumSlab<Plane, 1, R>(unless(wordAbove));
        } else {
            addSlab<Plane, 0, false>(sums, sumSlab<Plane, 0, R>(arriving));
            fromBelow = sumSlab<Plane, 1, R>(arriving);
        }
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::* sum) __attribute__((always_inline)) { stage.above[i][t] = fromBelow.*sum; });
        wordBelow = word;
        word = wordAbove;
        wordAbove = wordOf(l + 2);
    }
    __syncthreads();
    writeFaces(layers - 1);
}

// After moments were set from outside. A thread makes one row's share of a face: [tile][layer][side][y].
template<class Collision, class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(128) makeFaces(int n, MomentTiles<L, R, S, TileT> tiles)
{
    using Faces = MomentFaces<L, S, TileT>;
    const int i = blockIdx.x*128 + threadIdx.x;
    if (i >= n) return;
    const int y = i % Faces::rows, side = i/Faces::rows % 2, layer = i/(2*Faces::rows) % Faces::layers;
    const int tile = i/(2*Faces::rows*Faces::layers);
    R g[L::Q];
    populationsOf<Collision, Eq>(tiles.load(tile, (side ? TileT::TX - 1 : 0) + TileT::TX*(y + TileT::TY*layer)), g);
    Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
        tiles.faces[Faces::at(tile, layer, side, y) + k*Faces::rows] = side ? g[up] : g[down];
    });
}

template<class Collision, class Eq, class Tiles, class L, class T>
__global__ void __launch_bounds__(128)
rememberSpecialNodes(BoundaryView<L, T> boundary, SpecialView<L, T> special, Tiles tiles)
{
    const int i = blockIdx.x*128 + threadIdx.x;
    if (i < special.count) rememberSpecial<Collision, Eq>(boundary, special, i, tiles);
}

// Threads 0..nodes-1 complete links, the others see to remote ones.
template<class L, class T>
__global__ void __launch_bounds__(128)
completeSpecialNodes(BoundaryView<L, T> boundary, SpecialView<L, T> special, Parameters<T> p)
{
    const int i = blockIdx.x*128 + threadIdx.x;
    if (i < boundary.nodes) completeSpecial(boundary, special, i, p);
    else if (i < boundary.nodes + boundary.pairCount) swapSpecial(boundary, special, i - boundary.nodes);
}

template<class Collision, class Eq, class TileT, class Tiles, class L, class T>
__global__ void __launch_bounds__(128)
correctSpecialNodes(TilesView view, BoundaryView<L, T> boundary, SpecialView<L, T> special, Tiles tiles)
{
    const int i = blockIdx.x*128 + threadIdx.x;
    if (i < special.count) correctSpecial<Collision, Eq, TileT>(view, boundary, special, i, tiles);
}

// values: [n][Q].
template<class Collision, class Eq, bool write, class Tiles>
__global__ void __launch_bounds__(128)
accessMoments(const NodePlace* places, int n, Tiles tiles, double* values)
{
    using L = typename Tiles::Lattice;
    const int i = blockIdx.x*128 + threadIdx.x;
    if (i >= n) return;
    typename Tiles::Value g[L::Q];
    double* own = values + std::size_t(i)*L::Q;
    if constexpr (write) {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = own[q]; });
        tiles.store(places[i].tile, places[i].local, momentsOf<L>(g), 0);
    } else {
        populationsOf<Collision, Eq>(tiles.load(places[i].tile, places[i].local), g);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) { own[q] = g[q]; });
    }
}

// A block looks at one tile, every stride-th.
template<class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(TileT::N)
inspectMoments(TilesView view, int stride, MomentTiles<L, R, S, TileT> tiles, TileHealth none, TileHealth* found)
{
    __shared__ TileHealth seen[TileT::N];
    const std::int32_t tile = blockIdx.x*stride;
    const int local = threadIdx.x;
    const std::int32_t detail = view.detailOf[tile];
    TileHealth own = none;
    if (detail < 0 || !(view.links[std::size_t(detail)*TileT::N + local] & solidNode)) {
        const auto m = tiles.load(tile, local);
        const double rho = 1 + double(m.value[0]);
        double square = 0;
        for (int a = 0; a < L::D; ++a) square += double(m.value[1 + a])*double(m.value[1 + a]);
        if (isfinite(rho) && isfinite(square))
            own = {sqrt(square)/(__is_same(Eq, Incompressible) ? 1 : abs(rho) + 1e-300), rho, rho, local, -1};
        else
            own.bad = local;
    }
    gather<TileT::N>(seen, local, own, found[blockIdx.x]);
}

} // namespace lbm
