// Kernels of patterns on tiles: a thread is a node, a block one tile or several.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/FixedPointSum.hpp"
#include "lbm/device/Launch.cuh"
#include "lbm/physics/Moments.hpp"
#include "lbm/physics/Mrt.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/nodes/CurvedNodes.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"
#include "lbm/storage/nodes/Packed.hpp"
#include "lbm/storage/papers/Dense.hpp"
#include "lbm/storage/papers/FluidLists.hpp"
#include "lbm/storage/papers/Ghosts.hpp"

#include <algorithm>
#include <type_traits>

namespace lbm {

// Crew: the threads of a block and the nodes that they work on. Lies in shared memory, with what the nodes must
// know of the tiles around theirs.
template<class Node>
struct Crew {
    using TileT = typename Node::Tile;
    static constexpr int tiles = TileT::N >= 128 ? 1 : 128 / TileT::N;
    static constexpr int threads = tiles * TileT::N;

    typename Node::Around around[std::max(tiles * Node::known, 1)];

    static int blocks(const TilesView& view) { return (view.tiles + tiles - 1) / tiles; }

    // By all threads of a block, which then have the step before behind them. Which of its tiles (`first` is its first)
    // and which node in it; false: none.
    __device__ bool enlist(const TilesView& view, int block, std::int32_t& first, int& which, int& local)
    {
        first = block * tiles;
        if constexpr (Node::known > 0) {
            const int known = min(tiles, view.tiles - first) * Node::known;
            for (int i = threadIdx.x; i < known; i += threads)
                around[i] = Node::Around::of(view, first + i / Node::known, i % Node::known);
        }
        awaitPrevious();
        if constexpr (Node::known > 0) __syncthreads();
        which = threadIdx.x / TileT::N;
        local = threadIdx.x % TileT::N;
        return first + which < view.tiles;
    }
};

// Packed tiles: as many tiles a block as have nodes for its threads; a thread without a node is rare.
template<class L, class TileT>
struct Crew<PackedNode<L, TileT>> {
    using Node = PackedNode<L, TileT>;
    static constexpr int threads = packedBlock;

    typename Node::Around around[mostTilesOfBlock * 27];
    std::int16_t places[threads];

    static int blocks(const TilesView& view) { return view.blockCount; }

