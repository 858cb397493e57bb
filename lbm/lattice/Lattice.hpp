// Lattices: data only. c: link vectors, w: weights, both in the lattice's order, which every array of
// populations follows: the rest population first, then pairs of opposite links (1,2), (3,4), ...
// cs^2 = 1/3 for all of them. Weights: Qian, d'Humieres & Lallemand 1992.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Macros.hpp"

namespace lbm {

struct D2Q9 {
    static constexpr int D = 2, Q = 9;
    static constexpr const char* name = "D2Q9";
    static constexpr int c[Q][3] = {
        {0, 0, 0},
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
        {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
    static constexpr double w[Q] = {
        4.0/9,
        1.0/9, 1.0/9, 1.0/9, 1.0/9,
        1.0/36, 1.0/36, 1.0/36, 1.0/36};
};

struct D3Q15 {
    static constexpr int D = 3, Q = 15;
    static constexpr const char* name = "D3Q15";
    static constexpr int c[Q][3] = {
        {0, 0, 0},
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
        {1, 1, 1}, {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1},
        {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    static constexpr double w[Q] = {
        2.0/9,
        1.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/9,
        1.0/72, 1.0/72, 1.0/72, 1.0/72, 1.0/72, 1.0/72, 1.0/72, 1.0/72};
};

struct D3Q19 {
    static constexpr int D = 3, Q = 19;
    static constexpr const char* name = "D3Q19";
    static constexpr int c[Q][3] = {
        {0, 0, 0},
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
        {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
        {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
        {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
    static constexpr double w[Q] = {
        1.0/3,
        1.0/18, 1.0/18, 1.0/18, 1.0/18, 1.0/18, 1.0/18,
        1.0/36, 1.0/36, 1.0/36, 1.0/36, 1.0/36, 1.0/36,
        1.0/36, 1.0/36, 1.0/36, 1.0/36, 1.0/36, 1.0/36};
};

struct D3Q27 {
    static constexpr int D = 3, Q = 27;
    static constexpr const char* name = "D3Q27";
    static constexpr int c[Q][3] = {
        {0, 0, 0},
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
        {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
        {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
        {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
        {1, 1, 1}, {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1},
        {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    static constexpr double w[Q] = {
        8.0/27,
        2.0/27, 2.0/27, 2.0/27, 2.0/27, 2.0/27, 2.0/27,
        1.0/54, 1.0/54, 1.0/54, 1.0/54, 1.0/54, 1.0/54,
        1.0/54, 1.0/54, 1.0/54, 1.0/54, 1.0/54, 1.0/54,
        1.0/216, 1.0/216, 1.0/216, 1.0/216, 1.0/216, 1.0/216, 1.0/216, 1.0/216};
};

LBM_HD constexpr int opposite(int q) { return q == 0 ? 0 : ((q - 1) ^ 1) + 1; }

// Device code reads no element of a static array unless a constant expression asks for it. For links known when
// compiling there is linkWeight<L, q>; for others, where speed does not matter, component and weightOf.
template<class L, int q> inline constexpr double linkWeight = L::w[q];

template<class L>
struct LinkTable {
    int c[L::Q][3]{};
    double w[L::Q]{};

    LBM_HD constexpr LinkTable()
    {
        for (int q = 0; q < L::Q; ++q) {
            for (int a = 0; a < 3; ++a) c[q][a] = L::c[q][a];
            w[q] = L::w[q];
        }
    }
};

template<class L>
LBM_HD inline int component(int q, int a)
{
#ifdef __CUDA_ARCH__
    constexpr LinkTable<L> table;
    return table.c[q][a];
#else
    return L::c[q][a];
#endif
}

template<class L>
LBM_HD inline double weightOf(int q)
{
#ifdef __CUDA_ARCH__
    constexpr LinkTable<L> table;
    return table.w[q];
#else
    return L::w[q];
#endif
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
                first += L::w[q]*L::c[q][a];
                second += L::w[q]*L::c[q][a]*L::c[q][b];
            }
            if (!near(first, 0) || !near(second, a == b ? 1.0/3 : 0)) return false;
            for (int g = 0; g < L::D; ++g)
                for (int d = 0; d < L::D; ++d) {
                    double fourth = 0;
                    for (int q = 0; q < L::Q; ++q)
                        fourth += L::w[q]*L::c[q][a]*L::c[q][b]*L::c[q][g]*L::c[q][d];
                    const int pairs = (a == b && g == d) + (a == g && b == d) + (a == d && b == g);
                    if (!near(fourth, pairs/9.0)) return false;
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
            if (L::c[q][a] != -L::c[opposite(q)][a]) return false;
        if (!near(L::w[q], L::w[opposite(q)])) return false;
    }
    return near(sum, 1);
}

template<class L> constexpr bool sound = ordered<L>() && isotropic<L>();
static_assert(sound<D2Q9> && sound<D3Q15> && sound<D3Q19> && sound<D3Q27>);

} // namespace lattice_check
} // namespace lbm
