// Implementation of NodeTables; included by it alone.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <numeric>
#include <stdexcept>

namespace lbm {

template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::describeTiles()
{
    const std::int32_t tiles = grid().tiles();
    const bool packed = layout_ == Layout::packedTiles;
    tables_.detailOf.assign(tiles, plainTile);
    const auto hasCurved = [&](std::int32_t t) {
        return curvedIn_ == CurvedIn::step && host_.detail(t).firstCurved != host_.detail(t).lastCurved;
    };
    for (std::int32_t t = 0; t < tiles; ++t) {
        if (host_.uniform(t)) continue;
        const bool hasWords = !packed || hasHiddenWall(t) || hasCurved(t);
        tables_.detailOf[t] = hasWords ? std::int32_t(wordTiles_.size()) : wordlessTile;
        if (hasWords) wordTiles_.push_back(t);
    }
}

// A reflecting link between two fluid nodes, which masks of fluid nodes do not show.
template<class L, class T, class TileT>
bool NodeTables<L, T, TileT>::hasHiddenWall(std::int32_t tile) const
{
    const auto& neighbours = grid().neighbours(tile);
    for (int local = 0; local < N; ++local) {
        const std::uint32_t word = linkWord(host_.detail(tile), local);
        if (word & solidNode) continue;
        const int x[3] = {local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)};
        bool hidden = false;
        unroll<L::Q - 1>([&](auto i) {
            constexpr int q = i + 1;
            const TileStep there = nodeAcross<L, TileT, q, -1>(x);
            if (word >> q & 1) hidden = hidden || isFluid(neighbours[there.tile], there.node);
        });
        if (hidden) return true;
    }
    return false;
}

template<class L, class T, class TileT>
bool NodeTables<L, T, TileT>::amongFullTiles(std::int32_t tile) const
{
    const int layer = L::D == 2 ? 9 : 0; // in two dimensions there is nothing above and below
    for (int n = layer; n < 27 - layer; ++n)
        if (__builtin_popcountll(tables_.packed[grid().neighbours(tile)[n]].fluid) != N) return false;
    return true;
}

// Slots begin at multiples of 32 bytes, the unit of memory traffic. The last tile stands for missing ones.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::pack()
{
    constexpr std::uint32_t unit = 32 / sizeof(T);
    const std::int32_t tiles = grid().tiles();
    auto& packed = tables_.packed;
    packed.resize(std::size_t(tiles) + 1, PackedTile{0, 0, 0});
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < tiles; ++t) {
        for (int local = 0; local < N; ++local) packed[t].fluid |= std::uint64_t(isFluid(t, local)) << local;
        packed[t].stride = (__builtin_popcountll(packed[t].fluid) + unit - 1) / unit * unit;
    }
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < tiles; ++t)
        if (tables_.detailOf[t] == plainTile && !amongFullTiles(t)) tables_.detailOf[t] = wordlessTile;
    std::size_t first = 0;
    for (std::int32_t t = 0; t < tiles; ++t) {
        packed[t].first = std::uint32_t(first);
        first += packed[t].stride;
    }
    if (first > UINT32_MAX) throw std::invalid_argument("packed: more than 2^32 nodes");
    stored_ = first;

    // None has tiles of two ranges.
    auto& blocks = tables_.blocks;
    std::vector<bool> begins(std::size_t(tiles) + 1, false);
    begins[std::size_t(grid().range(PartOfTiles::inner).last)] = begins[std::size_t(grid().stepped())] = true;
    if (order_ != TileOrder::rimLast)
        for (const std::int32_t t : grid().tilesBelow(L::D - 1)) begins[std::size_t(t)] = true;
    for (std::int32_t t = 0, begin = 0; t < tiles; ++t) {
        const bool fits = !blocks.empty() && !begins[std::size_t(t)] && t - begin < mostTilesOfBlock
            && packed[t].first + packed[t].stride - packed[begin].first <= std::uint32_t(packedBlock);
        if (!fits) blocks.push_back(begin = t);
    }
    blocks.push_back(tiles);
}

