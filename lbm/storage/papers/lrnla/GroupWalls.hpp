// GroupWalls: half-way bounce-back at resting walls in the compact update. A population that a wall turns round keeps the number
// of its link: the next group numbers its node's links the other way round along all axes. So links whose components all point
// into a group, or all out of it, are blocked by not exchanging the two cells' values. The others go by way of a third cell, where
// they may be in the way of those that pass a wall's corner: what is turned round there is kept beside the cells until the next
// step. Solid cells hold zeros, which collisions leave as they are. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Group.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

// What is beyond the ends of the cells: those at the other end; in each lane its neighbour's across the axis; the same, mirrored.
enum class Ends { periodic, folded, symmetric };

// One link number of one cell, in lanes that a wall blocks.
struct WallLink {
    std::uint8_t cell, other, link, lanes;
};

// A group's, one kind after the other.
struct WallRecord {
    std::uint32_t links, values;                      // the first one's place among all links, and among all places of values
    std::uint8_t arriving, turned, copied, none, leaving; // how many of each kind
    bool solid;                                       // all cells in all lanes
};

template<class L>
class GroupWalls {
public:
    // solid(x): of the nodes of a box of that size, which is folded if ends are. orderOf(cell): a cell's number, by which values lie.
    template<class Solid, class OrderOf>
    GroupWalls(const Place& size, Ends ends, const Solid& solid, const OrderOf& orderOf) : cells_(size), ends_(ends)
    {
        if (folds())
            for (int& n : cells_) n /= 2;
        gather(size, solid);
        findKept(orderOf);
        findLines();
        for (std::size_t line = 0; line + 1 < first_.size(); ++line) addLine(line, orderOf);
    }

    // Of the group that begins at `base` as many cells on as is added to the number; null where it meets no wall.
    std::ptrdiff_t number(const Place& base) const
    {
        const int least = std::min({base[0], base[1], base[2]});
        return std::ptrdiff_t(first_[lineOf({base[0] - least, base[1] - least, base[2] - least})]) + least + 1;
    }
    const WallRecord* at(std::ptrdiff_t number) const
    {
        const std::uint32_t record = recordOf_[number];
        return record == 0 ? nullptr : &records_[record - 1];
    }

    const WallLink* links(const WallRecord& r) const { return links_.data() + r.links; }
    const std::uint32_t* values(const WallRecord& r) const { return places_.data() + r.values; }

    // Values that are kept beside the cells.
    std::size_t keptValues() const { return keptValues_; }

    // Lanes in which a cell is solid. It may lie up to two cells beyond the ends.
    int solidLanes(const Place& cell) const
    {
        const Inside in = inside(cell);
        return permuted(solid_[plainOf(in.cell)], folds() ? in.beyond : 0);
    }

    // Does a wall turn round what arrives at cell i of the group at `base` over its link q, in a lane?
    bool blocks(const Place& base, int i, int q, int lane) const
    {
        const Place cell = cellOf(base, i);
        return ((solidLanes(cell) ^ solidLanes(sourceOf(cell, i, q))) >> lane & 1) != 0;
    }

    // Where it is kept, if a third cell would have been on its way.
    std::uint32_t placeOf(const Place& base, int i, int q) const
    {
        const WallRecord& r = *at(number(base));
        const WallLink* link = links(r) + r.arriving;
        for (int k = 0; k < r.turned; ++k)
            if (link[k].cell == i && link[k].link == q) return values(r)[k];
        throw std::logic_error("LRnLA: no wall turns this population");
    }

    // Of a group's memory, without the values.
    std::size_t bytes() const
    {
        return solid_.size() + recordOf_.size() * sizeof(recordOf_[0]) + records_.size() * sizeof(WallRecord)
            + links_.size() * sizeof(WallLink) + places_.size() * sizeof(places_[0]);
    }

private:
    struct Inside {
        Place cell;
        int beyond; // axes
    };
    // A cell's links that a third cell's way blocks, of which the values lie one after the other.
    struct KeptLinks {
        std::uint32_t links = 0, first = 0;
    };

