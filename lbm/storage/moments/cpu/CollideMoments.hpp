// CollideMoments: the arithmetic of a storage that keeps moments (see MomentSet) in place of populations, for collisions
// that are functions of them. As in Collide.hpp a row is a cache line of nodes; moments lie as populations do, the next
// one of the same nodes in the next line.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/EddyViscosity.hpp"
#include "lbm/physics/MomentSet.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/RelaxMoments.hpp"
#include "lbm/storage/moments/cpu/BoxBlocks.hpp"
#include "lbm/storage/moments/cpu/MomentLayers.hpp"
#include "lbm/storage/rows/FieldRows.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace lbm {

struct Regularized;

template<class T>
struct MomentKernel {
    // Moments of a layer become populations. Null where a collision takes more than moments.
    void (*expand)(const LayerSource<T>&) = nullptr;

    // Those of a face's rows: across x the lanes that leave through it, across other axes shifted rows. target: lanes as
    // laneAt says; [row][population of the face][node].
    std::array<void (*)(const FaceSource<T>&, T* target), faces> leaving{};

    // What arrives at a layer is summed to moments and collided: rows that fluid surrounds, rows with resting walls, where
    // moments still are those that the layer sent, and rows with other links, where what they bring is in LayerTarget::own.
    void (*collect)(const LayerTarget<T>& here, const Parameters<T>&, const FieldRows<T>&) = nullptr;
    void (*collectWalled)(const LayerTarget<T>& here, const Parameters<T>&, const FieldRows<T>&) = nullptr;
    void (*collectLinked)(const LayerTarget<T>& here, const Parameters<T>&, const FieldRows<T>&) = nullptr;

    // What a line of nodes of a tile sends: [Q][node]. at: where their moments lie; inRow: one behind the other.
    void (*sent)(const T* tile, const std::int32_t* at, bool inRow, const FourthFactors<T>&, T* to) = nullptr;

    // Of one node. store: populations to what is kept.
    void (*node)(const double* moments, const FourthFactors<double>&, double* populations) = nullptr;
    void (*store)(const double* populations, double* moments) = nullptr;
    void (*relax)(T* moments, const Parameters<T>&, const NodeValues<T>&) = nullptr;

    // What collisions of moments of third order leave besides; of others zeros.
    FourthFactors<double> (*factors)(double omega) = nullptr;

    // Several steps a pass. Null, or what it makes is: not for this collision, or not for this domain.
    template<class L>
    using MakeBlocks = std::unique_ptr<MomentBlocks<L, T>> (*)(const Domain&, const Config&, int threads,
                                                               BorderNodes<L, T>);
    std::tuple<MakeBlocks<D2Q9>, MakeBlocks<D3Q19>> blocks{};
};

// The functions of one collision.
template<class LatticeT, class Collision, class Eq, class R, class T>
struct MomentLoops {
    using L = LatticeT;
    using Traits = PackTraits<R>;
    using M = MomentSet<L, R>;
    using Shifted = ShiftedRow<L, R, T>;
    using C = typename Shifted::C;
    static constexpr int line = lineNodes<T>, step = momentStep<T>, W = Traits::width, count = M::count;
    static constexpr unsigned all = (1u << W) - 1;

