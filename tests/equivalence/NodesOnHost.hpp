// What a GPU does node by node, done by the host: addresses, links that are completed before the step and the tables that CudaGeometry fills,
// from the same headers, against the scalar ab kernel. It takes the place of the device, so that machines without
// one test them, too. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Slabs.hpp"
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/HybridRegularized.hpp"
#include "lbm/physics/Regularized.hpp"
#include "lbm/physics/Trt.hpp"
#include "lbm/solver/ClosureState.hpp"
#include "lbm/solver/TiledFields.hpp"
#include "lbm/storage/LinkReach.hpp"
#include "lbm/storage/moments/gpu/SpecialLinks.hpp"
#include "lbm/storage/moments/gpu/MomentGeometry.hpp"
#include "lbm/storage/nodes/CudaGeometry.hpp"
#include "lbm/storage/nodes/Packed.hpp"
#include "tests/built.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>

namespace lbm::test {

// What nodes are told one by one, as a device's kernels find it.
template<class L, class T, class TileT, class Collision>
class ToldNodes {
public:
    // A collision without a closure has one force for all.
    static constexpr bool takesForces =
        takesNodeValues<Collision> && closureName<Collision> != std::string_view("constant");

    template<class Geometry>
    explicit ToldNodes(const Geometry& geometry) :
        fields_(takesNodeTau<Collision>, takesForces, takesStrain<Collision>, geometry.grid().tiles(),
                geometry.boundaryNodeCount(), 1)
    {}

    void set(Parameters<T>& p, double tau, const Vec3& force, double magic)
    {
        const double f[3] = {force[0], force[1], force[2]};
        p = parameters<T>(tau, magic, f);
        if (takesNodeTau<Collision>) p.closure.kind = RateKind::node;
        fields_.fillTau(T(tau));
        fields_.fillForce(f);
        p.closure.fields = fields_.fields();
    }

    template<class Geometry>
    void tell(const Geometry& geometry, const Domain& domain, const Told& told)
    {
        for (std::size_t i = 0; takesForces && i < told.nodes.size(); ++i) {
            const TilePlace place = geometry.grid().place(domain.coordinates(told.nodes[i]));
            const std::int32_t boundaryNode = geometry.boundaryNode(place);
            if (takesNodeTau<Collision>) fields_.setTau(place, boundaryNode, told.tau[i]);
            fields_.setForce(place, boundaryNode, &told.forces[3 * i]);
        }
    }

    T* tau() { return fields_.tau(); }
    T* strain() { return fields_.strain(); }

private:
    TiledFields<T, L::D, TileT::N> fields_;
};

// Slabs as they go through a device (lbm/geometry/Slabs.hpp); none: all nodes step by step.
struct Thickness {
    int layers = 0, steps = 0;
};

struct SlabsOnHost {
    SlabShape shape;
    std::vector<std::int32_t> below; // tiles below each layer of them
    int steps = 0;                   // of a pass; 0: no slabs
    bool known = false;              // their order knows the domain

    // geometry: a CudaGeometry.
    template<class Geometry>
    SlabsOnHost(const Thickness& slabs, const Geometry& geometry, const Domain& domain)
    {
        if (slabs.layers == 0) return;
        const int axis = domain.dimensions - 1;
        below = geometry.grid().tilesBelow(axis);
        const int layers = int(below.size()) - 1;
        for (int z = 0; z < layers; z += slabs.layers) shape.bounds.push_back(z);
        shape.bounds.push_back(layers);
        shape.reach = layersLookedAt(geometry.host(), axis);
        shape.remembers = geometry.tables().remembersForOthers();
        shape.periodic = domain.periodic[axis];
        steps = std::min(slabs.steps, shape.mostSteps());
        bool whole = true;
        for (int a = 0; a < domain.dimensions; ++a)
            whole = whole && (!domain.periodic[a] || domain.size[a] % geometry.grid().extents()[a] == 0);
        known = steps > 0 && (!domain.periodic[axis] || whole);
    }

