// BorderRows: boundary nodes in rows that collisions move themselves. Before a tile is worked on, what waits for half-way
// reflection is replaced by what belongs there; afterwards is kept what the next step will ask for.
// Where a plane of slip mirrors populations along the lattice, that is one value a link, and where a wall or an opening has a
// velocity, something is added: both by runs of nodes along a row. Patterns that stream in place keep such values, which
// wait at other links, where their donors sent them; those that pull find them in the state before. Nodes with no other
// links need no more; of the others, and of those that they look at, all is kept.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/rows/Propagate.hpp"

#include <array>

namespace lbm {

template<class L, class T, class TileT>
class BorderRows {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;

    BorderRows() = default;
    BorderRows(Streaming kind, bool incompressible) : kind_(kind), incompressible_(incompressible) {}

    bool any(std::int32_t tile) const
    {
        if (parts_.empty()) return false;
        const Part &here = parts_[tile], &next = parts_[tile + 1];
        return here.mirrors != next.mirrors || here.movers != next.movers || here.kept != next.kept
            || here.nodes != next.nodes;
    }

    // Rows, a bit each, whose results keep() reads.
    std::uint64_t readAgain(std::int32_t tile, const Geometry& geometry) const
    {
        static_assert(Move::rows <= 64);
        std::uint64_t rows = 0;
        if (!parts_.empty())
            for (std::uint32_t i = parts_[tile].nodes; i < parts_[tile + 1].nodes; ++i)
                rows |= std::uint64_t(1) << geometry.boundaryNodes()[nodes_[i]].local / Move::RX;
        return rows;
    }

    // To be called when links become of another kind, or planes turn: in this step's state, which sent(tile, local, q) reads.
    template<class Sent>
    void list(Geometry& geometry, int now, Sent&& sent)
    {
        parts_.clear();
        mirrors_.clear();
        movers_.clear();
        kept_.clear();
        nodes_.clear();
        if (!Move::wide || geometry.boundaryNodeCount() == 0) return;
        const std::int32_t tiles = geometry.grid().tiles();
        tileOf_ = tilesOfNodes(geometry);
        findSources(geometry);
        const std::vector<bool> asked = askedStates(geometry, seenTo_);
        const std::vector<std::uint32_t> firstKept = placeKept(geometry);
        for (std::int32_t t = 0; t < tiles; ++t) {
            parts_.push_back(partHere(firstKept[t]));
            if (!geometry.uniform(t)) addTile(geometry, t, asked);
        }
        parts_.push_back(partHere(firstKept[tiles]));
        for (auto& copy : values_) copy.assign(firstKept[tiles], T(0));
        for (std::int32_t t = 0; t < tiles; ++t) {
            eachKept(t, [&](int local, int q, std::uint32_t i) { values_[now][i] = sent(t, local, opposite(q)); });
            for (std::uint32_t i = parts_[t].nodes; i < parts_[t + 1].nodes; ++i) {
                BoundaryState<L, T>& state = geometry.boundaryNodes()[nodes_[i]];
                for (int q = 0; q < L::Q; ++q) state.after[now][q] = sent(t, state.local, q);
            }
        }
    }

    // g: [Q], a node's populations after its last collision.
    void remember(const TilePlace& place, int now, const double* g)
    {
        if (parts_.empty()) return;
        eachKept(place.tile, [&](int local, int q, std::uint32_t i) {
            if (local == place.local) values_[now][i] = T(g[opposite(q)]);
        });
    }

    // Of patterns that stream in place.
    void replace(std::int32_t tile, const BoundaryTable<L, T>& table, T* own) const
    {
        const T* values = values_[table.now].data();
        for (std::uint32_t i = parts_[tile].mirrors; i < parts_[tile + 1].mirrors; ++i) {
            fetch(values + entryAhead(mirrors_, i, runsAhead).from);
            copy(own + mirrors_[i].value, values + mirrors_[i].from, mirrors_[i].n);
        }
        for (std::uint32_t i = parts_[tile].movers; i < parts_[tile + 1].movers; ++i) move(movers_[i], own, own);
        complete(tile, table, own);
    }

    // Pull. What is replaced goes to `target`, laid out as the tile: its neighbours may still have to read the old values.
    void reflect(std::int32_t tile, const BoundaryTable<L, T>& table, T* const* around, T* target) const
    {
        for (std::uint32_t i = parts_[tile].mirrors; i < parts_[tile + 1].mirrors; ++i)
            copy(target + mirrors_[i].value, around[mirrors_[i].from >> 16] + (mirrors_[i].from & 0xffff),
                 mirrors_[i].n);
        for (std::uint32_t i = parts_[tile].movers; i < parts_[tile + 1].movers; ++i)
            move(movers_[i], around[13], target);
        complete(tile, table, target);
    }