    bool folds() const { return ends_ == Ends::folded; }
    int allLanes() const { return folds() ? 255 : 1; }

    Inside inside(Place x) const
    {
        int beyond = 0;
        for (int a = 0; a < 3; ++a) {
            const int n = cells_[a];
            if (x[a] >= 0 && x[a] < n) continue;
            if (ends_ == Ends::periodic) x[a] = (x[a] + n) % n;
            else {
                x[a] = x[a] < 0 ? -1 - x[a] : 2 * n - 1 - x[a];
                beyond |= 1 << a;
            }
        }
        return {x, beyond};
    }

    // Lanes across some axes take each other's place.
    static int permuted(int lanes, int axes)
    {
        if (axes & 1) lanes = (lanes & 0x55) << 1 | (lanes >> 1 & 0x55);
        if (axes & 2) lanes = (lanes & 0x33) << 2 | (lanes >> 2 & 0x33);
        if (axes & 4) lanes = (lanes & 0x0f) << 4 | (lanes >> 4 & 0x0f);
        return lanes;
    }

    std::size_t plainOf(const Place& x) const { return (std::size_t(x[2]) * cells_[1] + x[1]) * cells_[0] + x[0]; }

    template<class F>
    static void forEach(const Place& from, const Place& to, F&& f)
    {
        for (int z = from[2]; z < to[2]; ++z)
            for (int y = from[1]; y < to[1]; ++y)
                for (int x = from[0]; x < to[0]; ++x) f(Place{x, y, z});
    }

    template<class Solid>
    void gather(const Place& size, const Solid& solid)
    {
        solid_.resize(std::size_t(cells_[0]) * cells_[1] * cells_[2]);
        forEach({0, 0, 0}, cells_, [&](const Place& cell) {
            int lanes = 0;
            for (int lane = 0; lane < (folds() ? 8 : 1); ++lane) {
                Place x = cell;
                for (int a = 0; a < 3; ++a)
                    if (lane >> a & 1) x[a] = size[a] - 1 - x[a];
                lanes |= int(bool(solid(x))) << lane;
            }
            solid_[plainOf(cell)] = std::uint8_t(lanes);
        });
    }

    static constexpr bool goesByThird(int q) { return inward<L>(q) != 0 && outward<L>(q) != 0; }

    static Place cellOf(const Place& base, int i)
    {
        return {base[0] + (i & 1), base[1] + (i >> 1 & 1), base[2] + (i >> 2)};
    }

    // Where link q of cell i of a group comes from.
    static Place sourceOf(const Place& cell, int i, int q)
    {
        Place from = cell;
        for (int a = 0; a < 3; ++a) from[a] -= i >> a & 1 ? -L::c[q][a] : L::c[q][a];
        return from;
    }

    template<class OrderOf>
    void findKept(const OrderOf& orderOf)
    {
        kept_.resize(solid_.size());
        forEach({0, 0, 0}, cells_, [&](const Place& cell) {
            const int lanes = solidLanes(cell);
            if (lanes == allLanes()) return;
            const int i = (cell[0] & 1) | (cell[1] & 1) << 1 | (cell[2] & 1) << 2;
            for (int q = 1; q < L::Q; ++q)
                if (goesByThird(q) && (solidLanes(sourceOf(cell, i, q)) & ~lanes))
                    kept_[orderOf(cell)].links |= 1u << mirroredLink<L>(q, i);
        });
        for (KeptLinks& kept : kept_) {
            kept.first = std::uint32_t(keptValues_);
            keptValues_ += std::size_t(std::popcount(kept.links));
        }
        if (keptValues_ > std::uint32_t(-1)) throw std::invalid_argument("LRnLA: too many nodes at walls");
    }