    static LBM_INLINE M load(const T* row)
    {
        M m;
        unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] = Traits::load(row + k * step); });
        return m;
    }

    static LBM_INLINE void store(T* row, const M& m)
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) { Traits::store(row + k * step, m.value[k]); });
    }

    // visit(Constant<q>, value)
    template<class Visit>
    static LBM_INLINE void populations(const M& m, Visit&& visit)
    {
        Collision::template populations<Eq>(
            m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                visit(q, R(even + odd));
                if constexpr (q != 0) visit(Constant<q + 1>{}, R(even - odd));
            });
    }

    static void expand(const LayerSource<T>& source)
    {
        const LayerSource<T> s = source; // stores might change what a reference refers to
        for (int i = 0; i < s.n; ++i) {
            if (!s.sending[i]) continue;
            if (s.keeps >> i & 1) expandRow<true>(s, i);
            else expandRow<false>(s, i);
        }
    }

    template<bool keeps>
    static LBM_INLINE void expandRow(const LayerSource<T>& s, int i)
    {
        const T* const from = s.moments + i * line;
        if (i < s.fetched)
            for (int k = 0; k < count; ++k) __builtin_prefetch(s.others[i] + k * step, 0, 2);
        T* row[stacks];
        unroll<stacks>([&](auto stack) { row[stack] = s.stack[stack] + i * numberInStack<L>(L::Q, stack) * line; });
        const T* const left = s.left + laneAt<L, T, 1>(s.first + i, 0);
        const T* const right = s.right + laneAt<L, T, 0>(s.first + i, 0);
        T* const sent = s.sent + laneAt<L, T, 1>(s.first + i, 0);
        [[maybe_unused]] T* const own = s.own + i * L::Q * line;
        const auto to = [&](auto q) __attribute__((always_inline))
        {
            return row[stackOf<L>(q)] + numberInStack<L>(q, stackOf<L>(q)) * line;
        };
        const auto in = [&](auto q) __attribute__((always_inline))
        {
            return L::c[q][0] == 1 ? left + numberInFace<L>(q, 1) * line : right + numberInFace<L>(q, 0) * line;
        };
        const auto out = [&](auto q) __attribute__((always_inline)) { return sent + numberInFace<L>(q, 1) * line; };
        for (int first = 0; first < line; first += W) {
            M m = load(from + first);
            m.take(s.factors);
            if (first == 0)
                for (int k = 0; k < count; ++k) __builtin_prefetch(s.ahead + i * line + k * step, 0, 2);
            populations(
                m, [&](auto q, const R& value) __attribute__((always_inline)) {
                    if constexpr (keeps) Traits::store(own + q * line + first, value);
                    Shifted::template store<q, true>(to(q), first, value, in(q), out(q));
                });
        }
        unroll<L::Q>([&](auto q)
                         __attribute__((always_inline)) { Shifted::template finish<q, true>(to(q), in(q), out(q)); });
    }

    // Populations that leave through both faces, of the nodes of one lane, of a line of rows. to: [population of `face`][row].
    template<int face, int other>
    static LBM_INLINE void lanes(const T* tile, const std::int32_t* row, const FourthFactors<T>& factors, T* to)
    {
        constexpr int lane = face % 2 ? line - 1 : 0;
        for (int first = 0; first < line; first += W) {
            M m;
            unroll<count>([&](auto k) __attribute__((always_inline)) {
                m.value[k] = Traits::fromLanes(C::gather(tile + k * step + lane, row + first));
            });
            m.take(factors);
            populations(
                m, [&](auto q, const R& value) __attribute__((always_inline)) {
                    if constexpr (leaves<L>(q, face) && leaves<L>(q, other))
                        Traits::store(to + numberInFace<L>(q, face) * line + first, value);
                });
        }
    }

    template<int face>
    static void leaving(const FaceSource<T>& s, T* target)
    {
        if constexpr (face < 2) {
            for (int i = 0; i < s.n; i += line)
                lanes<face, face>(s.tile, s.row + i, s.factors, target + laneAt<L, T, face>(i, 0));
        } else {
            for (int i = 0; i < s.n; i += line) {
                alignas(64) T left[numberInFace<L>(L::Q, 1) * line];
                lanes<1, face>(s.left, s.row + i, s.factors, left);
                for (int j = 0; j < std::min(line, s.n - i); ++j)
                    faceRow<face>(s.tile + s.row[i + j], left + j, s.right + laneAt<L, T, 0>(s.row[i + j] / line, 0),
                                  s.factors, target + (i + j) * numberInFace<L>(L::Q, face) * line);
            }
        }
    }

    template<int face>
    static LBM_INLINE void faceRow(const T* from, const T* left, const T* right, const FourthFactors<T>& factors,
                                   T* target)
    {
        const auto to = [&](auto q) __attribute__((always_inline)) { return target + numberInFace<L>(q, face) * line; };
        const auto in = [&](auto q) __attribute__((always_inline))
        {
            return L::c[q][0] == 1 ? left + numberInFace<L>(q, 1) * line : right + numberInFace<L>(q, 0) * line;
        };
        for (int first = 0; first < line; first += W) {
            M m = load(from + first);
            m.take(factors);
            populations(
                m, [&](auto q, const R& value) __attribute__((always_inline)) {
                    if constexpr (leaves<L>(q, face))
                        Shifted::template store<q, false>(to(q), first, value, in(q), nullptr);
                });
        }
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if constexpr (leaves<L>(q, face)) Shifted::template finish<q, false>(to(q), in(q), nullptr);
        });
    }

    // What comes to the nodes of a row along q from other fluid nodes.
    template<int q>
    static LBM_INLINE R shifted(const LayerTarget<T>& here, int row, int first)
    {
        constexpr int stack = stackOf<L>(q), n = numberInStack<L>(L::Q, stack);
        const T* const own = here.stack[stack] + (row - here.first) * n * line;
        return Traits::load(own + (numberInStack<L>(q, stack) - rowStep<L>(q) * n) * line + first);
    }

    using Reader = NodeReader<L, Collision, R, T>;

    using Rates = typename RatesOf<Collision, T>::Type;

    static LBM_INLINE void relaxAt(M& m, const Rates& rates, const Reader& reader, int row, int first)
    {
        if constexpr (Reader::reads) Collision::template relax<Eq>(m, rates, reader.at(row, first));
        else Collision::template relax<Eq>(m, rates);
    }

    static void collect(const LayerTarget<T>& target, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        const LayerTarget<T> here = target;
        const Reader reader(fields, p.force, p.forced);
        const Rates rates(p);
        for (int i = 0; i < here.n; ++i)
            for (int first = 0; first < line; first += W) {
                const int row = here.row[i];
                R g[L::Q];
                unroll<L::Q>([&](auto q) __attribute__((always_inline)) { g[q] = shifted<q>(here, row, first); });
                if constexpr (takesStrain<Collision>) {
                    M m = momentsOf<L>(g);
                    NodeValues<R> at = reader.told(row, first);
                    findStrain(here, row - here.first, first, at.strain);
                    Collision::template relax<Eq>(m, rates, at);
                    store(here.moments + (row - here.first) * line + first, m);
                } else {
                    collide(here, rates, reader, row, first, g);
                }
            }
    }

    // Of nodes that fluid surrounds. y: the row in its layer.
    static LBM_INLINE void findStrain(const LayerTarget<T>& here, int y, int first, R (&strain)[6])
    {
        using Rows = VelocityRows<L, R, T>;
        const T* const own = here.velocity[1] + y * Rows::row;
        const auto across = [&](auto axis, int side) __attribute__((always_inline))
        {
            if constexpr (int(axis) == L::D - 1) return here.velocity[1 + side] + y * Rows::row + first;
            else return own + side * Rows::row + first;
        };
        R g[3][3];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            unroll<L::D>([&](auto b) __attribute__((always_inline)) {
                R low, high;
                if constexpr (int(a) == 0) {
                    const T* const row = own + b * Rows::pitch;
                    const R middle = Traits::load(row + first);
                    low = Rows::before(row, first, middle, here.beside[0] + y * L::D + b);
                    high = Rows::behind(row, first, middle, here.beside[1] + y * L::D + b);
                } else {
                    low = Traits::load(across(a, -1) + b * Rows::pitch);
                    high = Traits::load(across(a, 1) + b * Rows::pitch);
                }
                g[a][b] = constant<R>(0.5) * (high - low);
            });
        });
        strainOf<L::D>(
            g, [&](auto k, const R& value) __attribute__((always_inline)) { strain[k] = value; });
    }

    static LBM_INLINE void collide(const LayerTarget<T>& here, const Rates& rates, const Reader& reader, int row,
                                   int first, const R (&g)[L::Q])
    {
        M m = momentsOf<L>(g);
        relaxAt(m, rates, reader, row, first);
        store(here.moments + (row - here.first) * line + first, m);
    }

    // What arrives along q where fluid is, elsewhere what is reflected.
    template<int q>
    static LBM_INLINE R mixed(const LayerTarget<T>& here, int row, int first, const R& reflected)
    {
        const unsigned fluid = here.fluid[row] >> first & all;
        const unsigned arrives = here.arrives[row * L::Q + q] >> first & all;
        const auto sentBack = C::over(Traits::toLanes(R(0)), fluid, Traits::toLanes(reflected));
        return Traits::fromLanes(C::over(sentBack, arrives, Traits::toLanes(shifted<q>(here, row, first))));
    }

    static void collectWalled(const LayerTarget<T>& here, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        const Reader reader(fields, p.force, p.forced);
        const Rates rates(p);
        for (int i = 0; i < here.n; ++i)
            for (int first = 0; first < line; first += W) {
                const int row = here.row[i];
                R g[L::Q];
                M sent = load(here.moments + (row - here.first) * line + first);
                sent.take(here.factors);
                Collision::template populations<Eq>(
                    sent, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                        if constexpr (q == 0) {
                            g[0] = Traits::apart(even); // rows with other links have it from memory
                        } else {
                            g[q] = mixed<q>(here, row, first, R(even - odd));
                            g[q + 1] = mixed<q + 1>(here, row, first, R(even + odd));
                        }
                    });
                collide(here, rates, reader, row, first, g);
            }
    }

    static void collectLinked(const LayerTarget<T>& here, const Parameters<T>& p, const FieldRows<T>& fields)
    {
        const Reader reader(fields, p.force, p.forced);
        const Rates rates(p);
        for (int i = 0; i < here.n; ++i)
            for (int first = 0; first < line; first += W) {
                const int row = here.row[i];
                const T* const own = here.own + (row - here.first) * L::Q * line + first;
                R g[L::Q];
                g[0] = Traits::load(own);
                unroll<L::Q - 1>([&](auto k) __attribute__((always_inline)) {
                    constexpr int q = k + 1;
                    g[q] = mixed<q>(here, row, first, Traits::load(own + opposite(q) * line));
                });
                collide(here, rates, reader, row, first, g);
            }
    }

    static void sent(const T* tile, const std::int32_t* at, bool inRow, const FourthFactors<T>& factors, T* to)
    {
        for (int first = 0; first < line; first += W) {
            M m;
            unroll<count>([&](auto k) __attribute__((always_inline)) {
                m.value[k] = inRow ? Traits::load(tile + at[first] + k * step)
                                   : Traits::fromLanes(C::gather(tile + k * step, at + first));
            });
            m.take(factors);
            populations(
                m, [&](auto q, const R& value) __attribute__((always_inline)) {
                    Traits::store(to + q * line + first, value);
                });
        }
    }

    static void node(const double* moments, const FourthFactors<double>& factors, double* g)
    {
        MomentSet<L, double> m;
        for (int k = 0; k < m.count; ++k) m.value[k] = moments[k];
        m.take(factors);
        Collision::template populations<Eq>(m, [&](auto q, double even, double odd) {
            g[q] = even + odd;
            if constexpr (q != 0) g[q + 1] = even - odd;
        });
    }

    static void store(const double* populations, double* moments)
    {
        double g[L::Q];
        std::copy(populations, populations + L::Q, g);
        auto m = momentsOf<L>(g);
        toStored<Collision, Eq>(m, FourthFactors<double>{});
        std::copy(m.value, m.value + m.count, moments);
    }

    static FourthFactors<double> factors([[maybe_unused]] double omega)
    {
        if constexpr (keepsThird<L>) {
            Parameters<T> p;
            p.omega = T(omega);
            const Rates rates(p);
            return {double(rates.plane), double(rates.edge)};
        }
        return {};
    }

    static void relax(T* moments, const Parameters<T>& p, [[maybe_unused]] const NodeValues<T>& at)
    {
        MomentSet<L, T> m;
        for (int k = 0; k < m.count; ++k) m.value[k] = moments[k];
        if constexpr (Reader::reads) Collision::template relax<Eq>(m, Rates(p), at);
        else Collision::template relax<Eq>(m, Rates(p));
        for (int k = 0; k < m.count; ++k) moments[k] = m.value[k];
    }
};

