// BorderLists: what BorderRows goes through at each step, made anew when links become of another kind: runs of nodes along a row
// to which mirrors bring a population, to which walls or openings add something, to which a given shear does, whose values are kept for others; and nodes
// that are completed from states of nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/rows/Propagate.hpp"

namespace lbm {

// Runs of n nodes. Values are numbered within a tile: `value` is the first node's, of mirrors and movers what is replaced.
struct BorderMirrors {
    std::uint32_t from; // of what is kept, or where patterns pull, tile around it << 16 | value
    std::uint16_t value;
    std::uint8_t n;
};
template<class T>
struct BorderMovers {
    T added;
    std::uint16_t value;
    std::uint8_t n;
};
struct BorderGiven {
    std::uint32_t link; // what it gives is added
    std::uint16_t value;
};
struct BorderKept {
    std::uint16_t value;
    std::uint8_t n;
};

template<class T>
struct BorderLists {
    // Of a tile: the first of each list, and of the values kept. The next tile's ends it.
    struct Part {
        std::uint32_t mirrors, movers, given, kept, nodes, values;
    };

    std::vector<Part> parts;
    std::vector<BorderMirrors> mirrors; // by tile, as are the following ones
    std::vector<BorderMovers<T>> movers;
    std::vector<BorderGiven> given;
    std::vector<BorderKept> kept;
    std::vector<std::int32_t> nodes; // boundary states
    std::vector<bool> seenTo;        // by boundary link: needs no state of a node

    std::size_t bytes() const
    {
        return parts.size() * sizeof(Part) + mirrors.size() * sizeof(BorderMirrors)
            + movers.size() * sizeof(BorderMovers<T>) + given.size() * sizeof(BorderGiven)
            + kept.size() * sizeof(BorderKept) + nodes.size() * sizeof(nodes[0]) + seenTo.size() / 8;
    }
};

// Where what a node reflects along q waits.
template<class Move>
int reflectedAt(Streaming kind, int local, int q)
{
    return Move::node(kind == Streaming::inPlace ? q : opposite(q), local);
}

// Makes them.
template<class L, class T, class TileT>
class BorderListing {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;

    BorderListing(const Geometry& geometry, Streaming kind, bool incompressible) :
        geometry_(geometry), kind_(kind), incompressible_(incompressible), tileOf_(tilesOfNodes(geometry))
    {
        findSources();
        placeKept();
    }

    BorderLists<T> lists()
    {
        const std::vector<std::uint8_t> asked = askedStates(geometry_, lists_.seenTo);
        const std::int32_t tiles = geometry_.grid().tiles();
        for (std::int32_t t = 0; t < tiles; ++t) {
            lists_.parts.push_back(partHere(firstKept_[t]));
            if (!geometry_.uniform(t)) addTile(t, asked);
        }
        lists_.parts.push_back(partHere(firstKept_[tiles]));
        return std::move(lists_);
    }

private:
    static constexpr std::uint32_t nobody = ~std::uint32_t(0);

    bool inPlace() const { return kind_ == Streaming::inPlace; }

    typename BorderLists<T>::Part partHere(std::uint32_t values) const
    {
        return {std::uint32_t(lists_.mirrors.size()), std::uint32_t(lists_.movers.size()),
                std::uint32_t(lists_.given.size()),   std::uint32_t(lists_.kept.size()),
                std::uint32_t(lists_.nodes.size()),   values};
    }

    static bool movedRow(const Detail& d, int local)
    {
        for (int k = d.plain; k < d.bordered; ++k)
            if (d.order[k] == local / Move::RX) return true;
        return false;
    }

    // Where what a mirror lets arrive over link k of a tile comes from: in place the link at which it waits, else the tile
    // around this one and the value there. nobody: it is no such mirror.
    std::uint32_t sourceOf(std::int32_t tile, const LinkMakeup& link) const
    {
        const std::int32_t index = mirrorDonor(geometry_, link);
        if (index < 0) return nobody;
        const BoundaryState& donor = geometry_.boundaryNodes()[index];
        if (inPlace()) {
            for (std::uint32_t k = donor.firstLink; k < donor.lastLink; ++k)
                if (geometry_.boundaryLinks().made[k].direction == opposite(link.mirror)) return k;
            return nobody;
        }
        const auto& around = geometry_.grid().neighbours(tile);
        const auto from =
            tileOf_[index] == tile ? around.begin() + 13 : std::find(around.begin(), around.end(), tileOf_[index]);
        if (from == around.end()) return nobody;
        return std::uint32_t(from - around.begin()) << 16 | std::uint32_t(Move::node(link.mirror, donor.local));
    }