    TileRanges tiles(const LayerRange& layers) const { return tilesIn(layers, below); }
    SlabStep step(const Slabs& slabs, int slab, int ahead) const
    {
        const TileRanges own = tiles(slabs.stepped(slab, ahead));
        return {shape.remembers ? tiles(slabs.remembered(slab, ahead)) : own, own, ahead, 0,
                slabs.stepped(slab, ahead)};
    }
};

// One thread does the work of all.
template<class Phases, class L, class T, class TileT, class CollisionT>
class NodeByNode {
public:
    using Collision = CollisionT;
    using Node = typename NodeOf<Phases, L, TileT>::Type;

    NodeByNode(const Scenario& s, const Config& config, const Thickness& slabs = {}) :
        domain_(*s.domain),
        geometry_(domain_, config, Phases::layout, slabs.layers ? TileOrder::layers : TileOrder::rimLast,
                  tellsCurved<Node> ? CurvedIn::step : CurvedIn::beforeStep),
        current_(geometry_.tables().values()),
        next_(current_.size()),
        slabs_(slabs, geometry_, domain_),
        told_(geometry_.host())
    {
        geometry_.copyTo(device_);
        set(config.tau, config.force, config.magic);
    }

    bool streams() const { return slabs_.known; }

    void set(double tau, const Vec3& force, double magic) { told_.set(parameters_, tau, force, magic); }
    void tell(const Told& told) { told_.tell(geometry_.host(), domain_, told); }

    void setBoundary(int patch, const std::vector<LinkValue>& values)
    {
        geometry_.setBoundary(patch, values.data(), values.size());
    }

    void put(const std::vector<NodeIndex>& nodes, const std::vector<double>& values)
    {
        visit(nodes, [&](std::size_t i, T& population) { population = T(values[i]); });
        written_ = true;
    }

    std::vector<double> get(const std::vector<NodeIndex>& nodes)
    {
        std::vector<double> values(nodes.size() * L::Q);
        visit(nodes, [&](std::size_t i, T& population) { values[i] = population; });
        return values;
    }

    void advance(int steps)
    {
        if (slabs_.steps == 0) {
            for (int i = 0; i < steps; ++i) {
                const auto boundary = geometry_.boundary(true, written_);
                atPhase(0, [&](auto phase) {
                    piece<decltype(phase)>(&boundary, 1, {TileRange{0, geometry_.view().tiles}, TileRange{0, 0}}, 0);
                });
                end(1);
            }
            return;
        }
        for (; steps > 0; steps -= slabs_.steps) pass(std::min(steps, slabs_.steps));
    }

    SlabsOnHost& slabs() { return slabs_; }

    // A pass by pieces.
    void stepPiece(const Slabs& slabs, int slab, int ahead)
    {
        const SlabStep s = slabs_.step(slabs, slab, ahead);
        const bool forgotten = written_ && ahead == 0;
        const BoundaryView<L, T> pieces[2] = {geometry_.boundary(true, forgotten, s.remembered[0], s.stepped[0]),
                                              geometry_.boundary(true, forgotten, s.remembered[1], s.stepped[1])};
        atPhase(ahead, [&](auto phase) { piece<decltype(phase)>(pieces, 2, s.stepped, ahead); });
    }
    void endPass(int steps) { end(steps); }
    void beginPass() {}
    void takeUp(const LayerRange&) {}
    void takeOut(const LayerRange&, int) {}

    // For a ghost what its owner holds, after so many steps of a pass.
    void take(NodeByNode& from, const Int3& owner, const Int3& ghost, int ahead)
    {
        const NodePlace there = from.geometry_.tables().place(owner), here = geometry_.tables().place(ghost);
        atPhase(ahead, [&](auto phase) {
            using Next = typename decltype(phase)::Load;
            const TilesView viewFrom = from.geometry_.view(), view = geometry_.view();
            const auto theirs = alone<Node>(viewFrom, there.tile, there.local),
                       own = alone<Node>(view, here.tile, here.local);
            const std::vector<T>& source = from.after(ahead);
            std::vector<T>& target = after(ahead);
            unroll<L::Q>(
                [&](auto q) { target[own.template waiting<Next, q>()] = source[theirs.template waiting<Next, q>()]; });
        });
    }

private:
    // The copy that holds the state after so many steps of a pass
    std::vector<T>& after(int ahead) { return Phases::copies == 2 && ahead % 2 != 0 ? next_ : current_; }

