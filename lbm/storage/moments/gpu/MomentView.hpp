// How moments lie in device memory, and what the kernels that work on them must know of the tiles.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Rounded.hpp"
#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/storage/moments/gpu/LayerShape.hpp"
#include "lbm/storage/moments/gpu/MomentCode.hpp"
#include "lbm/storage/moments/gpu/RoundedPlaces.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"
#include "lbm/storage/nodes/ListCut.hpp"

namespace lbm {

// A block of threads slides along a run: tiles one after another along the last axis.
struct RunsView {
    const std::int32_t* tiles;        // of all runs
    const std::int32_t *first, *last; // [count]: where a run begins in `tiles`, and behind its end
    int count;
};

// Of a step, for rounding. Steps that were recorded are made again, with the same numbers: how much later, the device is told.
struct StepNumber {
    std::uint32_t number;
    const std::uint32_t* later = nullptr; // null: as numbered

    LBM_HD std::uint32_t operator()() const { return later ? number + *later : number; }
};

// What the nodes of a tile's first and last plane across x send out of it, in three dimensions: [slot][layer][side]
// [population][y]. Neighbours read this instead of moments: of a row of moments they would need one of the many values
// that every access to memory brings.
// Sixteen bits do without: there arithmetic counts more than memory.
// velocities: theirs, too, behind the populations, of which momentum does not follow.
template<class LatticeT, class S, class TileT, bool velocities>
struct MomentFaces {
    using L = LatticeT;
    static constexpr bool kept = L::D == 3 && !__is_same(S, Short);
    static constexpr int layers = TileT::TZ, rows = TileT::TY;

    // Number among the links that go up along x.
    static constexpr int numberOf(int q)
    {
        int n = 0;
        for (int i = 0; i < q; ++i) n += L::c[i][0] == 1;
        return n;
    }
    static constexpr int populations = numberOf(L::Q), count = populations + (velocities ? L::D : 0);
    static constexpr std::size_t tileValues = kept ? std::size_t(2) * layers * count * rows : 0;

    // side 0: x = 0, 1: the last x. The first population; the next one is `rows` further.
    LBM_HD static std::size_t at(std::int32_t slot, int layer, int side, int y)
    {
        return std::size_t(std::uint32_t(slot)) * tileValues + ((layer * 2 + side) * count * rows + y);
    }

    // visit(Constant<k>, Constant<q>, Constant<p>): of the k-th pair across x, q goes up and p down along x.
    template<class Visit>
    LBM_HD static LBM_INLINE void eachPair(Visit&& visit)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if constexpr (L::c[q][0] == 1) visit(Constant<numberOf(q)>{}, q, Constant<opposite(q)>{});
        });
    }
};

// Collisions for which the gradient of velocities is found, or may be: NodeField's relaxation times are told or follow from it.
template<class Collision>
constexpr bool mayLookAround = takesStrain<Collision> || takesNodeTau<Collision>;

// As it is stored, with the whole of the force.
template<class Eq, class L, class R>
LBM_HD LBM_INLINE void velocityOf(const MomentSet<L, R>& m, R (&u)[L::D])
{
    const R scale = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / Eq::inertia(m.value[0]));
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { u[a] = scale * m.value[1 + a]; });
}

// put(Constant<q>, value): populations that moments of a node, as they are stored, stand for. Each rounding is told: kernels that are
// compiled with other work around it find the same, and a run that goes on from what is stored does.
template<class Collision, class Eq, class L, class R, class Put>
LBM_HD LBM_INLINE void eachPopulation(const MomentSet<L, R>& m, Put&& put)
{
    using V = Rounded<R>;
    MomentSet<L, V> exact;
    unroll<m.count>([&](auto k) __attribute__((always_inline)) { exact.value[k] = m.value[k]; });
    exact.take(m);
    completeTrace<Eq>(exact);
    Collision::template populations<Eq>(
        exact, [&](auto q, V even, V odd) __attribute__((always_inline)) {
            put(q, V(even + odd).value);
            if constexpr (q != 0) put(Constant<q + 1>{}, V(even - odd).value);
        });
}

// put(Constant<k>, value): what a face keeps of a node, of which all moments that are stored are known; up: what leaves upwards
// along x. A step makes faces, and so does whoever writes nodes between steps, in kernels of their own.
template<class Collision, class Eq, class Faces, int count, class L, class R, class Put>
LBM_HD LBM_INLINE void eachFaceValue(const MomentSet<L, R>& m, bool up, Put&& put)
{
    R g[L::Q];
    eachPopulation<Collision, Eq>(
        m, [&](auto q, R value) __attribute__((always_inline)) { g[q] = value; });
    Faces::eachPair([&](auto k, auto upwards, auto down)
                        __attribute__((always_inline)) { put(k, up ? g[upwards] : g[down]); });
    if constexpr (count > Faces::populations) {
        R u[L::D];
        velocityOf<Eq>(m, u);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) { put(Constant<Faces::populations + a>{}, u[a]); });
    }
}

// One copy of what tiles hold: a ring with a few slots to spare, in which everything moves up a little each step. What is
// new goes where the old is no longer needed (circular array shifting, Dethier, de Marneffe & Marchot 2011).
struct RingView {
    const std::int32_t* position; // [tiles]: place of a tile in line; null: two copies, a tile's number is its slot
    std::int32_t first, slots;

