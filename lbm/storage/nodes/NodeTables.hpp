// NodeTables: TileGeometry in the form that patterns read that are written node by node (see Layout). Its vectors are
// what TilesView and BoundaryView point to; a device takes copies. What tiles have by node (words of links, CurvedNode) is not among
// them: who reads it makes it of tiles' masks where it is read (makeWords). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/Company.hpp"
#include "lbm/storage/nodes/CurvedNodes.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"
#include "lbm/storage/nodes/ListCut.hpp"
#include "lbm/storage/papers/Ghosts.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <array>
#include <tuple>
#include <vector>

namespace lbm {

// Where interpolated walls are seen to: before the step, in it, or in a step that has one layer of nodes in hand at a time, which
// leaves nodes with other reflecting links, or with walls on both sides, to what comes before.
enum class CurvedIn { beforeStep, step, layers };

// Of BoundaryView's lists.
struct BoundaryCut {
    ListCut company, lone, recalled, distant, pairs, links, between, openings;

    template<class L, class T>
    void apply(BoundaryView<L, T>& b) const
    {
        const auto narrow = [](auto*& list, int& n, const ListCut& cut) {
            list += cut.first;
            n = cut.count;
        };
        narrow(b.company, b.companyCount, company);
        narrow(b.lone, b.loneCount, lone);
        narrow(b.distantByTile, b.distantCount, distant);
        narrow(b.pairs, b.pairCount, pairs);
        narrow(b.between, b.betweenCount, between);
        narrow(b.openings, b.openingCount, openings);
        b.firstLink = links.first;
        b.linkCount = links.count;
        b.recalledCount = recalled.count;
        if (b.recalled) b.recalled += recalled.first;
        else b.firstCurved = recalled.first;
    }
};

template<class L, class T, class TileT>
class NodeTables {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    static constexpr int N = TileT::N;

    // Throws std::invalid_argument if indices cannot count the nodes.
    NodeTables(const Domain& domain, const Config& config, Layout layout, TileOrder order = TileOrder::rimLast,
               CurvedIn curvedIn = CurvedIn::beforeStep) :
        layout_(layout), order_(order), curvedIn_(curvedIn), size_(domain.size), host_(domain, config, order)
    {
        stored_ = std::size_t(grid().tiles()) * N;
        units_ = grid().tiles();
        if (inRuns() && domain.nodes() > INT32_MAX - N)
            throw std::invalid_argument("storage " + config.storage + ": the box holds more than 2^31 nodes");
        if (isBox()) describeBox(domain);
        else if (inRuns()) numberFluid(domain);
        else describeTiles();
        if (layout == Layout::packedTiles) pack();
        values_ = stored_ * L::Q;
        if constexpr (isCube()) {
            if (layout == Layout::ghostTiles) addGhosts();
        }
        listPlaces();
    }

    const Geometry& host() const { return host_; }
    Geometry& host() { return host_; }
    const TileGrid& grid() const { return host_.grid(); }

    // Values of one copy of the populations.
    std::size_t values() const { return values_; }

    // Tiles or runs, and nodes: of which unit, and which node in it. Tiles of TileGrid on the other side.
    std::int32_t units() const { return units_; }

    // Units that steps work on. Nodes that are numbered one by one stay among ghosts, which are then computed with them: a
    // few layers of the box. So are ghosts of tiles that write what their neighbours will read (ghostTiles).
    TileRange range(PartOfTiles part) const
    {
        if (!stepsAll()) return grid().range(part);
        return part == PartOfTiles::inner ? TileRange{0, 0} : TileRange{0, units_};
    }
    bool stepsGhosts() const
    {
        return stepsAll() ? grid().stepped() < grid().tiles() || grid().stepsGhosts() : grid().stepsGhosts();
    }
    bool steps(const NodePlace& p) const { return stepsAll() || p.tile < grid().stepped(); }
    // Nodes are numbered in runs, in place of tiles.
    bool inRuns() const { return isBox() || layout_ == Layout::fluidNodes || layout_ == Layout::fluidIndex; }
    NodePlace place(const TilePlace& p) const { return !inRuns() ? NodePlace{p.tile, p.local} : placeOf(boxIndex(p)); }
    NodePlace place(const Int3& x) const { return !inRuns() ? place(grid().place(x)) : placeOf(boxIndex(x)); }
    Int3 coordinates(std::int32_t unit, int local) const;