    __device__ bool enlist(const TilesView& view, int block, std::int32_t& first, int& which, int& local)
    {
        first = view.blocks[block];
        const int count = view.blocks[block + 1] - first;
        for (int i = threadIdx.x; i < count * 27; i += threads)
            around[i] = Node::Around::of(view, first + i / 27, i % 27);
        places[threadIdx.x] = -1;
        awaitPrevious();
        __syncthreads();
        // A tile's threads begin where its slots do, so that they read and write whole sectors.
        const std::size_t begin = around[13].half[0].first;
        for (int i = threadIdx.x; i < count * TileT::N; i += threads) {
            const PackedHalf* tile = around[i / TileT::N * 27 + 13].half;
            const PackedHalf& half = tile[i % TileT::N >> 5];
            if (half.has(i & 31))
                places[int(tile[0].first - begin) / L::Q + int(half.at(0, i & 31) - tile[0].first)] = std::int16_t(i);
        }
        __syncthreads();
        const int place = places[threadIdx.x];
        which = place / TileT::N;
        local = place % TileT::N;
        return place >= 0;
    }
};

// Threads that a multiprocessor shall hold at least, which bounds their registers: as many as keep memory busy, as
// few as need no register twice; MRT needs more of them. Measured for 9 and 19 populations; more are left alone.
template<class Phase, class Node, class Collision, class T>
constexpr int residentThreads = __is_same(Collision, Mrt) ? (sizeof(T) == 8 ? 640 : 1280)
    : sizeof(T) == 8                                      ? (Node::L::Q > 9 ? 768 : 1280)
    : Phase::Load::neighbour&& Phase::Store::neighbour    ? 1280
                                                          : 1536;

// Nodes of the dense ladder leave their registers alone but for two of its steps.
template<class Node>
constexpr int mostResident = [] {
    if constexpr (requires { Node::bounded; }) return Node::bounded ? 1024 : 0;
    return 2048;
}();

// K17 in double precision would take a few registers more than five blocks leave it, and four make 0.86 of their speed.
template<class Collision, class T>
constexpr bool boundsRegisters27 = [] {
    if constexpr (requires { Collision::ofThird; }) return sizeof(T) == 8;
    return false;
}();

template<class Phase, class Node, class Collision, class T>
constexpr int residentBlocks = Node::L::Q > 19
    ? (boundsRegisters27<Collision, T> ? std::max(640 / Crew<Node>::threads, 1) : 1)
    : std::max(std::min(residentThreads<Phase, Node, Collision, T>, mostResident<Node>) / Crew<Node>::threads, 1);

// The same number, of which the compiler knows nothing.
__device__ inline int forgotten(int n)
{
    asm volatile("" : "+r"(n));
    return n;
}

// What kernels are given of interpolated walls: nothing where there are none, for arguments cost aa a register.
struct NoCurved {};
template<bool walls, class T>
using CurvedGiven = std::conditional_t<walls, CurvedView<T>, NoCurved>;

// Of a node that is curved().
template<class Node, class T>
__device__ __forceinline__ CurvedNode wallsOf(const TilesView& view, const CurvedView<T>& curved, std::int32_t tile,
                                              int local)
{
    return curved.nodes[std::size_t(view.detailOf[tile]) * Node::N + local];
}

template<class Phase, class Node, bool walls, class L, class Collision, class Eq, bool nodeForces, class T>
__device__ __forceinline__ void update(const TilesView& view, const typename Node::Around* around, std::int32_t tile,
                                       int local, const T* from, T* to,
                                       [[maybe_unused]] const CurvedGiven<walls, T>& curved, const Parameters<T>& p)
{
    const Node node(view, around, tile, local);
    if (!node.fluid()) return;
    T g[L::Q];
    unroll<L::Q>([&](auto q)
                     __attribute__((always_inline)) { g[q] = from[node.template load<typename Phase::Load, q>()]; });
    if constexpr (walls)
        if (node.curved()) interpolateNode<L>(curved, wallsOf<Node>(view, curved, tile, local), g);
    if constexpr (takesNodeValues<Collision>)
        Collision::template apply<L, Eq>(g, p, loadValues<Collision, nodeForces, L::D>(p, tile, local, Node::Tile::N));
    else Collision::template apply<L, Eq>(g, p);
    // Threads that have no node do not hold up those that wait.
    if constexpr (requires { Node::inPlace; }) __syncthreads();
    // Addresses of loads that serve stores, too, would take two registers each: they are better found again.
    constexpr bool twice = Phase::Load::neighbour && Phase::Store::neighbour;
    const Node target(view, around, tile, twice ? forgotten(local) : local);
    if constexpr (walls)
        if (target.curved()) keepSentAway<L>(curved, wallsOf<Node>(view, curved, tile, local), g);
    unroll<L::Q>([&](auto q)
                     __attribute__((always_inline)) { to[target.template store<typename Phase::Store, q>()] = g[q]; });
}

// What a collision takes of a kernel's parameters, in registers from the start. (Where closures' were among them the compiler left
// all of them where they were, and read them once populations had come.)
template<class Collision, class T>
__device__ __forceinline__ Parameters<T> parametersOf(const Parameters<T>& p)
{
    if constexpr (takesNodeValues<Collision>) return p;
    else return {p.omega, p.omegaOdd, {p.force[0], p.force[1], p.force[2]}, p.forced, {}};
}

// walls: some are interpolated. (One kernel for domains with and without costs aa 1.5 % without, 3.5 % in single precision.)
template<class Phase, class Node, bool walls, class Collision, class Eq, bool nodeForces, class T>
__global__ void __launch_bounds__(Crew<Node>::threads, residentBlocks<Phase, Node, Collision, T>)
    step(TilesView view, const T* from, T* to, CurvedGiven<walls, T> curved, Parameters<T> p, bool backwards)
{
    using L = typename Node::L;
    __shared__ Crew<Node> crew;
    std::int32_t first;
    int which, local;
    letNextBegin();
    const Parameters<T> rates = parametersOf<Collision>(p);
    // Of two phases that take turns the direction is known, which spares a register.
    constexpr bool takesTurns = Phase::Load::neighbour == Phase::Store::neighbour && !requires { Node::inPlace; };
    const int block = blockOf(takesTurns ? Phase::Load::neighbour : backwards);
    if (!crew.enlist(view, block, first, which, local)) return;
    const std::int32_t tile = first + which;
    const auto* around = crew.around + which * Node::known;
    if constexpr (requires { typename Node::Whole; })
        if (view.detailOf[tile] == plainTile)
            return update<Phase, typename Node::Whole, false, L, Collision, Eq, nodeForces>(
                view, around, tile, local, from, to, NoCurved(), rates);
    update<Phase, Node, walls, L, Collision, Eq, nodeForces>(view, around, tile, local, from, to, curved, rates);
}

// Patterns that move populations to their nodes first and collide them there: a thread a node of the box, and then a
// thread a stored node.
template<class Node, class Access, class T>
__global__ void __launch_bounds__(Node::N) moveNodes(TilesView view, const T* from, T* to)
{
    const Node node(view, nullptr, blockIdx.x, threadIdx.x);
    if (!node.fluid()) return;
    unroll<Node::L::Q>([&](auto q)
                           __attribute__((always_inline)) { to[node.own(q)] = from[node.template load<Access, q>()]; });
}

template<class L, class Collision, class Eq, int threads, class T>
__global__ void __launch_bounds__(threads) collideNodes(std::size_t n, T* populations, Parameters<T> p)
{
    const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
    if (i >= n) return;
    T g[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = populations[q * n + i]; });
    Collision::template apply<L, Eq>(g, p);
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { populations[q * n + i] = g[q]; });
}

