// GradientRates: relaxation times of a closure that follows the velocity gradient (isOfGradient), and strain rates by differences of
// velocities, for storages that do not find them in their step: a pass of its own before each step, over what all nodes hold then. Velocities are momentum over inertia
// as it is stored, with the whole of the force. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"
#include "lbm/physics/EddyViscosity.hpp"

#include <array>
#include <vector>

namespace lbm {

// The link that comes from the node before (side 0) or behind (side 1) along an axis.
template<class L>
constexpr int fromSide(int axis, int side)
{
    for (int q = 0; q < L::Q; ++q) {
        bool same = true;
        for (int a = 0; a < 3; ++a) same = same && L::c[q][a] == (a == axis ? 1 - 2 * side : 0);
        if (same) return q;
    }
    return -1;
}

template<class Storage>
class GradientRates {
public:
    using L = typename Storage::Lattice;
    using T = typename Storage::Scalar;
    using Geometry = typename Storage::Geometry;

    // A thread's: memory that cannot be had must not end its team.
    explicit GradientRates(const Storage& storage)
    {
        const Int3 e = storage.geometry().grid().extents();
        rim_ = {e[0] + 2, e[1] + 2, e[2] + 2};
        velocities_.resize(std::size_t(rim_[0]) * rim_[1] * rim_[2]);
    }

    // read(place, g): populations of a node. tau: [tile][node], strain: [tile][component][node], of stepped tiles; null: not
    // asked for. By all threads of a team, each for its share.
    template<class Read>
    void find(const Storage& storage, const ClosureData<T>& closure, bool incompressible, Read&& read, T* tau,
              T* strain)
    {
        const Geometry& geometry = storage.geometry();
        const auto velocityOf = [&](const TilePlace& place) {
            double g[L::Q], r = 0;
            Velocity u{0, 0, 0};
            read(place, g);
            unroll<L::Q>([&](auto q) {
                r += g[q];
                for (int a = 0; a < L::D; ++a) u[a] += L::c[q][a] * g[q];
            });
            for (double& v : u) v /= incompressible ? 1 : 1 + r;
            return u;
        };
#pragma omp for schedule(static)
        for (std::int32_t t = 0; t < geometry.grid().stepped(); ++t) {
            gather(geometry, t, velocityOf);
            for (int local = 0; local < Storage::N; ++local) {
                if (!isFluid(geometry, t, local)) continue;
                double g[3][3], u[3];
                at(geometry, t, local, g, u);
                if (strain)
                    strainOf<L::D>(
                        g, [&](auto k, double s) { strain[placeOfStrain<L::D>(t, k, local, Storage::N)] = T(s); });
                if (tau)
                    withGradientKind(closure.kind, [&](auto kind) {
                        tau[std::size_t(t) * Storage::N + local] =
                            T(tauOfGradient<static_cast<RateKind>(decltype(kind)::value)>(g, u, closure));
                    });
            }
        }
    }

private:
    using Velocity = std::array<double, 3>;

    static bool isFluid(const Geometry& geometry, std::int32_t t, int local)
    {
        return geometry.uniform(t) || geometry.detail(t).isFluid(local);
    }

    static Int3 positionOf(const Geometry& geometry, int local)
    {
        const Int3 e = geometry.grid().extents();
        return {local % e[0], local / e[0] % e[1], local / e[0] / e[1]};
    }

    // Positions of a tile reach from -1 to its extents.
    Velocity& velocity(const Int3& x)
    {
        return velocities_[std::size_t(x[0] + 1) + std::size_t(rim_[0]) * (x[1] + 1 + rim_[1] * (x[2] + 1))];
    }

    // Of a tile's nodes and those across its faces.
    template<class VelocityOf>
    void gather(const Geometry& geometry, std::int32_t t, VelocityOf&& velocityOf)
    {
        const TileGrid& grid = geometry.grid();
        const Int3 e = grid.extents();
        const auto& around = grid.neighbours(t);
        for (int local = 0; local < Storage::N; ++local)
            if (isFluid(geometry, t, local)) velocity(positionOf(geometry, local)) = velocityOf({t, local});
        constexpr int stride[3] = {1, 3, 9};
        for (int a = 0; a < L::D; ++a)
            for (int side = 0; side < 2; ++side) {
                const std::int32_t u = around[13 + (2 * side - 1) * stride[a]];
                if (u == grid.tiles()) continue;
                for (int local = 0; local < Storage::N; ++local) {
                    Int3 x = positionOf(geometry, local);
                    if (x[a] != (side ? 0 : e[a] - 1) || !isFluid(geometry, u, local)) continue;
                    x[a] = side ? e[a] : -1;
                    velocity(x) = velocityOf({u, local});
                }
            }
        if (geometry.uniform(t)) return;
        const auto& d = geometry.detail(t);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& link = geometry.remotes()[i];
            Int3 x = positionOf(geometry, link.local);
            int axes = 0;
            for (int a = 0; a < 3; ++a) {
                axes += L::c[link.q][a] != 0;
                x[a] -= L::c[link.q][a];
            }
            if (axes == 1) velocity(x) = velocityOf({link.source, link.sourceLocal});
        }
    }

    static bool comes(const Geometry& geometry, std::int32_t t, int local, int q)
    {
        if (geometry.uniform(t)) return true;
        const auto& d = geometry.detail(t);
        if (d.arrivesAt(local, q)) return true;
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i)
            if (geometry.remotes()[i].local == local && geometry.remotes()[i].q == q) return true;
        return false;
    }

    // g[a][b] = du_b/dx_a
    void at(const Geometry& geometry, std::int32_t t, int local, double (&g)[3][3], double (&u)[3])
    {
        const Int3 x = positionOf(geometry, local);
        const Velocity here = velocity(x);
        for (int a = 0; a < 3; ++a) {
            u[a] = here[a];
            for (double& d : g[a]) d = 0;
        }
        for (int a = 0; a < L::D; ++a) {
            const bool hasLow = comes(geometry, t, local, fromSide<L>(a, 0)),
                       hasHigh = comes(geometry, t, local, fromSide<L>(a, 1));
            Int3 low = x, high = x;
            --low[a];
            ++high[a];
            for (int b = 0; b < L::D; ++b)
                g[a][b] = derivative(velocity(low)[b], here[b], velocity(high)[b], hasLow, hasHigh,
                                     [](bool mask, double v, double other) { return mask ? v : other; });
        }
    }

    Int3 rim_{};
    std::vector<Velocity> velocities_;
};

} // namespace lbm
