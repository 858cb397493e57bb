// WindowSweep: what one thread has while it sweeps over its tiles: the window of populations, which is to stay in the first
// cache (of D3Q19 in double precision and 8 rows a layer 24 kB), lanes for the tile behind, what rows with links that are no
// resting walls sent themselves, for as long as their layer is worked on, and the faces that wait for the tiles that need
// them, in one ring an axis.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/MomentArrays.hpp"

namespace lbm {

template<class L, class T, class TileT>
class WindowSweep {
public:
    using Layout = WindowLayout<L, T, TileT>;
    using Plan = WindowPlan<L>;
    using Arrays = MomentArrays<L, T, TileT>;

    // What is around a tile; faces are null where there is nothing.
    struct Around {
        const T *left, *right;    // lanes
        const T *below, *above;   // faces
        const T *before, *behind; // across y
        const T *belowBefore, *belowBehind, *aboveBefore, *aboveBehind;
    };

    WindowSweep() = default;

    // Memory is first touched by who writes it.
    explicit WindowSweep(const Plan& plan)
    {
        for (int a = 1; a < L::D; ++a) tiles_[a] = plan.reach(a) + 1;
        data_ = HostArray<T>(windowSize + std::size_t(tiles_[1]) * ringTile(1) + std::size_t(tiles_[2]) * ringTile(2));
    }

    static std::size_t values(const Plan& plan)
    {
        std::size_t n = windowSize;
        for (int a = 1; a < L::D; ++a) n += std::size_t(plan.reach(a) + 1) * ringTile(a);
        return n;
    }

    // The first row of a layer of a stack. As many layers of it as wait: those that go up wait for two more.
    T* layer(int stack, int s)
    {
        return data_.data() + stackAt(stack) + (s + 6) % (stack + 1) * Layout::stackLayer(stack)
            + Layout::rim * Layout::stackRow(stack);
    }

    // What the rows of a layer sent themselves: [row][Q][node].
    T* own(int s) { return data_.data() + ownAt(s * Layout::rows, 0); }

    // Where values of the window lie, behind window(): of a row what it sent along q, and what arrives there along q.
    T* window() { return data_.data(); }
    static constexpr int ownAt(int row, int q) { return ringAt + (row % (2 * Layout::rows) * L::Q + q) * Layout::line; }
    static constexpr int arrivalAt(int row, int q)
    {
        const int stack = stackOf<L>(q), s = row / Layout::rows + 1 - stack,
                  y = Layout::rim + row % Layout::rows - rowStep<L>(q);
        return stackAt(stack) + (s + 6) % (stack + 1) * Layout::stackLayer(stack) + y * Layout::stackRow(stack)
            + numberInStack<L>(q, stack) * Layout::line;
    }

    // Lanes that tile t sends to the next one.
    T* sent(std::int32_t t) { return data_.data() + lanesAt + (t & 1) * laneSize; }

    // Of a tile within reach; not across x.
    T* face(std::int32_t t, int f)
    {
        const int a = f / 2;
        return data_.data() + windowSize + (a == 2 ? std::size_t(tiles_[1]) * ringTile(1) : 0)
            + std::size_t(t % tiles_[a]) * ringTile(a) + f % 2 * Layout::face[f].size;
    }

    Around around(Arrays& arrays, const std::array<std::int32_t, 27>& neighbours, std::int32_t t)
    {
        const auto shown = [&](int dy, int dz) -> const T* {
            const int n = 13 + 3 * dy + 9 * dz;
            if (neighbours[n] == arrays.tiles()) return arrays.ahead(arrays.plan.stray(t, n));
            if (!sends<L>(n)) return nullptr;
            const T* const made = arrays.ahead(neighbours[n], faceShown(n));
            return made ? made : face(neighbours[n], faceShown(n));
        };
        const T* const left = arrays.ahead(neighbours[12], 1);
        const T* const right = arrays.ahead(neighbours[14], 0);
        Around a{};
        a.left = left ? left : sent(t - 1);
        a.right = right ? right : arrays.lanes(neighbours[14]);
        a.below = L::D == 3 ? shown(0, -1) : shown(-1, 0);
        a.above = L::D == 3 ? shown(0, 1) : shown(1, 0);
        if constexpr (L::D == 3) {
            a.before = shown(-1, 0);
            a.behind = shown(1, 0);
            a.belowBefore = shown(-1, -1);
            a.belowBehind = shown(1, -1);
            a.aboveBefore = shown(-1, 1);
            a.aboveBehind = shown(1, 1);
        }
        return a;
    }