    // Diagonals begin in three faces at -1, at every other cell.
    std::size_t lineOf(const Place& start) const
    {
        const std::size_t n[3] = {half(0), half(1), half(2)};
        const std::size_t x = std::size_t(start[0]) / 2, y = std::size_t(start[1]) / 2, z = std::size_t(start[2]) / 2;
        if (z == 0) return y * n[0] + x;
        if (y == 0) return n[0] * n[1] + z * n[0] + x;
        return n[0] * (n[1] + n[2]) + z * n[1] + y;
    }
    std::size_t half(int axis) const { return std::size_t(cells_[axis]) / 2 + 1; }
    Place startOf(std::size_t line) const
    {
        const std::size_t n[3] = {half(0), half(1), half(2)};
        if (line < n[0] * n[1]) return {int(2 * (line % n[0])), int(2 * (line / n[0])), 0};
        line -= n[0] * n[1];
        if (line < n[0] * n[2]) return {int(2 * (line % n[0])), 0, int(2 * (line / n[0]))};
        line -= n[0] * n[2];
        return {0, int(2 * (line % n[1])), int(2 * (line / n[1]))};
    }
    void findLines()
    {
        const std::size_t lines = half(0) * half(1) + half(0) * half(2) + half(1) * half(2);
        first_.assign(1, 0);
        for (std::size_t line = 0; line < lines; ++line) {
            const Place start = startOf(line);
            const int groups =
                1 + std::min({cells_[0] - start[0], cells_[1] - start[1], cells_[2] - start[2]});
            first_.push_back(first_.back() + std::size_t(groups));
        }
        recordOf_.assign(first_.back(), 0);
    }

    template<class OrderOf>
    void addLine(std::size_t line, const OrderOf& orderOf)
    {
        const Place start = startOf(line);
        for (std::size_t k = first_[line]; k < first_[line + 1]; ++k) {
            const int on = int(k - first_[line]) - 1;
            const Place base{start[0] + on, start[1] + on, start[2] + on};
            if (isOpen(base)) continue;
            const WallRecord r = record(base, orderOf);
            if (!r.solid && links_.size() == r.links) continue;
            records_.push_back(r);
            recordOf_[k] = std::uint32_t(records_.size());
        }
    }

    // No solid cell in the group and around it.
    bool isOpen(const Place& base) const
    {
        int any = 0;
        forEach({base[0] - 1, base[1] - 1, base[2] - 1}, {base[0] + 3, base[1] + 3, base[2] + 3},
                [&](const Place& cell) { any |= solidLanes(cell); });
        return any == 0;
    }

    template<class OrderOf>
    WallRecord record(const Place& base, const OrderOf& orderOf)
    {
        WallRecord r{std::uint32_t(links_.size()), std::uint32_t(places_.size()), 0, 0, 0, 0, 0, true};
        int solid[8];
        for (int i = 0; i < 8; ++i) {
            solid[i] = solidLanes(cellOf(base, i));
            r.solid = r.solid && solid[i] == allLanes();
        }
        if (r.solid) return r;
        r.arriving = addPairs(solid, true);
        std::vector<WallLink> copied, none;
        std::vector<std::uint32_t> copiedFrom;
        for (int i = 0; i < 8; ++i) {
            const Place cell = cellOf(base, i);
            const Inside in = inside(cell);
            const KeptLinks& kept = kept_[orderOf(in.cell)];
            for (int q = 1; q < L::Q; ++q) {
                const int lanes = goesByThird(q) ? solid[i] ^ solidLanes(sourceOf(cell, i, q)) : 0;
                if (lanes == 0) continue;
                const int link = mirroredLink<L>(q, i ^ in.beyond); // in the box, which a cell beyond its ends is a copy of
                WallLink own{std::uint8_t(i), std::uint8_t(i ^ outward<L>(q)), std::uint8_t(q), std::uint8_t(lanes)};
                const std::uint32_t place = kept.first + std::uint32_t(std::popcount(kept.links & ((1u << link) - 1)));
                if (!(kept.links >> link & 1)) none.push_back(own);
                else if (in.beyond == 0) {
                    links_.push_back(own);
                    places_.push_back(place);
                    ++r.turned;
                } else {
                    own.cell = std::uint8_t(in.beyond);
                    copied.push_back(own);
                    copiedFrom.push_back(place);
                }
            }
        }
        r.copied = std::uint8_t(copied.size());
        r.none = std::uint8_t(none.size());
        links_.insert(links_.end(), copied.begin(), copied.end());
        links_.insert(links_.end(), none.begin(), none.end());
        places_.insert(places_.end(), copiedFrom.begin(), copiedFrom.end());
        r.leaving = addPairs(solid, false);
        return r;
    }