    std::size_t bytes() const;
    TilesView view() const;
    // forgotten: nothing is known of what nodes sent away from interpolated walls, for populations were written.
    BoundaryView<L, T> boundary(bool incompressible, bool forgotten = true);
    CurvedView<T> curved();

    // For a step of some tiles: kernels count tiles, or blocks of packed ones, from the first that they see.
    TilesView inRange(TilesView view, const TileRange& tiles) const
    {
        if (tiles.count() == view.tiles) return view;
        if (view.blocks) {
            const std::int32_t first = blockOf(tiles.first);
            view.blocks += first;
            view.blockCount = blockOf(tiles.last) - first;
            return view;
        }
        view.tiles = tiles.count();
        view.neighbours += std::size_t(tiles.first) * 27;
        view.detailOf += tiles.first;
        return view;
    }

    // The tile that is number 0 in the view of a range.
    std::int32_t firstInView(const TileRange& tiles) const
    {
        return tables_.blocks.empty() && tiles.count() != units_ ? tiles.first : 0;
    }

    // What happens before a step in some tiles: `remembered` is looked at by others, too. forgotten: as in boundary().
    BoundaryCut cut(const TileRange& remembered, const TileRange& stepped, bool forgotten) const;

    // Values of one copy that lie before a tile's.
    std::size_t valuesBefore(std::int32_t tile) const
    {
        if (tables_.packed.empty()) return std::size_t(tile) * N * L::Q;
        return (tile < grid().tiles() ? std::size_t(tables_.packed[std::size_t(tile)].first) : stored_) * L::Q;
    }

    // Nodes look at what is written down of others before a step.
    bool remembersForOthers() const
    {
        return !tables_.company.empty() || !tables_.pairs.empty() || !tables_.distant.empty();
    }

    // Links are completed where populations lie, before a step.
    bool changesBeforeStep() const
    {
        return !tables_.places.empty() || !tables_.pairs.empty() || !tables_.between.empty();
    }

    struct Tables {
        std::vector<std::int32_t> detailOf;
        UnsetVector<std::uint32_t> links; // of tiles: once they are held, see hold
        std::vector<PackedTile> packed;
        std::vector<std::int32_t> blocks;
        std::vector<std::uint32_t> sources;
        std::vector<std::int32_t> index;
        std::vector<std::uint8_t> types;
        std::vector<std::int32_t> ghosts;
        UnsetVector<NodePlace> places;                       // of boundary nodes, in the order of TileGeometry's
        std::vector<std::int32_t> nodeOfLink, company, lone; // see BoundaryView
        UnsetVector<RemotePair> pairs;                       // by the one of their ends that comes last
        std::vector<CurvedPlace> curvedPlaces;
        std::vector<std::int32_t> between;   // see BoundaryView
        std::vector<std::size_t> inStep;     // nodes with interpolated walls that the step sees to: their words
        std::vector<CurvedNode> curvedNodes; // of them, where CurvedIn::step
        std::vector<CurvedShares> shares;
        std::vector<DistantPopulation> distant;  // places of TileGeometry's
        std::vector<std::int32_t> distantByTile; // their numbers
    };
    const Tables& tables() const { return tables_; }

    // Words of links by node of tiles that have them: what each is made of, and who has more to tell than its tile's masks.
    std::size_t words() const { return wordTiles_.empty() ? tables_.links.size() : wordTiles_.size() * N; }
    std::size_t wordTiles() const { return wordTiles_.size(); } // 0: words are by node of a box
    const Detail& wordTile(std::size_t i) const { return host_.detail(wordTiles_[i]); }
    LBM_HD static std::uint32_t linkWord(const Detail& d, int local)
    {
        if (!d.isFluid(local)) return solidNode;
        std::uint32_t word = 0;
        for (int q = 1; q < L::Q; ++q)
            if (!d.arrivesAt(local, q)) word |= std::uint32_t(1) << q;
        return word;
    }

