// WindowSweep: what one thread has while it sweeps over its tiles: windows of the tiles before, here and behind in turns, two
// for neighbours across x that do not follow each other, and the ring of faces that wait for the tiles that need them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/WindowLayout.hpp"

namespace lbm {

template<class L, class T, class TileT>
class WindowSweep {
public:
    using Layout = WindowLayout<L, T, TileT>;

    WindowSweep() = default;

    // reach: see WindowPlan. Memory is first touched by who writes it.
    explicit WindowSweep(std::int32_t reach) : tiles_(ringTiles(reach)), windows_(5*Layout::size), ring_(std::size_t(tiles_)*tileSize) {}

    static std::size_t values(std::int32_t reach) { return 5*Layout::size + std::size_t(ringTiles(reach))*tileSize; }

    // The sweep begins at this tile, or has come to it.
    void begin(std::int32_t t) { first_ = t; }
    void reached(std::int32_t t) { if (t - first_ == tiles_) first_ = t; }

    T* window(std::int32_t t) { return windows_.data() + t % 3*Layout::size; }
    T* side(int dx) { return windows_.data() + (dx < 0 ? 3 : 4)*Layout::size; }

    // Of a tile within reach.
    T* face(std::int32_t t, int f)
    {
        std::int32_t i = t - first_;
        if (i < 0) i += tiles_;
        if (i >= tiles_) i -= tiles_;
        return ring_.data() + std::size_t(i)*tileSize + place(f);
    }

private:
    // The next window is made before this one is done: one more than is within reach.
    static std::int32_t ringTiles(std::int32_t reach) { return reach + 2; }

    // Of a tile: the faces across y, then those across z.
    static constexpr int tileSize = 2*(Layout::face[2].size + (L::D == 3 ? Layout::face[4].size : 0));
    static constexpr int place(int f)
    {
        return f < 4 ? (f - 2)*Layout::face[2].size : 2*Layout::face[2].size + (f - 4)*Layout::face[4].size;
    }

    std::int32_t tiles_ = 0, first_ = 0;
    HostArray<T> windows_, ring_;
};

} // namespace lbm
