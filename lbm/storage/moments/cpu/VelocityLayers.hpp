// VelocityLayers: velocities before the step around the layer of a tile that a sweep works on, of three layers with a rim, which
// stay in the first cache, and what follows of the layer from their gradient: relaxation times (EddyViscosity.hpp), strain rates.
// One a thread.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/physics/EddyViscosity.hpp"
#include "lbm/storage/moments/cpu/MomentArrays.hpp"
#include "lbm/storage/moments/cpu/VelocityFaces.hpp"

#include <algorithm>
#include <type_traits>

namespace lbm {

template<class L, class T, class TileT>
class VelocityLayers {
public:
    using Layout = WindowLayout<L, T, TileT>;
    using Faces = VelocityFaces<L, T, TileT>;
    using Arrays = MomentArrays<L, T, TileT>;
    using Detail = typename TileGeometry<L, T, TileT>::TileDetail;
    static constexpr int line = Layout::line, rows = Layout::rows, layers = Layout::layers, D = L::D;
    static constexpr int below = Layout::below, above = Layout::above;

    // What a tile's nodes have found in the last step. Solid ones have no strain and the relaxation time 1.
    static std::size_t room() { return windowSize + std::size_t(1 + components) * TileT::N; }
    // keepsStrain: of all layers of a tile, not of the last one alone, which then stays in the first cache.
    explicit VelocityLayers(bool keepsStrain) : data_(room()), keepsStrain_(keepsStrain)
    {
        std::fill_n(data_.data(), windowSize, T(0));
        std::fill_n(data_.data() + windowSize, TileT::N, T(1));
        std::fill_n(strain(0), components * TileT::N, T(0));
    }

    // [node of the tile], of layers that were rated.
    const T* tau() const { return data_.data() + windowSize; }

    // [component][node of the layer], of a layer that was strained.
    static constexpr int components = strainComponents<D>, layerNodes = rows * line;
    T* strain(int s) { return data_.data() + windowSize + TileT::N + (keepsStrain_ ? s : 0) * components * layerNodes; }

    // Velocities of one face, before the sweep.
    static void keepAhead(const Arrays& arrays, Faces& faces, std::int64_t number, bool incompressible)
    {
        const std::int32_t u = std::int32_t(number / lbm::faces);
        const int f = int(number % lbm::faces);
        T* to = faces.face(u, f);
        for (int i = 0; i < Layout::face[f].n; ++i) {
            const T* row = arrays.tile(u) + Layout::face[f].at[i];
            if (f < 2)
                for (int a = 0; a < D; ++a) *to++ = velocityOf(row, f == 0 ? 0 : line - 1, a, incompressible);
            else {
                rowOf(row, to, line, incompressible);
                to += D * line;
            }
        }
    }

    static void keepDistant(const Arrays& arrays, Faces& faces, std::size_t i, bool incompressible)
    {
        const TilePlace& source = faces.distant()[i].source;
        const T* row = arrays.tile(source.tile) + source.local / line * line;
        for (int a = 0; a < D; ++a)
            faces.distantVelocity(i)[a] = velocityOf(row, source.local % line, a, incompressible);
    }

    // A tile begins: the layer below it.
    void begin(const Arrays& arrays, Faces& faces, const std::array<std::int32_t, 27>& neighbours, std::int32_t t,
               bool incompressible)
    {
        arrays_ = &arrays;
        faces_ = &faces;
        neighbours_ = &neighbours;
        tile_ = t;
        incompressible_ = incompressible;
        distant_ = faces.firstDistant(t);
        hasDistant_ = distant_ < faces.firstDistant(t + 1);
        if (hasDistant_) listDistant();
        fillFrom(below, -1);
        addDistant(-1);
    }

    // A layer of the tile, before any of it is updated; and the one above it.
    void fill(int s)
    {
        const unsigned saves = faces_->saves(tile_);
        const Beside left = beside(0), right = beside(1);
        rowsOf(arrays_->tile(tile_) + s * rows * line, at(s, 0));
        across(left, s, line - 1, at(s, 0) - 1);
        across(right, s, 0, at(s, 0) + line);
        for (const int f : {0, 1})
            if (saves >> f & 1) {
                T* to = faces_->face(tile_, f) + s * rows * D;
                const T* from = at(s, 0) + (f ? line - 1 : 0);
                for (int i = 0; i < rows * D; ++i) to[i] = from[i * pitch];
            }
        if constexpr (D == 3)
            for (const int f : {2, 3}) {
                const int y = f == 3 ? rows - 1 : 0;
                if (saves >> f & 1) copyRow(at(s, y), pitch, faces_->face(tile_, f) + s * D * line, line);
                if (const Beside b = beside(f); b.is)
                    takeRow(b, s, s * rows + (rows - 1 - y), at(s, f == 3 ? rows : -1));
            }
        for (const int f : {below, above})
            if (saves >> f & 1 && s == (f == above ? layers - 1 : 0))
                for (int y = 0; y < rows; ++y) copyRow(at(s, y), pitch, faces_->face(tile_, f) + y * D * line, line);
        addDistant(s);
    }
    void fillAbove()
    {
        fillFrom(above, layers);
        addDistant(layers);
    }