    void pass(int steps)
    {
        const Slabs slabs(slabs_.shape, steps);
        for (int slab = 0; slab < slabs.count(); ++slab)
            for (int ahead = 0; ahead < steps; ++ahead) stepPiece(slabs, slab, ahead);
        endPass(steps);
    }

    void end(int steps)
    {
        written_ = false;
        if (steps % 2 == 0) return;
        if (Phases::copies == 2) current_.swap(next_);
        odd_ = !odd_;
    }

    template<class F>
    void atPhase(int ahead, F&& f)
    {
        if (odd_ != (ahead % 2 != 0)) f(typename Phases::Odd{});
        else f(typename Phases::Even{});
    }

    template<class Phase>
    void piece(const BoundaryView<L, T>* pieces, int count, const TileRanges& ranges, int ahead)
    {
        using Next = typename Phase::Load;
        const TilesView view = geometry_.view();
        const bool swapped = Phases::copies == 2 && ahead % 2 != 0;
        T* current = swapped ? next_.data() : current_.data();
        T* to = Phases::copies == 1 ? current : swapped ? current_.data() : next_.data();
        // One kernel after the other, each in all pieces
        const auto each = [&](auto&& sizeOf, auto&& f) {
            for (const BoundaryView<L, T>* b = pieces; b != pieces + count; ++b)
                for (int i = 0; i < sizeOf(*b); ++i) f(*b, i);
        };
        using View = const BoundaryView<L, T>&;
        each([](View b) { return b.companyCount; }, [&](View b, int i) { remember<Next, Node>(view, b, i, current); });
        each([](View b) { return b.recalledCount; },
             [&](View b, int i) { rememberSentAway<Next, Node>(view, b, i, current); });
        each([](View b) { return b.distantCount; },
             [&](View b, int i) { rememberDistantValue<Next, Node>(view, b, i, current); });
        each([](View b) { return b.loneCount; },
             [&](View b, int i) { completeLone<Next, Node>(view, b, i, parameters_, current); });
        each([](View b) { return b.linkCount; },
             [&](View b, int i) { complete<Next, Node>(view, b, i, parameters_, current); });
        each([](View b) { return b.pairCount; },
             [&](View b, int i) { swapEnds<Next, Node>(view, b.pairs[i], current); });
        each([](View b) { return b.betweenCount; },
             [&](View b, int i) { interpolate<Next, Node>(view, b, i, current); });
        each([](View b) { return b.openingCount; },
             [&](View b, int i) { imposeOpening<Next, Node>(view, b, i, parameters_, current); });
        for (const TileRange& range : ranges) step<Phase>(view, range, current, to);
    }

    template<class Phase>
    void step(const TilesView& view, const TileRange& range, const T* current, T* to)
    {
        const CurvedView<T> curved = geometry_.curved();
        for (std::int32_t tile = range.first; tile < range.last; ++tile) {
            typename Node::Around around[Node::known + 1];
            for (int n = 0; n < Node::known; ++n) around[n] = Node::Around::of(view, tile, n);
            // Nodes of a tile may store where others of it load: first all load.
            for (bool loading : {true, false})
                for (int local = 0; local < TileT::N; ++local) {
                    if constexpr (requires { typename Node::Whole; })
                        if (view.detailOf[tile] == plainTile) {
                            update<Phase>(
                                typename Node::Whole(view, around, tile, local), tile, local, loading, [] {}, current,
                                to);
                            continue;
                        }
                    const Node node(view, around, tile, local);
                    CurvedNode walls{};
                    if constexpr (tellsCurved<Node>)
                        if (node.curved()) walls = curved.nodes[std::size_t(view.detailOf[tile]) * TileT::N + local];
                    const auto complete = [&] { interpolateNode<L>(curved, walls, g_[local]); };
                    update<Phase>(node, tile, local, loading, complete, current, to);
                    if (loading) keepSentAway<L>(curved, walls, g_[local]);
                }
        }
    }

