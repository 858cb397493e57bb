// WallShapes: sets of solid nodes that tests of towers put walls around. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "tests/unit/TwoArrays.hpp"

#include <cmath>
#include <string>

namespace lbm::lrnla::test {

// Every kind of corner: each node by itself, so many of a hundred.
inline Solid grains(int percent, int seed = 1)
{
    return [=](const Size& x) {
        std::uint32_t h = std::uint32_t(seed) * 2654435761u;
        for (int c : x) h = (h ^ std::uint32_t(c + 1)) * 2246822519u, h ^= h >> 13;
        return int(h % 100) < percent;
    };
}

// All sides closed.
inline Solid shell(const Size& size)
{
    return [=](const Size& x) {
        for (int a = 0; a < 3; ++a)
            if (x[a] == 0 || x[a] == size[a] - 1) return true;
        return false;
    };
}

inline Solid sphere(const Size& size, double radius)
{
    return [=](const Size& x) {
        double square = 0;
        for (int a = 0; a < 3; ++a) square += std::pow(x[a] - 0.5 * size[a] + 0.2, 2);
        return square < radius * radius;
    };
}

inline Solid slab(int axis, int from, int to)
{
    return [=](const Size& x) { return x[axis] >= from && x[axis] < to; };
}

inline Solid one(const Size& at)
{
    return [=](const Size& x) { return x == at; };
}

struct NamedWalls {
    std::string name;
    Solid solid;
};

inline std::vector<NamedWalls> wallsOf(const Size& size)
{
    return {{"few grains", grains(10)},
            {"grains", grains(40)},
            {"many grains", grains(80)},
            {"a shell", shell(size)},
            {"a sphere", sphere(size, 0.4 * size[1])},
            {"layers across x", slab(0, 1, 4)},
            {"a layer across y", slab(1, 2, 3)},
            {"layers across z", slab(2, size[2] - 1, size[2])}};
}

} // namespace lbm::lrnla::test
