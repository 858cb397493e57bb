// VelocityFaces: velocities before a sweep (WindowPlan) where it needs them after it has put new moments in their place: of faces
// between tiles, and of nodes across a periodic axis that tiles do not wrap around. As populations there: of a tile that is updated
// before the one that asks, its face is kept when the sweep passes it, in a ring an axis; what another thread may change is kept
// before the sweep begins; all else is still there. Velocities are momentum over inertia as it is stored, with the whole of the force.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TileGeometry.hpp"
#include "lbm/storage/moments/cpu/WindowLayout.hpp"
#include "lbm/storage/moments/cpu/WindowPlan.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

// Place among a tile's 27 neighbours of the one across a face.
constexpr int acrossFace(int face)
{
    constexpr int stride[3] = {1, 3, 9};
    return 13 + (face % 2 ? 1 : -1) * stride[face / 2];
}

// The link that comes in through a face, straight; -1: none.
template<class L>
constexpr int inThrough(int face)
{
    for (int q = 1; q < L::Q; ++q) {
        bool straight = true;
        for (int a = 0; a < 3; ++a) straight = straight && L::c[q][a] == (a == face / 2 ? (face % 2 ? -1 : 1) : 0);
        if (straight) return q;
    }
    return -1;
}

template<class L, class T, class TileT>
class VelocityFaces {
public:
    using Layout = WindowLayout<L, T, TileT>;
    using Geometry = TileGeometry<L, T, TileT>;
    static constexpr int line = Layout::line, rows = Layout::rows, layers = Layout::layers, sides = 2 * L::D;

    // A node that a tile's node sees across a periodic axis: where, counted from the tile's own, and by which face.
    struct Distant {
        TilePlace source;
        std::int16_t layer, row, lane, face;
    };

    // Values of a face: [row][component][node], across x [row][component].
    static constexpr int size(int face) { return face < 2 ? rows * layers * L::D : Layout::face[face].n * L::D * line; }

    VelocityFaces() = default;

    VelocityFaces(const Geometry& geometry, const WindowPlan<L>& plan) :
        kept_(std::size_t(geometry.grid().tiles()) * sides, -1), saves_(geometry.grid().tiles(), 0)
    {
        listFaces(geometry.grid(), plan);
        listDistant(geometry);
    }

    // Whether tile u's face is kept, and where.
    bool keeps(std::int32_t u, int face) const { return kept_[std::size_t(u) * sides + face] >= 0; }
    T* face(std::int32_t u, int face) { return data_.data() + kept_[std::size_t(u) * sides + face]; }

    // Faces, a bit each, that tile t keeps when the sweep passes it.
    unsigned saves(std::int32_t t) const { return saves_[t]; }

    // Faces kept before the sweep: number of the tile times six, and the face.
    const std::vector<std::int64_t>& ahead() const { return ahead_; }

    // Of tile t: from distant(t) to distant(t + 1), by layer; and their velocities.
    const std::vector<Distant>& distant() const { return distant_; }
    std::uint32_t firstDistant(std::int32_t t) const { return firstDistant_[t]; }
    T* distantVelocity(std::size_t i) { return distantValues_.data() + i * L::D; }

    std::size_t values() const { return data_.size() + distantValues_.size(); }
    std::size_t bytes() const
    {
        return kept_.size() * sizeof kept_[0] + saves_.size() + ahead_.size() * sizeof ahead_[0]
            + distant_.size() * sizeof(Distant) + firstDistant_.size() * sizeof firstDistant_[0];
    }

private:
    static bool beside(const TileGrid& grid, std::int32_t t, std::int32_t u, int face)
    {
        Int3 expected = grid.origin(t);
        expected[face / 2] += (face % 2 ? 1 : -1) * grid.extents()[face / 2];
        return grid.origin(u) == expected;
    }

    // visit(t, u, face of u, k): tile t of range k sees tile u.
    template<class Visit>
    static void eachSeen(const TileGrid& grid, const WindowPlan<L>& plan, Visit&& visit)
    {
        for (int k = 0; k < plan.ranges(); ++k)
            for (std::int32_t t = plan.begin(k); t < plan.begin(k + 1); ++t)
                for (int f = 0; f < sides; ++f)
                    if (const std::int32_t u = grid.neighbours(t)[acrossFace(f)]; u != grid.tiles())
                        visit(t, u, f ^ 1, k);
    }

    void listFaces(const TileGrid& grid, const WindowPlan<L>& plan)
    {
        std::int64_t end = 0;
        std::vector<std::array<std::int32_t, 3>> reach(plan.ranges(), {0, 0, 0});
        eachSeen(grid, plan, [&](std::int32_t t, std::int32_t u, int face, int k) {
            const bool own = u >= plan.begin(k) && u < plan.begin(k + 1);
            if (u >= grid.stepped() || (own && u > t)) return; // it is still there
            if (own && u < t && beside(grid, t, u, face ^ 1)) {
                saves_[u] |= std::uint8_t(1u << face);
                reach[k][face / 2] = std::max(reach[k][face / 2], t - u);
            } else {
                kept_[std::size_t(u) * sides + face] = end;
                end += size(face);
                ahead_.push_back(std::int64_t(u) * faces + face);
            }
        });
        for (int k = 0; k < plan.ranges(); ++k)
            for (int a = 0; a < L::D; ++a) {
                const std::int64_t turns = reach[k][a] + 1, each = 2 * size(2 * a);
                for (std::int32_t u = plan.begin(k); u < plan.begin(k + 1); ++u)
                    for (const int face : {2 * a, 2 * a + 1})
                        if (saves_[u] >> face & 1)
                            kept_[std::size_t(u) * sides + face] = end + u % turns * each + face % 2 * size(face);
                if (reach[k][a] > 0) end += turns * each;
            }
        data_.assign(std::size_t(end), T(0));
    }

    void listDistant(const Geometry& geometry)
    {
        firstDistant_.push_back(0);
        for (std::int32_t t = 0; t < geometry.grid().stepped(); ++t) {
            if (!geometry.uniform(t)) {
                const auto& d = geometry.detail(t);
                for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) addDistant(geometry.remotes()[i]);
                std::sort(distant_.begin() + firstDistant_.back(), distant_.end(),
                          [](const Distant& a, const Distant& b) { return a.layer < b.layer; });
            }
            firstDistant_.push_back(std::uint32_t(distant_.size()));
        }
        distantValues_.assign(distant_.size() * L::D, T(0));
    }

    void addDistant(const RemoteLink& link)
    {
        for (int f = 0; f < sides; ++f) {
            if (link.q != inThrough<L>(f)) continue;
            const int row = link.local / line, out = f % 2 ? 1 : -1, axis = f / 2;
            Distant d{{link.source, link.sourceLocal}, 0, 0, 0, std::int16_t(f)};
            d.lane = std::int16_t(link.local % line + (axis == 0 ? out : 0));
            d.row = std::int16_t(row % rows + (axis == 1 && L::D == 3 ? out : 0));
            d.layer = std::int16_t(row / rows + (axis == L::D - 1 ? out : 0));
            distant_.push_back(d);
        }
    }

    std::vector<std::int64_t> kept_; // [tile][face], where in data_; -1: not kept
    std::vector<std::uint8_t> saves_;
    std::vector<std::int64_t> ahead_;
    std::vector<Distant> distant_;
    std::vector<std::uint32_t> firstDistant_; // by tile
    std::vector<T> data_, distantValues_;
};

} // namespace lbm