    template<class Phase, class AnyNode, class Complete>
    void update(const AnyNode& node, [[maybe_unused]] std::int32_t tile, int local, bool loading, Complete&& complete,
                const T* from, T* to)
    {
        T(&g)[L::Q] = g_[local];
        if (!node.fluid()) return;
        if (!loading) return unroll<L::Q>([&](auto q) { to[node.template store<typename Phase::Store, q>()] = g[q]; });
        unroll<L::Q>([&](auto q) { g[q] = from[node.template load<typename Phase::Load, q>()]; });
        complete();
        if constexpr (takesNodeValues<Collision>)
            Collision::template apply<L, Incompressible>(
                g, parameters_, loadValues<Collision, true, L::D>(parameters_, tile, local, TileT::N));
        else Collision::template apply<L, Incompressible>(g, parameters_);
    }

    template<class F>
    void visit(const std::vector<NodeIndex>& nodes, F&& f)
    {
        const TilesView view = geometry_.view();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const NodePlace place = geometry_.tables().place(domain_.coordinates(nodes[i]));
            const auto node = alone<Node>(view, place.tile, place.local);
            unroll<L::Q>([&](auto q) {
                f(i * L::Q + q,
                  current_[odd_ ? node.template waiting<typename Phases::Odd::Load, q>()
                                : node.template waiting<typename Phases::Even::Load, q>()]);
            });
        }
    }

    const Domain& domain_;
    cuda::Device device_{"host"};
    CudaGeometry<L, T, TileT> geometry_;
    Parameters<T> parameters_;
    std::vector<T> current_, next_;
    bool odd_ = false, written_ = false;
    SlabsOnHost slabs_;
    T g_[TileT::N][L::Q];
    ToldNodes<L, T, TileT, Collision> told_;
};

// The moment representation, but for its step, which here gathers populations node by node instead of sliding through tiles:
// tables of special nodes, what boundaries and remote links change of their sums, and openings.
template<class L, class T, class TileT, class CollisionT>
class MomentsByNode {
public:
    using Collision = CollisionT;

    // streamed: its steps take pieces of runs.
    MomentsByNode(const Scenario& s, const Config& config, bool streamed = false) :
        domain_(*s.domain), geometry_(domain_, config, 4, 1, false, streamed), told_(geometry_.tiles().host())
    {
        geometry_.copyTo(device_);
        for (auto& copy : data_) copy.assign(std::size_t(grid().tiles()) * TileT::N * MomentCode<L, T, T>::count, T(0));
        if (findClosure(config.closure)->ofGradient) gradient_.emplace(config);
        set(config.tau, config.force, config.magic);
        now_ = next_;
    }

    void set(double tau, const Vec3& force, double magic)
    {
        told_.set(parameters_, tau, force, magic);
        parameters_.closure.differences = T(1 - Config().sigma);
        if constexpr (keepsThird<L>) {
            const Rates rates(parameters_);
            next_ = {rates.plane, rates.edge};
        }
        if (!gradient_) return;
        gradient_->set(tau, gradient_->coefficients());
        gradient_->fill(parameters_.closure);
    }
    void tell(const Told& told) { told_.tell(geometry_.tiles().host(), domain_, told); }

    void setBoundary(int patch, const std::vector<LinkValue>& values)
    {
        geometry_.setBoundary(device_, patch, values.data(), values.size());
    }

