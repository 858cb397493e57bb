// NodeStorage: patterns that are written node by node (see Phase.hpp) on a CPU. Addresses are found one population at a
// time, as a GPU's threads do; a buffer of a tile or run of nodes between loads and stores lets collisions use
// SIMD. They are there to be compared with, not to be fast. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/device/TeamBarrier.hpp"
#include "lbm/storage/nodes/NodeTables.hpp"
#include "lbm/storage/papers/Dense.hpp"
#include "lbm/storage/papers/FluidLists.hpp"
#include "lbm/storage/rows/Collide.hpp"

#include <algorithm>
#include <type_traits>

namespace lbm {

template<class PhasesT, class LatticeT, class T, class TileT>
class NodeStorage {
public:
    using Phases = PhasesT;
    using Lattice = LatticeT;
    using L = Lattice;
    using Scalar = T;
    using Geometry = TileGeometry<L, T, TileT>;
    using Node = typename NodeOf<Phases, L, TileT>::Type;
    static constexpr int N = TileT::N, line = lineNodes<T>, copies = Phases::copies;
    static constexpr bool movesFirst = requires { Node::movesFirst; };
    static constexpr int passes = movesFirst ? 2 : 1;
    static constexpr const char* name = Phases::name;
    static_assert(N % line == 0 && N <= Runs<T>::nodes, "tiles and runs are whole cache lines");

    // Nodes of a tile or run: [Q][node], populations as far apart as Runs says.
    struct alignas(64) Buffer {
        T values[(L::Q - 1) * Runs<T>::stride + N] = {};
    };

    NodeStorage(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        tables_(domain, config, Phases::layout),
        kernel_(kernel),
        incompressible_(isIncompressible(config)),
        current_(allocate(threads))
    {
        tables_.hold();
        if (copies == 2) next_ = allocate(threads);
    }

    Geometry& geometry() { return tables_.host(); }
    const Geometry& geometry() const { return tables_.host(); }
    Parameters<T>& parameters() { return parameters_; }
    const Parameters<T>& parameters() const { return parameters_; }
    TileRange range(PartOfTiles part) const { return tables_.range(part); }
    bool steps(const TilePlace& place) const { return tables_.steps(tables_.place(place)); }
    std::size_t storedValues() const { return tables_.values(); }
    std::size_t tableBytes() const { return tables_.bytes(); }

    // Boundaries look at the populations themselves.
    void remember(const TilePlace&, const double*) {}

    // By all threads of a team: what links that are more than resting walls bring, see LinksBeforeStep.hpp.
    void beginStep(TeamBarrier& team)
    {
        atPhase([&](auto phase) { completeLinks<typename decltype(phase)::Load>(team); });
    }

    void update(std::int32_t unit, Buffer& buffer, int pass = 0)
    {
        if (pass == 0) atPhase([&](auto phase) { updateAs<decltype(phase)>(unit, buffer); });
        else if constexpr (movesFirst) collideStored(unit, buffer);
    }

    void finishStep()
    {
        if (copies == 2) current_.swap(next_);
        odd_ = !odd_;
    }

    T* values() { return current_.data(); }
    const T* values() const { return current_.data(); }
    static constexpr int phases = std::is_same_v<typename Phases::Even, typename Phases::Odd> ? 1 : 2;
    int phase() const { return phases == 2 && odd_; }
    LBM_INLINE std::size_t slot(std::int32_t tile, int local, int q) const
    {
        const NodePlace place = tables_.place(TilePlace{tile, local});
        const TilesView view = tables_.view();
        const auto node = alone<Node>(view, place.tile, place.local);
        std::size_t at = 0;
        atPhase([&](auto phase) { at = node.template waiting<typename decltype(phase)::Load>(q); });
        return at;
    }

private:
    HostArray<T> allocate(int threads) const
    {
        HostArray<T> data(tables_.values());
        T* p = data.data();
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t i = 0; i < tables_.values(); ++i) p[i] = 0;
        return data;
    }

    template<class F>
    void atPhase(F&& f) const
    {
        if constexpr (!std::is_same_v<typename Phases::Even, typename Phases::Odd>)
            if (odd_) return f(typename Phases::Odd{});
        f(typename Phases::Even{});
    }