    // Which links of rows that are moved are seen to without any node's state, and from where.
    void findSources()
    {
        lists_.seenTo.assign(geometry_.boundaryLinkCount(), false);
        sources_.assign(geometry_.boundaryLinkCount(), nobody);
        for (std::size_t i = 0; i < geometry_.boundaryNodeCount(); ++i) {
            const BoundaryState& state = geometry_.boundaryNodes()[i];
            if (!movedRow(geometry_.detail(tileOf_[i]), state.local)) continue;
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const BoundaryLink<T> link = geometry_.boundaryLinks()[k];
                sources_[k] = sourceOf(tileOf_[i], link);
                lists_.seenTo[k] = sources_[k] != nobody || (incompressible_ && isMover(link));
            }
        }
    }

    // Numbers what links keep for others, as it lies along rows.
    void placeKept()
    {
        const std::int32_t tiles = geometry_.grid().tiles();
        firstKept_.assign(std::size_t(tiles) + 1, 0);
        placeOfKept_.assign(geometry_.boundaryLinkCount(), nobody);
        for (std::size_t k = 0; k < sources_.size() && inPlace(); ++k)
            if (sources_[k] != nobody && sources_[k] != k) placeOfKept_[sources_[k]] = 0;
        for (std::int32_t t = 0; t < tiles; ++t) {
            std::vector<std::pair<int, std::uint32_t>> found;
            eachLink(t, [&](int local, std::uint32_t k) {
                if (placeOfKept_[k] != nobody)
                    found.push_back({reflectedAt<Move>(kind_, local, geometry_.boundaryLinks().made[k].direction), k});
            });
            std::sort(found.begin(), found.end());
            firstKept_[t + 1] = firstKept_[t] + std::uint32_t(found.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                placeOfKept_[found[i].second] = firstKept_[t] + std::uint32_t(i);
        }
    }

    // visit(local, link)
    template<class Visit>
    void eachLink(std::int32_t tile, Visit&& visit) const
    {
        if (geometry_.uniform(tile)) return;
        const Detail& d = geometry_.detail(tile);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState& state = geometry_.boundaryNodes()[i];
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) visit(state.local, k);
        }
    }

    void addTile(std::int32_t tile, const std::vector<std::uint8_t>& asked)
    {
        const Detail& d = geometry_.detail(tile);
        std::vector<BorderMirrors> mirrors;
        std::vector<BorderMovers<T>> movers;
        std::vector<BorderKept> kept;
        eachLink(tile, [&](int local, std::uint32_t k) {
            const BoundaryLink<T> link = geometry_.boundaryLinks()[k];
            const auto value = std::uint16_t(reflectedAt<Move>(kind_, local, link.direction));
            if (placeOfKept_[k] != nobody) kept.push_back({value, 1});
            if (!lists_.seenTo[k]) return;
            if (BoundaryKind(link.kind) == BoundaryKind::shear) lists_.given.push_back({k, value});
            if (sources_[k] == nobody) movers.push_back({addedBy<L>(link), value, 1});
            else if (!inPlace()) mirrors.push_back({sources_[k], value, 1});
            else if (sources_[k] != k) mirrors.push_back({placeOfKept_[sources_[k]], value, 1});
        });
        constexpr int line = Move::block;
        appendRuns<line>(mirrors, lists_.mirrors,
                         [](const BorderMirrors& a, const BorderMirrors& b) { return a.from + a.n == b.from; });
        appendRuns<line>(movers, lists_.movers,
                         [](const BorderMovers<T>& a, const BorderMovers<T>& b) { return a.added == b.added; });
        appendRuns<line>(kept, lists_.kept, [](const BorderKept&, const BorderKept&) { return true; });
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i)
            if (asked[i] && movedRow(d, geometry_.boundaryNodes()[i].local)) lists_.nodes.push_back(std::int32_t(i));
    }

    const Geometry& geometry_;
    Streaming kind_;
    bool incompressible_;
    std::vector<std::int32_t> tileOf_;                 // by boundary state
    std::vector<std::uint32_t> sources_, placeOfKept_; // by boundary link: see sourceOf; of links at which others ask
    std::vector<std::uint32_t> firstKept_;             // of each tile
    BorderLists<T> lists_;
};

} // namespace lbm
