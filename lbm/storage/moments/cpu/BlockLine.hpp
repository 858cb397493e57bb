// BlockLine: a step of a line of rows of a block, row after row upwards along z (BlockRows.hpp has the arithmetic).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/BlockLinks.hpp"

namespace lbm {

// Where a row's values lie. Registers follow one another along x.
template<class L, class T>
struct BlockRow {
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;

    int registers = 0;
    bool first = false;                            // the lowest of the step: what it sends downwards goes to `down`
    bool startsAtWall = false, endsAtWall = false; // along y
    bool opens = false;                            // the first line of a periodic axis, before which nothing is known
    bool onFloor = false, underRoof = false;       // walls along z
    bool between = false;                          // walls along x
    V* moments = nullptr;                          // [register][count]
    LinkedRow<L, T> linked;
    V *below = nullptr,
      *belowBefore = nullptr; // moments of the row below, of that and the line before; null: there is none
    V* later = nullptr;       // instead of belowBefore
    V *waiting = nullptr, *waitingBelow = nullptr; // [register][passing] along y
    const V* from = nullptr;                       // what arrives from below at the first row
    V* down = nullptr;
    V *carried = nullptr, *ends = nullptr, *sides = nullptr;
    V *floor = nullptr, *roof = nullptr; // what such walls send back to the line behind, kept from the line before
    V* back = nullptr;                   // what the wall behind the last line sends back: [register][passing]
    // What moving walls add to what they send back: [register][passing]; null: at rest
    const V *wallBefore = nullptr, *wallBehind = nullptr, *wallBelow = nullptr, *wallAbove = nullptr;
};

// What one thread has while it works on a line.
template<class L, class T>
struct BlockBuffers {
    using V = typename BlockRows<L, T>::V;
    V *sums, *up, *down, *floor, *roof, *nothing, *carried, *ends, *back;
    V side[2]; // of the row below: what walls along x send back to it from above
};

template<class L, class T>
class BlockLine {
public:
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;
    static constexpr int passing = Rows::passing, summed = Rows::summed, count = Rows::count;
    static constexpr int groups = Rows::groups, diagonals = Rows::diagonals, upwards = Rows::up, downwards = Rows::down;
    static constexpr bool planar = Rows::planar;

    // Registers begin .. end of a row; the last of them complete the row, ends included. walls: it may meet
    // some along y and z, and have linked registers.
    template<bool first, bool walls>
    static void row(BlockBuffers<L, T>& b, const BlockRow<L, T>& r, const BlockRates<T>& rates, int begin, int end)
    {
        V ahead[groups], ahead2[groups], still[groups],
            across[Rows::acrossRoom]; // forwards from two registers before and one before
        if (begin) {
            const V* c = r.carried;
            for (V& v : ahead) v = *c++;
            for (V& v : ahead2) v = *c++;
            for (V& v : still) v = *c++;
            for (int g = 0; g < diagonals; ++g) across[g] = *c++;
        }
        const V* m = r.moments + begin * count;
        const LinkedRegister* linked = walls ? r.linked.from(begin) : nullptr;
        for (int i = begin; i < end; ++i, m += count) {
            V completed[count];
            const bool links = walls && linked != r.linked.end && linked->at == i;
            if (links) r.linked.complete(linked, rates, m, completed);
            auto f = Rows::collided(links ? completed : m, rates);
            if (links) r.linked.sendBack(linked++, rates, f);
            if (walls) reflect(b, r, f, i);
            if (i == 0) keepEnds(r, f);
            else if (i == 1)
                for (int g = 0; g < groups; ++g) r.ends[secondEnd + g] = f.backwards[g];
            else arrive<first>(b, r, i - 1, ahead, still, f.backwards, across, nullptr, nullptr);
            for (int g = 0; g < groups; ++g) {
                ahead[g] = i ? ahead2[g] : f.forwards[g];
                ahead2[g] = f.forwards[g];
                still[g] = f.still[g];
            }
            for (int g = 0; g < diagonals; ++g) across[g] = f.across[g];
        }
        if (end < r.registers) {
            V* c = r.carried;
            for (const V& v : ahead) *c++ = v;
            for (const V& v : ahead2) *c++ = v;
            for (const V& v : still) *c++ = v;
            for (int g = 0; g < diagonals; ++g) *c++ = across[g];
            return;
        }
        closeRow<first>(b, r, ahead, ahead2, still, across);
    }

