// BorderLinks: what storage `moments` does about boundary nodes and remote links of a layer before it is collected: what comes
// over their links takes the place of what the row itself sent that way (LayerTarget::own). Mirrors of slip planes along the
// lattice, and remote links, bring a population that was kept (KeptPopulations); walls and openings with a velocity add to
// what they reflect: both go by runs of nodes. The others are completed one by one from states that are kept whole.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/moments/cpu/KeptPopulations.hpp"
#include "lbm/storage/moments/cpu/WindowSweep.hpp"

namespace lbm {

template<class L, class T, class TileT>
class BorderLinks {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Layout = WindowLayout<L, T, TileT>;
    using Sweep = WindowSweep<L, T, TileT>;
    using Kept = KeptPopulations<L, T, TileT>;
    static constexpr int line = lineNodes<T>, layers = Layout::layers, rows = Layout::rows;

    // Anew when links become of another kind or planes turn. What is kept of the state is then to be made anew, too: of all layers.
    void list(const Geometry& geometry)
    {
        const std::int32_t tiles = geometry.grid().stepped();
        mirrors_.clear();
        movers_.clear();
        given_.clear();
        nodes_.clear();
        parts_.clear();
        kept_ = {};
        if (geometry.boundaryNodeCount() + geometry.remoteCount() + geometry.distant().size() == 0) return;
        keepPopulations(geometry, tilesOfNodes(geometry));
        for (std::int32_t t = 0; t < tiles; ++t) addTile(geometry, t);
        parts_.push_back(partHere());
        std::vector<std::int32_t>().swap(sources_);
    }

    bool any() const { return !parts_.empty(); }

    // Before a layer is collected. values: of KeptPopulations; moments: the tile's. window: see WindowSweep.
    void replace(std::int32_t tile, int layer, const BoundaryTable<L, T>& table, const T* values, const T* moments,
                 T* window) const
    {
        const Part &part = parts_[std::size_t(tile) * layers + layer], &next = (&part)[1];
        for (std::uint32_t i = part.mirrors; i < next.mirrors; ++i) {
            fetch(values + entryAhead(mirrors_, i, runsAhead).from);
            Row<T, line>::copy(window + mirrors_[i].value, values + mirrors_[i].from, (1u << mirrors_[i].n) - 1);
        }
        for (std::uint32_t i = part.movers; i < next.movers; ++i)
            move(movers_[i], table.incompressible, moments, window);
        for (std::uint32_t i = part.given; i < next.given; ++i)
            window[given_[i].value] += table.links.told[given_[i].link].r;
        for (std::uint32_t i = part.nodes; i < next.nodes; ++i) {
            const BoundaryState& state = table.nodes[nodes_[i]];
            fetchState(table, entryAhead(nodes_, i, statesAhead));
            const BoundaryNode<L, T> node(table, nodes_[i]);
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
                if (!seenTo_[k]) window[reflectedAt(state.local, table.links.made[k].direction)] = incoming(node, k);
        }
    }

    Kept& kept() { return kept_; }
    const Kept& kept() const { return kept_; }

    // Of TileGeometry::distant, in values.
    std::uint32_t placeOfDistant(std::size_t i) const { return kept_.place(i); }

    std::size_t bytes() const
    {
        return kept_.bytes() + parts_.size() * sizeof(Part) + mirrors_.size() * sizeof(Mirrors)
            + movers_.size() * sizeof(Movers) + given_.size() * sizeof(Given) + nodes_.size() * sizeof(nodes_[0])
            + seenTo_.size() / 8;
    }

private:
    // Of a layer: the first of each list. The next layer's ends it.
    struct Part {
        std::uint32_t mirrors, movers, given, nodes;
    };

    // A shear, added to what a mirror brings.
    struct Given {
        std::uint32_t link;
        std::uint16_t value;
    };

    struct Mirrors {
        std::uint32_t from;
        std::uint16_t value;
        std::uint8_t n;
    };

    // added: 6 w c.u, for a density of one where the fluid is compressible.
    struct Movers {
        T added;
        std::int32_t density; // of the first node, in the tile's moments
        std::uint16_t value;
        std::uint8_t n;
    };

    static LBM_INLINE void move(const Movers& m, bool incompressible, const T* moments, T* window)
    {
        for (int i = 0; i < m.n; ++i)
            window[m.value + i] += m.added * (incompressible ? T(1) : T(1) + moments[m.density + i]);
    }

