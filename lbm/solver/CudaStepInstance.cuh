// Body of the generated source of the steps of one storage, lattice, precision, tile and collision.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Storage.hpp"
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/solver/CudaTypes.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"
#include "lbm/storage/papers/GhostStep.cuh"
#include "lbm/storage/Tile.hpp"

namespace lbm {

template<class Phase, class Node, class Collision, class Eq, class T>
void launchStep(const TilesView& view, const T* from, T* to, [[maybe_unused]] const CurvedView<T>& curved,
                const Parameters<T>& p, [[maybe_unused]] bool backwards, cuda::StreamHandle stream)
{
    if constexpr (requires { Node::movesFirst; }) {
        using L = typename Node::L;
        moveNodes<Node, typename Phase::Load><<<view.tiles, Node::N, 0, stream>>>(view, from, to);
        collideNodes<L, Collision, Eq, Node::N>
            <<<blocksFor(view.stored, Node::N), Node::N, 0, stream>>>(view.stored, to, p);
    } else if constexpr (isStaged<Node>) {
        launchEarly(stepGhosts<Phase, Node, Collision, Eq, T>, view.tiles, Node::N, 0, stream, view, to, p, backwards);
    } else {
        const int blocks = Crew<Node>::blocks(view), threads = Crew<Node>::threads;
        const auto launch = [&](auto kernel, const auto& given) {
            launchEarly(kernel, blocks, threads, 0, stream, view, from, to, given, p, backwards);
        };
        const auto launchWith = [&](auto nodeForces) {
            constexpr bool byNode = decltype(nodeForces)::value;
            if constexpr (tellsCurved<Node>)
                if (curved.nodes) return launch(step<Phase, Node, true, Collision, Eq, byNode, T>, curved);
            launch(step<Phase, Node, false, Collision, Eq, byNode, T>, NoCurved());
        };
        if constexpr (takesNodeValues<Collision>)
            if (p.closure.fields.force) return launchWith(std::true_type());
        launchWith(std::false_type());
    }
}

template<class Phases, class Node, class Collision, class Eq, class T>
void addStep(std::vector<CudaStepEntry<T>>& entries, const char* tile)
{
    using L = typename Node::L;
    static_assert(Collision::template supports<L>, "kernels.list asks for a collision that this lattice lacks");
    static_assert(!takesNodeValues<Collision> || findStorage("cuda", Phases::name)->nodeFields,
                  "kernels.list asks for a closure in a storage without node fields");
    entries.push_back({L::name,
                       Phases::name,
                       tile,
                       Collision::name,
                       closureName<Collision>,
                       Eq::name,
                       {&launchStep<typename Phases::Even, Node, Collision, Eq, T>,
                        &launchStep<typename Phases::Odd, Node, Collision, Eq, T>}});
}

template<class Phases, class L, class T, class TileT, class Collision, class... Equilibria>
void addSteps(std::vector<CudaStepEntry<T>>& entries, const char* tile)
{
    using Node = typename NodeOf<Phases, L, TileT>::Type;
    (addStep<Phases, Node, Collision, Equilibria>(entries, tile), ...);
}

} // namespace lbm
