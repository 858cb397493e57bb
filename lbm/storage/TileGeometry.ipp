// Implementation of TileGeometry; included by it alone.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <limits>
#include <stdexcept>

namespace lbm {

// True if the tile and everything one link around it is fluid and no node of it has a Link record.
template<class L, class TileT>
bool surroundedByFluid(const Domain& domain, const TileGrid& grid, const BitSet& linked, std::int32_t tile)
{
    const Int3 o = grid.origin(tile), e = grid.extents();
    const int zHalo = L::D == 3 ? 1 : 0;
    auto inside = [&](int axis, int& v) {
        if (v >= 0 && v < domain.size[axis]) return true;
        v = (v + domain.size[axis]) % domain.size[axis];
        return grid.wraps(axis);
    };
    for (int k = -zHalo; k < e[2] + zHalo; ++k) {
        int z = o[2] + k;
        if (!inside(2, z)) return false;
        for (int j = -1; j <= e[1]; ++j) {
            int y = o[1] + j;
            if (!inside(1, y)) return false;
            const NodeIndex row = domain.index(0, y, z), first = row + o[0];
            for (int x : {o[0] - 1, o[0] + e[0]})
                if (!inside(0, x) || !domain.fluid[row + x]) return false;
            if (domain.fluid.countIn(first, e[0]) != e[0]) return false;
            const bool own = j >= 0 && j < e[1] && k >= 0 && k < e[2];
            if (own && linked.countIn(first, e[0]) > 0) return false;
        }
    }
    return true;
}

// Nodes around those at openings that boundaries look at: look(node).
template<class Look>
void eachLookedAt(const std::vector<NodeSurroundings>& openings, Look&& look)
{
    for (const NodeSurroundings& n : openings) {
        for (const NearOpening& near : n.nearest) look(near.behind);
        for (const auto& sides : n.side)
            for (const NodeSide& side : sides) look(side.node);
    }
}
template<class Look>
void eachLookedAt(const Donor& d, Look&& look)
{
    for (const auto* shares : {&d.shares, &d.beyond})
        for (const DonorShare& share : *shares) look(share.node);
    for (const MirrorShare& share : d.fit) look(share.node);
}

// Nodes that have details, for somebody looks at them.
struct LookedAt {
    BitSet &linked, &donating;

    void operator()(NodeIndex node) const
    {
        if (node < 0) return;
        linked.setShared(node);
        donating.setShared(node);
    }
};

template<class L, class T, class TileT>
TileGeometry<L, T, TileT>::TileGeometry(const Domain& domain, const Config& config, TileOrder order) :
    grid_(domain, {TileT::TX, TileT::TY, TileT::TZ}, order), fluidNodes_(domain.fluidNodes())
{
    for (const LinkValue& value : config.patches) {
        open_.push_back(needsDonor(value.kind));
        curvedPatch_.push_back(value.kind == BoundaryKind::interpolatedWall);
    }
    BitSet linked(domain.nodes()), donating(domain.nodes());
#pragma omp parallel for schedule(static)
    for (const Link& link : domain.links) linked.setShared(link.node);
    std::vector<std::uint8_t> directions;
    for (const auto& c : L::c) directions.push_back(directionCode(c[0], c[1], c[2]));
    const std::vector<NodeSurroundings> openings = openingNodes(domain, config.patches, directions);
    eachLookedAt(openings, LookedAt{linked, donating});
    std::vector<KeptDonors<T>> donors = keepDonors(domain, config, linked, donating);
    numberDetails(domain, linked);
    const std::vector<std::int32_t> ordinal = numberLinks(domain, config);
    describeAll(domain, config, ordinal, donating, mostShadows(donors, domain));
    resolveAll(donors, domain, ordinal);
    donors = {};
    for (const NodeSurroundings& n : openings) addOpening(n, domain, ordinal);
    tellNormals(domain, config, ordinal);
    for (std::size_t i = 0; !shadows_.empty() && i < domain.links.size(); ++i) {
        const int patch = domain.links[i].patch;
        const std::int32_t curved = curvedPatch_[patch] ? linksOfPatch_[patch][ordinal[i]] : -1;
        const std::int32_t shadow = curved < 0 ? -1 : shadowAt(curved);
        if (shadow < 0) continue;
        assignShadow(curved, config.patches[patch]);
        told_[shadow].reach *= T(halfWayShare(config.patches[patch].scheme, domain.links[i].fraction));
    }
    openingMemory_.assign(links_.size(), std::numeric_limits<T>::quiet_NaN());
    rememberedKind_.resize(links_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < links_.size(); ++i) rememberedKind_[i] = BoundaryKind(links_[i].kind);
}

// Of all links that have some; nodes that they look at are noted.
template<class L, class T, class TileT>
std::vector<KeptDonors<T>> TileGeometry<L, T, TileT>::keepDonors(const Domain& domain, const Config& config,
                                                                 BitSet& linked, BitSet& donating) const
{
    std::vector<bool> symmetric, frames;
    for (const LinkValue& value : config.patches) {
        symmetric.push_back(isPlane(value.kind));
        frames.push_back(value.kind == BoundaryKind::frame);
    }
    std::vector<KeptDonors<T>> kept(donorRuns(domain));
    eachDonorRun(domain, open_, symmetric, frames, [&](std::size_t run, std::vector<Donor>&& donors) {
        for (const Donor& d : donors) eachLookedAt(d, LookedAt{linked, donating});
        kept[run] = KeptDonors<T>(donors);
    });
    return kept;
}

// Links of openings with a velocity and of moving walls have a normal, and no donor.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::tellNormals(const Domain& domain, const Config& config,
                                            const std::vector<std::int32_t>& ordinal)
{
    std::vector<bool> moved;
    for (const LinkValue& value : config.patches)
        moved.push_back(value.kind == BoundaryKind::velocity || value.kind == BoundaryKind::movingWall);
    eachDonorRun(domain, moved, {}, {}, [&](std::size_t, std::vector<Donor>&& donors) {
        for (const Donor& d : donors) {
            const std::int32_t link = linkOf(d.link, domain, ordinal);
            for (int a = 0; link >= 0 && a < 3; ++a) told_[link].outward[a] = T(d.outward[a]);
        }
    });
}

