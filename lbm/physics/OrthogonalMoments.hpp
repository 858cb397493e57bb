// Orthogonal moments of Lallemand & Luo 2000 (D2Q9) and d'Humieres et al. 2002 (D3Q19), and how they see the
// mirror sums of a node's populations and polynomials of second order, worked out at compile time.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MirrorSums.hpp"

namespace lbm {

enum class MomentGroup { conserved, energy, energySquared, shear, ghost, odd };

template<class L>
struct OrthogonalMoments;

template<>
struct OrthogonalMoments<D2Q9> {
    static constexpr MomentGroup group[9] = {MomentGroup::conserved, MomentGroup::energy, MomentGroup::energySquared,
                                             MomentGroup::conserved, MomentGroup::odd,    MomentGroup::conserved,
                                             MomentGroup::odd,       MomentGroup::shear,  MomentGroup::shear};
    static constexpr int momentum[2] = {3, 5};
    static constexpr double energyRate = 1.64, energySquaredRate = 1.54;

    static constexpr double row(int m, int q)
    {
        const double x = D2Q9::c[q][0], y = D2Q9::c[q][1], s = x * x + y * y;
        switch (m) {
            case 0: return 1;
            case 1: return 3 * s - 4;
            case 2: return 4 - 10.5 * s + 4.5 * s * s;
            case 3: return x;
            case 4: return (3 * s - 5) * x;
            case 5: return y;
            case 6: return (3 * s - 5) * y;
            case 7: return x * x - y * y;
            default: return x * y;
        }
    }
};

template<>
struct OrthogonalMoments<D3Q19> {
    static constexpr MomentGroup group[19] = {
        MomentGroup::conserved, MomentGroup::energy,    MomentGroup::energySquared,
        MomentGroup::conserved, MomentGroup::odd,       MomentGroup::conserved,
        MomentGroup::odd,       MomentGroup::conserved, MomentGroup::odd,
        MomentGroup::shear,     MomentGroup::ghost,     MomentGroup::shear,
        MomentGroup::ghost,     MomentGroup::shear,     MomentGroup::shear,
        MomentGroup::shear,     MomentGroup::odd,       MomentGroup::odd,
        MomentGroup::odd};
    static constexpr int momentum[3] = {3, 5, 7};
    static constexpr double energyRate = 1.19, energySquaredRate = 1.4;

    static constexpr double row(int m, int q)
    {
        const double x = D3Q19::c[q][0], y = D3Q19::c[q][1], z = D3Q19::c[q][2];
        const double s = x * x + y * y + z * z;
        switch (m) {
            case 0: return 1;
            case 1: return 19 * s - 30;
            case 2: return (21 * s * s - 53 * s + 24) / 2;
            case 3: return x;
            case 4: return (5 * s - 9) * x;
            case 5: return y;
            case 6: return (5 * s - 9) * y;
            case 7: return z;
            case 8: return (5 * s - 9) * z;
            case 9: return 3 * x * x - s;
            case 10: return (3 * s - 5) * (3 * x * x - s);
            case 11: return y * y - z * z;
            case 12: return (3 * s - 5) * (y * y - z * z);
            case 13: return x * y;
            case 14: return y * z;
            case 15: return x * z;
            case 16: return (y * y - z * z) * x;
            case 17: return (z * z - x * x) * y;
            default: return (x * x - y * y) * z;
        }
    }
};

// Some of the Q moments or sums, in order. Loops over them alone: each step that does nothing costs the compiler as much as one
// that does.
template<class L>
struct Members {
    int number[L::Q]{}, count = 0;
    constexpr void add(int i) { number[count++] = i; }
};

// Moment m: sum_i onSum[m][i] v_i of the mirror sums v. Of a second-order polynomial of the kind of equilibrium
// and force, w (r + 3 c.v + sum_k (9/2 c_a c_b - 3/2 d_ab) p_k) with k = xx, xy, xz, yy, yz, zz:
// onDensity r + sum_a onVector v_a + sum_k onProduct p_k.
template<class L>
struct MomentProjection {
    double onSum[L::Q][L::Q]{}, onDensity[L::Q]{}, onVector[L::Q][3]{}, onProduct[L::Q][6]{}, squaredNorm[L::Q]{};
    int block[L::Q]{}, blockOfSum[L::Q]{};    // moments and sums that belong together: the first moment's number
    Members<L> moments[L::Q]{}, sums[L::Q]{}; // of each block

    constexpr MomentProjection()
    {
        for (int m = 0; m < L::Q; ++m)
            for (int q = 0; q < L::Q; ++q) add(m, q, OrthogonalMoments<L>::row(m, q));
        for (int m = 0; m < L::Q; ++m) {
            for (double* x : {&onDensity[m], &onVector[m][0], &onVector[m][1], &onVector[m][2]}) clean(*x);
            for (double& x : onProduct[m]) clean(x);
        }
        for (int i = 0; i < L::Q; ++i) {
            int m = 0;
            while (onSum[m][i] == 0) ++m;
            blockOfSum[i] = m;
        }
        for (int m = 0; m < L::Q; ++m) {
            int i = 0;
            while (onSum[m][i] == 0) ++i;
            block[m] = blockOfSum[i];
        }
        for (int n = 0; n < L::Q; ++n) {
            moments[block[n]].add(n);
            sums[blockOfSum[n]].add(n);
        }
    }

    // Whether no moment sees a sum of another block.
    constexpr bool separates() const
    {
        for (int m = 0; m < L::Q; ++m)
            for (int i = 0; i < L::Q; ++i)
                if (onSum[m][i] != 0 && block[m] != blockOfSum[i]) return false;
        return true;
    }

private:
    constexpr void add(int m, int q, double row)
    {
        const double weighted = row * L::w[q];
        squaredNorm[m] += row * row;
        onDensity[m] += weighted;
        for (int a = 0, k = 0; a < 3; ++a) {
            onVector[m][a] += 3 * weighted * L::c[q][a];
            for (int b = a; b < 3; ++b, ++k)
                onProduct[m][k] += weighted * (4.5 * L::c[q][a] * L::c[q][b] - (a == b ? 1.5 : 0));
        }
        for (int i = 0; i < L::Q; ++i) onSum[m][i] += row * mirrorSums<L>.factor[i][q] / mirrorSums<L>.squaredNorm[i];
    }

    // Sums of products with 1/3 and 1/18 that should vanish.
    static constexpr void clean(double& x)
    {
        if (x < 1e-12 && x > -1e-12) x = 0;
    }
};

template<class L>
inline constexpr MomentProjection<L> projection{};
static_assert(projection<D2Q9>.separates() && projection<D3Q19>.separates());

} // namespace lbm