constexpr int listThreads = 128;

inline int blocksFor(std::size_t n, int threads) { return int((n + threads - 1) / threads); }

// Boundary nodes in company remember, as do interpolated walls; the other nodes complete their links.
template<class Next, class Node, class L, class T>
__global__ void __launch_bounds__(listThreads)
    rememberStates(TilesView view, BoundaryView<L, T> boundary, Parameters<T> p, T* current)
{
    int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < boundary.companyCount) return remember<Next, Node>(view, boundary, i, current);
    i -= boundary.companyCount;
    if (i < boundary.recalledCount) return rememberSentAway<Next, Node>(view, boundary, i, current);
    i -= boundary.recalledCount;
    if (i < boundary.distantCount) return rememberDistantValue<Next, Node>(view, boundary, i, current);
    i -= boundary.distantCount;
    if (i < boundary.loneCount) completeLone<Next, Node>(view, boundary, i, p, current);
}

// The first threads complete links, the others swap the ends of remote ones.
template<class Next, class Node, class L, class T>
__global__ void __launch_bounds__(listThreads)
    completeEachLink(TilesView view, BoundaryView<L, T> boundary, Parameters<T> p, T* current)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    const int links = boundary.linkCount;
    if (i < links) complete<Next, Node>(view, boundary, i, p, current);
    else if (i < links + boundary.pairCount) swapEnds<Next, Node>(view, boundary.pairs[i - links], current);
}

template<class Next, class Node, class L, class T>
__global__ void __launch_bounds__(listThreads) interpolateWalls(TilesView view, BoundaryView<L, T> boundary, T* current)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < boundary.betweenCount) interpolate<Next, Node>(view, boundary, i, current);
}

template<class Next, class Node, class L, class T>
__global__ void __launch_bounds__(listThreads)
    imposeOpenings(TilesView view, BoundaryView<L, T> boundary, Parameters<T> p, T* current)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < boundary.openingCount) imposeOpening<Next, Node>(view, boundary, i, p, current);
}

// Those of a node that are waiting between two steps.
template<class Next, class Node, class T>
struct WaitingPopulations {
    TilesView view;
    const T* current;

    __device__ NodePopulations<Node::L::Q> operator()(const NodePlace& place) const
    {
        NodePopulations<Node::L::Q> own;
        const auto node = alone<Node>(view, place.tile, place.local);
        unroll<Node::L::Q>([&](auto q) __attribute__((always_inline)) {
            own.value[q] = current[node.template waiting<Next, q>()];
        });
        return own;
    }
};