// Which tiles have details, and which ones. linked: nodes with links, and those that boundaries look at.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::numberDetails(const Domain& domain, const BitSet& linked)
{
    const std::int32_t tiles = grid_.tiles();
    detailOf_.assign(tiles, 0);
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < tiles; ++t)
        if (surroundedByFluid<L, TileT>(domain, grid_, linked, t)) detailOf_[t] = -1;
    std::int32_t details = 0;
    for (std::int32_t& d : detailOf_)
        if (d == 0) d = details++;
    details_.resize(details);
}

// Of each of the Domain's links its number in its patch.
template<class L, class T, class TileT>
std::vector<std::int32_t> TileGeometry<L, T, TileT>::numberLinks(const Domain& domain, const Config& config)
{
    constexpr std::size_t atOnce = std::size_t(1) << 20;
    const std::size_t links = domain.links.size(), pieces = (links + atOnce - 1) / atOnce;
    std::vector<std::int32_t> ordinal(links), seen(domain.patches.size(), 0);
    std::vector<std::vector<std::int32_t>> before(pieces, seen); // links of each patch before a piece
    const auto eachOf = [&](std::size_t piece, const auto& act) {
        for (std::size_t i = piece * atOnce; i < std::min((piece + 1) * atOnce, links); ++i)
            act(i, before[piece][domain.links[i].patch]++);
    };
#pragma omp parallel for schedule(dynamic)
    for (std::size_t piece = 0; piece < pieces; ++piece) eachOf(piece, [](std::size_t, std::int32_t) {});
    for (auto& own : before)
        for (std::size_t p = 0; p < seen.size(); ++p) std::swap(own[p], seen[p]), seen[p] += own[p];
#pragma omp parallel for schedule(dynamic)
    for (std::size_t piece = 0; piece < pieces; ++piece)
        eachOf(piece, [&](std::size_t i, std::int32_t number) { ordinal[i] = number; });
    linksOfPatch_.resize(domain.patches.size());
    for (std::size_t p = 0; p < seen.size(); ++p)
        if (config.patches[p].kind != BoundaryKind::wall) linksOfPatch_[p].assign(seen[p], -1);
    return ordinal;
}

