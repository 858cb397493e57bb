// SlideMoments: how a sweep turns a layer of a tile's moments into those of the layer before it where links bring nothing but what
// a fluid node sends or a resting wall reflects. Populations stay in registers (RowSums): of a row the plane that rises to it
// and its own wait in the first cache until the one that falls from the next layer is known, 11 values a node of D3Q19.
// What comes from other tiles, and goes to them, are populations, as everywhere else.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/RelaxMoments.hpp"
#include "lbm/storage/moments/cpu/LayerSlide.hpp"
#include "lbm/storage/moments/cpu/RowSums.hpp"
#include "lbm/storage/rows/FieldRows.hpp"

#include <algorithm>

namespace lbm {

// Loops: MomentLoops of the collision.
template<class Loops>
struct SlideLoops {
    using L = typename Loops::L;
    using R = typename Loops::Row;
    using T = typename Loops::Value;
    using M = typename Loops::M;
    using Traits = PackTraits<R>;
    using C = Lanes<T, Traits::width>;
    using Shifted = typename Loops::Shifted;
    using Reader = typename Loops::Reader;
    using Sums = RowSums<R>;
    static constexpr int line = lineNodes<T>, step = momentStep<T>, count = M::count;

    template<int layer>
    static LBM_INLINE Plane<L, layer, R> loadPlane(const T* from)
    {
        Plane<L, layer, R> p;
        unroll<p.count>([&](auto i) __attribute__((always_inline)) { p.value[i] = Traits::load(from + i * line); });
        return p;
    }
    template<int layer>
    static LBM_INLINE void storePlane(T* to, const Plane<L, layer, R>& p)
    {
        unroll<p.count>([&](auto i) __attribute__((always_inline)) { Traits::store(to + i * line, p.value[i]); });
    }
    static constexpr int risingRow = planeCount<L>(1) * line, levelRow = planeCount<L>(0) * line,
                         reflectedRow = count * line;

    // Which links arrive at the rows around a row of the tile; where such a row is another tile's nobody asks.
    template<bool walled>
    struct Masks {
        const LaneMask<T>* row[3][3];

        LBM_INLINE Masks(const LayerSlide<T>& s, int y)
        {
            if constexpr (!walled) return;
            for (int layer = -1; layer <= 1; ++layer)
                for (int dy = -1; dy <= 1; ++dy) {
                    const bool last = layer > 0 && s.last, first = layer < 0 && !s.to;
                    const int to = std::clamp(y + dy, 0, s.n - 1) + (last || first ? 0 : layer * s.n);
                    row[layer + 1][dy + 1] = s.arrives + (s.first + to) * L::Q;
                }
        }

        template<int q>
        LBM_INLINE R arriving(const R& value) const
        {
            if constexpr (!walled || q == 0) return value;
            const unsigned m = row[stackOf<L>(q)][rowStep<L>(q) + 1][q];
            return Traits::fromLanes(C::over(Traits::toLanes(R(0)), m, Traits::toLanes(value)));
        }
    };

    // Of the three rows around one: what has come to it from the row before and from itself.
    template<int layer>
    struct Arrived {
        Sums before, same, next;

        // of a row: what it sends to the one behind, and to itself.
        LBM_INLINE void goOn(const Sums& sent, const Sums& own)
        {
            before = next;
            same = own;
            next = sent;
        }
        LBM_INLINE Plane<L, layer, R> plane(const Sums& behind) const { return {before, same, behind}; }
    };

    static LBM_INLINE Sums nothing() { return {R(0), R(0), R(0)}; }

    // Those of a row's links that go on by `dy` rows, from a face across y.
    template<bool walled, int dy, int layer>
    static LBM_INLINE Sums ofFace(const LayerSlide<T>& s, int y, const T* face)
    {
        if constexpr (L::D == 3) {
            if (!face) return nothing();
            const Masks<walled> masks(s, y);
            R g[L::Q];
            unroll<3>([&](auto i) __attribute__((always_inline)) {
                constexpr int q = linkTo<L>(i - 1, dy, layer);
                if constexpr (q >= 0)
                    g[q] = masks.template arriving<q>(Traits::load(face + numberInFace<L>(q, dy > 0 ? 3 : 2) * line));
            });
            return sumsOf<L, dy, layer>(g);
        }
        return nothing();
    }

    struct State {
        Arrived<-1> falling;
        Arrived<0> level;
        Arrived<1> rising;
    };