    // For who steps on a host: words, and what boundary nodes have sent.
    void hold()
    {
        host_.holdPopulations(1);
        tables_.links.resize(words());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < wordTiles_.size(); ++i)
            for (int local = 0; local < N; ++local) tables_.links[i * N + local] = linkWord(wordTile(i), local);
        for (const std::size_t word : tables_.inStep) tables_.links[word] |= curvedNode;
    }

    // Values of TileGrid's neighbours that kernels read.
    std::size_t neighboursRead() const
    {
        return inRuns() || layout_ == Layout::ghostTiles ? 0 : std::size_t(grid().tiles()) * 27;
    }

    // Of `index`, how much kernels read: connectivity alone builds on it.
    std::size_t onDeviceIndex() const { return layout_ == Layout::fluidIndex ? tables_.index.size() : 0; }

private:
    using Words = std::array<std::uint32_t, N>;

    static constexpr bool isCube() { return TileT::TX == TileT::TY && (L::D == 2 || TileT::TX == TileT::TZ); }
    bool isBox() const { return layout_ == Layout::box || layout_ == Layout::wordBox; }
    bool stepsAll() const { return inRuns() || layout_ == Layout::ghostTiles; }

    Int3 coordinatesIn(const TilePlace& p) const
    {
        const Int3 o = grid().origin(p.tile);
        return {o[0] + p.local % TileT::TX, o[1] + p.local / TileT::TX % TileT::TY,
                o[2] + p.local / TileT::TX / TileT::TY};
    }
    std::size_t boxIndex(const Int3& x) const
    {
        return x[0] + std::size_t(size_[0]) * (x[1] + std::size_t(size_[1]) * x[2]);
    }
    std::size_t boxIndex(const TilePlace& p) const { return boxIndex(coordinatesIn(p)); }
    NodePlace placeOf(std::size_t box) const
    {
        const std::size_t number = layout_ == Layout::fluidNodes ? tables_.index[box] : box;
        return {std::int32_t(number / N), std::int32_t(number % N)};
    }

    bool isFluid(std::int32_t tile, int local) const
    {
        if (tile == grid().tiles()) return false;
        return host_.uniform(tile) || host_.detail(tile).isFluid(local);
    }

    static std::uint32_t hiddenWalls(const Domain&, const Int3&, std::uint32_t word);
    void describeTiles();
    bool hasHiddenWall(std::int32_t tile) const;
    bool amongFullTiles(std::int32_t tile) const;
    void pack();
    void addGhosts();
    Words wallWords(std::int32_t tile) const;
    template<class F>
    void forFluid(F&& f) const;
    void describeBox(const Domain&);
    void numberFluid(const Domain&);
    std::vector<std::uint8_t> inCompany() const;
    void listPairs();
    void listPlaces();
    void listCurved(std::int32_t tile);
    void addCurved(std::int32_t tile, std::uint32_t link, bool inStep);
    bool curvedInStep(std::int32_t tile, int local, std::uint32_t curved) const;

    // Of packed tiles, one that begins with the tile.
    std::int32_t blockOf(std::int32_t tile) const
    {
        return std::int32_t(std::lower_bound(tables_.blocks.begin(), tables_.blocks.end(), tile)
                            - tables_.blocks.begin());
    }

    Layout layout_;
    TileOrder order_;
    CurvedIn curvedIn_;
    Int3 size_;
    Geometry host_;
    Tables tables_;
    std::vector<std::int32_t> wordTiles_; // which have words, in their order
    std::array<bool, 3> periodic_{};
    std::size_t stored_ = 0, values_ = 0;
    std::array<std::size_t, 2> ghostStart_{};
    std::int32_t units_ = 0;
    std::vector<T> distantValues_, sentAway_; // see BoundaryView
    std::vector<std::uint32_t> boxOf_;        // connectivity: which node of the box each fluid one is
};

} // namespace lbm

#include "lbm/storage/nodes/NodeTables.ipp"