// Some tiles a thread. Lists are put together in the order of the tiles, so that the number of threads does not show, and soon: what tiles
// have found would else stand beside the lists, as large as these.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::describeAll(const Domain& domain, const Config& config,
                                            const std::vector<std::int32_t>& ordinal, const BitSet& donors,
                                            std::size_t shadows)
{
    constexpr std::size_t ofShare = 16, together = 128; // tiles of a share, and shares
    std::vector<std::int32_t> described;
    for (std::int32_t t = 0; t < grid_.tiles(); ++t)
        if (!uniform(t)) described.push_back(t);
    const auto at = [&](std::size_t share) { return described.data() + std::min(described.size(), share * ofShare); };
    // Of all links there may be, else lists would be copied as they grow; memory that is not written to is none
    std::size_t open = shadows, curved = 0;
    for (std::size_t p = 0; p < linksOfPatch_.size(); ++p) (curvedPatch_[p] ? curved : open) += linksOfPatch_[p].size();
    links_.reserve(open);
    told_.reserve(open);
    curved_.reserve(curved);
    const LinkFinder finder(domain);
    std::vector<Found> found(together);
    std::vector<Places> first(together);
    Places next;
    const std::size_t shares = (described.size() + ofShare - 1) / ofShare;
    for (std::size_t begin = 0; begin < shares; begin += together) {
        const std::size_t n = std::min(together, shares - begin);
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < n; ++i)
            for (const std::int32_t* t = at(begin + i); t < at(begin + i + 1); ++t)
                describe(*t, domain, finder, config, donors, found[i]);
        for (std::size_t i = 0; i < n; ++i) {
            first[i] = next;
            next.moveBehind(found[i]);
        }
        makeRoom(next);
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < n; ++i) {
            put(found[i], first[i], domain, ordinal, at(begin + i), at(begin + i + 1));
            found[i] = Found();
        }
    }
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::makeRoom(const Places& end)
{
    remotes_.resize(end.remotes);
    nodes_.resize(end.nodes);
    links_.resize(end.links);
    told_.resize(end.links);
    curved_.resize(end.curved);
    gaps_.resize(end.gaps);
    distant_.resize(end.distant);
}

