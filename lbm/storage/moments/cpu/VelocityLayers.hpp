// VelocityLayers: what follows from the gradient of the velocities around the nodes of a layer (VelocityWindow): relaxation times
// (EddyViscosity.hpp), strain rates. One a thread. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/EddyViscosity.hpp"
#include "lbm/storage/moments/cpu/VelocityWindow.hpp"

#include <type_traits>

namespace lbm {

template<class L, class T, class TileT>
class VelocityLayers : public VelocityWindow<L, T, TileT> {
public:
    using Base = VelocityWindow<L, T, TileT>;
    static constexpr int D = L::D, line = Base::line, rows = Base::rows;
    using typename Base::Detail;

    // What a tile's nodes have found in the last step. Solid ones have no strain and the relaxation time 1.
    static constexpr int components = strainComponents<D>, layerNodes = rows * line;
    static constexpr std::size_t values = std::size_t(1 + components) * TileT::N;
    static std::size_t room() { return Base::room() + values; }

    // keepsStrain: of all layers of a tile, not of the last one alone, which then stays in the first cache.
    explicit VelocityLayers(bool keepsStrain) : found_(values), keepsStrain_(keepsStrain)
    {
        std::fill_n(found_.data(), TileT::N, T(1));
        std::fill_n(strain(0), components * TileT::N, T(0));
    }

    // [node of the tile], of layers that were rated.
    const T* tau() const { return found_.data(); }

    // [component][node of the layer], of a layer that was strained.
    T* strain(int s) { return found_.data() + TileT::N + (keepsStrain_ ? s : 0) * components * layerNodes; }

    // Relaxation times of a layer, whose neighbours are filled ...
    void rate(int s, const Detail& d, const ClosureData<T>& closure)
    {
        withGradientKind(closure.kind, [&](auto kind) {
            for (int y = 0; y < rows; ++y)
                overRow(
                    s, y, d, [&](const auto& difference, Mask fluid, auto inFluid) __attribute__((always_inline)) {
                        T* const tau = found_.data() + (s * rows + y) * line;
                        for (int first = 0; first < line; first += W) {
                            R g[3][3], u[3];
                            difference(first, g, u);
                            const R found = tauOfGradient<static_cast<RateKind>(decltype(kind)::value)>(g, u, closure);
                            Traits::store(tau + first,
                                          decltype(inFluid)::value
                                              ? found
                                              : chosen(unsigned(fluid >> first) & lanes, found, R(1)));
                        }
                    });
        });
    }

    // ... and strain rates, of n rows by their numbers in the tile: of those that other things than fluid are beside. Of others
    // they are found where they are used.
    void findStrain(int s, const Detail& d, const std::uint8_t* row, int n)
    {
        for (int i = 0; i < n; ++i)
            overRow(
                s, row[i] - s * rows, d, [&](const auto& difference, Mask, auto) __attribute__((always_inline)) {
                    T* const to = strain(s) + row[i] * line - s * layerNodes;
                    for (int first = 0; first < line; first += W) {
                        R g[3][3], u[3];
                        difference(first, g, u);
                        strainOf<D>(
                            g, [&](auto k, const R& value) __attribute__((always_inline)) {
                                Traits::store(to + k * layerNodes + first, value);
                            });
                    }
                });
    }

private:
    using typename Base::C;
    using typename Base::Mask;
    using typename Base::R;
    using typename Base::Rows;
    using typename Base::Traits;
    using Base::at;
    static constexpr int pitch = Base::pitch, W = Base::W;
    static constexpr unsigned lanes = (1u << W) - 1;

    // visit(difference, fluid, in fluid or not), where difference(first, g, u) finds gradient and velocity: of a row with fluid.
    // next: rows beside it; across x, the nodes before and behind it.
    template<class Visit>
    void overRow(int s, int y, const Detail& d, Visit&& visit)
    {
        const int r = s * rows + y;
        if (!d.fluid[r]) return;
        Mask comes[2 * D];
        const bool inside = this->seesAll(d, r, comes);
        const T* const own = at(s, y);
        const T* const next[6] = {this->sides(s, 0) + y * D,
                                  this->sides(s, 1) + y * D,
                                  D == 3 ? at(s, y - 1) : at(s - 1, y),
                                  D == 3 ? at(s, y + 1) : at(s + 1, y),
                                  D == 3 ? at(s - 1, y) : nullptr,
                                  D == 3 ? at(s + 1, y) : nullptr};
        const auto across = [&](auto inFluid) {
            visit(
                [&](int first, R(&g)[3][3], R(&u)[3]) __attribute__((always_inline)) {
                    difference<decltype(inFluid)::value>(own, next, comes, first, g, u);
                },
                d.fluid[r], inFluid);
        };
        if (inside) across(std::true_type());
        else across(std::false_type());
    }

    static LBM_INLINE R chosen(unsigned mask, const R& a, const R& b)
    {
        return Traits::fromLanes(C::over(Traits::toLanes(b), mask, Traits::toLanes(a)));
    }

    template<bool inFluid>
    static LBM_INLINE void difference(const T* own, const T* const (&next)[6], const Mask (&comes)[2 * D], int first,
                                      R (&g)[3][3], R (&u)[3])
    {
        unroll<3>([&](auto b) __attribute__((always_inline)) {
            u[b] = b < D ? Traits::load(own + b * pitch + first) : R(0);
            unroll<3>([&](auto a) __attribute__((always_inline)) {
                if constexpr (a >= D || b >= D) {
                    g[a][b] = R(0);
                } else {
                    R low, high;
                    if constexpr (int(a) == 0) {
                        low = Rows::before(own + b * pitch, first, u[b], next[0] + b);
                        high = Rows::behind(own + b * pitch, first, u[b], next[1] + b);
                    } else {
                        low = Traits::load(next[2 * a] + b * pitch + first);
                        high = Traits::load(next[2 * a + 1] + b * pitch + first);
                    }
                    if constexpr (inFluid) g[a][b] = constant<R>(0.5) * (high - low);
                    else
                        g[a][b] = derivative(low, u[b], high, unsigned(comes[2 * a] >> first) & lanes,
                                             unsigned(comes[2 * a + 1] >> first) & lanes, chosen);
                }
            });
        });
    }

    HostArray<T> found_; // tau; strain
    bool keepsStrain_;
};

} // namespace lbm
