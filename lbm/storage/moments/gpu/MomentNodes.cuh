// Kernels of the moment representation that work on single nodes: boundaries before a step, access and inspection.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Launch.cuh"
#include "lbm/storage/moments/gpu/GradientNodes.hpp"
#include "lbm/storage/moments/gpu/SpecialLinks.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

namespace lbm {

// A node that was stored beside a step, and its share of the tile's face if it lies there.
template<class Collision, class Eq, class L, class R, class S, class TileT>
__device__ void renewFace(const MomentTiles<L, R, S, TileT>& tiles, const NodePlace& place, const MomentSet<L, R>& m)
{
    using Faces = MomentFaces<L, S, TileT, mayLookAround<Collision>>;
    const int x = place.local % TileT::TX;
    if (!Faces::kept || (x != 0 && x != TileT::TX - 1)) return;
    R* face = tiles.faces
        + Faces::at(tiles.faceRing.slot(place.tile), place.local / (TileT::TX * TileT::TY), x > 0,
                    place.local / TileT::TX % TileT::TY);
    eachFaceValue<Collision, Eq, Faces, Faces::count>(
        m, x > 0, [&](auto k, R value) __attribute__((always_inline)) { face[k * Faces::rows] = value; });
}

// All of them, a block a tile.
template<class Collision, class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(TileT::N) renewFaces(MomentTiles<L, R, S, TileT> tiles)
{
    const NodePlace place{std::int32_t(blockIdx.x), std::int32_t(threadIdx.x)};
    renewFace<Collision, Eq>(tiles, place, tiles.template load<Eq>(place.tile, place.local));
}

// And what interpolated walls ask of nodes further in.
template<class Collision, class Eq, class Tiles, class L, class T>
__global__ void __launch_bounds__(128)
    rememberNodes(BoundaryView<L, T> boundary, SpecialView<L, T> special, SpecialCut cut, Tiles tiles)
{
    letNextBegin();
    awaitPrevious();
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < cut.states.count) return rememberNode<Collision, Eq>(boundary, special, cut.states.first + i, tiles);
    i -= cut.states.count;
    if (i < cut.others.count) return rememberNode<Collision, Eq>(boundary, special, cut.others.first + i, tiles);
    i -= cut.others.count;
    if (i < cut.distant.count) rememberDistant<Collision, Eq>(boundary, cut.distant.first + i, tiles);
}

// The first threads complete links, the others see to remote ones.
template<class L, class T>
__global__ void __launch_bounds__(128)
    completeSpecialNodes(BoundaryView<L, T> boundary, SpecialView<L, T> special, SpecialCut cut, Parameters<T> p)
{
    letNextBegin();
    awaitPrevious();
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < cut.completed.count) completeSpecial(boundary, special, cut.completed.first + i, p);
    else if (i < cut.completed.count + cut.pairs.count)
        swapSpecial(boundary, special, cut.pairs.first + i - cut.completed.count);
}

template<class Collision, class Eq, class TileT, class Tiles, class L, class T>
__global__ void __launch_bounds__(128)
    correctSpecialNodes(TilesView view, BoundaryView<L, T> boundary, SpecialView<L, T> special, ListCut cut,
                        Parameters<T> p, Tiles tiles)
{
    letNextBegin();
    awaitPrevious();
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < cut.count) correctSpecial<Collision, Eq, TileT>(view, boundary, special, cut.first + i, p, tiles);
}

template<class Collision, class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(128)
    imposeOpeningMoments(BoundaryView<L, R> boundary, MomentTiles<L, R, S, TileT> tiles, Parameters<R> p,
                         OpeningsAround<L, R> around, StepNumber number, std::int32_t stepped)
{
    letNextBegin();
    awaitPrevious();
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= boundary.openingCount) return;
    const NodePlace place = boundary.places[boundary.openings[i].state];
    if (place.tile >= stepped) return; // a ghost
    MomentSet<L, R> m = tiles.template load<Eq>(place.tile, place.local);
    if (!imposeMoments<Collision, Eq>(boundary, i, p, TileT::N, around.strainAt(i), around.tauAt(i), m)) return;
    m = tiles.template store<Eq>(place.tile, place.local, m, number());
    renewFace<Collision, Eq>(tiles, place, m);
}