    // Rows that tile t will make faces of; they are fetched before.
    void lookAhead(const Arrays& arrays, std::int32_t t)
    {
        others_.clear();
        for (const TileFace* f = arrays.plan.made(t); f != arrays.plan.made(t + 1); ++f)
            for (int i = 0; i < Layout::face[f->face].n; ++i)
                others_.push_back(arrays.tile(f->tile) + Layout::face[f->face].at[i]);
    }
    const std::vector<const T*>& others() const { return others_; }

    // A layer's rows before and behind its own, from the neighbours' faces across y.
    void fillRim(int s, const T* before, const T* behind)
    {
        if constexpr (L::D == 3) {
            if (before) moveRow<3>(s, -1, before + s * Layout::faceRow(3));
            if (behind) moveRow<2>(s, Layout::rows, behind + s * Layout::faceRow(2));
        }
    }

    // What a layer sends across y, to a face.
    void saveRim(int s, T* face)
    {
        if constexpr (L::D == 3) moveRow<3>(s, Layout::rows - 1, face + s * Layout::faceRow(3));
    }

    // A layer that comes from the tiles below (or above); sides: from those before and behind across y, too. Null: none.
    template<bool fromBelow>
    void fillLayer(const T* face, const T* before, const T* behind)
    {
        constexpr int stack = fromBelow ? 2 : 0, row = Layout::stackRow(stack), rows = Layout::rows;
        T* to = layer(stack, fromBelow ? -1 : Layout::layers);
        if (face) Layout::copy(face, to, rows * row);
        if (before) Layout::copy(before + (rows - 1) * row, to - row, row);
        if (behind) Layout::copy(behind, to + rows * row, row);
    }

    void saveLayer(T* face) { Layout::copy(layer(2, Layout::layers - 1), face, Layout::rows * Layout::stackRow(2)); }

private:
    // Between row y of layer s and a row of a face.
    template<int f, class Face>
    LBM_INLINE void moveRow(int s, int y, Face* face)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if constexpr (leaves<L>(q, f)) {
                constexpr int stack = stackOf<L>(q), line = Layout::line;
                T* const inside = layer(stack, s) + y * Layout::stackRow(stack) + numberInStack<L>(q, stack) * line;
                if constexpr (std::is_const_v<Face>) Layout::copy(face + numberInFace<L>(q, f) * line, inside, line);
                else Layout::copy(inside, face + numberInFace<L>(q, f) * line, line);
            }
        });
    }

    static constexpr int stackAt(int stack)
    {
        int n = 0;
        for (int i = 0; i < stack; ++i) n += (i + 1) * Layout::stackLayer(i);
        return n;
    }
    static constexpr int lanesAt = stackAt(stacks), laneSize = Layout::face[1].size, ringAt = lanesAt + 2 * laneSize;
    static constexpr std::size_t windowSize = ringAt + 2 * Layout::rows * L::Q * Layout::line;
    static_assert(windowSize <= 1 << 16); // places in it are numbered with 16 bits
    static constexpr std::size_t ringTile(int axis) { return 2 * std::size_t(Layout::face[2 * axis].size); }

    std::array<std::int32_t, 3> tiles_{};
    HostArray<T> data_;
    std::vector<const T*> others_;
};

} // namespace lbm
