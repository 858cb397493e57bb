// Shells: the velocity sets of Levchenko & Perepelkina 2022 (table 1), all combinations of rest with links along axes,
// diagonals of faces and diagonals of cubes. Three of them are lattices of their own right. The others conserve mass and
// momentum, but their fourth moments are not isotropic: they show how speed depends on Q and solve no Navier-Stokes
// equations. Their weights make the second moments isotropic with cs^2 = 1/3. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"

namespace lbm::lrnla {

struct D3Q7 {
    static constexpr int D = 3, Q = 7;
    static constexpr const char* name = "D3Q7";
    static constexpr int c[Q][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static constexpr double w[Q] = {0, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
};

struct D3Q9 {
    static constexpr int D = 3, Q = 9;
    static constexpr const char* name = "D3Q9";
    static constexpr int c[Q][3] = {{0, 0, 0},  {1, 1, 1},   {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1},
                                    {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1},   {1, -1, -1}};
    static constexpr double w[Q] = {2.0 / 3,  1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24,
                                    1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24};
};

struct D3Q13 {
    static constexpr int D = 3, Q = 13;
    static constexpr const char* name = "D3Q13";
    static constexpr int c[Q][3] = {{0, 0, 0},   {1, 1, 0},   {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
                                    {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1}, {0, 1, 1},
                                    {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
    static constexpr double w[Q] = {1.0 / 2,  1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24,
                                    1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24};
};

struct D3Q21 {
    static constexpr int D = 3, Q = 21;
    static constexpr const char* name = "D3Q21";
    static constexpr int c[Q][3] = {{0, 0, 0},   {1, 1, 0},  {-1, -1, 0},  {1, -1, 0}, {-1, 1, 0},  {1, 0, 1},
                                    {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},   {0, 1, 1},  {0, -1, -1}, {0, 1, -1},
                                    {0, -1, 1},  {1, 1, 1},  {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1},
                                    {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    static constexpr double w[Q] = {5.0 / 9,  1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 72,
                                    1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72};
};

// Computed, not claimed: moments up to the fourth are isotropic.
template<class L>
constexpr bool solvesNavierStokes = lattice_check::isotropic<L>();

// Calls visit.operator()<L>() for each, in order of Q.
template<class Visit>
void visitShells(Visit&& visit)
{
    visit.template operator()<D3Q7>();
    visit.template operator()<D3Q9>();
    visit.template operator()<D3Q13>();
    visit.template operator()<D3Q15>();
    visit.template operator()<D3Q19>();
    visit.template operator()<D3Q21>();
    visit.template operator()<D3Q27>();
}

template<class L>
constexpr bool conserves()
{
    double sum = 0, second[3] = {0, 0, 0};
    for (int q = 0; q < L::Q; ++q) {
        sum += L::w[q];
        for (int a = 0; a < 3; ++a) {
            if (L::c[q][a] != -L::c[opposite(q)][a]) return false;
            second[a] += L::w[q] * L::c[q][a] * L::c[q][a];
        }
    }
    for (double s : second)
        if (!lattice_check::near(s, 1.0 / 3)) return false;
    return lattice_check::near(sum, 1);
}
static_assert(conserves<D3Q7>() && conserves<D3Q9>() && conserves<D3Q13>() && conserves<D3Q21>());

} // namespace lbm::lrnla
