// LinkKinds: which links of boundary nodes need no state of a node: mirrors of slip planes along the lattice, over which one
// population of another node comes, and walls or openings with a velocity, which add to what they reflect. Which nodes the others
// look at, which links tiles list, and lists of runs of nodes that steps go through.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Leaving.hpp"
#include "lbm/storage/TileGeometry.hpp"

namespace lbm {

// The boundary node whose population link.mirror arrives over the link, -1: it is no such mirror.
template<class L, class T, class TileT>
std::int32_t mirrorDonor(const TileGeometry<L, T, TileT>& geometry, const LinkMakeup& link)
{
    return Slip::mirrorDonor(geometry.boundaryShares(), link);
}

// 6 w c.u is added to what is reflected, times the density where the fluid is compressible, and nothing else.
template<class T>
bool isMover(const BoundaryLink<T>& link)
{
    const auto kind = BoundaryKind(link.kind);
    if (kind == BoundaryKind::movingWall) return true;
    return kind == BoundaryKind::velocity && !(link.recovery > 0) && !Leaving::happens(link);
}
template<class L, class T>
T addedBy(const BoundaryLink<T>& link)
{
    const int q = link.direction;
    const auto along = [&](int a) { return T(component<L>(q, a)) * link.velocity[a]; };
    return T(6 * weightOf<L>(q)) * (along(0) + along(1) + along(2));
}

// Boundary nodes that a link draws on besides its own, and an opening. visit(number; below zero: it is none)
template<class L, class T, class TileT, class Visit>
void eachLookedAt(const TileGeometry<L, T, TileT>& geometry, const LinkMakeup& link, Visit&& visit)
{
    for (int s = 0; link.donor >= 0 && s < link.shares + link.sharesBeyond; ++s)
        visit(geometry.boundaryShares()[link.donor + s].node);
    for (int s = 0; s < link.fitted; ++s) visit(geometry.boundaryShares()[link.fit + s].node);
}
template<class Visit>
void eachLookedAt(const OpeningNode& opening, Visit&& visit)
{
    for (int i = 0; i < opening.links; ++i) visit(opening.nearest[i].behind);
    for (const auto& sides : opening.side)
        for (const OpeningSide& side : sides) visit(side.node);
}

// Boundary nodes that a step must know as they were after the collision before, by boundary node: those with links that are
// not seen to, and what these and openings look at. seenTo: by link.
template<class L, class T, class TileT, class SeenTo>
std::vector<std::uint8_t> askedStates(const TileGeometry<L, T, TileT>& geometry, const SeenTo& seenTo)
{
    std::vector<std::uint8_t> asked(geometry.boundaryNodeCount(), 0);
    const auto ask = [&](std::int32_t state) {
        if (state >= 0) __atomic_store_n(&asked[std::size_t(state)], std::uint8_t(1), __ATOMIC_RELAXED);
    };
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const BoundaryState& state = geometry.boundaryNodes()[i];
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
            if (seenTo[k]) continue;
            ask(std::int32_t(i));
            eachLookedAt(geometry, geometry.boundaryLinks().made[k], ask);
        }
    }
    for (const OpeningNode& opening : geometry.openings()) {
        ask(opening.state);
        eachLookedAt(opening, ask);
    }
    return asked;
}

// Links that tiles list one by one, a bit a kind.
enum ListedLinks : unsigned { linksOfNodes = 1, curvedLinks = 2, remoteLinks = 4 };

// By node of a tile: directions of its links of these kinds, a bit each.
template<class L, class T, class TileT>
std::vector<std::uint32_t> listedDirections(const TileGeometry<L, T, TileT>& geometry,
                                            const typename TileGeometry<L, T, TileT>::TileDetail& d, unsigned kinds)
{
    std::vector<std::uint32_t> directions(TileT::N, 0);
    const auto add = [&](int local, int q) { directions[local] |= 1u << q; };
    for (std::uint32_t i = d.firstNode; kinds & linksOfNodes && i < d.lastNode; ++i) {
        const BoundaryState& state = geometry.boundaryNodes()[i];
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
            add(state.local, geometry.boundaryLinks().made[k].direction);
    }
    for (std::uint32_t i = d.firstCurved; kinds & curvedLinks && i < d.lastCurved; ++i)
        add(geometry.curvedLinks()[i].local, geometry.curvedLinks()[i].direction);
    for (std::uint32_t i = d.firstRemote; kinds & remoteLinks && i < d.lastRemote; ++i)
        add(geometry.remotes()[i].local, geometry.remotes()[i].q);
    return directions;
}

// By boundary node: the tile that has it.
template<class L, class T, class TileT>
std::vector<std::int32_t> tilesOfNodes(const TileGeometry<L, T, TileT>& geometry)
{
    std::vector<std::int32_t> tiles(geometry.boundaryNodeCount(), 0);
    for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t)
        if (!geometry.uniform(t))
            std::fill(tiles.begin() + geometry.detail(t).firstNode, tiles.begin() + geometry.detail(t).lastNode, t);
    return tiles;
}

// Entries {value, n, ...} of single nodes become runs of neighbours in a line of `line` nodes, where alike(run, entry) says so.
template<int line, class Entry, class Alike>
void appendRuns(std::vector<Entry>& found, std::vector<Entry>& runs, Alike&& alike)
{
    const std::size_t first = runs.size();
    std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
    for (const Entry& entry : found) {
        Entry* const last = runs.size() > first ? &runs.back() : nullptr;
        if (last && last->value + last->n == entry.value && entry.value % line != 0 && alike(*last, entry)) ++last->n;
        else runs.push_back(entry);
    }
}

// What is kept from step to step lies far from what tiles bring along, and by the time it is asked for it is in no near cache:
// it is fetched so many entries of a list before, which a part of the tiles before this one has.
constexpr int runsAhead = 48, statesAhead = 8;

template<class Entry>
LBM_INLINE const Entry& entryAhead(const std::vector<Entry>& list, std::size_t i, int by)
{
    return list[std::min(i + by, list.size() - 1)];
}

LBM_INLINE void fetch(const void* p) { __builtin_prefetch(p, 0, 3); }

template<class L, class T>
LBM_INLINE void fetchState(const BoundaryTable<L, T>& table, std::int32_t node)
{
    fetch(&table.nodes[node]);
    for (int q = 0; q < L::Q; q += lineNodes<T>) fetch(&table.after(node)[q]);
}

} // namespace lbm