    // sent(local, q): where population q lies that the tile's node has sent. next: the copy of states that is written. own:
    // not needed where patterns pull.
    template<class Sent>
    void keep(std::int32_t tile, Geometry& geometry, int next, const T* own, Sent&& sent)
    {
        T* to = values_[next].data() + parts_[tile].values;
        for (std::uint32_t i = parts_[tile].kept; i < parts_[tile + 1].kept; to += kept_[i++].n)
            copy(to, own + kept_[i].value, kept_[i].n);
        for (std::uint32_t i = parts_[tile].nodes; i < parts_[tile + 1].nodes; ++i) {
            BoundaryState<L, T>& state = geometry.boundaryNodes()[nodes_[i]];
            unroll<L::Q>([&](auto q) { state.after[next][q] = sent(state.local, q); });
        }
    }

    std::size_t bytes() const
    {
        return parts_.size() * sizeof(Part) + mirrors_.size() * sizeof(Mirrors) + movers_.size() * sizeof(Movers)
            + nodes_.size() * sizeof(nodes_[0]) + kept_.size() * sizeof(Kept) + 2 * values_[0].size() * sizeof(T)
            + seenTo_.size() / 8 + (sources_.size() + placeOfKept_.size() + tileOf_.size()) * sizeof(nobody);
    }

private:
    static constexpr std::uint32_t nobody = ~std::uint32_t(0);

    // Of a tile: the first of each list, and of the values kept. The next tile's ends it.
    struct Part {
        std::uint32_t mirrors, movers, kept, nodes, values;
    };

    // Runs of n nodes in a row. Values are numbered within a tile: `value` is the first node's, which is replaced. from: of
    // what is kept, or where patterns pull, tile around it << 16 | value.
    struct Mirrors {
        std::uint32_t from;
        std::uint16_t value;
        std::uint8_t n;
    };
    struct Movers {
        T added;
        std::uint16_t value;
        std::uint8_t n;
    };
    struct Kept {
        std::uint16_t value;
        std::uint8_t n;
    };

    static LBM_INLINE void copy(T* to, const T* from, int n) { Row<T, Move::block>::copy(to, from, (1u << n) - 1); }

    static LBM_INLINE void move(const Movers& m, const T* from, T* to)
    {
        for (int i = 0; i < m.n; ++i) to[m.value + i] = from[m.value + i] + m.added;
    }

    // Links that are completed from states of nodes.
    void complete(std::int32_t tile, const BoundaryTable<L, T>& table, T* target) const
    {
        for (std::uint32_t i = parts_[tile].nodes; i < parts_[tile + 1].nodes; ++i) {
            const BoundaryState<L, T>& state = table.nodes[nodes_[i]];
            fetchState(table, entryAhead(nodes_, i, statesAhead));
            if (state.firstLink == state.lastLink) continue;
            const BoundaryNode<L, T> node(table, nodes_[i]);
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
                if (!seenTo_[k]) target[reflectedAt(state.local, table.links[k].direction)] = incoming(node, k);
        }
    }

    bool inPlace() const { return kind_ == Streaming::inPlace; }

    // Where what a node reflects along q waits.
    int reflectedAt(int local, int q) const { return Move::node(inPlace() ? q : opposite(q), local); }

    // visit(local, q, i): i-th value kept is what waits at the node's link q.
    template<class Visit>
    void eachKept(std::int32_t tile, Visit&& visit) const
    {
        std::uint32_t place = parts_[tile].values;
        for (std::uint32_t i = parts_[tile].kept; i < parts_[tile + 1].kept; ++i)
            for (int value = kept_[i].value; value < kept_[i].value + kept_[i].n; ++value)
                visit(value / Move::blockSize * Move::block + value % Move::block,
                      value % Move::blockSize / Move::block, place++);
    }

    Part partHere(std::uint32_t values) const
    {
        return {std::uint32_t(mirrors_.size()), std::uint32_t(movers_.size()), std::uint32_t(kept_.size()),
                std::uint32_t(nodes_.size()), values};
    }

    static bool movedRow(const Detail& d, int local)
    {
        for (int k = d.plain; k < d.bordered; ++k)
            if (d.order[k] == local / Move::RX) return true;
        return false;
    }

    // Where what a mirror lets arrive over link k of a tile comes from: in place the link at which it waits, else the tile
    // around this one and the value there. nobody: it is no such mirror.
    std::uint32_t sourceOf(const Geometry& geometry, std::int32_t tile, const BoundaryLink<T>& link) const
    {
        const std::int32_t index = mirrorDonor(geometry, link);
        if (index < 0) return nobody;
        const BoundaryState<L, T>& donor = geometry.boundaryNodes()[index];
        if (inPlace()) {
            for (std::uint32_t k = donor.firstLink; k < donor.lastLink; ++k)
                if (geometry.boundaryLinks()[k].direction == opposite(link.mirror)) return k;
            return nobody;
        }
        const auto& around = geometry.grid().neighbours(tile);
        const auto from =
            tileOf_[index] == tile ? around.begin() + 13 : std::find(around.begin(), around.end(), tileOf_[index]);
        if (from == around.end()) return nobody;
        return std::uint32_t(from - around.begin()) << 16 | std::uint32_t(Move::node(link.mirror, donor.local));
    }