// From these places on what some tiles have.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::put(const Found& found, const Places& at, const Domain& domain,
                                    const std::vector<std::int32_t>& ordinal, const std::int32_t* first,
                                    const std::int32_t* last)
{
    for (const std::int32_t* t = first; t < last; ++t) {
        TileDetail& d = details_[detailOf_[*t]];
        for (std::uint32_t* number : {&d.firstRemote, &d.lastRemote}) *number += std::uint32_t(at.remotes);
        for (std::uint32_t* number : {&d.firstNode, &d.lastNode}) *number += std::uint32_t(at.nodes);
        for (std::uint32_t* number : {&d.firstCurved, &d.lastCurved}) *number += std::uint32_t(at.curved);
    }
    const auto listed = [&](std::size_t record, std::size_t number) {
        linksOfPatch_[domain.links[record].patch][ordinal[record]] = std::int32_t(number);
    };
    for (std::size_t i = 0; i < found.links.size(); ++i) {
        listed(found.linkRecords[i], at.links + i);
        links_[at.links + i] = found.links[i];
        told_[at.links + i] = found.links[i];
    }
    for (std::size_t i = 0; i < found.curved.size(); ++i) listed(found.curvedRecords[i], at.curved + i);
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
        BoundaryState& node = nodes_[at.nodes + i] = found.nodes[i];
        node.firstLink += std::uint32_t(at.links);
        node.lastLink += std::uint32_t(at.links);
    }
    for (std::size_t i = 0; i < found.curved.size(); ++i) {
        CurvedLink<T>& link = curved_[at.curved + i] = found.curved[i];
        if (link.distant >= 0) link.distant += std::int32_t(at.distant);
    }
    for (std::size_t i = 0; i < found.gaps.size(); ++i) {
        WallGap& gap = gaps_[at.gaps + i] = found.gaps[i];
        gap.link += std::int32_t(at.curved);
        if (gap.other >= 0) gap.other += std::int32_t(at.curved);
    }
    std::copy(found.remotes.begin(), found.remotes.end(), remotes_.begin() + std::ptrdiff_t(at.remotes));
    std::copy(found.distant.begin(), found.distant.end(), distant_.begin() + std::ptrdiff_t(at.distant));
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::describe(std::int32_t tile, const Domain& domain, const LinkFinder& finder,
                                         const Config& config, const BitSet& donors, Found& found)
{
    TileDetail& d = details_[detailOf_[tile]];
    d = TileDetail{};
    d.firstRemote = std::uint32_t(found.remotes.size());
    d.firstNode = std::uint32_t(found.nodes.size());
    d.firstCurved = std::uint32_t(found.curved.size());
    const Int3 o = grid_.origin(tile);

    for (int local = 0; local < TileT::N; ++local) {
        const Int3 x = {o[0] + local % TileT::TX, o[1] + local / TileT::TX % TileT::TY,
                        o[2] + local / TileT::TX / TileT::TY};
        if (x[0] >= domain.size[0] || x[1] >= domain.size[1] || x[2] >= domain.size[2]) continue;
        const NodeIndex node = domain.index(x[0], x[1], x[2]);
        if (!domain.fluid[node]) continue;
        const std::size_t links = found.links.size();
        describeNode(d, {node, x, local}, domain, finder, config, found);
        if (found.links.size() > links || donors[node])
            found.nodes.push_back({std::int16_t(local), std::uint32_t(links), std::uint32_t(found.links.size()), -1});
    }
    d.lastRemote = std::uint32_t(found.remotes.size());
    d.lastNode = std::uint32_t(found.nodes.size());
    d.lastCurved = std::uint32_t(found.curved.size());
    sortRows(d, found);
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::describeNode(TileDetail& d, const FluidNode& at, const Domain& domain,
                                             const LinkFinder& finder, const Config& config, Found& found) const
{
    const int row = at.local / RX;
    const auto bit = Mask(Mask(1) << at.local % RX);
    d.fluid[row] |= bit;
    d.arrives[row][0] |= bit;
    const auto [first, last] = finder.of(at.node);
    const auto recordAlong = [&, first = first, last = last](const Int3& c) -> const Link* {
        for (std::size_t i = first; i < last; ++i)
            if (domain.links[i].direction == directionCode(c[0], c[1], c[2])) return &domain.links[i];
        return nullptr;
    };
    for (int q = 1; q < L::Q; ++q) {
        const Int3 back = {-L::c[q][0], -L::c[q][1], -L::c[q][2]};
        const Link* const record = recordAlong(back);
        const NodeIndex source = record ? -1 : domain.neighbour(at.x, back);
        if (source >= 0 && domain.fluid[source]) {
            if (shifts(domain, at.x, back)) {
                d.arrives[row][q] |= bit;
            } else {
                const TilePlace place = grid_.place(domain.coordinates(source));
                found.remotes.push_back({place.tile, place.local, std::int16_t(at.local), std::int16_t(q)});
            }
        } else if (record) {
            addLink(domain, config, *record, at.local, q, found);
        }
    }
}

// Is the node at x + c reached by shifting rows?
template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::shifts(const Domain& domain, const Int3& x, const Int3& c) const
{
    for (int a = 0; a < 3; ++a)
        if ((x[a] + c[a] < 0 || x[a] + c[a] >= domain.size[a]) && !grid_.wraps(a)) return false;
    return true;
}

// Of a node's population q; a resting wall's is none.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::addLink(const Domain& domain, const Config& config, const Link& record, int local,
                                        int q, Found& found) const
{
    const auto number = std::size_t(&record - domain.links.data());
    if (curvedPatch_[record.patch]) {
        found.curvedRecords.push_back(number);
        addCurved(domain, config, record, local, q, found);
    } else if (config.patches[record.patch].kind != BoundaryKind::wall) {
        found.linkRecords.push_back(number);
        BoundaryLink<T> link{};
        link.direction = std::uint8_t(q);
        link.donor = BoundaryLink<T>::restingWall;
        link.reach = 2;
        link.kind = std::uint8_t(config.patches[record.patch].kind);
        tell(link, config.patches[record.patch]);
        link.mirror = mirrorOf(link);
        found.links.push_back(link);
    }
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::addCurved(const Domain& domain, const Config& config, const Link& record, int local,
                                          int q, Found& found) const
{
    const CurvedWall wall = curvedWall(domain, config.patches, record);
    const auto index = std::int32_t(found.curved.size());
    std::int32_t distant = -1;
    if (wall.further >= 0) {
        const TilePlace place = grid_.place(domain.coordinates(wall.further));
        distant = std::int32_t(found.distant.size());
        found.distant.push_back(
            {place.tile, std::int16_t(place.local), std::uint8_t(wall.furtherOut ? opposite(q) : q)});
    }
    const WallInterpolation& shares = wall.shares;
    found.curved.push_back(
        {T(0), T(0), shares.reflected, shares.arriving, shares.further, distant, std::int16_t(local), std::uint8_t(q)});
    if (wall.across) {
        found.gaps.push_back({index, -1, shares.moved, shares.movedAcross, 0});
        for (std::int32_t i = index - 1; i >= 0 && found.curved[i].local == local; --i) {
            WallGap* other = found.curved[i].direction == opposite(q) ? gapOf(found.gaps, i) : nullptr;
            if (!other) continue;
            other->other = index;
            found.gaps.back().other = i;
        }
    }
    assignCurved(found.curved, found.gaps, index, config.patches[record.patch]);
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::sortRows(TileDetail& d, const Found& found)
{
    constexpr auto full = Mask((1u << RX) - 1);
    enum Kind { plain, walled, curved, bordered, listed };
    Kind kind[rows];
    for (int row = 0; row < rows; ++row)
        kind[row] =
            std::all_of(d.arrives[row], d.arrives[row] + L::Q, [](Mask m) { return m == full; }) ? plain : walled;
    for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) kind[found.curved[i].local / RX] = curved;
    for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) kind[found.nodes[i].local / RX] = bordered;
    for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) kind[found.remotes[i].local / RX] = listed;
    auto append = [&](Kind wanted) {
        for (int row = 0; row < rows; ++row)
            if (d.fluid[row] != 0 && kind[row] == wanted) d.order[d.active++] = std::uint8_t(row);
        return d.active;
    };
    d.plain = append(plain);
    d.walled = append(walled);
    d.curved = append(curved);
    d.bordered = append(bordered);
    append(listed);
}