// A buffer for every population and axis along which a tile with fluid may read it, be it across the face or beyond its
// edges, too. -1: no buffer, and no link that asks for one.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::addGhosts()
{
    using Table = GhostTable<L, TileT>;
    const std::int32_t tiles = grid().tiles();
    tables_.ghosts.assign(std::size_t(tiles) * Table::entries, -1);
    const auto entry = [&](std::int32_t tile, int n) -> std::int32_t& {
        return tables_.ghosts[std::size_t(tile) * Table::entries + n];
    };
    // The tile across the axes of `crossed`, forwards or backwards along q.
    const auto across = [&](std::int32_t tile, int q, int crossed, int sign) {
        int n = 13;
        for (int a = 0, step = 1; a < 3; ++a, step *= 3)
            if (crossed >> a & 1) n += sign * L::c[q][a] * step;
        return grid().neighbours(tile)[n];
    };
    const auto forWays = [&](int q, auto&& f) {
        for (int crossed = 1; crossed < 8; ++crossed) {
            int compact = 0;
            bool moves = true;
            for (int a = 0; a < 3; ++a)
                if (crossed >> a & 1) {
                    moves = moves && L::c[q][a] != 0;
                    compact |= 1 << Table::rank(q, a);
                }
            if (moves) f(crossed, compact, Table::writeBase(q) + Table::rank(q, Table::first(crossed)));
        }
    };
    std::size_t buffers = 0;
    for (std::int32_t t = 0; t < tiles; ++t)
        for (int q = 1; q < L::Q; ++q)
            forWays(q, [&](int crossed, int, int written) {
                if (across(t, q, crossed, 1) < tiles && entry(t, written) < 0)
                    entry(t, written) = std::int32_t(buffers++);
            });
    if (buffers > INT32_MAX) throw std::invalid_argument("tgb: more than 2^31 ghost buffers");
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < tiles; ++t)
        for (int q = 1; q < L::Q; ++q)
            forWays(q, [&](int crossed, int compact, int written) {
                const std::int32_t from = across(t, q, crossed, -1);
                if (from < tiles) entry(t, Table::readBase(q) + compact - 1) = entry(from, written);
            });
    ghostStart_ = {values_, values_ + buffers * Table::face};
    values_ += 2 * buffers * Table::face;
}

// Link words in which only walls reflect: wraps off the tiles' boundaries are ordinary links to runs.
template<class L, class T, class TileT>
auto NodeTables<L, T, TileT>::wallWords(std::int32_t tile) const -> Words
{
    Words words{};
    if (host_.uniform(tile)) return words;
    const auto& d = host_.detail(tile);
    for (int local = 0; local < N; ++local) words[local] = linkWord(d, local);
    for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i)
        words[host_.remotes()[i].local] &= ~(std::uint32_t(1) << host_.remotes()[i].q);
    return words;
}

// f(coordinates, index in the box, link word) for every fluid node, by several threads.
template<class L, class T, class TileT>
template<class F>
void NodeTables<L, T, TileT>::forFluid(F&& f) const
{
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < grid().tiles(); ++t) {
        const Words words = wallWords(t);
        for (int local = 0; local < N; ++local) {
            if (words[local] & solidNode) continue;
            const Int3 x = coordinatesIn({t, local});
            f(x, boxIndex(x), words[local]);
        }
    }
}

// Of the links that reflect, those between two fluid nodes, which types and maps of nodes do not show.
template<class L, class T, class TileT>
std::uint32_t NodeTables<L, T, TileT>::hiddenWalls(const Domain& domain, const Int3& x, std::uint32_t word)
{
    std::uint32_t hidden = 0;
    for (int q = 1; q < L::Q; ++q) {
        if (!(word >> q & 1)) continue;
        const NodeIndex source = domain.neighbour(x, {-L::c[q][0], -L::c[q][1], -L::c[q][2]});
        if (source >= 0 && domain.fluid[source]) hidden |= std::uint32_t(1) << q;
    }
    return hidden;
}