    LBM_HD std::int32_t slot(std::int32_t tile) const
    {
        if (!position) return tile;
        const std::int32_t at = position[tile] + first;
        return at < slots ? at : at - slots;
    }
};

// Moments after collision: [slot][row][value][x] (16 bits: see Short), so that the layers and the rows of a tile are
// contiguous.
template<class L, class R, class S, class TileT>
struct MomentTiles {
    S* data;
    R* faces; // [slot], see MomentFaces
    RingView ring, faceRing;
    typename FactorsOf<L>::template Type<R> factors; // of the step that left them

    using Lattice = L;
    using Value = R;
    using M = MomentSet<L, R>;
    using Code = MomentCode<L, R, S>;

    struct NoPlaces {};
    std::conditional_t<Code::rounds, RoundedPlaces, NoPlaces> places{};

    static constexpr int nodes = TileT::N, stride = TileT::TX; // of a tile; of a node's values
    LBM_HD S* at(std::int32_t slot, int local) const
    {
        return data
            + (std::size_t(std::uint32_t(slot)) * (Code::count * TileT::N) + local / stride * (Code::count * stride)
               + Code::offsetOf(local % stride));
    }
    template<class Eq>
    LBM_HD LBM_INLINE M load(std::int32_t tile, int local) const
    {
        M m = Code::template decode<Eq>(Code::template read<stride>(at(ring.slot(tile), local), local % stride));
        m.take(factors);
        return m;
    }
    // For who reads states.
    template<class Eq>
    LBM_HD LBM_INLINE NodeMoments known(std::int32_t tile, int local) const
    {
        return Code::template known<Eq>(Code::template read<stride>(at(ring.slot(tile), local), local % stride));
    }
    template<class Eq>
    LBM_HD LBM_INLINE M store(std::int32_t tile, int local, const M& m, std::uint32_t step) const
    {
        std::uint32_t random = 0;
        if constexpr (Code::rounds) random = places.template random<Layer<L, TileT>>(tile, local, step);
        return Code::template store<Eq, stride>(at(ring.slot(tile), local), local % stride, m, random);
    }
};

// A node with a link whose population neither comes from the node behind it nor is what a resting wall reflects: an
// opening, a moving wall, an end of a remote link, an interpolated wall that the step does not see to (see CurvedIn); also
// what boundaries look at.
struct SpecialNode {
    NodePlace place;
    std::int32_t kept;  // of SpecialView::kept, or -1: no state of it is written down for others
    std::int32_t state; // of boundary states, none of whose links needs what is written down; -1: has none such
    std::int32_t firstCurved, lastCurved;
    std::int32_t firstMirror,
        lastMirror; // of SpecialView::mirrors; any: those are all its links, and nothing of the above is needed
};

// The only other node whose state a link needs; -1: it needs none, or several.
template<class T>
LBM_HD std::int32_t onlyDonor(const BoundaryShare<T>* shares, const LinkMakeup& link)
{
    const auto kind = BoundaryKind(link.kind);
    if (!needsDonor(kind) || link.donor < 0 || link.shares != 1 || Slip::isOblique(link)) return -1;
    if (kind == BoundaryKind::outflow && link.sharesBeyond > 0) return -1;
    return shares[link.donor].weight == 1 ? shares[link.donor].node : -1;
}

// A link over which one population of another node arrives, as it is. Sides of symmetry have millions: what boundaries know of
// such a link takes ten times as much.
struct MirrorLink {
    std::int32_t tile; // of the other node
    std::int16_t local;
    std::uint8_t direction, mirror; // of what arrives, and of what was sent

    LBM_HD NodePlace donor() const { return {tile, local}; }
};
static_assert(sizeof(MirrorLink) == 8);

// A special node that other nodes look at, or whose links others complete ...
struct RememberedNode {
    NodePlace place;
    std::int32_t state; // of boundary states that are written down for others, or that look at others; -1: none
};

// ... and its populations, which the device alone has.
template<class L, class T>
struct RememberedPopulations {
    T after[L::Q];    // after the previous collision
    T incoming[L::Q]; // what arrives over links that reflect
};

// What happens before a step, of some tiles: kept nodes that states belong to and others, links that ask for distant
// populations, and remote pairs; kept nodes whose links are completed, and special nodes.
struct SpecialCut {
    ListCut states, others, distant, pairs, completed, nodes;
};

template<class L, class T>
struct SpecialView {
    const SpecialNode* nodes; // [count]
    int count;
    const RememberedNode* kept;              // first those with boundary states
    RememberedPopulations<L, T>* remembered; // of `kept`
    const std::int32_t* pairEnds;            // [pairs][2]: kept nodes of a remote pair, a and b
    T* corrections;                          // [count][moments]: what is to be added to the sums over resting walls
    const std::int32_t* tableOf;             // [tiles]: row of `table`, or -1: no special node in the tile
    const std::int32_t* table;               // [rows][N]: number of the special node, or -1
    const MirrorLink* mirrors;               // of nodes one behind the other, by direction
};

} // namespace lbm