// See StepNumber.
template<class Number>
__global__ void tellLater(Number* later, bool more, Number steps)
{
    *later = more ? *later + steps : steps;
}

// What states are made of (Moments::state).
template<class Eq, class Tiles>
struct KnownMoments {
    Tiles tiles;

    __device__ NodeMoments operator()(const NodePlace& place) const
    {
        return tiles.template known<Eq>(place.tile, place.local);
    }
};

// Of a node after its collision: momentum, to j, and inertia.
template<class Eq, class Tiles>
struct MomentumOfMoments {
    Tiles tiles;

    __device__ double operator()(const NodePlace& place, double (&j)[Tiles::Lattice::D]) const
    {
        const auto m = tiles.template load<Eq>(place.tile, place.local);
        for (int a = 0; a < Tiles::Lattice::D; ++a) j[a] = double(m.value[1 + a]);
        return __is_same(Eq, Incompressible) ? 1.0 : double(Eq::inertia(m.value[0]));
    }
};

// What populations of a node come to, as it is kept.
template<class Collision, class Eq, class Tiles>
__device__ void storePopulations(const Tiles& tiles, const NodePlace& place, const double* populations)
{
    using L = typename Tiles::Lattice;
    typename Tiles::Value g[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = populations[q]; });
    auto m = momentsOf<L>(g);
    toStored<Collision, Eq>(m, tiles.factors);
    renewFace<Collision, Eq>(tiles, place, tiles.template store<Eq>(place.tile, place.local, m, 0));
}

template<class Collision, class Eq, class Tiles>
__device__ void loadPopulations(const Tiles& tiles, const NodePlace& place, double* populations)
{
    eachPopulation<Collision, Eq>(
        tiles.template load<Eq>(place.tile, place.local),
        [&](auto q, typename Tiles::Value value) __attribute__((always_inline)) { populations[q] = value; });
}

// values: [n][Q].
template<class Collision, class Eq, bool write, class Tiles>
__global__ void __launch_bounds__(128) accessMoments(const NodePlace* places, int n, Tiles tiles, double* values)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    double* own = values + std::size_t(i) * Tiles::Lattice::Q;
    if constexpr (write) storePopulations<Collision, Eq>(tiles, places[i], own);
    else loadPopulations<Collision, Eq>(tiles, places[i], own);
}

// See changeNodes.
template<class Collision, class Eq, class Tiles, class Change>
__global__ void __launch_bounds__(128) changeMoments(const NodePlace* places, int n, Tiles tiles, Change change)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    const bool own = i < n;
    const NodePlace place = places[own ? i : n - 1];
    double f[Tiles::Lattice::Q];
    loadPopulations<Collision, Eq>(tiles, place, f);
    change(i, own, f);
    if (own) storePopulations<Collision, Eq>(tiles, place, f);
}

// values: [n][Code::count], as they are stored.
template<class Collision, class Eq, bool write, class Tiles>
__global__ void __launch_bounds__(128) accessStoredMoments(const NodePlace* places, int n, Tiles tiles, double* values)
{
    using Code = typename Tiles::Code;
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    const int local = places[i].local, x = local % Tiles::stride;
    auto* const at = tiles.at(tiles.ring.slot(places[i].tile), local);
    double* const own = values + std::size_t(i) * Code::count;
    if constexpr (write) {
        Code::template putStored<Tiles::stride>(at, x, own);
        renewFace<Collision, Eq>(tiles, places[i], tiles.template load<Eq>(places[i].tile, local));
    } else {
        Code::template getStored<Tiles::stride>(at, x, own);
    }
}