    // Sums of the highest row of a step, with what comes from above: [register][passing], or nothing. byWalls: what walls along x send back
    // from above is added.
    static void complete(const BlockBuffers<L, T>& b, const BlockRow<L, T>& r, const V* above, bool byWalls, int i)
    {
        const V* a = above + i * passing;
        typename Rows::FromAbove from{a[0], a[1], a[2], {}, {}};
        if constexpr (!planar) {
            from.behind = a[3];
            from.before = a[4];
        }
        if (byWalls && i == 0) add(from, b.side[0], 1);
        if (byWalls && i == r.registers - 1) add(from, b.side[1], -1);
        completeRow(r, b.sums + i * summed, from, i);
    }

private:
    // What a row's ends keep: what goes backwards from its first node, rests and goes across there, and what comes backwards to it.
    static constexpr int stillEnd = groups, acrossEnd = 2 * groups, secondEnd = acrossEnd + diagonals;

    static LBM_INLINE void completeRow(const BlockRow<L, T>& r, const V* sums, const typename Rows::FromAbove& from,
                                       int i)
    {
        if constexpr (planar) Rows::completeAlone(sums, from, r.below + i * count);
        else
            Rows::completeRow(sums, from, r.waitingBelow + i * passing, r.below + i * count,
                              r.belowBefore ? r.belowBefore + i * count : nullptr,
                              r.later ? r.later + i * passing : nullptr);
    }

    static LBM_INLINE void add(typename Rows::FromAbove& from, V side, T sign)
    {
        from.sum += side;
        from.x += Rows::all(sign) * side;
        from.xx += side;
    }

    // side: what walls along x send back, of this node, [2] from below and from above; at the first node or the last.
    template<bool first>
    static LBM_INLINE void arrive(BlockBuffers<L, T>& b, const BlockRow<L, T>& r, int i, const V* forwards,
                                  const V* still, const V* backwards, const V* across, const V* below, const V* above)
    {
        V sum[groups], x[groups], xx[groups];
        for (int g = 0; g < groups; ++g) {
            xx[g] = forwards[g] + backwards[g];
            x[g] = forwards[g] - backwards[g];
            sum[g] = still[g] + xx[g];
        }
        V *const sums = b.sums + i * summed, *const up = b.up + i * passing;
        if (first) {
            if (r.down) {
                V* const d = r.down + i * passing;
                d[0] = sum[downwards];
                d[1] = x[downwards];
                d[2] = xx[downwards];
                if constexpr (!planar) {
                    d[3] = across[1];
                    d[4] = across[3];
                }
            }
        } else {
            typename Rows::FromAbove from{sum[downwards], x[downwards], xx[downwards], {}, {}};
            if constexpr (!planar) {
                from.behind = across[1];
                from.before = across[3];
            }
            if (above) {
                from.sum += above[0];
                from.x += above[1];
                from.xx += above[0];
            }
            completeRow(r, sums, from, i);
        }
        const V* const in = first ? r.from + i * passing : up;
        V s = in[0], sx = in[1], sxx = in[2], behind, before;
        if constexpr (!planar) {
            behind = in[3];
            before = in[4];
        }
        if (below) {
            s += below[0];
            sx += below[1];
            sxx += below[0];
        }
        sums[0] = sum[0] + s;
        sums[1] = x[0] + sx;
        sums[2] = xx[0] + sxx;
        sums[3] = s;
        sums[4] = sx;
        if constexpr (!planar) {
            sums[5] = sum[1] + behind;
            sums[6] = x[1];
            sums[7] = xx[1];
            sums[8] = behind;
            sums[9] = sum[2] + before;
            sums[10] = x[2];
            sums[11] = xx[2];
            sums[12] = before;
        }
        up[0] = sum[upwards];
        up[1] = x[upwards];
        up[2] = xx[upwards];
        if constexpr (!planar) {
            up[3] = across[0];
            up[4] = across[2];
        }
    }

    static void keepEnds(const BlockRow<L, T>& r, const typename Rows::Populations& f)
    {
        V* e = r.ends;
        for (const V& v : f.backwards) *e++ = v;
        for (const V& v : f.still) *e++ = v;
        for (int g = 0; g < diagonals; ++g) *e++ = f.across[g];
    }