    // Relaxation times of a layer, whose neighbours are filled ...
    void rate(int s, const Detail& d, const ClosureData<T>& closure)
    {
        withGradientKind(closure.kind, [&](auto kind) {
            overRows(
                s, d, [&](int y, const auto& difference, Mask fluid, auto inFluid) __attribute__((always_inline)) {
                    T* const tau = data_.data() + windowSize + (s * rows + y) * line;
                    for (int first = 0; first < line; first += W) {
                        R g[3][3], u[3];
                        difference(first, g, u);
                        const R found = tauOfGradient<static_cast<RateKind>(decltype(kind)::value)>(g, u, closure);
                        Traits::store(tau + first,
                                      decltype(inFluid)::value ? found
                                                               : chosen(unsigned(fluid >> first) & lanes, found, R(1)));
                    }
                });
        });
    }

    // ... and strain rates.
    void findStrain(int s, const Detail& d)
    {
        overRows(
            s, d, [&](int y, const auto& difference, Mask, auto) __attribute__((always_inline)) {
                T* const to = strain(s) + y * line;
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
    using R = Pack<T>;
    using Traits = PackTraits<R>;
    using C = Lanes<T, Traits::width>;
    using Mask = LaneMask<T>;
    static constexpr int rim = Layout::rim, rowsHeld = rows + 2 * rim, W = Traits::width;
    static constexpr int pitch = 2 * line; // of components: what is beside a row lies before and behind it
    static constexpr std::size_t windowSize = std::size_t(3) * rowsHeld * D * pitch + line;
    static constexpr Mask whole = Mask((1ull << line) - 1);

    struct Beside {
        bool is;
        const T* kept;    // velocities, or ...
        const T* moments; // ... the tile's moments
    };

    Beside beside(int face) const
    {
        const std::int32_t u = (*neighbours_)[acrossFace(face)];
        if (u == arrays_->tiles()) return {false, nullptr, nullptr};
        if (faces_->keeps(u, face ^ 1)) return {true, faces_->face(u, face ^ 1), nullptr};
        return {true, nullptr, arrays_->tile(u)};
    }

    // Component 0 of a row's first node; s: -1 to `layers`, y: -1 to `rows`.
    T* at(int s, int y) { return data_.data() + ((s + 3) % 3 * rowsHeld + y + rim) * D * pitch + line; }

    static T velocityOf(const T* row, int lane, int a, bool incompressible)
    {
        // As rowOf, to the last bit: which of them a node is read by depends on the sweeps' ranges
        const T j = row[(1 + a) * momentStep<T> + lane];
        return incompressible ? j : (T(1) / (T(1) + row[lane])) * j;
    }

    static void rowOf(const T* row, T* to, int apart, bool incompressible)
    {
        for (int first = 0; first < line; first += W) {
            const R scale = incompressible ? R(1) : R(R(1) / (R(1) + Traits::load(row + first)));
            for (int a = 0; a < D; ++a)
                Traits::store(to + a * apart + first, scale * Traits::load(row + (1 + a) * momentStep<T> + first));
        }
    }

    static void copyRow(const T* from, int apartFrom, T* to, int apartTo)
    {
        for (int a = 0; a < D; ++a) Layout::copy(from + a * apartFrom, to + a * apartTo, line);
    }

    // Of all rows of a layer. Each kind of source in a loop of its own: rows are short, and branches in them cost as much as they do.
    void rowsOf(const T* from, T* to) const
    {
        for (int y = 0; y < rows; ++y) rowOf(from + y * line, to + y * D * pitch, pitch, incompressible_);
    }

    // What is beside rows of layer s; to: of the first row's component 0.
    void across(const Beside& b, int s, int lane, T* to) const
    {
        if (!b.is) return;
        if (b.kept) {
            const T* from = b.kept + s * rows * D;
            for (int i = 0; i < rows * D; ++i) to[i * pitch] = from[i];
            return;
        }
        const T* row = b.moments + s * rows * line;
        for (int y = 0; y < rows; ++y, row += line) {
            for (int a = 0; a < D; ++a) to[(y * D + a) * pitch] = velocityOf(row, lane, a, incompressible_);
        }
    }

    // i: of the face's rows; r: of the tile's.
    void takeRow(const Beside& b, int i, int r, T* to) const
    {
        if (b.kept) copyRow(b.kept + i * D * line, line, to, pitch);
        else rowOf(b.moments + r * line, to, pitch, incompressible_);
    }

    void fillFrom(int face, int s)
    {
        const Beside b = beside(face);
        for (int y = 0; b.is && y < rows; ++y) takeRow(b, y, (face == below ? layers - 1 : 0) * rows + y, at(s, y));
    }

    void listDistant()
    {
        for (auto& bits : seen_) std::fill(std::begin(bits), std::end(bits), Mask(0));
        for (std::uint32_t i = distant_; i < faces_->firstDistant(tile_ + 1); ++i) {
            const auto& d = faces_->distant()[i];
            const int out = d.face % 2 ? 1 : -1, axis = d.face / 2;
            const int lane = d.lane - (axis == 0 ? out : 0), y = d.row - (axis == 1 && D == 3 ? out : 0),
                      s = d.layer - (axis == D - 1 ? out : 0);
            seen_[s * rows + y][d.face] |= Mask(Mask(1) << lane);
        }
    }

    void addDistant(int s)
    {
        if (!hasDistant_) return;
        for (; distant_ < faces_->firstDistant(tile_ + 1); ++distant_) {
            const auto& d = faces_->distant()[distant_];
            if (d.layer != s) return;
            for (int a = 0; a < D; ++a) at(s, d.row)[a * pitch + d.lane] = faces_->distantVelocity(distant_)[a];
        }
    }

    // Of the next tile, which most often is the one across x, velocities are asked for a whole tile before its moments are: row by
    // row, for memory answers few calls at once.
    const T* layerAhead(int s) const
    {
        constexpr int layersAhead = std::max(3, 24 / rows);
        const int n = s + layersAhead;
        return arrays_->tile(tile_ + 1 + n / layers) + n % layers * rows * line;
    }

    // visit(y, difference, fluid, in fluid or not): rows with fluid, where difference(first, g, u) finds gradient and velocity.
    template<class Visit>
    void overRows(int s, const Detail& d, Visit&& visit)
    {
        const T* const ahead = layerAhead(s);
        for (int y = 0; y < rows; ++y) {
            for (int k = incompressible_; k <= D; ++k) __builtin_prefetch(ahead + y * line + k * momentStep<T>, 0, 2);
            const int r = s * rows + y;
            if (!d.fluid[r]) continue;
            Mask comes[2 * D];
            Mask all = d.fluid[r];
            unroll<2 * D>([&](auto f) {
                comes[f] = d.arrives[r][inThrough<L>(f)];
                if (hasDistant_) comes[f] |= seen_[r][f];
                all &= comes[f];
            });
            const T* const own = at(s, y);
            const T* const next[6] = {own - 1,
                                      own + 1,
                                      D == 3 ? at(s, y - 1) : at(s - 1, y),
                                      D == 3 ? at(s, y + 1) : at(s + 1, y),
                                      D == 3 ? at(s - 1, y) : nullptr,
                                      D == 3 ? at(s + 1, y) : nullptr};
            const auto overRow = [&](auto inFluid) {
                visit(
                    y,
                    [&](int first, R(&g)[3][3], R(&u)[3]) __attribute__((always_inline)) {
                        difference<decltype(inFluid)::value>(own, next, comes, first, g, u);
                    },
                    d.fluid[r], inFluid);
            };
            if (all == whole) overRow(std::true_type());
            else overRow(std::false_type());
        }
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
                    const R low = Traits::load(next[2 * a] + b * pitch + first),
                            high = Traits::load(next[2 * a + 1] + b * pitch + first);
                    if constexpr (inFluid) g[a][b] = constant<R>(0.5) * (high - low);
                    else
                        g[a][b] = derivative(low, u[b], high, unsigned(comes[2 * a] >> first) & lanes,
                                             unsigned(comes[2 * a + 1] >> first) & lanes, chosen);
                }
            });
        });
    }
    static constexpr unsigned lanes = (1u << W) - 1;

    HostArray<T> data_; // window; tau; strain
    bool keepsStrain_;
    const Arrays* arrays_ = nullptr;
    Faces* faces_ = nullptr;
    const std::array<std::int32_t, 27>* neighbours_ = nullptr;
    std::int32_t tile_ = 0;
    bool incompressible_ = false, hasDistant_ = false;
    std::uint32_t distant_ = 0;       // the next one
    Mask seen_[rows * layers][2 * D]; // nodes across a periodic axis, by the face that they are seen through
};

} // namespace lbm
