// Lattices: data only. c: link vectors, w: weights, both in the lattice's order, which every array of
// populations follows: the rest population first, then pairs of opposite links (1,2), (3,4), ...
// cs^2 = 1/3 for all of them. Weights: Qian, d'Humieres & Lallemand 1992.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

namespace lbm {

struct D2Q9 {
    static constexpr int D = 2, Q = 9;
    static constexpr const char* name = "D2Q9";
    static constexpr int c[Q][3] = {{0, 0, 0}, {1, 0, 0},   {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                    {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
    static constexpr double w[Q] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
};

struct D3Q15 {
    static constexpr int D = 3, Q = 15;
    static constexpr const char* name = "D3Q15";
    static constexpr int c[Q][3] = {{0, 0, 0},   {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},    {0, -1, 0},
                                    {0, 0, 1},   {0, 0, -1}, {1, 1, 1},   {-1, -1, -1}, {1, 1, -1},
                                    {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1},   {1, -1, -1}};
    static constexpr double w[Q] = {2.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 72,
                                    1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72};
};

struct D3Q19 {
    static constexpr int D = 3, Q = 19;
    static constexpr const char* name = "D3Q19";
    static constexpr int c[Q][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                    {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                    {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                    {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
    static constexpr double w[Q] = {1.0 / 3,  1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
};

struct D3Q27 {
    static constexpr int D = 3, Q = 27;
    static constexpr const char* name = "D3Q27";
    static constexpr int c[Q][3] = {{0, 0, 0},   {1, 0, 0},  {-1, 0, 0},   {0, 1, 0},  {0, -1, 0},  {0, 0, 1},
                                    {0, 0, -1},  {1, 1, 0},  {-1, -1, 0},  {1, -1, 0}, {-1, 1, 0},  {1, 0, 1},
                                    {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},   {0, 1, 1},  {0, -1, -1}, {0, 1, -1},
                                    {0, -1, 1},  {1, 1, 1},  {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1},
                                    {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    static constexpr double w[Q] = {8.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,
                                    1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,
                                    1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 216, 1.0 / 216,
                                    1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216};
};

LBM_HD constexpr int opposite(int q) { return q == 0 ? 0 : ((q - 1) ^ 1) + 1; }

// Device code reads no element of a static array unless a constant expression asks for it. For links known when
// compiling there is linkWeight<L, q>; for others component and weightOf, which a table would make a device write to its
// stack at every call.
template<class L, int q>
inline constexpr double linkWeight = L::w[q];

// c + 1 along an axis, two bits a link.
template<class L, int axis>
inline constexpr unsigned long long packedComponents = [] {
    unsigned long long bits = 0;
    for (int q = 0; q < L::Q; ++q) bits |= (unsigned long long)(L::c[q][axis] + 1) << 2 * q;
    return bits;
}();

template<class L>
LBM_HD constexpr int component(int q, int a)
{
    const unsigned long long x = packedComponents<L, 0>, y = packedComponents<L, 1>, z = packedComponents<L, 2>;
    return int((a == 0 ? x : a == 1 ? y : z) >> 2 * q & 3) - 1;
}

// Links of one length have one weight; they follow each other: axes, diagonals, in D3Q27 diagonals of cubes.
template<class L>
LBM_HD constexpr double weightOf(int q)
{
    constexpr int axes = 2 * L::D;
    const double rest = linkWeight<L, 0>, axis = linkWeight<L, axes>, next = linkWeight<L, axes + 1>,
                 last = linkWeight<L, L::Q - 1>;
    return q == 0 ? rest : q <= axes ? axis : L::Q == 27 && q > 18 ? last : next;
}

namespace lattice_check {

constexpr bool near(double a, double b) { return (a > b ? a - b : b - a) < 1e-14; }

// Moments up to fourth order must be isotropic: sum w c_a c_b = cs^2 d_ab, and so on.
template<class L>
constexpr bool isotropic()
{
    for (int a = 0; a < L::D; ++a)
        for (int b = 0; b < L::D; ++b) {
            double second = 0, first = 0;
            for (int q = 0; q < L::Q; ++q) {
                first += L::w[q] * L::c[q][a];
                second += L::w[q] * L::c[q][a] * L::c[q][b];
            }
            if (!near(first, 0) || !near(second, a == b ? 1.0 / 3 : 0)) return false;
            for (int g = 0; g < L::D; ++g)
                for (int d = 0; d < L::D; ++d) {
                    double fourth = 0;
                    for (int q = 0; q < L::Q; ++q)
                        fourth += L::w[q] * L::c[q][a] * L::c[q][b] * L::c[q][g] * L::c[q][d];
                    const int pairs = (a == b && g == d) + (a == g && b == d) + (a == d && b == g);
                    if (!near(fourth, pairs / 9.0)) return false;
                }
        }
    return true;
}

template<class L>
constexpr bool ordered()
{
    double sum = 0;
    for (int q = 0; q < L::Q; ++q) {
        sum += L::w[q];
        for (int a = 0; a < 3; ++a)
            if (L::c[q][a] != -L::c[opposite(q)][a] || component<L>(q, a) != L::c[q][a]) return false;
        if (weightOf<L>(q) != L::w[q]) return false;
        if (!near(L::w[q], L::w[opposite(q)])) return false;
    }
    return near(sum, 1);
}

template<class L>
constexpr bool sound = ordered<L>() && isotropic<L>();
static_assert(sound<D2Q9> && sound<D3Q15> && sound<D3Q19> && sound<D3Q27>);

} // namespace lattice_check
} // namespace lbm