    // The last node of each lane's part and the first one, which wait for one another.
    template<bool first>
    static void closeRow(BlockBuffers<L, T>& b, const BlockRow<L, T>& r, const V* ahead, const V* ahead2,
                         const V* still, const V* across)
    {
        const V* const e = r.ends;
        V backwards[groups], forwards[groups];
        for (int g = 0; g < groups; ++g) {
            backwards[g] = Rows::turned(e[g], 1);
            forwards[g] = Rows::turned(ahead2[g], -1);
        }
        if (!r.between) {
            arrive<first>(b, r, r.registers - 1, ahead, still, backwards, across, nullptr, nullptr);
            arrive<first>(b, r, 0, forwards, e + stillEnd, e + secondEnd, e + acrossEnd, nullptr, nullptr);
            return;
        }
        constexpr int last = Rows::lanes - 1;
        [[maybe_unused]] const bool after = !planar && !r.startsAtWall && !r.opens; // there is a line before
        for (int g = 0; g < groups; ++g) backwards[g][last] = forwards[g][0] = 0;
        backwards[0][last] = ahead2[0][last];
        forwards[0][0] = e[0][0];
        if (after) {
            backwards[2][last] = r.sides[1][last];
            forwards[2][0] = r.sides[0][0];
        }
        V fromBelow[2] = {}; // at the first node, at the last
        if (!r.onFloor) {
            fromBelow[0] = Rows::onlyFirst(e[downwards]);
            fromBelow[1] = Rows::onlyLast(ahead2[downwards]);
        }
        if (!planar && !r.startsAtWall) {
            V* w = r.waiting + (r.registers - 1) * passing;
            const V high = Rows::onlyLast(ahead2[2]), low = Rows::onlyFirst(e[2]);
            w[0] += high;
            w[1] -= high;
            w[2] += high;
            w = r.waiting;
            w[0] += low;
            w[1] += low;
            w[2] += low;
        }
        {
            const V below[2] = {fromBelow[1], -fromBelow[1]}, above[2] = {b.side[1], -b.side[1]};
            arrive<first>(b, r, r.registers - 1, ahead, still, backwards, across, below, above);
        }
        {
            const V below[2] = {fromBelow[0], fromBelow[0]}, above[2] = {b.side[0], b.side[0]};
            arrive<first>(b, r, 0, forwards, e + stillEnd, e + secondEnd, e + acrossEnd, below, above);
        }
        if constexpr (!planar) {
            r.sides[0] = Rows::onlyFirst(e[1]);
            r.sides[1] = Rows::onlyLast(ahead2[1]);
        }
        b.side[0] = Rows::onlyFirst(e[upwards]);
        b.side[1] = Rows::onlyLast(ahead2[upwards]);
    }

    // Half-way walls along y and z send a node's own populations back to it: what does not come from the line or row beyond.
    static LBM_INLINE void reflect(BlockBuffers<L, T>& b, const BlockRow<L, T>& r, const typename Rows::Populations& f,
                                   int i)
    {
        if constexpr (planar) {
            if (r.onFloor) sendBack(b.floor, f, downwards, r.wallBelow, i);
            if (r.underRoof) sendBack(b.roof, f, upwards, r.wallAbove, i);
        } else {
            reflectBetween(b, r, f, i);
        }
    }

    static LBM_INLINE void addTold(const V* wall, V* a, int i)
    {
        for (int k = 0; wall && k < passing; ++k) a[k] += wall[i * passing + k];
    }

    static LBM_INLINE void sendBack(V* to, const typename Rows::Populations& f, int g, const V* wall, int i)
    {
        V* const a = to + i * passing;
        a[0] = f.forwards[g] + f.still[g] + f.backwards[g];
        a[1] = f.backwards[g] - f.forwards[g];
        a[2] = f.backwards[g] + f.forwards[g];
        addTold(wall, a, i);
    }

    static void reflectBetween(BlockBuffers<L, T>& b, const BlockRow<L, T>& r, const typename Rows::Populations& f,
                               int i)
    {
        V* const w = r.waiting + i * passing;
        const auto turned = [&](int g, V up, V down, V* a) {
            a[0] = f.forwards[g] + f.still[g] + f.backwards[g] + up + down;
            a[1] = f.backwards[g] - f.forwards[g];
            a[2] = f.backwards[g] + f.forwards[g];
            a[3] = up + down;
            a[4] = down - up; // what went down comes up
        };
        if (r.startsAtWall) {
            turned(2, f.across[2], f.across[3], w);
            addTold(r.wallBefore, w, i);
        }
        if (r.opens)
            for (int k = 0; k < passing; ++k) w[k] = V{};
        if (r.endsAtWall) {
            V* const a = r.back + i * passing;
            turned(1, f.across[0], f.across[1], a);
            addTold(r.wallBehind, a, i);
        }
        const bool lineBefore = !r.startsAtWall;
        const auto face = [&](int g, V* a, V* kept, const V* wall, V toBehind, V toBefore, T sign) {
            V own[passing] = {f.forwards[g] + f.still[g] + f.backwards[g], f.backwards[g] - f.forwards[g],
                              f.backwards[g] + f.forwards[g], toBefore, toBehind};
            addTold(wall, own, i);
            for (int k = 0; k < 3; ++k) a[k] = own[k];
            a[3] = V{};
            a[4] = lineBefore && !r.opens ? kept[i] : V{};
            // What went to the line before comes back from it, and is this line's own
            if (lineBefore) {
                w[0] += own[3];
                w[3] += own[3];
                w[4] += Rows::all(sign) * own[3];
            }
            kept[i] = own[4];
        };
        if (r.onFloor) face(4, b.floor + i * passing, r.floor, r.wallBelow, f.across[1], f.across[3], 1);
        if (r.underRoof) face(3, b.roof + i * passing, r.roof, r.wallAbove, f.across[0], f.across[2], -1);
    }
};

} // namespace lbm
