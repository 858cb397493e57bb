// WallCells: which cells of a box are solid, in which lanes, and which populations of the others are turned round at walls half-way to
// them. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/MirroredLinks.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

// What is beyond the ends of the cells: those at the other end; in each lane its neighbour's across the axis; the same, mirrored.
enum class Ends { periodic, folded, symmetric };

// Links with components both into a group and out of it: the compact update has their populations in a third cell on their way.
template<class L>
constexpr bool goesByThird(int q)
{
    return inward<L>(q) != 0 && outward<L>(q) != 0;
}

// A cell's links of which walls keep values beside the cells in some lane, numbered as in a group that begins at even places, and where
// the first of them lies among all; the others follow it in order.
struct KeptLinks {
    std::uint32_t links = 0, first = 0;

    bool has(int q) const { return (links >> q & 1) != 0; }
    std::uint32_t place(int q) const { return first + std::uint32_t(std::popcount(links & ((1u << q) - 1))); }
};

// f(cell) for those from `from` up to but without `to` along each axis.
template<class F>
void forEachCell(const Place& from, const Place& to, F&& f)
{
    for (int z = from[2]; z < to[2]; ++z)
        for (int y = from[1]; y < to[1]; ++y)
            for (int x = from[0]; x < to[0]; ++x) f(Place{x, y, z});
}

template<class L>
class WallCells {
public:
    // solid(x): of the nodes of a box of that size, which is folded if ends are. orderOf(cell): a cell's number, by which values lie.
    template<class Solid, class OrderOf>
    WallCells(const Place& size, Ends ends, const Solid& solid, const OrderOf& orderOf) : cells_(size), ends_(ends)
    {
        if (folds())
            for (int& n : cells_) n /= 2;
        gather(size, solid);
        findKept(orderOf);
    }

    const Place& cells() const { return cells_; }
    int lanes() const { return folds() ? 8 : 1; }
    int allLanes() const { return folds() ? 255 : 1; }

    // Lanes in which a cell is solid. It may lie up to two cells beyond the ends.
    int solidLanes(const Place& cell) const
    {
        const Inside in = inside(cell);
        return permuted(solid_[plainOf(in.cell)], folds() ? in.beyond : 0);
    }

    // Lanes in which a wall turns round what arrives over link q at a cell that is the i-th of its group.
    int blockedLanes(const Place& cell, int i, int q) const
    {
        return solidLanes(cell) ^ solidLanes(sourceOf(cell, i, q));
    }

    // Of each lane, a bit for each link in a group that begins at even places; bit 0: the cell is solid.
    std::array<std::uint32_t, 8> blockedLinks(const Place& cell) const
    {
        const int i = evenNumber(cell);
        std::array<std::uint32_t, 8> links{};
        for (int q = 0; q < L::Q; ++q) {
            const int blocked = q == 0 ? solidLanes(cell) : blockedLanes(cell, i, q);
            if (blocked == 0) continue;
            for (int lane = 0; lane < lanes(); ++lane) links[lane] |= std::uint32_t(blocked >> lane & 1) << q;
        }
        return links;
    }

    // Of the cell of that number.
    const KeptLinks& kept(std::size_t order) const { return kept_[order]; }
    // Values that are kept beside the cells, of all lanes each.
    std::size_t keptValues() const { return keptValues_; }

    std::size_t bytes() const { return solid_.size() + kept_.size() * sizeof(KeptLinks); }

protected:
    struct Inside {
        Place cell;
        int beyond; // axes
    };

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

private:
    bool folds() const { return ends_ == Ends::folded; }
    static int evenNumber(const Place& cell) { return (cell[0] & 1) | (cell[1] & 1) << 1 | (cell[2] & 1) << 2; }

    // Lanes across some axes take each other's place.
    static int permuted(int lanes, int axes)
    {
        if (axes & 1) lanes = (lanes & 0x55) << 1 | (lanes >> 1 & 0x55);
        if (axes & 2) lanes = (lanes & 0x33) << 2 | (lanes >> 2 & 0x33);
        if (axes & 4) lanes = (lanes & 0x0f) << 4 | (lanes >> 4 & 0x0f);
        return lanes;
    }

    std::size_t plainOf(const Place& x) const { return (std::size_t(x[2]) * cells_[1] + x[1]) * cells_[0] + x[0]; }

    // Where link q of the i-th cell of a group comes from.
    static Place sourceOf(const Place& cell, int i, int q)
    {
        Place from = cell;
        for (int a = 0; a < 3; ++a) from[a] -= i >> a & 1 ? -L::c[q][a] : L::c[q][a];
        return from;
    }

    template<class Solid>
    void gather(const Place& size, const Solid& solid)
    {
        solid_.resize(std::size_t(cells_[0]) * cells_[1] * cells_[2]);
        forEachCell({0, 0, 0}, cells_, [&](const Place& cell) {
            int bits = 0;
            for (int lane = 0; lane < lanes(); ++lane) {
                Place x = cell;
                for (int a = 0; a < 3; ++a)
                    if (lane >> a & 1) x[a] = size[a] - 1 - x[a];
                bits |= int(bool(solid(x))) << lane;
            }
            solid_[plainOf(cell)] = std::uint8_t(bits);
        });
    }

    template<class OrderOf>
    void findKept(const OrderOf& orderOf)
    {
        kept_.resize(solid_.size());
        forEachCell({0, 0, 0}, cells_, [&](const Place& cell) {
            const int solid = solidLanes(cell);
            if (solid == allLanes()) return;
            for (int q = 1; q < L::Q; ++q)
                if (goesByThird<L>(q) && (blockedLanes(cell, evenNumber(cell), q) & ~solid))
                    kept_[orderOf(cell)].links |= 1u << q;
        });
        for (KeptLinks& kept : kept_) {
            kept.first = std::uint32_t(keptValues_);
            keptValues_ += std::size_t(std::popcount(kept.links));
        }
        if (keptValues_ > std::uint32_t(-1)) throw std::invalid_argument("LRnLA: too many nodes at walls");
    }

    Place cells_;
    Ends ends_;
    std::vector<std::uint8_t> solid_; // [z][y][x], lanes
    std::vector<KeptLinks> kept_;     // by orderOf
    std::size_t keptValues_ = 0;
};

// The same cell by cell, for those who have one of one octant at a time.
struct WallLists {
    std::vector<std::uint32_t> blocked; // [lane][z][y][x], as WallCells::blockedLinks
    std::vector<KeptLinks> kept;        // [z][y][x]
};

// orderOf: as the walls have been given.
template<class L, class OrderOf>
WallLists wallLists(const WallCells<L>& walls, const OrderOf& orderOf)
{
    const Place& n = walls.cells();
    const std::size_t plane = std::size_t(n[0]) * n[1], all = plane * n[2];
    WallLists lists{std::vector<std::uint32_t>(walls.lanes() * all), std::vector<KeptLinks>(all)};
#pragma omp parallel for schedule(static)
    for (int z = 0; z < n[2]; ++z)
        forEachCell({0, 0, z}, {n[0], n[1], z + 1}, [&](const Place& cell) {
            const std::size_t i = z * plane + std::size_t(cell[1]) * n[0] + cell[0];
            const auto links = walls.blockedLinks(cell);
            for (int lane = 0; lane < walls.lanes(); ++lane) lists.blocked[lane * all + i] = links[lane];
            lists.kept[i] = walls.kept(orderOf(cell));
        });
    return lists;
}

} // namespace lbm::lrnla