    // Cells of the group that have a link in common all of whose components point out of it, or into it.
    std::uint8_t addPairs(const int (&solid)[8], bool arriving)
    {
        int count = 0;
        for (int q = 1; q < L::Q; ++q) {
            const int axes = arriving ? outward<L>(q) : inward<L>(q);
            if (goesByThird(q) || axes == 0) continue;
            for (int i = 0; i < 8; ++i) {
                const int other = i ^ axes, lanes = solid[i] ^ solid[other];
                if (i > other || lanes == 0) continue;
                links_.push_back({std::uint8_t(i), std::uint8_t(other), std::uint8_t(q), std::uint8_t(lanes)});
                ++count;
            }
        }
        return std::uint8_t(count);
    }

    Place cells_;
    Ends ends_;
    std::vector<std::uint8_t> solid_; // [z][y][x], lanes
    std::vector<KeptLinks> kept_;     // by orderOf
    std::size_t keptValues_ = 0;
    std::vector<std::size_t> first_;      // of each diagonal's groups
    std::vector<std::uint32_t> recordOf_; // of each group: 0, or one more than its record's number
    std::vector<WallRecord> records_;
    std::vector<WallLink> links_;
    std::vector<std::uint32_t> places_;
};

// Before a group is decompacted. kept: values beside the cells.
template<class L, class R>
void turnArriving(const GroupWalls<L>& walls, const WallRecord& r, Group<L, R>& g, const R* kept)
{
    using Traits = OctantTraits<R>;
    const WallLink* link = walls.links(r);
    const std::uint32_t* place = walls.values(r);
    for (const WallLink* end = link + r.arriving; link != end; ++link)
        Traits::swap(link->lanes, g.cell[link->cell].f[link->link], g.cell[link->other].f[link->link]);
    for (const WallLink* end = link + r.turned; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, kept[*place++]);
    }
    for (const WallLink* end = link + r.copied; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, Traits::acrossAll(link->cell, kept[*place++]));
    }
    for (const WallLink* end = link + r.none; link != end; ++link) {
        R& f = g.cell[link->other].f[link->link];
        f = Traits::select(link->lanes, f, R(0));
    }
}

// After it has been compacted: what has been written where exchange would have it.
template<class L, class R>
void turnLeaving(const GroupWalls<L>& walls, const WallRecord& r, Cell<L, R>* const (&after)[8], R* kept)
{
    const WallLink* link = walls.links(r) + r.arriving;
    const std::uint32_t* place = walls.values(r);
    for (const WallLink* end = link + r.turned; link != end; ++link)
        kept[*place++] = after[link->other]->f[opposite(link->link)];
    link += r.copied + r.none;
    for (const WallLink* end = link + r.leaving; link != end; ++link)
        OctantTraits<R>::swap(link->lanes, after[link->cell]->f[link->link], after[link->other]->f[link->link]);
}

// Decompact, collide and compact a group that meets a wall. Its cells beyond the ends, if it has any, go somewhere, too.
template<class L, class R, class Collide>
void wallTier(const GroupWalls<L>& walls, const WallRecord& r, Group<L, R>& g, const Collide& relax,
              Cell<L, R>* const (&after)[8], R* kept)
{
    if (r.solid) {
        for (Cell<L, R>* cell : after)
            for (R& f : cell->f) f = R(0);
        return;
    }
    turnArriving(walls, r, g, kept);
    fusedTier(g, relax, after);
    turnLeaving(walls, r, after, kept);
}

} // namespace lbm::lrnla