    // Which links of rows that are moved are seen to without any node's state, and from where.
    void findSources(const Geometry& geometry)
    {
        seenTo_.assign(geometry.boundaryLinkCount(), false);
        sources_.assign(geometry.boundaryLinkCount(), nobody);
        for (std::size_t i = 0; i < geometry.boundaryNodeCount(); ++i) {
            const BoundaryState<L, T>& state = geometry.boundaryNodes()[i];
            if (!movedRow(geometry.detail(tileOf_[i]), state.local)) continue;
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const BoundaryLink<T>& link = geometry.boundaryLinks()[k];
                sources_[k] = sourceOf(geometry, tileOf_[i], link);
                seenTo_[k] = sources_[k] != nobody || (incompressible_ && isMover(link));
            }
        }
    }

    // Numbers what links keep for others, as it lies along rows. Returns the first number of each tile.
    std::vector<std::uint32_t> placeKept(const Geometry& geometry)
    {
        const std::int32_t tiles = geometry.grid().tiles();
        std::vector<std::uint32_t> first(std::size_t(tiles) + 1, 0);
        placeOfKept_.assign(geometry.boundaryLinkCount(), nobody);
        for (std::size_t k = 0; k < sources_.size() && inPlace(); ++k)
            if (sources_[k] != nobody && sources_[k] != k) placeOfKept_[sources_[k]] = 0;
        for (std::int32_t t = 0; t < tiles; ++t) {
            std::vector<std::pair<int, std::uint32_t>> found;
            eachLink(geometry, t, [&](int local, std::uint32_t k) {
                if (placeOfKept_[k] != nobody)
                    found.push_back({reflectedAt(local, geometry.boundaryLinks()[k].direction), k});
            });
            std::sort(found.begin(), found.end());
            first[t + 1] = first[t] + std::uint32_t(found.size());
            for (std::size_t i = 0; i < found.size(); ++i) placeOfKept_[found[i].second] = first[t] + std::uint32_t(i);
        }
        return first;
    }

    // visit(local, link)
    template<class Visit>
    static void eachLink(const Geometry& geometry, std::int32_t tile, Visit&& visit)
    {
        if (geometry.uniform(tile)) return;
        const Detail& d = geometry.detail(tile);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState<L, T>& state = geometry.boundaryNodes()[i];
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) visit(state.local, k);
        }
    }

    void addTile(const Geometry& geometry, std::int32_t tile, const std::vector<bool>& asked)
    {
        const Detail& d = geometry.detail(tile);
        std::vector<Mirrors> mirrors;
        std::vector<Movers> movers;
        std::vector<Kept> kept;
        eachLink(geometry, tile, [&](int local, std::uint32_t k) {
            const BoundaryLink<T>& link = geometry.boundaryLinks()[k];
            const auto value = std::uint16_t(reflectedAt(local, link.direction));
            if (placeOfKept_[k] != nobody) kept.push_back({value, 1});
            if (!seenTo_[k]) return;
            if (sources_[k] == nobody) movers.push_back({addedBy<L>(link), value, 1});
            else if (!inPlace()) mirrors.push_back({sources_[k], value, 1});
            else if (sources_[k] != k) mirrors.push_back({placeOfKept_[sources_[k]], value, 1});
        });
        constexpr int line = Move::block;
        appendRuns<line>(mirrors, mirrors_, [](const Mirrors& a, const Mirrors& b) { return a.from + a.n == b.from; });
        appendRuns<line>(movers, movers_, [](const Movers& a, const Movers& b) { return a.added == b.added; });
        appendRuns<line>(kept, kept_, [](const Kept&, const Kept&) { return true; });
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i)
            if (asked[i] && movedRow(d, geometry.boundaryNodes()[i].local)) nodes_.push_back(std::int32_t(i));
    }

    Streaming kind_ = Streaming::inPlace;
    bool incompressible_ = false;
    std::vector<Part> parts_;
    std::vector<Mirrors> mirrors_; // by tile, as are the following ones
    std::vector<Movers> movers_;
    std::vector<Kept> kept_;
    std::vector<std::int32_t> nodes_;                  // boundary states
    std::vector<T> values_[2];                         // kept ones: one copy is read while the other is written
    std::vector<bool> seenTo_;                         // by boundary link
    std::vector<std::uint32_t> sources_, placeOfKept_; // see sourceOf; of links at which others ask
    std::vector<std::int32_t> tileOf_;                 // by boundary state
};

} // namespace lbm
