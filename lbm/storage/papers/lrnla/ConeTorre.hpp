// ConeTorre<2, NT>: a group climbs through time and moves by a cell along each axis a step. From the cells ahead of it, seven of
// eight, comes what towers to the right have left in the Farsh; the seven behind stay there. Where the group leaves the box in
// part, cells beyond its ends are the mirrored ones (OctantTraits). Levchenko & Perepelkina 2022, sections 4.3 and 4.4.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Farsh.hpp"
#include "lbm/storage/papers/lrnla/WallTier.hpp"
#include "lbm/storage/papers/lrnla/Octants.hpp"

namespace lbm::lrnla {

// A pass: `steps` steps of all cells; tiles hold the box before and after.
template<class L, class R>
struct Pass {
    Place cells;
    int steps;
    const ZOrder& order;
    Cell<L, R>* tiles;
    Farsh<Cell<L, R>>& farsh;
    const GroupWalls<L>* walls = nullptr; // none
    R* kept = nullptr;                    // beside the cells, for walls
};

template<class L, class R, class Collide>
class ConeTorre {
public:
    ConeTorre(const Pass<L, R>& pass, const Collide& relax) : pass_(pass), relax_(relax) {}

    // base: lowest cell of the group at step 0, in the box or to its left.
    void climb(const Place& base)
    {
        int from = 0, to = pass_.steps;
        for (int a = 0; a < 3; ++a) {
            from = std::max(from, -1 - base[a]);
            to = std::min(to, pass_.cells[a] - 1 - base[a]);
        }
        if (from > to) return;
        base_ = base;
        for (int i = 0; i < 8; ++i) lines_[i] = pass_.farsh.line(cell(0, i == 7 ? 0 : i));
        if (pass_.walls) walls_ = pass_.walls->number(base);
        now_ = 0;
        enter(from);
        for (int step = from; step < pass_.steps; ++step) {
            tier(step, to);
            if (step == to) return;
            now_ = !now_;
        }
        leave();
    }

private:
    using CellT = Cell<L, R>;

    // Beyond which ends of the box the group reaches at a step: axes along which its lower or its upper cells do.
    struct Beyond {
        int lower = 0, upper = 0;
        bool any() const { return lower | upper; }
        bool operator()(int i) const { return (lower & ~i) | (upper & i); }
    };

    Place cell(int step, int i) const
    {
        return {base_[0] + step + (i & 1), base_[1] + step + (i >> 1 & 1), base_[2] + step + (i >> 2)};
    }

    Beyond beyond(int step) const
    {
        Beyond b;
        for (int a = 0; a < 3; ++a) {
            b.lower |= (base_[a] + step == -1) << a;
            b.upper |= (base_[a] + step == pass_.cells[a] - 1) << a;
        }
        return b;
    }

    void enter(int step)
    {
        Group<L, R>& g = group_[now_];
        const Beyond out = beyond(step);
        for (int i = 0; i < 8; ++i)
            if (!out(i)) g.cell[i] = step == 0 ? pass_.tiles[pass_.order(cell(0, i))] : lines_[i][step - 1];
        mirror(g, out);
    }

    void leave()
    {
        const Beyond out = beyond(pass_.steps);
        for (int i = 0; i < 8; ++i)
            if (!out(i)) pass_.tiles[pass_.order(cell(pass_.steps, i))] = group_[now_].cell[i];
    }

    void tier(int step, int last)
    {
        Group<L, R>& next = group_[!now_];
        const Beyond out = beyond(step), outNext = beyond(step + 1);
        // What comes in is read before what goes out takes its place
        if (step < last)
            for (int i = 1; i < 8; ++i)
                if (!outNext(i)) next.cell[i] = lines_[i][step];
        fetchAhead(step);
        CellT* after[8];
        for (int i = 0; i < 7; ++i) after[i] = out(i) ? &nowhere_.cell[i] : lines_[i] + step;
        after[7] = &next.cell[0];
        if (const WallRecord* met = pass_.walls ? pass_.walls->at(walls_ + step) : nullptr)
            wallTier(*pass_.walls, *met, group_[now_], relax_, after, pass_.kept);
        else fusedTier(group_[now_], relax_, after);
        if (step < last) mirror(next, outNext);
    }

    // Lines are read where second caches keep them, while the tier computes.
    void fetchAhead(int step) const
    {
        constexpr int ahead = 1, line = 64;
        if (step + ahead >= pass_.steps) return;
        for (int i = 0; i < 7; ++i) {
            if (!lines_[i]) continue;
            const char* cell = reinterpret_cast<const char*>(lines_[i] + step + ahead);
            for (std::size_t at = 0; at < sizeof(CellT); at += line) __builtin_prefetch(cell + at, 1);
        }
    }

    void mirror(Group<L, R>& g, const Beyond& out)
    {
        if (!out.any()) return;
        unroll<3>([&](auto a) {
            constexpr int bit = 1 << a;
            if (!((out.lower | out.upper) & bit)) return;
            const int side = out.upper & bit;
            for (int i = 0; i < 8; ++i)
                if ((i & bit) == side)
                    for (int q = 0; q < L::Q; ++q)
                        g.cell[i].f[q] = OctantTraits<R>::template across<a>(g.cell[i ^ bit].f[q]);
        });
    }

    const Pass<L, R> pass_;
    const Collide relax_;
    Place base_;
    CellT* lines_[8];
    Group<L, R> group_[2];
    bool now_ = false;
    Group<L, R> nowhere_;
    std::ptrdiff_t walls_ = 0; // number of the group at step 0
};

} // namespace lbm::lrnla
