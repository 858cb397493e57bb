// VelocityWindow: velocities before the step around the layer of a tile that a sweep works on, of three layers with a rim, which
// stay in the first cache. Velocities are momentum over inertia as it is stored. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/moments/cpu/MomentArrays.hpp"
#include "lbm/storage/moments/cpu/VelocityFaces.hpp"

#include <algorithm>

namespace lbm {

template<class L, class T, class TileT>
class VelocityWindow {
public:
    using Layout = WindowLayout<L, T, TileT>;
    using Faces = VelocityFaces<L, T, TileT>;
    using Arrays = MomentArrays<L, T, TileT>;
    using Detail = typename TileGeometry<L, T, TileT>::TileDetail;
    static constexpr int line = Layout::line, rows = Layout::rows, layers = Layout::layers, D = L::D;
    static constexpr int below = Layout::below, above = Layout::above;

    static std::size_t room() { return windowSize; }
    VelocityWindow() : data_(room()) { std::fill_n(data_.data(), room(), T(0)); }

    // Velocities of one face, before the sweep.
    static void keepAhead(const Arrays& arrays, Faces& faces, std::int64_t number, bool incompressible)
    {
        const std::int32_t u = std::int32_t(number / lbm::faces);
        const int f = int(number % lbm::faces);
        T* to = faces.face(u, f);
        for (int i = 0; i < Layout::face[f].n; ++i) {
            const T* row = arrays.tile(u) + Layout::face[f].at[i];
            if (f < 2)
                for (int a = 0; a < D; ++a) *to++ = Arrays::velocityOf(row, f == 0 ? 0 : line - 1, a, incompressible);
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
            faces.distantVelocity(i)[a] = Arrays::velocityOf(row, source.local % line, a, incompressible);
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
        across(left, s, sides(s, 0));
        across(right, s, sides(s, 1));
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

    // Component 0 of a layer's first node; s: -1 to `layers`.
    const T* layer(int s) { return at(s, 0); }

    // Of the nodes before the rows of a layer of the tile (side 0) and behind them, [row][component].
    const T* beside(int s, int side) { return sides(s, side); }

protected:
    using R = Pack<T>;
    using Traits = PackTraits<R>;
    using C = Lanes<T, Traits::width>;
    using Mask = LaneMask<T>;
    static constexpr int rim = Layout::rim, rowsHeld = rows + 2 * rim, W = Traits::width;
    using Rows = VelocityRows<L, R, T>;
    static constexpr int pitch = Rows::pitch;
    static constexpr std::size_t sidesAt = std::size_t(3) * rowsHeld * Rows::row,
                                 windowSize = sidesAt + 3 * 2 * rows * D;
    static constexpr Mask whole = Mask((1ull << line) - 1);

    // Component 0 of a row's first node; s: -1 to `layers`, y: -1 to `rows`.
    T* at(int s, int y) { return data_.data() + ((s + 3) % 3 * rowsHeld + y + rim) * Rows::row; }
    T* sides(int s, int side) { return data_.data() + sidesAt + ((s + 3) % 3 * 2 + side) * rows * D; }

    // Of a row: by which of its faces each node sees fluid, [face]; true: all nodes by all of them.
    bool seesAll(const Detail& d, int r, Mask (&comes)[2 * D]) const
    {
        Mask all = d.fluid[r];
        unroll<2 * D>([&](auto f) {
            comes[f] = d.arrives[r][inThrough<L>(f)];
            if (hasDistant_) comes[f] |= seen_[r][f];
            all &= comes[f];
        });
        return all == whole;
    }

private:
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
        if (face == 1) return {true, arrays_->firsts(u), nullptr};
        return {true, nullptr, arrays_->tile(u)};
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

    // What is beside rows of layer s; to: [row][component]. Moments: of a tile before this one along x that the sweep
    // comes to later, around a periodic axis.
    void across(const Beside& b, int s, T* to) const
    {
        if (!b.is) return;
        if (b.kept) return Layout::copy(b.kept + s * rows * D, to, rows * D);
        const T* row = b.moments + s * rows * line;
        for (int y = 0; y < rows; ++y, row += line)
            for (int a = 0; a < D; ++a) *to++ = Arrays::velocityOf(row, line - 1, a, incompressible_);
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
            const bool inRow = d.lane >= 0 && d.lane < line;
            T* const to = inRow ? at(s, d.row) + d.lane : sides(s, d.lane < 0 ? 0 : 1) + d.row * D;
            for (int a = 0; a < D; ++a) to[a * (inRow ? pitch : 1)] = faces_->distantVelocity(distant_)[a];
        }
    }

    HostArray<T> data_;
    const Arrays* arrays_ = nullptr;
    Faces* faces_ = nullptr;
    const std::array<std::int32_t, 27>* neighbours_ = nullptr;
    std::int32_t tile_ = 0;
    bool incompressible_ = false, hasDistant_ = false;
    std::uint32_t distant_ = 0;       // the next one
    Mask seen_[rows * layers][2 * D]; // nodes across a periodic axis, by the face that they are seen through
};

} // namespace lbm
