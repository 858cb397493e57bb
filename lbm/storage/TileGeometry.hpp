// TileGeometry: a Domain in the form that kernels of tiled patterns read. A uniform tile (all nodes fluid,
// every population reached by shifting rows, no boundary but the tiles' own) needs no data at all. Any
// other tile has, per row, the fluid lanes and, per population q, the lanes whose value comes from the
// node at -c_q; the other fluid lanes reflect. Three kinds of exceptions are listed one by one:
//   remote links: periodic wraps that do not fall on a tile boundary;
//   curved links: links through an interpolated wall;
//   boundary nodes: nodes with a link that is more than a resting wall, and the donors of such links.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/boundary/BoundaryNode.hpp"
#include "lbm/api/LinkFinder.hpp"
#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/boundary/Donors.hpp"
#include "lbm/boundary/OpeningNodes.hpp"
#include "lbm/boundary/Slip.hpp"
#include "lbm/boundary/VelocityGradient.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/storage/CurvedLink.hpp"
#include "lbm/storage/KeptDonors.hpp"
#include "lbm/storage/Tile.hpp"
#include "lbm/api/UnsetVector.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lbm {

// Population q of node `local` comes from node `sourceLocal` of tile `source`.
struct RemoteLink {
    std::int32_t source, sourceLocal;
    std::int16_t local;
    std::int16_t q;
};

// A population after collision that a curved link of another node draws on.
struct DistantPopulation {
    std::int32_t tile;
    std::int16_t local;
    std::uint8_t q;
};

// A curved link with another one on the node's other side: its `move` follows from both walls' 6 w c.u.
struct WallGap {
    std::int32_t link, other;
    double own, across; // shares
    double speed;       // 6 w c.u of `link`
};

// A curved link that stands at the corner of an opening, and the record in the list of boundary links that tells its
// velocity there.
struct WallShadow {
    std::int32_t curved, link;
};

template<class L, class T, class TileT>
class TileGeometry {
public:
    using Mask = LaneMask<T>;
    static constexpr int RX = TileT::template rowNodes<T>, rows = TileT::N / RX;

    struct TileDetail {
        Mask fluid[rows];
        Mask arrives[rows][L::Q];

        // Rows with a fluid node: from 0 to `plain` those where every node is fluid and has no link to anything else,
        // to `walled` those with half-way walls at rest, to `curved` those with interpolated walls, to `bordered` those with
        // boundary nodes, to `active` those with remote links or openings that impose all of a node.
        std::uint8_t order[rows];
        std::uint8_t plain, walled, curved, bordered, active;

        std::uint32_t firstRemote, lastRemote, firstNode, lastNode, firstCurved, lastCurved;

        LBM_HD bool isFluid(int local) const { return fluid[local / RX] >> local % RX & 1; }
        LBM_HD bool arrivesAt(int local, int q) const { return arrives[local / RX][q] >> local % RX & 1; }
    };

    TileGeometry(const Domain& domain, const Config& config, TileOrder order = TileOrder::rows);

    const TileGrid& grid() const { return grid_; }
    Int3 coordinates(const TilePlace& place) const
    {
        const Int3 first = grid_.origin(place.tile);
        return {first[0] + place.local % TileT::TX, first[1] + place.local / TileT::TX % TileT::TY,
                first[2] + place.local / TileT::TX / TileT::TY};
    }
    bool uniform(std::int32_t tile) const { return detailOf_[tile] < 0; }
    const TileDetail& detail(std::int32_t tile) const { return details_[detailOf_[tile]]; }
    const RemoteLink* remotes() const { return remotes_.data(); }
    std::size_t remoteCount() const { return remotes_.size(); }
    const BoundaryState* boundaryNodes() const { return nodes_.data(); }
    // Of a copy, by boundary node; null: it is not held here.
    SentPopulations<L, T>* sent(int copy) { return sent_[copy].empty() ? nullptr : sent_[copy].data(); }
    // `told` only as long as it is held here.
    BoundaryLinks<T> boundaryLinks() const { return {links_.data(), told_.data()}; }
    bool holdsTold() const { return told_.size() == links_.size(); }
    void leaveTold() { told_ = {}; } // to a device
    CurvedLink<T>* curvedLinks() { return curved_.data(); }
    const CurvedLink<T>* curvedLinks() const { return curved_.data(); }
    const BoundaryShare<T>* boundaryShares() const { return shares_.data(); }
    std::size_t boundaryShareCount() const { return shares_.size(); }
    std::vector<T>& openingMemory() { return openingMemory_; }
    const std::vector<T>& openingMemory() const { return openingMemory_; }
    std::size_t boundaryNodeCount() const { return nodes_.size(); }
    std::size_t boundaryLinkCount() const { return links_.size(); }
    std::size_t curvedLinkCount() const { return curved_.size(); }
    const UnsetVector<DistantPopulation>& distant() const { return distant_; }
    bool curved(int patch) const { return curvedPatch_[patch]; }
    std::int32_t boundaryNode(const TilePlace&) const; // -1: none there
    const std::vector<OpeningNode>& openings() const { return openings_; }

