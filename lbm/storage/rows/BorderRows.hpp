// BorderRows: boundary nodes in rows that collisions move themselves, for patterns that stream in place. Before a tile is worked on,
// what waits for half-way reflection is replaced by what belongs there; afterwards is kept what the next step will ask for.
// Where a plane of slip mirrors populations along the lattice, that is one value a link: what waits at another link, which
// its donor sent there. Nodes with no other links need no more; of the others, and of those that they look at, all is kept.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/rows/Propagate.hpp"

#include <array>

namespace lbm {

template<class L, class T, class TileT>
class BorderRows {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;

    bool any(std::int32_t tile) const
    {
        if (parts_.empty()) return false;
        const Part &here = parts_[tile], &next = parts_[tile + 1];
        return here.mirrors != next.mirrors || here.kept != next.kept || here.nodes != next.nodes;
    }

    // To be called when links become of another kind, or planes turn: in this step's state, which waiting(tile, local, q) reads.
    template<class Waiting>
    void list(Geometry& geometry, int now, Waiting&& waiting)
    {
        parts_.clear();
        mirrors_.clear();
        kept_.clear();
        nodes_.clear();
        if (!Move::wide || geometry.boundaryNodeCount() == 0) return;
        const std::int32_t tiles = geometry.grid().tiles();
        findPlaces(geometry);
        findMirrors(geometry);
        const std::vector<bool> known = statesAsked(geometry);
        for (std::int32_t t = 0; t < tiles; ++t) addTile(geometry, t, known);
        parts_.push_back(partHere());
        for (Mirror& mirror : mirrors_) mirror.from = placeOfKept_[mirror.from];
        for (auto& copy : values_) copy.assign(kept_.size(), T(0));
        for (std::int32_t t = 0; t < tiles; ++t) {
            for (std::uint32_t i = parts_[t].kept; i < parts_[t + 1].kept; ++i)
                values_[now][i] = waiting(t, kept_[i].local, opposite(kept_[i].direction));
            for (std::uint32_t i = parts_[t].nodes; i < parts_[t + 1].nodes; ++i) {
                BoundaryState<L, T>& state = geometry.boundaryNodes()[nodes_[i]];
                for (int q = 0; q < L::Q; ++q) state.after[now][q] = waiting(t, state.local, q);
            }
        }
    }

    // g: [Q], a node's populations after its last collision.
    void remember(const TilePlace& place, int now, const double* g)
    {
        if (parts_.empty()) return;
        for (std::uint32_t i = parts_[place.tile].kept; i < parts_[place.tile + 1].kept; ++i)
            if (kept_[i].local == place.local) values_[now][i] = T(g[opposite(kept_[i].direction)]);
    }

    void replace(std::int32_t tile, const BoundaryTable<L, T>& table, T* own) const
    {
        const T* values = values_[table.now].data();
        for (std::uint32_t i = parts_[tile].mirrors; i < parts_[tile + 1].mirrors; ++i)
            own[mirrors_[i].value] = values[mirrors_[i].from];
        for (std::uint32_t i = parts_[tile].nodes; i < parts_[tile + 1].nodes; ++i) {
            const BoundaryState<L, T>& state = table.nodes[nodes_[i]];
            if (state.firstLink == state.lastLink) continue;
            const BoundaryNode<L, T> node(table, nodes_[i]);
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
                if (!mirrored_[k]) own[Move::node(table.links[k].direction, state.local)] = incoming(node, k);
        }
    }

    // sent(local, q): where population q lies that the tile's node has sent. next: the copy of states that is written.
    template<class Sent>
    void keep(std::int32_t tile, Geometry& geometry, int next, const T* own, Sent&& sent)
    {
        T* values = values_[next].data();
        for (std::uint32_t i = parts_[tile].kept; i < parts_[tile + 1].kept; ++i) values[i] = own[kept_[i].value];
        for (std::uint32_t i = parts_[tile].nodes; i < parts_[tile + 1].nodes; ++i) {
            BoundaryState<L, T>& state = geometry.boundaryNodes()[nodes_[i]];
            unroll<L::Q>([&](auto q) { state.after[next][q] = sent(state.local, q); });
        }
    }

    std::size_t bytes() const
    {
        return parts_.size() * sizeof(Part) + mirrors_.size() * sizeof(Mirror) + nodes_.size() * sizeof(nodes_[0])
            + kept_.size() * (sizeof(Kept) + 2 * sizeof(T)) + mirrored_.size() / 8
            + placeOfKept_.size() * sizeof(placeOfKept_[0]) + tileOf_.size() * sizeof(tileOf_[0]);
    }

private:
    static constexpr std::uint32_t nobody = ~std::uint32_t(0);

    // Of a tile: the first of each list. The next tile's ends it.
    struct Part {
        std::uint32_t mirrors, kept, nodes;
    };