    void put(const std::vector<NodeIndex>& nodes, const std::vector<double>& values)
    {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            T g[L::Q];
            for (int q = 0; q < L::Q; ++q) g[q] = T(values[i * L::Q + q]);
            const TilePlace place = grid().place(domain_.coordinates(nodes[i]));
            auto m = momentsOf<L>(g);
            toStored<Collision, Incompressible>(m, now_);
            tiles(0).template store<Incompressible>(place.tile, place.local, m, 0);
        }
    }

    std::vector<double> get(const std::vector<NodeIndex>& nodes)
    {
        std::vector<double> values;
        for (const NodeIndex node : nodes) {
            const TilePlace place = grid().place(domain_.coordinates(node));
            T g[L::Q];
            populationsOf<Collision, Incompressible>(tiles(0).template load<Incompressible>(place.tile, place.local),
                                                     g);
            values.insert(values.end(), g, g + L::Q);
        }
        return values;
    }

    void advance(int steps)
    {
        for (int i = 0; i < steps; ++i) step();
    }

    void step()
    {
        const auto boundary = geometry_.tiles().boundary(true);
        const auto special = geometry_.special();
        const TilesView view = geometry_.tiles().view();
        const Tiles from = tiles(0), to = tiles(1);
        if (gradient_ || takesStrain<Collision>)
            for (std::int32_t tile = 0; tile < grid().stepped(); ++tile)
                for (int local = 0; local < TileT::N; ++local) rate(view, special, tile, local, from);
        completeLinks(from);
        for (std::int32_t tile = 0; tile < view.tiles; ++tile)
            for (int local = 0; local < TileT::N; ++local) update(view, special, tile, local, from, to);
        for (int i = 0; i < boundary.openingCount; ++i) {
            const NodePlace place = boundary.places[boundary.openings[i].state];
            auto m = to.template load<Incompressible>(place.tile, place.local);
            T strain[strainComponents<L::D>], tau;
            const OpeningsAround<L, T> around{takesStrain<Collision> ? strain : nullptr, gradient_ ? &tau : nullptr};
            if (around.strain || around.tau) {
                T g[3][3], u[3];
                gradientOf(view, special, place.tile, place.local, from).find(g, u);
                around.put(0, g, u, parameters_.closure);
            }
            if (imposeMoments<Collision, Incompressible>(boundary, i, parameters_, TileT::N, around.strainAt(0),
                                                         around.tauAt(0), m))
                to.template store<Incompressible>(place.tile, place.local, m, 0);
        }
        data_[0].swap(data_[1]);
        now_ = next_;
    }

