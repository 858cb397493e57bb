// BorderRows: boundary nodes in rows that collisions move themselves. Before a tile is worked on, what waits for half-way
// reflection is replaced by what belongs there; afterwards is kept what the next step will ask for.
// Where a plane of slip mirrors populations along the lattice, that is one value a link, and where a wall or an opening has a
// velocity, something is added: both by runs of nodes along a row. Patterns that stream in place keep such values, which
// wait at other links, where their donors sent them; those that pull find them in the state before. Nodes with no other
// links need no more; of the others, and of those that they look at, all is kept.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/rows/BorderLists.hpp"

#include <array>

namespace lbm {

template<class L, class T, class TileT>
class BorderRows {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;

    BorderRows() = default;
    BorderRows(Streaming kind, bool incompressible) : kind_(kind), incompressible_(incompressible) {}

    bool any(std::int32_t tile) const
    {
        if (lists_.parts.empty()) return false;
        const Part &here = part(tile), &next = (&here)[1];
        return here.mirrors != next.mirrors || here.movers != next.movers || here.given != next.given
            || here.kept != next.kept || here.nodes != next.nodes;
    }

    // Rows, a bit each, whose results keep() reads.
    std::uint64_t readAgain(std::int32_t tile, const Geometry& geometry) const
    {
        static_assert(Move::rows <= 64);
        if (lists_.parts.empty()) return 0;
        std::uint64_t rows = 0;
        const Part &here = part(tile), &next = (&here)[1];
        for (std::uint32_t i = here.nodes; i < next.nodes; ++i)
            rows |= std::uint64_t(1) << geometry.boundaryNodes()[lists_.nodes[i]].local / Move::RX;
        return rows;
    }

    // To be called when links become of another kind, or planes turn: in this step's state, which sent(tile, local, q) reads.
    template<class Sent>
    void list(Geometry& geometry, int now, Sent&& sent)
    {
        lists_ = {};
        if (!Move::wide || geometry.boundaryNodeCount() == 0) return;
        lists_ = BorderListing<L, T, TileT>(geometry, kind_, incompressible_).lists();
        const std::int32_t tiles = geometry.grid().tiles();
        for (auto& copy : values_) copy.assign(part(tiles).values, T(0));
        for (std::int32_t t = 0; t < tiles; ++t) {
            eachKept(t, [&](int local, int q, std::uint32_t i) { values_[now][i] = sent(t, local, opposite(q)); });
            for (std::uint32_t i = part(t).nodes; i < part(t + 1).nodes; ++i) {
                const std::int32_t node = lists_.nodes[i];
                const int local = geometry.boundaryNodes()[node].local;
                for (int q = 0; q < L::Q; ++q) geometry.sent(now)[node].of[q] = sent(t, local, q);
            }
        }
    }

    // g: [Q], a node's populations after its last collision.
    void remember(const TilePlace& place, int now, const double* g)
    {
        if (lists_.parts.empty()) return;
        eachKept(place.tile, [&](int local, int q, std::uint32_t i) {
            if (local == place.local) values_[now][i] = T(g[opposite(q)]);
        });
    }

    // Of patterns that stream in place.
    void replace(std::int32_t tile, const BoundaryTable<L, T>& table, T* own) const
    {
        const T* values = values_[table.now].data();
        const Part &here = part(tile), &next = (&here)[1];
        for (std::uint32_t i = here.mirrors; i < next.mirrors; ++i) {
            const BorderMirrors& m = lists_.mirrors[i];
            fetch(values + entryAhead(lists_.mirrors, i, runsAhead).from);
            copy(own + m.value, values + m.from, m.n);
        }
        for (std::uint32_t i = here.movers; i < next.movers; ++i) move(lists_.movers[i], own, own);
        give(here, next, table, own);
        complete(tile, table, own);
    }