// From those with boundary nodes to those behind.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::listRow(TileDetail& d, int row)
{
    std::uint8_t *const first = d.order + d.curved, *const last = d.order + d.bordered, *const end = d.order + d.active;
    std::uint8_t* const found = std::find(first, last, row);
    if (found == last) return;
    std::rotate(found, found + 1, last);
    --d.bordered;
    std::sort(last - 1, end);
}

template<class L, class T, class TileT>
std::int32_t TileGeometry<L, T, TileT>::boundaryNode(const TilePlace& place) const
{
    if (uniform(place.tile)) return -1;
    const TileDetail& d = detail(place.tile);
    const auto first = nodes_.begin() + d.firstNode, last = nodes_.begin() + d.lastNode;
    const auto node =
        std::lower_bound(first, last, place.local, [](const BoundaryState& n, int local) { return n.local < local; });
    return node != last && node->local == place.local ? std::int32_t(node - nodes_.begin()) : -1;
}

// Index in links_ or, of an interpolated wall, curved_; -1: no link of this lattice or a resting wall's.
template<class L, class T, class TileT>
std::int32_t TileGeometry<L, T, TileT>::linkOf(std::int64_t record, const Domain& domain,
                                               const std::vector<std::int32_t>& ordinal) const
{
    const auto& links = linksOfPatch_[domain.links[record].patch];
    return links.empty() ? -1 : links[ordinal[record]];
}

// By all threads but for corners with interpolated walls, whose shadows go behind all links. Each list's shares have their places
// before, so that the number of threads does not show.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::resolveAll(const std::vector<KeptDonors<T>>& donors, const Domain& domain,
                                           const std::vector<std::int32_t>& ordinal)
{
    std::vector<std::size_t> first(donors.size() + 1, 0);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t run = 0; run < donors.size(); ++run)
        for (const KeptDonor<T>& d : donors[run].donors)
            if (linkOf(donors[run].link(d), domain, ordinal) >= 0) first[run + 1] += d.allShares();
    for (std::size_t run = 0; run < donors.size(); ++run) first[run + 1] += first[run];
    if (first.back() > std::size_t(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("solver: links at openings and planes look at more than 2^31 nodes");
    shares_.resize(first.back());
    std::vector<std::uint8_t> toWalls(donors.size(), 0);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t run = 0; run < donors.size(); ++run) {
        std::size_t next = first[run], share = 0;
        for (const KeptDonor<T>& d : donors[run].donors) {
            const std::size_t end = share + d.allShares();
            toWalls[run] |= endsAtWall(d, domain);
            const std::int32_t index = linkOf(donors[run].link(d), domain, ordinal);
            if (index >= 0) resolve(d, index, std::int32_t(next), domain, ordinal);
            for (; index >= 0 && share < end; ++share)
                shares_[next++] = {boundaryNode(grid_.place(domain.coordinates(donors[run].nodes[share]))),
                                   donors[run].weights[share]};
            share = end;
        }
    }
    for (std::size_t run = 0; run < donors.size(); ++run)
        for (const KeptDonor<T>& d : donors[run].donors) {
            if (!toWalls[run]) break;
            if (!endsAtWall(d, domain)) continue;
            const std::int32_t index = linkOf(donors[run].link(d), domain, ordinal),
                               wall = linkOf(d.corner, domain, ordinal);
            if (index < 0 || wall < 0) continue;
            const std::int32_t shadow = shadowOf(wall);
            links_[index].donor = LinkMakeup::cornerLink(shadow);
            told_[shadow].reach = T(isAligned(d));
        }
}

// At a corner with an interpolated wall.
template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::endsAtWall(const KeptDonor<T>& d, const Domain& domain) const
{
    return d.shares == 0 && d.corner >= 0 && curvedPatch_[domain.links[d.corner].patch];
}

// The patch lies along the lattice: across it a link's image is a link.
template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::isAligned(const KeptDonor<T>& d)
{
    const Int3 inward = directionOf(d.inward);
    double along = 0, square = 0;
    for (int a = 0; a < 3; ++a) {
        along -= double(d.outward[a]) * inward[a];
        square += inward[a] * inward[a];
    }
    return square > 0 && along >= (1 - 1e-6) * std::sqrt(square);
}