// Of a collision that is a function of moments.
template<class L, class Collision, class Eq, class R, class T>
constexpr bool keepsMoments = requires(MomentSet<L, R> m, const typename RatesOf<Collision, T>::Type& rates)
{
    Collision::template relax<Eq>(m, rates);
}
|| requires(MomentSet<L, R> m, const MomentRates<T>& rates, const NodeValues<R>& at)
{
    Collision::template relax<Eq>(m, rates, at);
};

template<class L, class Collision, class Eq, class R, class T>
constexpr MomentKernel<T> momentKernel()
{
    using Kept = typename KeptLattice<L, Collision>::Type;
    if constexpr (keepsMoments<Kept, Collision, Eq, R, T>) {
        using Loops = MomentLoops<Kept, Collision, Eq, R, T>;
        using Moves = MomentLoops<Kept, typename WithoutClosure<Collision>::Type, Eq, R, T>;
        MomentKernel<T> kernel{
            &Moves::expand, {},           &Loops::collect, &Loops::collectWalled, &Loops::collectLinked,
            &Moves::sent,   &Moves::node, &Moves::store,   &Loops::relax,         &Loops::factors};
        unroll<2 * L::D>([&](auto face) { kernel.leaving[face] = &Moves::template leaving<face>; });
        if constexpr (hasBlocks<L> && __is_same(Collision, Regularized) && __is_same(Eq, Incompressible))
            std::get<typename MomentKernel<T>::template MakeBlocks<L>>(kernel.blocks) = &BoxBlocks<L, T>::make;
        return kernel;
    } else {
        return {};
    }
}

} // namespace lbm