    // For who steps on a host, or has one copy there: one or two of all boundary nodes' populations, at rest.
    void holdPopulations(int copies)
    {
        for (int copy = 0; copy < copies; ++copy) {
            auto& sent = sent_[copy];
            sent.resize(nodes_.size());
            // Pages lie with the thread that touches them first
#pragma omp parallel for schedule(static)
            for (std::int64_t i = 0; i < std::int64_t(sent.size()); ++i) sent[std::size_t(i)] = SentPopulations<L, T>{};
        }
    }

    std::int64_t fluidNodes() const { return fluidNodes_; }
    std::int64_t uniformTiles() const { return std::count(detailOf_.begin(), detailOf_.end(), -1); }
    std::size_t bytes() const;

    // See Solver::setBoundary. Where links are told elsewhere: kinds and what openings remember. Have links another makeup now?
    bool setBoundary(int patch, const LinkValue* values, std::size_t n);

    // Parts of it: what a link is told, and its mirror, which depends on that.
    static void tell(LinkTold<T>& told, const LinkValue& value);
    LBM_HD static std::int8_t mirrorOf(const BoundaryLink<T>& link)
    {
        return std::int8_t(isPlane(BoundaryKind(link.kind)) ? Slip::mirrorOf<L>(link) : -1);
    }
    void setMirror(std::int32_t link, std::int8_t mirror) { links_[link].mirror = mirror; }

    // Of a curved link the boundary link that is its shadow; -1: it has none.
    std::int32_t shadowAt(std::int32_t curved) const;

    // Which records (boundary links, of an interpolated wall curved links) a patch has: from the first to behind the last.
    std::pair<std::size_t, std::size_t> recordsOf(int patch) const;

    // Which record each link of a patch has, in the Domain's order; -1: none, this lattice lacks it. And what, besides its record, an
    // interpolated wall's link is told by: gaps, by link, and shadows.
    const std::vector<std::int32_t>& recordsOfLinks(int patch) const { return linksOfPatch_[patch]; }
    std::vector<WallGap>& gaps() { return gaps_; }
    const std::vector<WallGap>& gaps() const { return gaps_; }
    const std::vector<WallShadow>& shadows() const { return shadows_; }

    // Will setBoundary make links forget what they remember, for it is of another kind?
    bool forgets(int patch, const LinkValue* values, std::size_t n) const;

    // See Solver::openingMemory.
    std::size_t remembering() const;
    std::vector<OpeningMemory> memory(std::size_t first, std::size_t n) const;
    void setMemory(const std::vector<OpeningMemory>&);

private:
    // Of a patch: one thread is as fast as several.
    static constexpr std::size_t fewLinks = 10000;

    template<class F>
    void eachRemembering(F&& f) const;
    void checkValues(int patch, const LinkValue* values, std::size_t n) const;
    bool assign(std::int32_t link, const LinkValue& value);
    void assignShadow(std::int32_t curved, const LinkValue& value);

    // What some tiles, one behind the other, add to the lists; numbers in it count from their first one.
    struct Found {
        std::vector<RemoteLink> remotes;
        std::vector<BoundaryState> nodes;
        std::vector<BoundaryLink<T>> links;
        std::vector<CurvedLink<T>> curved;
        std::vector<WallGap> gaps;
        std::vector<DistantPopulation> distant;
        std::vector<std::size_t> linkRecords, curvedRecords; // in the Domain's links, of `links` and `curved`
    };