    // Pull. What is replaced goes to `target`, laid out as the tile: its neighbours may still have to read the old values.
    void reflect(std::int32_t tile, const BoundaryTable<L, T>& table, T* const* around, T* target) const
    {
        const Part &here = part(tile), &next = (&here)[1];
        for (std::uint32_t i = here.mirrors; i < next.mirrors; ++i) {
            const BorderMirrors& m = lists_.mirrors[i];
            copy(target + m.value, around[m.from >> 16] + (m.from & 0xffff), m.n);
        }
        for (std::uint32_t i = here.movers; i < next.movers; ++i) move(lists_.movers[i], around[13], target);
        give(here, next, table, target);
        complete(tile, table, target);
    }

    // After the collision, for the next step. sent(local, q): population q that the tile's node has sent. written: the copy of
    // states that it is written to. own: not needed where patterns pull.
    template<class Sent>
    void keep(std::int32_t tile, Geometry& geometry, int written, const T* own, Sent&& sent)
    {
        const Part &here = part(tile), &next = (&here)[1];
        T* to = values_[written].data() + here.values;
        for (std::uint32_t i = here.kept; i < next.kept; to += lists_.kept[i++].n)
            copy(to, own + lists_.kept[i].value, lists_.kept[i].n);
        for (std::uint32_t i = here.nodes; i < next.nodes; ++i) {
            const int local = geometry.boundaryNodes()[lists_.nodes[i]].local;
            T(&after)[L::Q] = geometry.sent(written)[lists_.nodes[i]].of;
            unroll<L::Q>([&](auto q) { after[q] = sent(local, q); });
        }
    }

    std::size_t bytes() const { return lists_.bytes() + 2 * values_[0].size() * sizeof(T); }

private:
    using Part = typename BorderLists<T>::Part;

    const Part& part(std::int32_t tile) const { return lists_.parts[tile]; }

    static LBM_INLINE void copy(T* to, const T* from, int n) { Row<T, Move::block>::copy(to, from, (1u << n) - 1); }

    static LBM_INLINE void move(const BorderMovers<T>& m, const T* from, T* to)
    {
        for (int i = 0; i < m.n; ++i) to[m.value + i] = from[m.value + i] + m.added;
    }

    // After what mirrors bring.
    void give(const Part& here, const Part& next, const BoundaryTable<L, T>& table, T* target) const
    {
        for (std::uint32_t i = here.given; i < next.given; ++i)
            target[lists_.given[i].value] += table.links.told[lists_.given[i].link].r;
    }

    // Links that are completed from states of nodes.
    void complete(std::int32_t tile, const BoundaryTable<L, T>& table, T* target) const
    {
        const Part &here = part(tile), &next = (&here)[1];
        for (std::uint32_t i = here.nodes; i < next.nodes; ++i) {
            const BoundaryState& state = table.nodes[lists_.nodes[i]];
            fetchState(table, entryAhead(lists_.nodes, i, statesAhead));
            if (state.firstLink == state.lastLink) continue;
            const BoundaryNode<L, T> node(table, lists_.nodes[i]);
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
                if (!lists_.seenTo[k])
                    target[reflectedAt<Move>(kind_, state.local, table.links.made[k].direction)] = incoming(node, k);
        }
    }

    // visit(local, q, i): i-th value kept is what waits at the node's link q.
    template<class Visit>
    void eachKept(std::int32_t tile, Visit&& visit) const
    {
        const Part &here = part(tile), &next = (&here)[1];
        std::uint32_t place = here.values;
        for (std::uint32_t i = here.kept; i < next.kept; ++i)
            for (int value = lists_.kept[i].value, n = lists_.kept[i].n; n > 0; ++value, --n)
                visit(value % Move::stride, value / Move::stride, place++);
    }

    Streaming kind_ = Streaming::inPlace;
    bool incompressible_ = false;
    BorderLists<T> lists_;
    std::vector<T> values_[2]; // kept ones: one copy is read while the other is written
};

} // namespace lbm