// A type a node, with words where thin walls ask for them, or a word a node, where wraps reflect and are swapped by
// pairs.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::describeBox(const Domain& domain)
{
    periodic_ = domain.periodic;
    stored_ = std::size_t(domain.nodes());
    units_ = std::int32_t((stored_ + N - 1) / N);
    if (layout_ == Layout::wordBox) {
        tables_.links.assign(stored_, solidNode);
        forFluid([&](const Int3& x, std::size_t i, std::uint32_t word) {
            for (int q = 1; q < L::Q; ++q) {
                const Int3 back = {-L::c[q][0], -L::c[q][1], -L::c[q][2]};
                bool wraps = false;
                for (int a = 0; a < 3; ++a) wraps = wraps || x[a] + back[a] < 0 || x[a] + back[a] >= size_[a];
                if (!wraps || word >> q & 1) continue;
                word |= std::uint32_t(1) << q;
                const auto source = std::size_t(domain.neighbour(x, back));
                if (std::tuple(i, q) < std::tuple(source, opposite(q))) {
#pragma omp critical
                    tables_.pairs.push_back({placeOf(i), placeOf(source), q});
                }
            }
            tables_.links[i] = word;
        });
        return;
    }
    tables_.types.assign(stored_, solidType);
    bool hidden = false;
    UnsetVector<std::uint32_t> words(domain.links.empty() ? 0 : stored_, 0);
    forFluid([&](const Int3& x, std::size_t i, std::uint32_t word) {
        tables_.types[i] = fluidType;
        if (words.empty()) return;
        words[i] = hiddenWalls(domain, x, word);
        if (words[i] == 0) return;
        tables_.types[i] = thinWallType;
#pragma omp atomic write
        hidden = true;
    });
    if (hidden) tables_.links = std::move(words);
}

template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::numberFluid(const Domain& domain)
{
    periodic_ = domain.periodic;
    stored_ = std::size_t(host_.fluidNodes());
    const std::size_t box = std::size_t(domain.nodes());
    tables_.index.assign(box, -1);
    std::int32_t number = 0;
    for (std::size_t i = 0; i < box; ++i)
        if (domain.fluid[i]) tables_.index[i] = number++;
    if (layout_ == Layout::fluidIndex) {
        units_ = std::int32_t((box + N - 1) / N);
        bool hidden = false;
        // Walls that the map does not show have links.
        UnsetVector<std::uint32_t> words(domain.links.empty() ? 0 : box, 0);
        if (!words.empty())
            forFluid([&](const Int3& x, std::size_t i, std::uint32_t word) {
                words[i] = hiddenWalls(domain, x, word);
                if (words[i] == 0) return;
#pragma omp atomic write
                hidden = true;
            });
        if (hidden) tables_.links = std::move(words);
        return;
    }
    if (stored_ * L::Q > UINT32_MAX) throw std::invalid_argument("connectivity: more than 2^32 populations");
    units_ = std::int32_t((stored_ + N - 1) / N);
    boxOf_.resize(stored_);
    tables_.sources.resize(stored_ * (L::Q - 1));
    forFluid([&](const Int3& x, std::size_t i, std::uint32_t word) {
        const std::size_t own = tables_.index[i];
        boxOf_[own] = std::uint32_t(i);
        for (int q = 1; q < L::Q; ++q) {
            const NodeIndex source = domain.neighbour(x, {-L::c[q][0], -L::c[q][1], -L::c[q][2]});
            tables_.sources[(q - 1) * stored_ + own] =
                std::uint32_t(word >> q & 1 ? opposite(q) * stored_ + own : q * stored_ + tables_.index[source]);
        }
    });
}

// Here interpolated walls read populations that wait, which lone nodes overwrite: their nodes are in company, too.
template<class L, class T, class TileT>
std::vector<std::uint8_t> NodeTables<L, T, TileT>::inCompany() const
{
    std::vector<std::uint8_t> company = statesInCompany(host_);
    const auto isRead = [&](const TilePlace& at) {
        const std::int32_t state = host_.boundaryNode(at);
        if (state >= 0) company[std::size_t(state)] = 1;
    };
    for (const DistantPopulation& distant : host_.distant()) isRead({distant.tile, distant.local});
    for (std::int32_t tile = 0; tile < grid().tiles(); ++tile) {
        if (host_.uniform(tile)) continue;
        const auto& d = host_.detail(tile);
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) isRead({tile, host_.curvedLinks()[i].local});
    }
    return company;
}