// Links of openings at corners with interpolated walls: each of these has one at most.
template<class L, class T, class TileT>
std::size_t TileGeometry<L, T, TileT>::mostShadows(const std::vector<KeptDonors<T>>& donors, const Domain& domain) const
{
    std::size_t n = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
    for (std::size_t run = 0; run < donors.size(); ++run)
        for (const KeptDonor<T>& d : donors[run].donors) n += endsAtWall(d, domain);
    return n;
}

// index: of the link; from firstShare on lie its shares.
template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::resolve(const KeptDonor<T>& d, std::int32_t index, std::int32_t firstShare,
                                        const Domain& domain, const std::vector<std::int32_t>& ordinal)
{
    LinkMakeup& link = links_[index];
    link.inward = d.inward;
    told_[index].reach = d.reach;
    for (int a = 0; a < 3; ++a) told_[index].outward[a] = d.outward[a];
    if (d.fitted > 0) {
        link.fit = firstShare;
        link.fitted = d.fitted;
    }
    link.mirror = mirrorOf(boundaryLinks()[index]);
    const auto directionWith = [](std::uint8_t code) {
        for (int q = 0; q < L::Q; ++q)
            if (directionCode(L::c[q][0], L::c[q][1], L::c[q][2]) == code) return std::int8_t(q);
        throw std::logic_error("a donor sends along a link that the lattice lacks");
    };
    if (d.sent != Donor().sent) link.mirror = directionWith(d.sent);
    for (int i = 0; i < 2; ++i)
        link.round[i] = d.round[i] == Donor().round[i] ? std::int8_t(-1) : directionWith(d.round[i]);
    if (d.shares == 0) {
        const std::int32_t corner = d.corner < 0 || endsAtWall(d, domain) ? -1 : linkOf(d.corner, domain, ordinal);
        link.donor = corner >= 0 ? LinkMakeup::cornerLink(corner) : LinkMakeup::restingWall;
        return;
    }
    link.donor = firstShare + 2 * d.fitted;
    link.shares = d.shares;
    link.sharesBeyond = d.beyond;
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::addOpening(const NodeSurroundings& n, const Domain& domain,
                                           const std::vector<std::int32_t>& ordinal)
{
    const auto stateOf = [&](NodeIndex node) {
        return node < 0 ? -1 : boundaryNode(grid_.place(domain.coordinates(node)));
    };
    const auto linkAt = [&](std::int64_t record) { return record < 0 ? -1 : linkOf(record, domain, ordinal); };
    OpeningNode opening{};
    opening.state = stateOf(n.node);
    opening.axis = std::int8_t(n.axis);
    opening.sign = std::int8_t(n.sign);
    for (const NearOpening& near : n.nearest)
        opening.nearest[opening.links++] = {linkAt(near.link), stateOf(near.behind), near.distance};
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 2; ++k) {
            const NodeSide& side = n.side[a][k];
            opening.side[a][k] = {stateOf(side.node), linkAt(side.link), side.distance};
        }
    nodes_[opening.state].opening = std::int32_t(openings_.size());
    openings_.push_back(opening);
    const TilePlace place = grid_.place(domain.coordinates(n.node));
    listRow(details_[detailOf_[place.tile]], place.local / RX);
}