// Of a node after its collision: momentum, to j, and inertia.
template<class L, class Populations>
struct MomentumOfPopulations {
    Populations populationsAt;
    bool incompressible;

    __device__ double operator()(const NodePlace& place, double (&j)[L::D]) const
    {
        const NodePopulations<L::Q> g = populationsAt(place);
        double r = 0;
        for (int a = 0; a < L::D; ++a) j[a] = 0;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            r += g.value[q];
            unroll<L::D>([&](auto a) __attribute__((always_inline)) {
                constexpr int c = L::c[q][a];
                if constexpr (c != 0) j[a] += c * g.value[q];
            });
        });
        return incompressible ? 1 : 1 + r;
    }
};

// values: [n][Q], the populations that are waiting between two steps.
template<class Next, class Node, bool write, class T, class Value>
__global__ void __launch_bounds__(listThreads)
    access(TilesView view, const NodePlace* places, int n, T* current, Value* values)
{
    constexpr int Q = Node::L::Q;
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    const auto node = alone<Node>(view, places[i].tile, places[i].local);
    unroll<Q>([&](auto q) __attribute__((always_inline)) {
        T& population = current[node.template waiting<Next, q>()];
        if constexpr (write) population = values[std::size_t(i) * Q + q];
        else values[std::size_t(i) * Q + q] = population;
    });
}

// Where ghosts get their state from, and where it goes to: tiles, or values in between, which another device reaches.
enum class Passing { direct, give, takeGiven };

// What is wanted of ghosts: populations of each, see PopulationsForStep; null: all of them. first: where those of a ghost
// begin among given values.
struct Wanted {
    const std::uint32_t *populations = nullptr, *first = nullptr;
};

// change(i, own, populations), by whole blocks of threads: populations that are waiting, in double precision; own: it is a node, of which
// what is left is stored.
template<class Next, class Node, class T, class Change>
__global__ void __launch_bounds__(listThreads)
    changeNodes(TilesView view, const NodePlace* places, int n, T* current, Change change)
{
    constexpr int Q = Node::L::Q;
    const int i = blockIdx.x * listThreads + threadIdx.x;
    const bool own = i < n;
    const NodePlace place = places[own ? i : n - 1];
    const auto node = alone<Node>(view, place.tile, place.local);
    double f[Q];
    unroll<Q>([&](auto q) __attribute__((always_inline)) { f[q] = current[node.template waiting<Next, q>()]; });
    change(i, own, f);
    if (!own) return;
    unroll<Q>([&](auto q) __attribute__((always_inline)) { current[node.template waiting<Next, q>()] = T(f[q]); });
}

// Ghosts, from their owners in other tiles. Several threads share a node, for one waits long for all of its populations:
// the grid's y says which of them are its own. Given values: what is wanted, node by node; [Q][n] where that is all. Of who
// gives, `to` is theirs, and of who takes them, `from`.
constexpr int takers = 4;

template<Passing passing, class Next, class Node, class T>
__global__ void __launch_bounds__(listThreads)
    takeNodes(int n, TilesView viewFrom, const NodePlace* owners, const T* from, TilesView view,
              const NodePlace* ghosts, T* to, Wanted ofAll)
{
    for (int i = blockIdx.x * listThreads + threadIdx.x; i < n; i += gridDim.x * listThreads) {
        const bool some = ofAll.populations;
        const std::uint32_t wanted = some ? ofAll.populations[i] : ~std::uint32_t(0);
        const NodePlace *const atOwner = passing == Passing::takeGiven ? ghosts : owners,
                               *const atGhost = passing == Passing::give ? owners : ghosts;
        const auto owner = alone<Node>(viewFrom, atOwner[i].tile, atOwner[i].local);
        const auto ghost = alone<Node>(view, atGhost[i].tile, atGhost[i].local);
        unroll<takers>([&](auto taker) __attribute__((always_inline)) {
            if (blockIdx.y != taker) return;
            unroll<Node::L::Q>([&](auto q) __attribute__((always_inline)) {
                if constexpr (q % takers == taker)
                    if (wanted >> q & 1) {
                        const std::size_t given = passing != Passing::direct && some
                            ? std::size_t(ofAll.first[i]) + __popc(wanted & ((std::uint32_t(1) << q) - 1))
                            : std::size_t(q) * n + i;
                        to[passing == Passing::give ? given : ghost.template waiting<Next, q>()] =
                            from[passing == Passing::takeGiven ? given : owner.template waiting<Next, q>()];
                    }
            });
        });
    }
}