    // What arrives at a node along q over a link to no other node.
    static int reflectedAt(int local, int q) { return Sweep::ownAt(local / line, opposite(q)) + local % line; }

    Part partHere() const
    {
        return {std::uint32_t(mirrors_.size()), std::uint32_t(movers_.size()), std::uint32_t(given_.size()),
                std::uint32_t(nodes_.size())};
    }

    // What is kept: what curved links draw on, what remote ones bring, what is seen in mirrors, and states of nodes.
    void keepPopulations(const Geometry& geometry, const std::vector<std::int32_t>& tileOf)
    {
        std::vector<DistantPopulation> what(geometry.distant().begin(), geometry.distant().end());
        firstRemote_ = std::uint32_t(what.size());
        for (std::size_t i = 0; i < geometry.remoteCount(); ++i) {
            const RemoteLink& r = geometry.remotes()[i];
            what.push_back({r.source, std::int16_t(r.sourceLocal), std::uint8_t(r.q)});
        }
        seenTo_.assign(geometry.boundaryLinkCount(), false);
        sources_.assign(geometry.boundaryLinkCount(), -1);
        for (std::size_t k = 0; k < seenTo_.size(); ++k) {
            const BoundaryLink<T> link = geometry.boundaryLinks()[k];
            const std::int32_t donor = mirrorDonor(geometry, link);
            seenTo_[k] = donor >= 0 || isMover(link);
            if (donor < 0) continue;
            sources_[k] = std::int32_t(what.size());
            what.push_back({tileOf[donor], geometry.boundaryNodes()[donor].local, std::uint8_t(link.mirror)});
        }
        const std::vector<std::uint8_t> asked = askedStates(geometry, seenTo_);
        std::vector<WholeState> whole;
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (asked[i]) whole.push_back({tileOf[i], geometry.boundaryNodes()[i].local, std::int32_t(i)});
        kept_ = Kept(geometry.grid().tiles(), what, whole);
    }

    void addTile(const Geometry& geometry, std::int32_t tile)
    {
        std::vector<Mirrors> mirrors[layers];
        std::vector<Movers> movers[layers];
        std::vector<Given> given[layers];
        std::vector<std::int32_t> nodes[layers];
        const auto layerOf = [](int local) { return local / line / rows; };
        if (!geometry.uniform(tile)) {
            const auto& d = geometry.detail(tile);
            for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
                const RemoteLink& r = geometry.remotes()[i];
                mirrors[layerOf(r.local)].push_back(
                    {kept_.place(firstRemote_ + i), std::uint16_t(reflectedAt(r.local, r.q)), 1});
            }
            for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
                const BoundaryState& state = geometry.boundaryNodes()[i];
                const int layer = layerOf(state.local);
                bool others = false;
                for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                    const BoundaryLink<T> link = geometry.boundaryLinks()[k];
                    const auto value = std::uint16_t(reflectedAt(state.local, link.direction));
                    if (seenTo_[k] && BoundaryKind(link.kind) == BoundaryKind::shear)
                        given[layer].push_back({k, value});
                    if (!seenTo_[k]) others = true;
                    else if (sources_[k] >= 0) mirrors[layer].push_back({kept_.place(sources_[k]), value, 1});
                    else movers[layer].push_back({addedBy<L>(link), densityAt(state.local), value, 1});
                }
                if (others) nodes[layer].push_back(std::int32_t(i));
            }
        }
        for (int s = 0; s < layers; ++s) {
            parts_.push_back(partHere());
            appendRuns<line>(mirrors[s], mirrors_,
                             [](const Mirrors& a, const Mirrors& b) { return a.from + a.n == b.from; });
            appendRuns<line>(movers[s], movers_, [](const Movers& a, const Movers& b) { return a.added == b.added; });
            given_.insert(given_.end(), given[s].begin(), given[s].end());
            nodes_.insert(nodes_.end(), nodes[s].begin(), nodes[s].end());
        }
    }

    static std::int32_t densityAt(int local) { return local; }

    std::vector<Part> parts_; // by layer of each tile
    std::vector<Mirrors> mirrors_;
    std::vector<Movers> movers_;
    std::vector<Given> given_;
    std::vector<std::int32_t> nodes_;   // with links that are not seen to
    std::vector<bool> seenTo_;          // by boundary link
    std::vector<std::int32_t> sources_; // while lists are made: of mirrors, in what is kept
    std::uint32_t firstRemote_ = 0;
    Kept kept_;
};

} // namespace lbm