// A record behind those that nodes own, made when it is first asked for.
template<class L, class T, class TileT>
std::int32_t TileGeometry<L, T, TileT>::shadowOf(std::int32_t curved)
{
    const auto place = std::lower_bound(shadows_.begin(), shadows_.end(), curved,
                                        [](const WallShadow& s, std::int32_t i) { return s.curved < i; });
    if (place != shadows_.end() && place->curved == curved) return place->link;
    LinkMakeup link{};
    link.kind = std::uint8_t(BoundaryKind::interpolatedWall);
    links_.push_back(link);
    told_.push_back(LinkTold<T>{});
    const auto index = std::int32_t(links_.size()) - 1;
    shadows_.insert(place, {curved, index});
    return index;
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::assignShadow(std::int32_t curved, const LinkValue& value)
{
    const std::int32_t shadow = shadowAt(curved);
    for (int a = 0; shadow >= 0 && a < 3; ++a) told_[shadow].velocity[a] = T(value.velocity[a]);
}

template<class L, class T, class TileT>
std::int32_t TileGeometry<L, T, TileT>::shadowAt(std::int32_t curved) const
{
    const auto shadow = std::lower_bound(shadows_.begin(), shadows_.end(), curved,
                                         [](const WallShadow& s, std::int32_t i) { return s.curved < i; });
    return shadow == shadows_.end() || shadow->curved != curved ? -1 : shadow->link;
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::tell(LinkTold<T>& told, const LinkValue& value)
{
    told.r = T(value.density - 1);
    told.recovery = T(value.kind == BoundaryKind::movingWall ? 0 : value.recovery);
    for (int a = 0; a < 3; ++a) told.velocity[a] = T(value.velocity[a]);
}

template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::assign(std::int32_t link, const LinkValue& value)
{
    const LinkMakeup before = links_[link];
    links_[link].kind = std::uint8_t(value.kind);
    if (holdsTold()) {
        tell(told_[link], value);
        links_[link].mirror = mirrorOf(boundaryLinks()[link]);
    } else if (!isPlane(value.kind)) {
        links_[link].mirror = -1; // of planes who tells them knows
    }
    if (rememberedKind_[link] != value.kind) {
        rememberedKind_[link] = value.kind;
        openingMemory_[link] = std::numeric_limits<T>::quiet_NaN();
    }
    return links_[link].kind != before.kind || links_[link].mirror != before.mirror;
}

template<class L, class T, class TileT>
WallGap* TileGeometry<L, T, TileT>::gapOf(std::vector<WallGap>& gaps, std::int32_t link)
{
    const auto gap =
        std::lower_bound(gaps.begin(), gaps.end(), link, [](const WallGap& g, std::int32_t i) { return g.link < i; });
    return gap != gaps.end() && gap->link == link ? &*gap : nullptr;
}

template<class L, class T, class TileT>
template<class Links>
void TileGeometry<L, T, TileT>::assignCurved(Links& curved, std::vector<WallGap>& gaps, std::int32_t index,
                                             const LinkValue& value)
{
    CurvedLink<T>& link = curved[index];
    const int q = link.direction;
    const double cu = L::c[q][0] * value.velocity[0] + L::c[q][1] * value.velocity[1] + L::c[q][2] * value.velocity[2];
    const double speed = 6 * L::w[q] * cu;
    if (WallGap* gap = gapOf(gaps, index)) {
        gap->speed = speed;
        WallGap* other = gap->other >= 0 ? gapOf(gaps, gap->other) : nullptr;
        link.move = T(gap->own * speed + gap->across * (other ? other->speed : 0));
        if (other) curved[gap->other].move = T(other->own * other->speed + other->across * speed);
        return;
    }
    link.move = T(wallInterpolation(link.reflected, link.arriving, link.further).moved * speed);
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::checkValues(int patch, const LinkValue* values, std::size_t n) const
{
    if (patch < 0 || patch >= int(linksOfPatch_.size()))
        throw std::invalid_argument("boundary: no patch number " + std::to_string(patch));
    const std::vector<std::int32_t>& links = linksOfPatch_[patch];
    if (links.size() != n)
        throw std::invalid_argument("boundary: patch " + std::to_string(patch) + " takes "
                                    + std::to_string(links.size()) + " values (none for a resting wall), not "
                                    + std::to_string(n));
    // The first value that is refused, of several threads, too
    const bool isCurved = curvedPatch_[patch], isOpen = open_[patch];
    std::size_t other = n, bent = n;
#pragma omp parallel for schedule(static) reduction(min : other, bent) if (n > fewLinks)
    for (std::size_t i = 0; i < n; ++i) {
        if (isCurved != (values[i].kind == BoundaryKind::interpolatedWall) || (!isOpen && needsDonor(values[i].kind)))
            other = std::min(other, i);
        if (!isCurved && links[i] >= 0 && links_[links[i]].round[0] >= 0 && needsDonor(values[i].kind)
            && !isPlane(values[i].kind))
            bent = std::min(bent, i);
    }
    if (other < n)
        throw std::invalid_argument("boundary: patch " + std::to_string(patch) + " cannot become what value "
                                    + std::to_string(other) + " asks for");
    if (bent < n)
        throw std::invalid_argument("boundary: patch " + std::to_string(patch)
                                    + " goes round an edge as a plane and cannot become an opening there (value "
                                    + std::to_string(bent) + ")");
}

template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::setBoundary(int patch, const LinkValue* values, std::size_t n)
{
    checkValues(patch, values, n);
    const std::vector<std::int32_t>& links = linksOfPatch_[patch];
    const bool isCurved = curvedPatch_[patch];
    bool changed = false;
    if (isCurved) {
        // In gaps links change their partner's share
#pragma omp parallel for schedule(static) if (n > fewLinks && gaps_.empty())
        for (std::size_t i = 0; i < n; ++i)
            if (links[i] >= 0) assignCurved(curved_, gaps_, links[i], values[i]);
    } else {
#pragma omp parallel for schedule(static) reduction(|| : changed) if (n > fewLinks)
        for (std::size_t i = 0; i < n; ++i)
            if (links[i] >= 0 && assign(links[i], values[i])) changed = true;
    }
    if (isCurved && holdsTold() && !shadows_.empty())
        for (std::size_t i = 0; i < n; ++i)
            if (links[i] >= 0) assignShadow(links[i], values[i]);
    return changed;
}

template<class L, class T, class TileT>
std::pair<std::size_t, std::size_t> TileGeometry<L, T, TileT>::recordsOf(int patch) const
{
    const std::vector<std::int32_t>& records = linksOfPatch_[patch];
    std::size_t first = std::numeric_limits<std::size_t>::max(), last = 0;
#pragma omp parallel for schedule(static) reduction(min : first) reduction(max : last) if (records.size() > fewLinks)
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i] < 0) continue;
        first = std::min(first, std::size_t(records[i]));
        last = std::max(last, std::size_t(records[i]) + 1);
    }
    return {std::min(first, last), last};
}

