// TwoArrays: a collision and a streaming step from one array into another, with walls at rest half-way to solid nodes: what towers are
// held against. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Group.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <thread>
#include <vector>

namespace lbm::lrnla::test {

using Size = std::array<int, 3>;

template<class F>
void forEach(const Size& size, F&& f)
{
    for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y)
            for (int x = 0; x < size[0]; ++x) f(Size{x, y, z});
}

using Solid = std::function<bool(const Size&)>;

template<class L, class S>
class TwoArrays {
public:
    explicit TwoArrays(const Size& size, const Solid& solid = {}) :
        size_(size), solid_(std::size_t(size[0]) * size[1] * size[2]), now_(solid_.size()), next_(now_)
    {
        if (solid) forEach(size, [&](const Size& x) { solid_[place(x)] = solid(x); });
    }

    bool isSolid(const Size& x) const { return solid_[place(x)]; }

    S arrived(const Size& x, int q) const { return now_[place(x)].f[q]; }
    void setArrived(const Size& x, int q, S value) { now_[place(x)].f[q] = value; }

    template<class Collide>
    void advance(int steps, const Collide& relax)
    {
        for (int s = 0; s < steps; ++s) {
            forEach(size_, [&](const Size& x) {
                if (isSolid(x)) return;
                Cell<L, S> node = now_[place(x)];
                relax(node.f);
                for (int q = 0; q < L::Q; ++q) {
                    const Size there{x[0] + L::c[q][0], x[1] + L::c[q][1], x[2] + L::c[q][2]};
                    if (isSolid(there)) next_[place(x)].f[opposite(q)] = node.f[q];
                    else next_[place(there)].f[q] = node.f[q];
                }
            });
            now_.swap(next_);
        }
    }

private:
    std::size_t place(const Size& x) const
    {
        std::size_t i = 0;
        for (int a = 2; a >= 0; --a) i = i * size_[a] + (x[a] + size_[a]) % size_[a];
        return i;
    }

    Size size_;
    std::vector<bool> solid_;
    std::vector<Cell<L, S>> now_, next_;
};

// Noise at the fluid nodes that is the same for all that keep a box of this size.
template<class L, class S, class... Boxes>
void fill(const Size& size, TwoArrays<L, S>& plain, Boxes&... boxes)
{
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> noise(-0.02f, 0.02f);
    forEach(size, [&](const Size& x) {
        if (plain.isSolid(x)) return;
        for (int q = 0; q < L::Q; ++q) {
            const float value = float(L::w[q] + 0.01) * noise(generator);
            plain.setArrived(x, q, value);
            (boxes.setArrived(x, q, value), ...);
        }
    });
}

// How many populations of fluid nodes differ; what is no number differs.
template<class L, class S, class B>
std::size_t differences(const Size& size, const TwoArrays<L, S>& a, const B& b)
{
    std::size_t count = 0;
    forEach(size, [&](const Size& x) {
        if (a.isSolid(x)) return;
        for (int q = 0; q < L::Q; ++q) count += !(a.arrived(x, q) == b.arrived(x, q));
    });
    return count;
}

// Towers of scalars, whose ends are planes of symmetry, are filled with noise, too: a periodic box of twice the size, which holds
// mirrored copies.
template<class L, class S, class Towers>
TwoArrays<L, S> mirroredCopies(const Size& size, Towers& towers, const Solid& solid = {})
{
    const Size twice{2 * size[0], 2 * size[1], 2 * size[2]};
    const auto copied = [&](const Size& x) {
        Size y = x;
        for (int a = 0; a < 3; ++a) y[a] = std::min(x[a], twice[a] - 1 - x[a]);
        return y;
    };
    TwoArrays<L, S> one(size, solid);
    fill(size, one, towers);
    TwoArrays<L, S> all(twice, [&](const Size& x) { return solid && solid(copied(x)); });
    forEach(twice, [&](const Size& x) {
        int mirrored = 0;
        for (int a = 0; a < 3; ++a) mirrored |= int(x[a] >= size[a]) << a;
        if (all.isSolid(x)) return;
        for (int q = 0; q < L::Q; ++q) all.setArrived(x, mirroredLink<L>(q, mirrored), one.arrived(copied(x), q));
    });
    return all;
}

struct ThreadTeam {
    int threads;

    template<class F>
    void operator()(F&& work) const
    {
        std::vector<std::thread> team;
        for (int i = 0; i < threads; ++i) team.emplace_back([&] { work(); });
        for (std::thread& t : team) t.join();
    }
};

} // namespace lbm::lrnla::test
