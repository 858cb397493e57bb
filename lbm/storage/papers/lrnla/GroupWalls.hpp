// GroupWalls: what walls do to the groups that a tower is on its way, diagonal by diagonal: lists of links with the lanes in which they are
// blocked, for WallTier. Most groups meet no wall and have none. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/WallCells.hpp"

namespace lbm::lrnla {

// One link number of one cell, in lanes that a wall blocks.
struct WallLink {
    std::uint8_t cell, other, link, lanes;
};

// A group's, one kind after the other.
struct WallRecord {
    std::uint32_t links, values; // the first one's place among all links, and among all places of values
    std::uint8_t arriving, turned, copied, none, leaving; // how many of each kind
    bool solid;                                           // all cells in all lanes
};

template<class L>
class GroupWalls : public WallCells<L> {
    using Base = WallCells<L>;
    using typename Base::Inside;

public:
    // As WallCells.
    template<class Solid, class OrderOf>
    GroupWalls(const Place& size, Ends ends, const Solid& solid, const OrderOf& orderOf) :
        Base(size, ends, solid, orderOf)
    {
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

    std::size_t bytes() const
    {
        return Base::bytes() + recordOf_.size() * sizeof(recordOf_[0]) + records_.size() * sizeof(WallRecord)
            + links_.size() * sizeof(WallLink) + places_.size() * sizeof(places_[0]);
    }

private:
    static Place cellOf(const Place& base, int i)
    {
        return {base[0] + (i & 1), base[1] + (i >> 1 & 1), base[2] + (i >> 2)};
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
    std::size_t half(int axis) const { return std::size_t(this->cells()[axis]) / 2 + 1; }
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
        const Place& n = this->cells();
        first_.assign(1, 0);
        for (std::size_t line = 0; line < lines; ++line) {
            const Place start = startOf(line);
            const int groups = 1 + std::min({n[0] - start[0], n[1] - start[1], n[2] - start[2]});
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
        forEachCell({base[0] - 1, base[1] - 1, base[2] - 1}, {base[0] + 3, base[1] + 3, base[2] + 3},
                    [&](const Place& cell) { any |= this->solidLanes(cell); });
        return any == 0;
    }

    template<class OrderOf>
    WallRecord record(const Place& base, const OrderOf& orderOf)
    {
        WallRecord r{std::uint32_t(links_.size()), std::uint32_t(places_.size()), 0, 0, 0, 0, 0, true};
        int solid[8];
        for (int i = 0; i < 8; ++i) {
            solid[i] = this->solidLanes(cellOf(base, i));
            r.solid = r.solid && solid[i] == this->allLanes();
        }
        if (r.solid) return r;
        r.arriving = addPairs(solid, true);
        std::vector<WallLink> copied, none;
        std::vector<std::uint32_t> copiedFrom;
        for (int i = 0; i < 8; ++i) {
            const Place cell = cellOf(base, i);
            const Inside in = this->inside(cell);
            const KeptLinks& kept = this->kept(orderOf(in.cell));
            for (int q = 1; q < L::Q; ++q) {
                const int lanes = goesByThird<L>(q) ? this->blockedLanes(cell, i, q) : 0;
                if (lanes == 0) continue;
                const int link = base[0] & 1 ? opposite(q) : q; // in a group that begins at even places
                WallLink own{std::uint8_t(i), std::uint8_t(i ^ outward<L>(q)), std::uint8_t(q), std::uint8_t(lanes)};
                if (!kept.has(link)) none.push_back(own);
                else if (in.beyond == 0) {
                    links_.push_back(own);
                    places_.push_back(kept.place(link));
                    ++r.turned;
                } else {
                    own.cell = std::uint8_t(in.beyond);
                    copied.push_back(own);
                    copiedFrom.push_back(kept.place(link));
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
            if (goesByThird<L>(q) || axes == 0) continue;
            for (int i = 0; i < 8; ++i) {
                const int other = i ^ axes, lanes = solid[i] ^ solid[other];
                if (i > other || lanes == 0) continue;
                links_.push_back({std::uint8_t(i), std::uint8_t(other), std::uint8_t(q), std::uint8_t(lanes)});
                ++count;
            }
        }
        return std::uint8_t(count);
    }

    std::vector<std::size_t> first_;      // of each diagonal's groups
    std::vector<std::uint32_t> recordOf_; // of each group: 0, or one more than its record's number
    std::vector<WallRecord> records_;
    std::vector<WallLink> links_;
    std::vector<std::uint32_t> places_;
};

} // namespace lbm::lrnla