// Extremes over the fluid nodes of a tile; nodes by their place in the tile, -1: none. Of equally fast ones the first. As small as it can be:
// one a node lies in the memory that a block's threads share.
struct TileHealth {
    double maxSpeed, minDensity, maxDensity;
    FixedPointSum excess;
    std::int16_t fastest, bad, nodes;

    LBM_HD static TileHealth of(int local, double speed, double density)
    {
        const auto here = std::int16_t(local);
        TileHealth one{speed, density, density, FixedPointSum{}, speed > 0 ? here : std::int16_t(-1), -1, 1};
        one.excess.add(density - 1);
        return one;
    }

    LBM_HD void include(const TileHealth& other)
    {
        if (other.maxSpeed > maxSpeed || (other.maxSpeed == maxSpeed && other.fastest < fastest)) {
            maxSpeed = other.maxSpeed;
            fastest = other.fastest;
        }
        nodes = std::int16_t(nodes + other.nodes);
        excess.add(other.excess);
        if (other.minDensity < minDensity) minDensity = other.minDensity;
        if (other.maxDensity > maxDensity) maxDensity = other.maxDensity;
        if (other.bad >= 0 && (bad < 0 || other.bad < bad)) bad = other.bad;
    }
};

// What the block's threads have seen, in one.
template<int N>
__device__ void gather(TileHealth* seen, int local, const TileHealth& own, TileHealth& result)
{
    seen[local] = own;
    static_assert((N & (N - 1)) == 0, "halving needs a power of two");
    for (int half = N / 2; half > 0; half /= 2) {
        __syncthreads();
        if (local < half) seen[local].include(seen[local + half]);
    }
    if (local == 0) result = seen[0];
}

// Whether a node does not count, be it a ghost or one that nobody asks for; bits: one a node of the tiles that are looked at, null: all count.
__device__ inline bool isLeftOut(const std::uint32_t* bits, std::size_t node)
{
    return bits && bits[node >> 5] >> (node & 31) & 1;
}

// A block looks at one tile of a list, null: at its own number.
template<class Next, class Node, class T>
__global__ void __launch_bounds__(Node::N)
    inspect(TilesView view, const std::int32_t* list, const T* current, bool incompressible, TileHealth none,
            const std::uint32_t* leftOut, TileHealth* found)
{
    using L = typename Node::L;
    __shared__ TileHealth seen[Node::N];
    const std::int32_t tile = list ? list[blockIdx.x] : std::int32_t(blockIdx.x);
    const int local = threadIdx.x;
    __shared__ typename Node::Around around[std::max(Node::known, 1)];
    for (int n = local; n < Node::known; n += Node::N) around[n] = Node::Around::of(view, tile, n);
    __syncthreads();
    const Node node(view, around, tile, local);
    TileHealth own = none;
    if (node.fluid() && !isLeftOut(leftOut, std::size_t(blockIdx.x) * Node::N + local)) {
        double rho = 1, j[3] = {0, 0, 0};
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            const double g = current[node.template waiting<Next, q>()];
            rho += g;
            unroll<3>([&](auto a) __attribute__((always_inline)) {
                constexpr int c = L::c[q][a];
                j[a] += c * g;
            });
        });
        const double square = j[0] * j[0] + j[1] * j[1] + j[2] * j[2];
        if (isfinite(rho) && isfinite(square))
            own = TileHealth::of(local, sqrt(square) / (incompressible ? 1 : abs(rho) + 1e-300), rho);
        else own.bad = std::int16_t(local);
    }
    gather<Node::N>(seen, local, own, found[blockIdx.x]);
}

} // namespace lbm