// Nodes and links that are exceptions.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::listPlaces()
{
    tables_.places.resize(host_.boundaryNodeCount());
#pragma omp parallel for schedule(static)
    for (std::int32_t tile = 0; tile < grid().tiles(); ++tile) {
        if (host_.uniform(tile)) continue;
        const auto& d = host_.detail(tile);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i)
            tables_.places[i] = place(TilePlace{tile, host_.boundaryNodes()[i].local});
    }
    for (std::int32_t tile = 0; tile < grid().tiles(); ++tile)
        if (!host_.uniform(tile)) listCurved(tile);
    if (!inRuns()) listPairs();
    const std::vector<std::uint8_t> company = inCompany();
    tables_.nodeOfLink.assign(host_.boundaryLinkCount(), -1);
    for (std::size_t i = 0; i < host_.boundaryNodeCount(); ++i) {
        if (!company[i]) {
            tables_.lone.push_back(std::int32_t(i));
            continue;
        }
        tables_.company.push_back(std::int32_t(i));
        const BoundaryState& state = host_.boundaryNodes()[i];
        std::fill(tables_.nodeOfLink.begin() + state.firstLink, tables_.nodeOfLink.begin() + state.lastLink,
                  std::int32_t(i));
    }
    for (const DistantPopulation& distant : host_.distant()) {
        const NodePlace at = place(TilePlace{distant.tile, distant.local});
        tables_.distant.push_back({at.tile, std::int16_t(at.local), distant.q});
    }
    tables_.distantByTile.resize(tables_.distant.size());
    std::iota(tables_.distantByTile.begin(), tables_.distantByTile.end(), 0);
    std::stable_sort(tables_.distantByTile.begin(), tables_.distantByTile.end(),
                     [&](std::int32_t a, std::int32_t b) { return tables_.distant[a].tile < tables_.distant[b].tile; });
    distantValues_.assign(tables_.distant.size(), T(0));
    sentAway_.assign(tables_.curvedPlaces.size(), T(0));
}