template<class L, class T, class TileT>
bool TileGeometry<L, T, TileT>::forgets(int patch, const LinkValue* values, std::size_t n) const
{
    if (patch < 0 || patch >= int(linksOfPatch_.size()) || curvedPatch_[patch] || linksOfPatch_[patch].size() != n)
        return false;
    const std::vector<std::int32_t>& links = linksOfPatch_[patch];
    bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any) if (n > fewLinks)
    for (std::size_t i = 0; i < n; ++i) any = any || (links[i] >= 0 && rememberedKind_[links[i]] != values[i].kind);
    return any;
}

// f(link): index in links_, or -1 for one that this lattice lacks, in the order of Solver::openingMemory.
template<class L, class T, class TileT>
template<class F>
void TileGeometry<L, T, TileT>::eachRemembering(F&& f) const
{
    for (std::size_t p = 0; p < linksOfPatch_.size(); ++p)
        if (!curvedPatch_[p])
            for (const std::int32_t link : linksOfPatch_[p]) f(link);
}

template<class L, class T, class TileT>
std::size_t TileGeometry<L, T, TileT>::remembering() const
{
    std::size_t n = 0;
    for (std::size_t p = 0; p < linksOfPatch_.size(); ++p)
        if (!curvedPatch_[p]) n += linksOfPatch_[p].size();
    return n;
}

template<class L, class T, class TileT>
std::vector<OpeningMemory> TileGeometry<L, T, TileT>::memory(std::size_t first, std::size_t n) const
{
    std::vector<OpeningMemory> some;
    some.reserve(n);
    std::size_t before = 0;
    for (std::size_t p = 0; p < linksOfPatch_.size() && before < first + n; ++p) {
        if (curvedPatch_[p]) continue;
        const std::vector<std::int32_t>& links = linksOfPatch_[p];
        for (std::size_t i = std::max(first, before); i < std::min(first + n, before + links.size()); ++i) {
            const std::int32_t link = links[i - before];
            some.push_back(link < 0 ? OpeningMemory{}
                                    : OpeningMemory{rememberedKind_[link], double(openingMemory_[link])});
        }
        before += links.size();
    }
    return some;
}

template<class L, class T, class TileT>
void TileGeometry<L, T, TileT>::setMemory(const std::vector<OpeningMemory>& memory)
{
    const std::size_t n = remembering();
    if (memory.size() != n)
        throw std::invalid_argument("boundary: openings remember " + std::to_string(n) + " values, not "
                                    + std::to_string(memory.size()));
    const OpeningMemory* next = memory.data();
    eachRemembering([&](std::int32_t link) {
        const OpeningMemory& m = *next++;
        if (link < 0) return;
        rememberedKind_[link] = m.kind;
        openingMemory_[link] = T(m.mean);
    });
}

template<class L, class T, class TileT>
std::size_t TileGeometry<L, T, TileT>::bytes() const
{
    std::size_t sum = grid_.bytes() + detailOf_.size() * sizeof(detailOf_[0]) + details_.size() * sizeof(TileDetail)
        + shares_.size() * sizeof(shares_[0]) + openings_.size() * sizeof(OpeningNode)
        + openingMemory_.size() * (sizeof(T) + sizeof(BoundaryKind)) + remotes_.size() * sizeof(RemoteLink)
        + nodes_.size() * sizeof(nodes_[0]) + (sent_[0].size() + sent_[1].size()) * sizeof(sent_[0][0])
        + links_.size() * sizeof(links_[0]) + told_.size() * sizeof(told_[0]) + curved_.size() * sizeof(curved_[0])
        + distant_.size() * sizeof(distant_[0]) + gaps_.size() * sizeof(gaps_[0])
        + shadows_.size() * sizeof(shadows_[0]);
    for (const auto& patch : linksOfPatch_) sum += patch.size() * sizeof(patch[0]);
    return sum;
}

} // namespace lbm
