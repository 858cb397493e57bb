// MirrorSums: the populations of a node as sums and differences of links that mirror each other: (q, opposite) for
// every pair, and these again over the two pairs in one coordinate plane, (x, y, 0) and (x, -y, 0). Moments whose
// polynomial is even or odd in x, y and z see few of them: a 19 x 19 matrix falls into blocks of seven, three and one.
// The rows are orthogonal, and the transformation is symmetric: applied to sums over their squared norms it gives
// the populations back.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"

namespace lbm {

template<class L>
struct MirrorSums {
    // Whether links q to q+3 are four in one coordinate plane, q odd.
    static constexpr bool leads(int q)
    {
        if (q % 2 == 0 || q + 3 >= L::Q) return false;
        int length = 0;
        for (int a = 0; a < 3; ++a) {
            length += L::c[q][a] * L::c[q][a];
            if (L::c[q][a] * L::c[q][a] != L::c[q + 2][a] * L::c[q + 2][a]) return false;
        }
        return length == 2;
    }

    // First of the four, or of the two, that link q belongs to.
    static constexpr int leader(int q)
    {
        const int first = q - (q + 1) % 2;
        return first > 2 && leads(first - 2) ? first - 2 : first;
    }

    // Factor of population q in sum i.
    static constexpr int factor(int i, int q)
    {
        if (i == 0 || q == 0) return i == q;
        if (leader(i) != leader(q)) return 0;
        const int place = i - leader(i), link = q - leader(q);
        const int opposites = place & link & 1, pairs = place & link & 2;
        return (opposites != 0) != (pairs != 0) ? -1 : 1;
    }

    template<class R>
    LBM_HD static LBM_INLINE void transform(R (&g)[L::Q])
    {
        unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
            constexpr int q = 2 * pair + 1;
            butterfly(g[q], g[q + 1]);
        });
        unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
            constexpr int q = 2 * pair + 1;
            if constexpr (leads(q)) {
                butterfly(g[q], g[q + 2]);
                butterfly(g[q + 1], g[q + 3]);
            }
        });
    }

    struct Table {
        int factor[L::Q][L::Q]{}, squaredNorm[L::Q]{};

        constexpr Table()
        {
            for (int i = 0; i < L::Q; ++i)
                for (int q = 0; q < L::Q; ++q) {
                    factor[i][q] = MirrorSums::factor(i, q);
                    squaredNorm[i] += factor[i][q] * factor[i][q];
                }
        }
    };

private:
    template<class R>
    LBM_HD static LBM_INLINE void butterfly(R& a, R& b)
    {
        const R sum = a + b;
        b = a - b;
        a = sum;
    }
};

template<class L>
inline constexpr typename MirrorSums<L>::Table mirrorSums{};

} // namespace lbm