    // Where they go to.
    struct Places {
        std::size_t remotes = 0, nodes = 0, links = 0, curved = 0, gaps = 0, distant = 0;

        void moveBehind(const Found& found)
        {
            remotes += found.remotes.size();
            nodes += found.nodes.size();
            links += found.links.size();
            curved += found.curved.size();
            gaps += found.gaps.size();
            distant += found.distant.size();
        }
    };

    struct FluidNode {
        NodeIndex node;
        Int3 x;
        int local; // in its tile
    };

    static WallGap* gapOf(std::vector<WallGap>&, std::int32_t link);
    template<class Links>
    static void assignCurved(Links&, std::vector<WallGap>&, std::int32_t link, const LinkValue&);
    void addCurved(const Domain&, const Config&, const Link&, int local, int q, Found&) const;
    void describeAll(const Domain&, const Config&, const std::vector<std::int32_t>& ordinal, const BitSet& donors,
                     std::size_t shadows);
    std::vector<KeptDonors<T>> keepDonors(const Domain&, const Config&, BitSet& linked, BitSet& donating) const;
    void tellNormals(const Domain&, const Config&, const std::vector<std::int32_t>& ordinal);
    void numberDetails(const Domain&, const BitSet& linked);
    std::vector<std::int32_t> numberLinks(const Domain&, const Config&);
    void describe(std::int32_t tile, const Domain&, const LinkFinder&, const Config&, const BitSet& donors, Found&);
    void describeNode(TileDetail&, const FluidNode&, const Domain&, const LinkFinder&, const Config&, Found&) const;
    bool shifts(const Domain&, const Int3& x, const Int3& c) const;
    void addLink(const Domain&, const Config&, const Link&, int local, int q, Found&) const;
    void put(const Found&, const Places&, const Domain&, const std::vector<std::int32_t>& ordinal,
             const std::int32_t* first, const std::int32_t* last);
    void makeRoom(const Places&);
    static void listRow(TileDetail&, int row);
    static void sortRows(TileDetail&, const Found&);
    std::int32_t linkOf(std::int64_t record, const Domain&, const std::vector<std::int32_t>& ordinal) const;
    void resolveAll(const std::vector<KeptDonors<T>>&, const Domain&, const std::vector<std::int32_t>& ordinal);
    bool endsAtWall(const KeptDonor<T>&, const Domain&) const;
    static bool isAligned(const KeptDonor<T>&);
    std::size_t mostShadows(const std::vector<KeptDonors<T>>&, const Domain&) const;
    void resolve(const KeptDonor<T>&, std::int32_t index, std::int32_t firstShare, const Domain&,
                 const std::vector<std::int32_t>& ordinal);
    std::int32_t shadowOf(std::int32_t curved);
    void addOpening(const NodeSurroundings&, const Domain&, const std::vector<std::int32_t>& ordinal);

    TileGrid grid_;
    std::vector<std::int32_t> detailOf_;
    UnsetVector<TileDetail> details_;
    UnsetVector<RemoteLink> remotes_;
    UnsetVector<BoundaryState> nodes_;
    std::array<UnsetVector<SentPopulations<L, T>>, 2> sent_;
    UnsetVector<LinkMakeup> links_;
    UnsetVector<LinkTold<T>> told_; // to them
    UnsetVector<BoundaryShare<T>> shares_;
    std::vector<OpeningNode> openings_;
    std::vector<T> openingMemory_;             // of links_, see BoundaryTable
    std::vector<BoundaryKind> rememberedKind_; // of the links when they remembered that
    std::vector<WallShadow> shadows_;          // by curved link
    UnsetVector<CurvedLink<T>> curved_;
    std::vector<WallGap> gaps_; // by link
    UnsetVector<DistantPopulation> distant_;
    std::vector<bool> curvedPatch_;
    std::vector<bool> open_; // by patch: its links have donors
    std::vector<std::vector<std::int32_t>>
        linksOfPatch_; // in links_ or curved_, in the Domain's order; -1: not a link of this lattice
    std::int64_t fluidNodes_ = 0;
};

} // namespace lbm

#include "lbm/storage/TileGeometry.ipp"