    // What is to wait at a link is the value kept of another one. Values are numbered within a tile.
    struct Mirror {
        std::uint32_t from;
        std::uint16_t value;
    };
    struct Kept {
        std::uint16_t value;
        std::int16_t local;
        std::uint8_t direction; // of what arrives there
    };

    Part partHere() const
    {
        return {std::uint32_t(mirrors_.size()), std::uint32_t(kept_.size()), std::uint32_t(nodes_.size())};
    }

    static bool movedRow(const Detail& d, int local)
    {
        for (int k = d.plain; k < d.bordered; ++k)
            if (d.order[k] == local / Move::RX) return true;
        return false;
    }

    void findPlaces(const Geometry& geometry)
    {
        tileOf_.assign(geometry.boundaryNodeCount(), 0);
        for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t)
            if (!geometry.uniform(t))
                for (std::uint32_t i = geometry.detail(t).firstNode; i < geometry.detail(t).lastNode; ++i)
                    tileOf_[i] = t;
    }

    // The link at which waits what a mirror lets arrive over this one; nobody: it is no such mirror.
    std::uint32_t imageOf(const Geometry& geometry, const BoundaryLink<T>& link) const
    {
        if (!Slip::isMirror(link) || link.shares != 1) return nobody;
        const BoundaryShare<T>& share = geometry.boundaryShares()[link.donor];
        if (share.weight != 1) return nobody;
        const BoundaryState<L, T>& donor = geometry.boundaryNodes()[share.node];
        for (std::uint32_t k = donor.firstLink; k < donor.lastLink; ++k)
            if (geometry.boundaryLinks()[k].direction == opposite(link.mirror)) return k;
        return nobody;
    }

    // Which links such planes see to, in rows that are moved, and which values are therefore kept.
    void findMirrors(const Geometry& geometry)
    {
        mirrored_.assign(geometry.boundaryLinkCount(), false);
        placeOfKept_.assign(geometry.boundaryLinkCount(), nobody);
        for (std::size_t i = 0; i < geometry.boundaryNodeCount(); ++i) {
            const BoundaryState<L, T>& state = geometry.boundaryNodes()[i];
            if (!movedRow(geometry.detail(tileOf_[i]), state.local)) continue;
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const std::uint32_t image = imageOf(geometry, geometry.boundaryLinks()[k]);
                mirrored_[k] = image != nobody;
                if (image != nobody && image != k) placeOfKept_[image] = 0;
            }
        }
    }

    // Of boundary states: whether a link that is not such a one is theirs or looks at them, or an opening does.
    std::vector<bool> statesAsked(const Geometry& geometry) const
    {
        std::vector<bool> asked(geometry.boundaryNodeCount(), false);
        const auto ask = [&](std::int32_t state) {
            if (state >= 0) asked[std::size_t(state)] = true;
        };
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const BoundaryState<L, T>& state = geometry.boundaryNodes()[i];
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                if (mirrored_[k]) continue;
                const BoundaryLink<T>& link = geometry.boundaryLinks()[k];
                asked[i] = true;
                for (int s = 0; link.donor >= 0 && s < link.shares + link.sharesBeyond; ++s)
                    ask(geometry.boundaryShares()[link.donor + s].node);
                for (int s = 0; s < link.fitted; ++s) ask(geometry.boundaryShares()[link.fit + s].node);
            }
        }
        for (const OpeningNode& opening : geometry.openings()) {
            ask(opening.state);
            for (int i = 0; i < opening.links; ++i) ask(opening.nearest[i].behind);
            for (const auto& sides : opening.side)
                for (const OpeningSide& side : sides) ask(side.node);
        }
        return asked;
    }

    void addTile(const Geometry& geometry, std::int32_t tile, const std::vector<bool>& asked)
    {
        parts_.push_back(partHere());
        if (geometry.uniform(tile)) return;
        const Detail& d = geometry.detail(tile);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState<L, T>& state = geometry.boundaryNodes()[i];
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const BoundaryLink<T>& link = geometry.boundaryLinks()[k];
                const auto value = std::uint16_t(Move::node(link.direction, state.local));
                if (placeOfKept_[k] != nobody) {
                    placeOfKept_[k] = std::uint32_t(kept_.size());
                    kept_.push_back({value, state.local, link.direction});
                }
                const std::uint32_t image = mirrored_[k] ? imageOf(geometry, link) : nobody;
                if (image != nobody && image != k) mirrors_.push_back({image, value});
            }
            if (asked[i] && movedRow(d, state.local)) nodes_.push_back(std::int32_t(i));
        }
    }

    std::vector<Part> parts_;
    std::vector<Mirror> mirrors_; // by tile, as are the following ones
    std::vector<Kept> kept_;
    std::vector<std::int32_t> nodes_; // boundary states
    std::vector<T> values_[2];        // kept ones: one copy is read while the other is written
    std::vector<bool> mirrored_;      // by boundary link
    std::vector<std::uint32_t> placeOfKept_;
    std::vector<std::int32_t> tileOf_; // by boundary state
};

} // namespace lbm