    template<class Next>
    void completeLinks(TeamBarrier& team)
    {
        const TilesView view = tables_.view();
        const BoundaryView<L, T> b = tables_.boundary(incompressible_);
        T* current = current_.data();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.curvedCount; ++i) rememberSentAway<Next, Node>(view, b, i, current);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.distantCount; ++i) rememberDistantValue<Next, Node>(view, b, i, current);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.companyCount; ++i) lbm::remember<Next, Node>(view, b, i, current);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.loneCount; ++i) completeLone<Next, Node>(view, b, i, parameters_, current);
        team.wait();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.linkCount; ++i) complete<Next, Node>(view, b, i, parameters_, current);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.pairCount; ++i) swapEnds<Next, Node>(view, b.pairs[i], current);
        team.wait();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.betweenCount; ++i) interpolate<Next, Node>(view, b, i, current);
        team.wait();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < b.openingCount; ++i) imposeOpening<Next, Node>(view, b, i, parameters_, current);
        team.wait();
    }

    // As collisions of rows find them.
    static int at(int q, int local) { return q * Runs<T>::stride + local; }

    void collide(Buffer& buffer, int nodes)
    {
        static constexpr auto columns = [] {
            std::array<int, L::Q> c{};
            for (int q = 0; q < L::Q; ++q) c[q] = q;
            return c;
        }();
        T* lines[N / line];
        const int n = (nodes + line - 1) / line;
        for (int i = 0; i < n; ++i) lines[i] = buffer.values + at(0, i * line);
        kernel_.own(lines, n, lines, 0, columns.data(), parameters_, {});
    }

    // All loads of a unit come before its stores: patterns with one copy store where their neighbours load.
    template<class Phase>
    void updateAs(std::int32_t unit, Buffer& buffer)
    {
        const TilesView view = tables_.view();
        typename Node::Around around[Node::known + 1];
        for (int n = 0; n < Node::known; ++n) around[n] = Node::Around::of(view, unit, n);
        const T* from = current_.data();
        T* to = copies == 2 ? next_.data() : current_.data();
        forFluid(view, around, unit, [&](const Node& node, int local) {
            unroll<L::Q>(
                [&](auto q) { buffer.values[at(q, local)] = from[node.template load<typename Phase::Load, q>()]; });
        });
        if constexpr (!movesFirst) collide(buffer, N);
        forFluid(view, around, unit, [&](const Node& node, int local) {
            unroll<L::Q>(
                [&](auto q) { to[node.template store<typename Phase::Store, q>()] = buffer.values[at(q, local)]; });
        });
    }

    template<class F>
    static void forFluid(const TilesView& view, const typename Node::Around* around, std::int32_t unit, F&& f)
    {
        for (int local = 0; local < N; ++local) {
            const Node node(view, around, unit, local);
            if (node.fluid()) f(node, local);
        }
    }

    // A run of stored nodes; there are no more of them than runs of the box.
    void collideStored(std::int32_t run, Buffer& buffer)
    {
        const std::size_t stored = tables_.view().stored, first = std::size_t(run) * N;
        if (first >= stored) return;
        const int n = int(std::min<std::size_t>(N, stored - first));
        T* next = next_.data();
        for (int q = 0; q < L::Q; ++q)
            for (int i = 0; i < n; ++i) buffer.values[at(q, i)] = next[q * stored + first + i];
        collide(buffer, n);
        for (int q = 0; q < L::Q; ++q)
            for (int i = 0; i < n; ++i) next[q * stored + first + i] = buffer.values[at(q, i)];
    }

    NodeTables<L, T, TileT> tables_;
    CollideKernel<T> kernel_;
    Parameters<T> parameters_;
    bool incompressible_, odd_ = false;
    HostArray<T> current_, next_;
};

template<class L, class T, class TileT>
using Tgb = NodeStorage<TgbPhases, L, T, TileT>;
template<class L, class T, class TileT>
using Connectivity = NodeStorage<ConnectivityPhases, L, T, TileT>;
template<class L, class T, class TileT>
using FluidIndex = NodeStorage<FluidIndexPhases, L, T, TileT>;
template<class L, class T, class TileT>
using DenseAos = NodeStorage<DenseAosPhases, L, T, TileT>;
template<class L, class T, class TileT>
using DensePush = NodeStorage<DensePushPhases, L, T, TileT>;
template<class L, class T, class TileT>
using DensePull = NodeStorage<DensePullPhases, L, T, TileT>;
template<class L, class T, class TileT>
using DenseBranchless = NodeStorage<DenseBranchlessPhases, L, T, TileT>;
template<class L, class T, class TileT>
using DenseTiled = NodeStorage<DenseTiledPhases, L, T, TileT>;

} // namespace lbm