// Ghosts, from their owners in other tiles. needed: [n], 0: the next step does not look at the ghost; null: all are wanted.
// Who gives has tiles without faces for `to`, in which nodes follow each other, and who takes from them for `from`.
template<Passing passing, class Collision, class Eq, class Tiles>
__global__ void __launch_bounds__(128) takeMoments(int n, const NodePlace* owners, Tiles from, const NodePlace* ghosts,
                                                   Tiles to, const std::uint32_t* needed)
{
    using Code = typename Tiles::Code;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        if (needed && needed[i] == 0) continue;
        double values[Code::count];
        const NodePlace given{i / Tiles::nodes, i % Tiles::nodes};
        const NodePlace owner = passing == Passing::takeGiven ? given : owners[i],
                        ghost = passing == Passing::give ? given : ghosts[i];
        Code::template getStored<Tiles::stride>(from.at(from.ring.slot(owner.tile), owner.local),
                                                owner.local % Tiles::stride, values);
        Code::template putStored<Tiles::stride>(to.at(to.ring.slot(ghost.tile), ghost.local),
                                                ghost.local % Tiles::stride, values);
        // From the owner, which is near: the ghost may be another device's
        if constexpr (passing != Passing::give)
            renewFace<Collision, Eq>(to, ghost, from.template load<Eq>(owner.tile, owner.local));
    }
}

// What nodes at openings that impose moments are given of the velocities around them, before the step. Inner nodes' is found in it.
template<class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(128)
    lookAroundOpenings(BoundaryView<L, R> boundary, TilesView view, SpecialView<L, R> special, DistantNodes<L> distant,
                       MomentTiles<L, R, S, TileT> tiles, ClosureData<R> closure, OpeningsAround<L, R> around,
                       std::int32_t stepped)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= boundary.openingCount) return;
    const NodePlace place = boundary.places[boundary.openings[i].state];
    if (place.tile >= stepped) return; // a ghost
    R g[3][3], here[3];
    NodeGradient<Eq, L, TileT, R, MomentTiles<L, R, S, TileT>>(view, special, distant, tiles, place.tile, place.local)
        .find(g, here);
    around.put(i, g, here, closure);
}

// Gradients at special nodes, before the step, where some have remote links.
template<class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(128)
    lookAroundSpecialNodes(TilesView view, SpecialView<L, R> special, ListCut nodes, DistantNodes<L> distant,
                           MomentTiles<L, R, S, TileT> tiles, SpecialGradients<L, R> gradients, std::int32_t stepped)
{
    const int number = blockIdx.x * 128 + threadIdx.x, i = nodes.first + number;
    if (number >= nodes.count) return;
    const NodePlace place = special.nodes[i].place;
    if (place.tile >= stepped) return; // a ghost
    R g[3][3], here[3];
    NodeGradient<Eq, L, TileT, R, MomentTiles<L, R, S, TileT>>(view, special, distant, tiles, place.tile, place.local)
        .find(g, here);
    gradients.put(i, g);
}

// A block looks at one tile of a list, null: at its own number.
template<class Eq, class L, class R, class S, class TileT>
__global__ void __launch_bounds__(TileT::N)
    inspectMoments(TilesView view, const std::int32_t* list, MomentTiles<L, R, S, TileT> tiles, TileHealth none,
                   const std::uint32_t* leftOut, TileHealth* found)
{
    __shared__ TileHealth seen[TileT::N];
    const std::int32_t tile = list ? list[blockIdx.x] : std::int32_t(blockIdx.x);
    const int local = threadIdx.x;
    const std::int32_t detail = view.detailOf[tile];
    TileHealth own = none;
    const bool fluid = detail < 0 || !(view.links[std::size_t(detail) * TileT::N + local] & solidNode);
    if (fluid && !isLeftOut(leftOut, std::size_t(blockIdx.x) * TileT::N + local)) {
        const auto m = tiles.template load<Eq>(tile, local);
        const double rho = 1 + double(m.value[0]);
        double square = 0;
        for (int a = 0; a < L::D; ++a) square += double(m.value[1 + a]) * double(m.value[1 + a]);
        if (isfinite(rho) && isfinite(square))
            own = TileHealth::of(local, sqrt(square) / (__is_same(Eq, Incompressible) ? 1 : abs(rho) + 1e-300), rho);
        else own.bad = std::int16_t(local);
    }
    gather<TileT::N>(seen, local, own, found[blockIdx.x]);
}

} // namespace lbm