protected:
    using Tiles = MomentTiles<L, T, T, TileT>;
    using Rates = typename RatesOf<Collision, T>::Type;
    using Factors = typename FactorsOf<L>::template Type<T>;
    using M = MomentSet<L, T>;

    // Before a step: what special links make of the sums of their nodes.
    void completeLinks(const Tiles& from)
    {
        const SpecialCut whole = geometry_.cut();
        completeLinks(from, &whole, 1);
    }
    // Each kernel has done with all pieces before the next one begins.
    void completeLinks(const Tiles& from, const SpecialCut* pieces, int count)
    {
        const auto boundary = geometry_.tiles().boundary(true);
        const auto special = geometry_.special();
        const TilesView view = geometry_.tiles().view();
        const auto each = [&](ListCut SpecialCut::*list, auto&& f) {
            for (const SpecialCut* c = pieces; c != pieces + count; ++c)
                for (int i = (c->*list).first; i < (c->*list).first + (c->*list).count; ++i) f(i);
        };
        const auto remember = [&](int i) { rememberNode<Collision, Incompressible>(boundary, special, i, from); };
        each(&SpecialCut::states, remember);
        each(&SpecialCut::others, remember);
        each(&SpecialCut::distant, [&](int i) { rememberDistant<Collision, Incompressible>(boundary, i, from); });
        each(&SpecialCut::completed, [&](int i) { completeSpecial(boundary, special, i, parameters_); });
        each(&SpecialCut::pairs, [&](int i) { swapSpecial(boundary, special, i); });
        each(&SpecialCut::nodes, [&](int i) {
            correctSpecial<Collision, Incompressible, TileT>(view, boundary, special, i, parameters_, from);
        });
    }

    const TileGrid& grid() const { return geometry_.tiles().grid(); }
    Tiles tiles(int copy)
    {
        return {data_[copy].data(), nullptr, {nullptr, 0, 0}, {nullptr, 0, 0}, copy == 0 ? now_ : next_};
    }

    NodeGradient<Incompressible, L, TileT, T, Tiles> gradientOf(const TilesView& view, const SpecialView<L, T>& special,
                                                                std::int32_t tile, int local, const Tiles& from) const
    {
        return {view, special, geometry_.distant(), from, tile, local};
    }

    void rate(const TilesView& view, const SpecialView<L, T>& special, std::int32_t tile, int local, const Tiles& from)
    {
        const auto node = gradientOf(view, special, tile, local, from);
        if (!node.isFluid()) return;
        T g[3][3], u[3];
        node.find(g, u);
        if (gradient_) told_.tau()[std::size_t(tile) * TileT::N + local] = tauAround(g, u, parameters_.closure);
        if (takesStrain<Collision>)
            strainOf<L::D>(g, [&](auto k, T s) { told_.strain()[placeOfStrain<L::D>(tile, k, local, TileT::N)] = s; });
    }

    void update(const TilesView& view, const SpecialView<L, T>& special, std::int32_t tile, int local,
                const Tiles& from, const Tiles& to)
    {
        const std::int32_t detail = view.detailOf[tile];
        const std::uint32_t word = detail < 0 ? 0 : view.links[std::size_t(detail) * TileT::N + local];
        if (word & solidNode) return;
        T after[L::Q], g[L::Q];
        populationsOf<Collision, Incompressible>(from.template load<Incompressible>(tile, local), after);
        g[0] = after[0];
        for (int q = 1; q < L::Q; ++q)
            g[q] = word >> q & 1 ? after[opposite(q)]
                                 : arrivingAt<Collision, Incompressible, L, TileT, T>(view, {tile, local}, q, from);
        if (word & curvedNode) interpolate(tile, local, after, g);
        M m = momentsOf<L>(g);
        if (const std::int32_t row = special.tableOf[tile]; row >= 0)
            if (const std::int32_t number = special.table[std::size_t(row) * TileT::N + local]; number >= 0)
                for (int k = 0; k < M::count; ++k)
                    m.value[k] += special.corrections[std::size_t(number) * M::count + k];
        const Rates rates(parameters_);
        if constexpr (takesNodeValues<Collision>)
            Collision::template relax<Incompressible>(
                m, rates, loadValues<Collision, decltype(told_)::takesForces, L::D>(rates, tile, local, TileT::N));
        else Collision::template relax<Incompressible>(m, rates);
        to.template store<Incompressible>(tile, local, m, 0);
    }

    // As a block does it that has the node's layer in hand.
    void interpolate(std::int32_t tile, int local, const T (&after)[L::Q], T (&g)[L::Q])
    {
        using Shape = Layer<L, TileT>;
        const WallsView<T> walls = geometry_.walls();
        const int node = local % Shape::nodes, place = Shape::place(node % Shape::X, node / Shape::X);
        const std::uint32_t* of = walls.inLayer + std::size_t(tile) * Shape::depth + local / Shape::nodes;
        int found = 0;
        for (std::uint32_t i = of[0]; i < of[1]; ++i) {
            const WallLink link = walls.links[i];
            if (!link.inStep() || link.place() != place) continue;
            const int q = walls.curved.links[i].direction, out = opposite(q);
            ASSERT_EQ(link.first(), found++ == 0);
            ASSERT_EQ(link.slot(), Shape::windowSlot(out));
            ASSERT_EQ(link.slot() + link.away(), Shape::windowSlot(q));
            ASSERT_EQ(link.behind(), -Shape::cx(out) - Shape::width * Shape::cy(out));
            const bool asks = walls.curved.shares[i].arriving != 0;
            ASSERT_EQ(link.asksBelow(), asks && Shape::along(q) < 0);
            ASSERT_EQ(link.asksLayer(), asks && Shape::along(q) == 0);
            g[q] = broughtBack(walls.curved, i, walls.curved.shares[i], after[out], g[out], after[q]);
        }
        ASSERT_GT(found, 0);
    }

    const Domain& domain_;
    cuda::Device device_{"host"};
    MomentGeometry<L, T, TileT> geometry_;
    Parameters<T> parameters_;
    std::vector<T> data_[2];
    Factors now_{}, next_{};
    ToldNodes<L, T, TileT, Collision> told_;
    std::optional<ClosureState<T>> gradient_;
};

