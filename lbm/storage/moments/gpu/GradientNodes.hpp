// The gradient of the velocities around a node, and what collisions and closures make of it (EddyViscosity.hpp): of the moments that
// it and its neighbours hold before the step. Velocities are momentum over inertia as it is stored, with the whole of the force.
// Steps of a GPU have these velocities at hand (MomentVelocities.cuh). NodeGradient looks at moments in memory instead, for single
// nodes, on a device or a host. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Quick.hpp"
#include "lbm/physics/EddyViscosity.hpp"
#include "lbm/storage/moments/gpu/MomentView.hpp"

namespace lbm {

// The link that comes in straight from the node before (side 0) or behind (side 1) along an axis.
template<class L>
LBM_HD constexpr int straightFrom(int axis, int side)
{
    for (int q = 1; q < L::Q; ++q) {
        bool same = true;
        for (int a = 0; a < 3; ++a) same = same && component<L>(q, a) == (a == axis ? 1 - 2 * side : 0);
        if (same) return q;
    }
    return -1;
}

// Where a special node's straight remote links come from, [special nodes][axis][side]; a tile below 0: it has no such link. Null where
// no node has any: nodes at openings and moving walls then look for none.
template<class L>
struct DistantNodes {
    const NodePlace* places;

    LBM_HD static constexpr int of(int axis, int side) { return 2 * axis + side; }
    static constexpr int count = 2 * L::D;
    LBM_HD NodePlace at(std::int32_t number, int axis, int side) const
    {
        return places ? places[std::size_t(number) * count + of(axis, side)] : NodePlace{-1, 0};
    }
};

// One over the steps between what is taken for low and for high, of `derivative` (EddyViscosity.hpp): where there is no node beyond,
// the node itself. (A CPU mirrors the other side's, which is the same but for rounding.)
template<class T>
LBM_HD LBM_INLINE T shareOfSteps(bool hasLow, bool hasHigh)
{
    return hasLow && hasHigh ? constant<T>(0.5) : T(1);
}

// Gradients at special nodes, [special nodes][axis][component], found before the step; null where no node has a remote link, and
// the step finds all. (A remote link leads to a node that is not beside the one at hand.)
template<class L, class T>
struct SpecialGradients {
    static constexpr int D = L::D, count = D * D;
    T* values;

    LBM_HD LBM_INLINE void get(std::int32_t number, VelocityGradientTensor<T>& g) const
    {
        if (!values) return;
        unroll<count>([&](auto i) __attribute__((always_inline)) {
            g[i / D][i % D] = values[std::size_t(number) * count + i];
        });
    }
    LBM_HD void put(std::int32_t number, const VelocityGradientTensor<T>& g) const
    {
        for (int i = 0; i < count; ++i) values[std::size_t(number) * count + i] = g[i / D][i % D];
    }
};

// The relaxation time that a closure makes of a gradient; u: the node's velocity.
template<class T>
LBM_HD LBM_INLINE T tauAround(const VelocityGradientTensor<T>& g, const T (&u)[3], const ClosureData<T>& closure)
{
    using R = QuickOf<T>;
    R quick[3][3], velocity[3];
    for (int a = 0; a < 3; ++a) {
        velocity[a] = u[a];
        for (int b = 0; b < 3; ++b) quick[a][b] = g[a][b];
    }
    R tau = closure.tau;
    withGradientKind(
        closure.kind, [&](auto kind) __attribute__((always_inline)) {
            tau = tauOfGradient<static_cast<RateKind>(decltype(kind)::value)>(quick, velocity, closure);
        });
    if constexpr (std::is_same_v<R, T>) return tau;
    else return tau.value;
}

// What nodes at openings that impose moments after a step have found around them before it, each null where it is not taken:
// [openings][component], [openings].
template<class L, class T>
struct OpeningsAround {
    static constexpr int components = strainComponents<L::D>;
    T *strain, *tau;

    LBM_HD T* strainAt(int i) const { return strain ? strain + std::size_t(i) * components : nullptr; }
    LBM_HD T* tauAt(int i) const { return tau ? tau + i : nullptr; }
    LBM_HD OpeningsAround from(int i) const { return {strainAt(i), tauAt(i)}; }
    LBM_HD LBM_INLINE void put(int i, const VelocityGradientTensor<T>& g, const T (&u)[3],
                               const ClosureData<T>& closure) const
    {
        if (strain)
            lbm::strainOf<L::D>(
                g, [&](auto k, const T& s) __attribute__((always_inline)) { strainAt(i)[k] = s; });
        if (tau) tau[i] = tauAround(g, u, closure);
    }
};

template<class Eq, class L, class TileT, class T, class Tiles>
class NodeGradient {
public:
    LBM_HD NodeGradient(const TilesView& view, const SpecialView<L, T>& special, const DistantNodes<L>& distant,
                        const Tiles& tiles, std::int32_t tile, int local) :
        view_(view), special_(special), distant_(distant), tiles_(tiles), tile_(tile), local_(local)
    {
        const std::int32_t detail = view.detailOf[tile];
        word_ = detail < 0 ? 0 : view.links[std::size_t(detail) * TileT::N + local];
    }

    LBM_HD bool isFluid() const { return !(word_ & solidNode); }

    // here: the node's velocity
    LBM_HD LBM_INLINE void find(VelocityGradientTensor<T>& g, T (&here)[3]) const
    {
        velocity(tile_, local_, here);
        const int x[3] = {local_ % TileT::TX, local_ / TileT::TX % TileT::TY, local_ / (TileT::TX * TileT::TY)};
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            for (int b = 0; b < 3; ++b) g[a][b] = 0;
            if constexpr (a < L::D) {
                T low[3], high[3];
                const bool hasLow = beyond<a, 0>(x, low), hasHigh = beyond<a, 1>(x, high);
                const T share = shareOfSteps<T>(hasLow, hasHigh);
                for (int b = 0; b < L::D; ++b)
                    g[a][b] = share * ((hasHigh ? high[b] : here[b]) - (hasLow ? low[b] : here[b]));
            }
        });
    }

private:
    LBM_HD LBM_INLINE void velocity(std::int32_t tile, int local, T (&u)[3]) const
    {
        T own[L::D];
        velocityOf<Eq>(tiles_.template load<Eq>(tile, local), own);
        for (int a = 0; a < 3; ++a) u[a] = a < L::D ? own[a] : T(0);
    }

    // false: a link to something else.
    template<int axis, int side>
    LBM_HD LBM_INLINE bool beyond(const int (&x)[3], T (&u)[3]) const
    {
        constexpr int q = straightFrom<L>(axis, side);
        if (!(word_ >> q & 1)) {
            const TileStep from = nodeAcross<L, TileT, q, -1>(x);
            velocity(view_.neighbours[std::size_t(tile_) * 27 + from.tile], from.node, u);
            return true;
        }
        for (T& v : u) v = 0;
        const std::int32_t row = special_.tableOf[tile_];
        if (row < 0) return false;
        const std::int32_t number = special_.table[std::size_t(row) * TileT::N + local_];
        if (number < 0) return false;
        const NodePlace place = distant_.at(number, axis, side);
        if (place.tile < 0) return false;
        velocity(place.tile, place.local, u);
        return true;
    }

    const TilesView& view_;
    const SpecialView<L, T>& special_;
    DistantNodes<L> distant_;
    const Tiles& tiles_;
    std::int32_t tile_;
    int local_;
    std::uint32_t word_;
};

} // namespace lbm