// A remote link is listed by both of its ends: one of them makes the pair. Counted and found by all threads, and put in the order of
// their last tiles, of one tile in the order of the first end, without a comparison: ends of a box that tiles do not meet make tens of
// millions. Threads write where there is room already: nothing that they do can fail.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::listPairs()
{
    const std::int32_t tiles = grid().tiles();
    const auto eachOf = [&](std::int32_t tile, auto&& visit) {
        if (host_.uniform(tile)) return;
        const auto& d = host_.detail(tile);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = host_.remotes()[i];
            const int q = r.q, local = r.local;
            if (std::tuple(tile, local, q) < std::tuple(r.source, r.sourceLocal, opposite(q)))
                visit(RemotePair{{tile, local}, {r.source, r.sourceLocal}, q});
        }
    };
    std::vector<std::size_t> begin(std::size_t(tiles) + 1, 0), next(std::size_t(tiles) + 1, 0);
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::int32_t tile = 0; tile < tiles; ++tile)
        eachOf(tile, [&](const RemotePair&) { ++begin[std::size_t(tile) + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<RemotePair> found(begin.back());
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::int32_t tile = 0; tile < tiles; ++tile) {
        std::size_t at = begin[tile];
        eachOf(tile, [&](const RemotePair& pair) { found[at++] = pair; });
    }
    for (const RemotePair& pair : found) ++next[std::size_t(pair.lastTile()) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    tables_.pairs.resize(next.back());
    for (const RemotePair& pair : found) tables_.pairs[next[std::size_t(pair.lastTile())]++] = pair;
}

// Records of a node lie one after another, by rising direction.
template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::listCurved(std::int32_t tile)
{
    const auto& d = host_.detail(tile);
    const CurvedLink<T>* links = host_.curvedLinks();
    for (std::uint32_t first = d.firstCurved, last = first; first < d.lastCurved; first = last) {
        std::uint32_t curved = 0;
        for (; last < d.lastCurved && links[last].local == links[first].local; ++last)
            curved |= std::uint32_t(1) << links[last].direction;
        const bool inStep = curvedInStep(tile, links[first].local, curved);
        for (std::uint32_t i = first; i < last; ++i) addCurved(tile, i, inStep);
    }
}

// curved: the node's links that are.
template<class L, class T, class TileT>
bool NodeTables<L, T, TileT>::curvedInStep(std::int32_t tile, int local, std::uint32_t curved) const
{
    if (curvedIn_ == CurvedIn::beforeStep) return false;
    const std::int32_t state = host_.boundaryNode({tile, std::int16_t(local)});
    if (curvedIn_ == CurvedIn::step) return state < 0 || host_.boundaryNodes()[state].opening < 0;
    if (state >= 0 || linkWord(host_.detail(tile), local) != curved) return false;
    for (int q = 1; q < L::Q; ++q)
        if (curved >> q & curved >> opposite(q) & 1) return false;
    return true;
}

template<class L, class T, class TileT>
void NodeTables<L, T, TileT>::addCurved(std::int32_t tile, std::uint32_t i, bool inStep)
{
    const CurvedLink<T>& link = host_.curvedLinks()[i];
    const NodePlace at = place(TilePlace{tile, link.local});
    tables_.curvedPlaces.push_back({at.tile, std::int16_t(at.local), link.direction});
    if (!inStep) tables_.between.push_back(std::int32_t(i));
    if (curvedIn_ == CurvedIn::beforeStep) return;
    tables_.shares.push_back({link.reflected, link.arriving});
    if (!inStep) return;
    const std::size_t word = std::size_t(tables_.detailOf[tile]) * N + link.local;
    const bool first = tables_.inStep.empty() || tables_.inStep.back() != word;
    if (first) tables_.inStep.push_back(word);
    if (curvedIn_ == CurvedIn::layers) return;
    if (first) tables_.curvedNodes.push_back({0, 0, i});
    CurvedNode& node = tables_.curvedNodes.back();
    node.links |= std::uint32_t(1) << link.direction;
    if (link.kept() != 0) node.keeping |= std::uint32_t(1) << link.direction;
}

template<class L, class T, class TileT>
Int3 NodeTables<L, T, TileT>::coordinates(std::int32_t unit, int local) const
{
    if (!inRuns()) return coordinatesIn({unit, local});
    std::size_t i = std::size_t(unit) * N + local;
    if (layout_ == Layout::fluidNodes) i = boxOf_[i];
    return {int(i % size_[0]), int(i / size_[0] % size_[1]), int(i / size_[0] / size_[1])};
}

template<class L, class T, class TileT>
TilesView NodeTables<L, T, TileT>::view() const
{
    TilesView v{};
    v.tiles = units_;
    v.neighbours = grid().neighbours(0).data();
    v.detailOf = tables_.detailOf.data();
    v.links = tables_.links.data();
    v.packed = tables_.packed.data();
    v.blocks = tables_.blocks.data();
    v.blockCount = std::int32_t(tables_.blocks.empty() ? 0 : tables_.blocks.size() - 1);
    v.sources = tables_.sources.data();
    v.index = tables_.index.data();
    v.types = tables_.types.data();
    v.stored = stored_;
    for (int a = 0; a < 3; ++a) {
        v.size[a] = size_[a];
        v.periodic[a] = periodic_[a];
    }
    v.ghosts = tables_.ghosts.data();
    for (int n = 0; n < 2; ++n) v.ghostStart[n] = ghostStart_[n];
    return v;
}

template<class L, class T, class TileT>
BoundaryView<L, T> NodeTables<L, T, TileT>::boundary(bool incompressible, bool forgotten)
{
    return {host_.boundaryNodes(),
            host_.sent(0),
            tables_.places.data(),
            host_.boundaryLinks(),
            host_.boundaryShares(),
            host_.openingMemory().data(),
            tables_.nodeOfLink.data(),
            int(tables_.places.size()),
            int(tables_.company.empty() ? 0 : tables_.nodeOfLink.size()),
            tables_.company.data(),
            int(tables_.company.size()),
            tables_.lone.data(),
            int(tables_.lone.size()),
            tables_.pairs.data(),
            int(tables_.pairs.size()),
            host_.curvedLinks(),
            tables_.curvedPlaces.data(),
            sentAway_.data(),
            int(tables_.curvedPlaces.size()),
            forgotten ? nullptr : tables_.between.data(),
            int(forgotten ? tables_.curvedPlaces.size() : tables_.between.size()),
            tables_.between.data(),
            int(tables_.between.size()),
            tables_.distant.data(),
            distantValues_.data(),
            tables_.distantByTile.data(),
            int(tables_.distantByTile.size()),
            incompressible,
            host_.openings().data(),
            int(host_.openings().size()),
            0,
            0};
}

// Ranges end where layers of tiles do, by which all lists are in order.
template<class L, class T, class TileT>
BoundaryCut NodeTables<L, T, TileT>::cut(const TileRange& remembered, const TileRange& stepped, bool forgotten) const
{
    const Tables& t = tables_;
    const auto ofNode = [&](std::int32_t node) { return t.places[std::size_t(node)].tile; };
    const auto ofCurved = [&](std::int32_t link) { return t.curvedPlaces[std::size_t(link)].tile; };
    const auto list = [&](const std::vector<std::int32_t>& numbers, const TileRange& tiles, auto&& tileOf) {
        return cutByTile(numbers.size(), tiles, [&](std::size_t i) { return tileOf(numbers[i]); });
    };
    BoundaryCut c;
    c.company = list(t.company, remembered, ofNode);
    c.lone = list(t.lone, remembered, ofNode);
    c.recalled =
        forgotten ? cutByTile(t.curvedPlaces.size(), remembered, ofCurved) : list(t.between, remembered, ofCurved);
    c.pairs = cutByTile(t.pairs.size(), remembered, [&](std::size_t i) { return t.pairs[i].lastTile(); });
    c.distant = list(t.distantByTile, remembered, [&](std::int32_t i) { return t.distant[std::size_t(i)].tile; });
    c.between = list(t.between, stepped, ofCurved);
    c.openings =
        cutByTile(host_.openings().size(), stepped, [&](std::size_t i) { return ofNode(host_.openings()[i].state); });
    const ListCut nodes = cutByTile(t.places.size(), stepped, ofNode);
    if (nodes.count == 0 || t.company.empty()) return c; // others' links are theirs alone
    const BoundaryState* states = host_.boundaryNodes() + nodes.first;
    c.links.first = int(states[0].firstLink);
    c.links.count = int(states[nodes.count - 1].lastLink) - c.links.first;
    return c;
}

template<class L, class T, class TileT>
CurvedView<T> NodeTables<L, T, TileT>::curved()
{
    const CurvedLink<T>* links = host_.curvedLinks();
    const bool moving = std::any_of(links, links + host_.curvedLinkCount(), [](const auto& l) { return l.move != 0; });
    return {nullptr, tables_.shares.data(),   links, distantValues_.data(), sentAway_.data(),
            moving,  !tables_.distant.empty()};
}

// Of the tables and of what a device copies besides.
template<class L, class T, class TileT>
std::size_t NodeTables<L, T, TileT>::bytes() const
{
    const auto size = [](const auto& v) { return v.size() * sizeof(v[0]); };
    return neighboursRead() * sizeof(std::int32_t) + size(tables_.detailOf) + words() * sizeof(std::uint32_t)
        + size(tables_.packed) + size(tables_.blocks) + size(tables_.sources) + onDeviceIndex() * sizeof(std::int32_t)
        + size(tables_.types) + size(tables_.ghosts) + size(tables_.nodeOfLink) + size(tables_.company)
        + size(tables_.lone) + size(tables_.pairs) + size(tables_.places) + size(tables_.curvedPlaces)
        + size(tables_.between) + (tables_.curvedNodes.empty() ? 0 : words() * sizeof(CurvedNode))
        + size(tables_.shares) + host_.boundaryNodeCount() * (sizeof(BoundaryState) + sizeof(SentPopulations<L, T>))
        + host_.boundaryLinkCount() * (sizeof(LinkMakeup) + sizeof(LinkTold<T>) + sizeof(T))
        + host_.boundaryShareCount() * sizeof(BoundaryShare<T>)
        + host_.curvedLinkCount() * (sizeof(CurvedLink<T>) + sizeof(T))
        + tables_.distant.size() * (sizeof(DistantPopulation) + sizeof(std::int32_t) + sizeof(T));
}

} // namespace lbm