// With relaxation times by the velocity gradient.
template<class L, class T, class TileT, class Collision>
struct MomentsByGradient : MomentsByNode<L, T, TileT, Closed<Collision, NodeField>> {
    using MomentsByNode<L, T, TileT, Closed<Collision, NodeField>>::MomentsByNode;
    static constexpr const char* closure = "WALE";
    void tell(const Told&) {} // nor forces
};

#ifdef LBM_EXACT
inline constexpr bool exact = true;
#else
inline constexpr bool exact = false;
#endif

// factor: so many times the steps of the scenarios' events.
template<class Emulated, class L, class T, class... Given>
void compareWith(const char* collision, double tolerance, int factor = 1, const Given&... given)
{
    std::vector<Scenario> all = scenarios(latticeDirections(L::name));
    if (takesThird<typename Emulated::Collision>) addSmallTaus(all);
    std::size_t compared = 0;
    for (const Scenario& s : all) {
        Config config;
        config.lattice = L::name;
        config.storage = "ab";
        config.arithmetic = "scalar";
        config.precision = sizeof(T) == 8 ? "double" : "float";
        config.collision = collision;
        config.closure = closureName<typename Emulated::Collision>;
        constexpr bool rated = requires { Emulated::closure; };
        constexpr bool ofGradient = rated || takesStrain<typename Emulated::Collision>;
        config.nodeForces = takesNodeValues<typename Emulated::Collision> && !ofGradient;
        if constexpr (rated) {
            config.closure = Emulated::closure;
            config.coefficients = {0.9, 4};
        }
        SKIP_IF_LEFT_OUT(config);
        // Refused: what repeats by turns streams through no device, and shows no velocities behind its sides
        if ((ofGradient || sizeof...(Given) > 0) && !s.domain->turns.empty()) continue;
        config.tau = s.tau;
        config.force = s.force;
        config.patches = s.patches;
        const auto nodes = fluidNodesOf(*s.domain);
        const auto expected = makeSolver(s.domain, config);
        Emulated found(s, config, given...);
        if constexpr (sizeof...(Given) > 0)
            if (!found.streams()) continue;
        const auto tell = [&](std::size_t number) {
            const Told told = toldAt(*s.domain, number);
            if (takesNodeTau<typename Emulated::Collision> && !ofGradient)
                expected->setRelaxationTimes(told.nodes.data(), told.nodes.size(), told.tau.data());
            if (config.nodeForces) expected->setForces(told.nodes.data(), told.nodes.size(), told.forces.data());
            found.tell(told);
        };
        tell(0);
        found.put(nodes, randomPopulations(nodes.size(), L::Q));
        const auto start = found.get(nodes); // moments stand for less
        expected->setPopulations(nodes.data(), nodes.size(), start.data());
        std::vector<double> values(start.size());
        int step = 0;
        for (const Event& event : s.events) {
            expected->advance(factor * event.steps);
            found.advance(factor * event.steps);
            step += factor * event.steps;
            expected->getPopulations(nodes.data(), nodes.size(), values.data());
            const auto own = found.get(nodes);
            for (std::size_t i = 0; i < values.size(); ++i)
                ASSERT_LE(std::abs(own[i] - values[i]), tolerance)
                    << s.name << ", step " << step << ", node " << nodes[i / L::Q] << ", q = " << i % L::Q;
            for (const auto& [patch, links] : event.boundaries) {
                expected->setBoundary(patch, links.data(), links.size());
                found.setBoundary(patch, links);
            }
            expected->setForce(event.force);
            expected->setRelaxationTime(event.tau);
            expected->setMagic(event.magic);
            found.set(event.tau, event.force, event.magic);
            tell(std::size_t(&event - s.events.data()) + 1);
        }
        ++compared;
    }
    EXPECT_GT(compared, all.size() / 4);
}

template<class Phases, class L, class T, class TileT, class Collision = Trt>
void compare()
{
    compareWith<NodeByNode<Phases, L, T, TileT, Collision>, L, T>("trt", exact ? 0 : sizeof(T) == 8 ? 5e-16 : 5e-8);
}

} // namespace lbm::test