    // Row y of the layer before has all but what falls to it from the row behind, and of this layer what that row sends to it.
    static LBM_INLINE void finish(const LayerSlide<T>& s, const MomentRates<T>& rates, const Reader& reader, int y,
                                  const State& state, const Sums& falling, const Sums& level, const Sums& rising)
    {
        const int layer = s.first / s.n;
        T* const risen = s.rising + y * risingRow;
        if (s.to && s.active[layer - 1] >> y & 1) {
            M m = momentsOf<L, R>(loadPlane<1>(risen), loadPlane<0>(s.level + y * levelRow),
                                  state.falling.plane(falling));
            settle(s, rates, reader, y, m);
        }
        storePlane<0>(s.level + y * levelRow, state.level.plane(level));
        storePlane<1>(risen, state.rising.plane(rising));
    }

    static LBM_INLINE void settle(const LayerSlide<T>& s, const MomentRates<T>& rates, const Reader& reader, int y,
                                  M& m)
    {
        const int layer = s.first / s.n - 1;
        if (s.walled[layer] >> y & 1) {
            const T* const more = s.reflectedBefore + y * reflectedRow;
            unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] += Traits::load(more + k * line); });
        }
        Loops::relaxAt(m, rates, reader, s.first - s.n + y, 0);
        Loops::store(s.to + y * line, m);
    }

    // What resting walls send back to a row.
    static LBM_INLINE void reflect(const LayerSlide<T>& s, int y)
    {
        const int row = s.first + y;
        const unsigned fluid = s.fluid[row];
        const LaneMask<T>* const arrives = s.arrives + row * L::Q;
        R g[L::Q];
        g[0] = R(0);
        const auto reflected = [&](int q, const R& value) __attribute__((always_inline))
        {
            return Traits::fromLanes(
                C::over(Traits::toLanes(R(0)), fluid & ~unsigned(arrives[q]), Traits::toLanes(value)));
        };
        Loops::populations(
            Loops::load(s.from + y * line), [&](auto q, const R& value) __attribute__((always_inline)) {
                if constexpr (q != 0) g[opposite(q)] = reflected(opposite(q), value);
            });
        const M m = momentsOf<L>(g);
        T* const to = s.reflected + y * reflectedRow;
        unroll<count>([&](auto k) __attribute__((always_inline)) { Traits::store(to + k * line, m.value[k]); });
    }

    // Row y sends.
    template<bool walled>
    static LBM_INLINE void send(const LayerSlide<T>& s, int y, Sums (&to)[3][3])
    {
        const int row = s.first + y;
        const T* const from = s.from + y * line;
        const T* const left = s.left + laneAt<L, T, 1>(row, 0);
        const T* const right = s.right + laneAt<L, T, 0>(row, 0);
        T* const sent = s.sent + laneAt<L, T, 1>(row, 0);
        fetchEvenRow<count>(s.ahead + y * line, row);
        T* const across = y == s.n - 1 ? s.across : nullptr;
        T* const above = s.above ? s.above + y * numberInStack<L>(L::Q, 2) * line : nullptr;
        const Masks<walled> masks(s, y);
        R g[L::Q];
        Loops::populations(
            Loops::load(from), [&](auto q, const R& value) __attribute__((always_inline)) {
                constexpr int dy = rowStep<L>(q), stack = stackOf<L>(q);
                R v = value;
                if constexpr (L::c[q][0] == 1)
                    v = Shifted::template turned<q>(value, left + numberInFace<L>(q, 1) * line,
                                                    sent + numberInFace<L>(q, 1) * line);
                if constexpr (L::c[q][0] == -1)
                    v = Shifted::template turned<q>(value, right + numberInFace<L>(q, 0) * line, nullptr);
                if constexpr (dy == 1)
                    if (across) Traits::store(across + numberInFace<L>(q, 3) * line, v);
                if constexpr (stack == 2)
                    if (above) Traits::store(above + numberInStack<L>(q, 2) * line, v);
                g[q] = masks.template arriving<q>(v);
                if constexpr (completesSums<L>(q)) to[stack][dy + 1] = sumsOf<L, dy, stack - 1>(g);
            });
    }

    // What comes from a face across the last axis to a row; use(y, plane)
    template<bool walled, int layer, class Use>
    static LBM_INLINE void fromFace(const LayerSlide<T>& s, int firstTo, Use&& use)
    {
        constexpr int stack = layer + 1, size = numberInStack<L>(L::Q, stack) * line;
        const auto sums = [&](const T* row, int y, auto dy) __attribute__((always_inline))
        {
            if constexpr (hasSums<L>(dy - 1, layer)) {
                const int to = y + dy - 1;
                if (!row || to < 0 || to >= s.n) return nothing();
                const LaneMask<T>* const masks = walled ? s.arrives + (firstTo + to) * L::Q : nullptr;
                R g[L::Q];
                unroll<3>([&](auto i) __attribute__((always_inline)) {
                    constexpr int q = linkTo<L>(i - 1, dy - 1, layer);
                    if constexpr (q >= 0) {
                        g[q] = Traits::load(row + numberInStack<L>(q, stack) * line);
                        if constexpr (walled)
                            g[q] = Traits::fromLanes(C::over(Traits::toLanes(R(0)), masks[q], Traits::toLanes(g[q])));
                    }
                });
                return sumsOf<L, dy - 1, layer>(g);
            }
            return nothing();
        };
        Arrived<layer> arrived;
        arrived.next = sums(s.faceBefore, -1, Constant<2>{});
        for (int y = 0; y < s.n; ++y) {
            const T* const row = s.face ? s.face + y * size : nullptr;
            if (y > 0) use(y - 1, arrived.plane(sums(row, y, Constant<0>{})));
            arrived.goOn(sums(row, y, Constant<2>{}), sums(row, y, Constant<1>{}));
        }
        use(s.n - 1, arrived.plane(sums(s.faceBehind, s.n, Constant<0>{})));
    }

    // Before the first layer.
    template<bool walled>
    static void enterRows(const LayerSlide<T>& slide)
    {
        const LayerSlide<T> s = slide;
        fromFace<walled, 1>(
            s, 0, [&](int y, const Plane<L, 1, R>& plane) __attribute__((always_inline)) {
                storePlane<1>(s.rising + y * risingRow, plane);
            });
    }

    // Behind the last.
    template<bool walled>
    static void leaveRows(const LayerSlide<T>& slide, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        const LayerSlide<T> s = slide;
        const Reader reader(fields, p.force, p.forced);
        const MomentRates<T> rates(p);
        const int layer = s.first / s.n;
        fromFace<walled, -1>(
            s, s.first - s.n, [&](int y, const Plane<L, -1, R>& plane) __attribute__((always_inline)) {
                if (!(s.active[layer - 1] >> y & 1)) return;
                M m = momentsOf<L, R>(loadPlane<1>(s.rising + y * risingRow), loadPlane<0>(s.level + y * levelRow),
                                      plane);
                settle(s, rates, reader, y, m);
            });
    }

    static void enter(const LayerSlide<T>& s) { return s.arrives ? enterRows<true>(s) : enterRows<false>(s); }
    static void slide(const LayerSlide<T>& s, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        return s.arrives ? slideRows<true>(s, p, fields) : slideRows<false>(s, p, fields);
    }
    static void leave(const LayerSlide<T>& s, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        return s.arrives ? leaveRows<true>(s, p, fields) : leaveRows<false>(s, p, fields);
    }

    template<bool walled>
    static void slideRows(const LayerSlide<T>& slide, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        const LayerSlide<T> s = slide; // stores might change what a reference refers to
        const Reader reader(fields, p.force, p.forced);
        const MomentRates<T> rates(p);
        State state;
        state.falling.next = ofFace<walled, 1, -1>(s, -1, s.before);
        state.level.next = ofFace<walled, 1, 0>(s, -1, s.before);
        state.rising.next = ofFace<walled, 1, 1>(s, -1, s.before);
        for (int y = 0; y < s.n; ++y) {
            if (y < s.fetched)
                for (int k = 0; k < count; ++k) __builtin_prefetch(s.others[y] + k * step, 0, 2);
            Sums to[3][3];
            if (!walled || s.sending[s.first + y]) {
                send<walled>(s, y, to);
                if (walled && s.walled[s.first / s.n] >> y & 1) reflect(s, y);
            } else {
                for (auto& layer : to)
                    for (Sums& sums : layer) sums = nothing();
            }
            if (y > 0) finish(s, rates, reader, y - 1, state, to[0][0], to[1][0], to[2][0]);
            state.falling.goOn(to[0][2], to[0][1]);
            state.level.goOn(to[1][2], to[1][1]);
            state.rising.goOn(to[2][2], to[2][1]);
        }
        finish(s, rates, reader, s.n - 1, state, ofFace<walled, -1, -1>(s, s.n, s.behind),
               ofFace<walled, -1, 0>(s, s.n, s.behind), ofFace<walled, -1, 1>(s, s.n, s.behind));
    }
};

} // namespace lbm
