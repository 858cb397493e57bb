// GroupSum: values of one group of a NodeSet from the nodes of its block, on a host and on a device: term by term in the order
// in which they were given, each product rounded with its sum: groups that parts share are summed by code that is compiled for
// another instruction set, with the same result. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/lattice/Macros.hpp"

#include <cmath>

namespace lbm {

// Of the groups of a block: see NodeBlocks.
struct GroupTerms {
    const std::size_t* begin; // of the block's first group
    const std::uint32_t*
        ordinals; // null: terms are of one node after the other, and told from the block's first one on
    const double* weights;
    const std::uint8_t* directions;
    std::size_t first = 0; // of them

    LBM_HD std::size_t node(std::size_t i) const { return ordinals ? ordinals[i] : i - first; }
    LBM_HD double weight(std::size_t i) const { return weights[i - first]; }
};

// In the order of Reading::state; the density by what it exceeds 1.
LBM_HD inline double valueOf(const Macroscopic& s, int k)
{
    return k == 0 ? s.density - 1 : k < 4 ? s.velocity[k - 1] : s.strainRate[k - 4];
}

template<Reading reading>
LBM_HD inline void writeState(const Macroscopic& s, double* values)
{
    constexpr int first = reading == Reading::strainRate ? 4 : 0;
    for (int k = 0; k < valuesOf(reading); ++k) values[k] = first + k == 0 ? s.density : valueOf(s, first + k);
}

// states: of the block's nodes.
template<Reading reading>
LBM_HD inline void sumStates(const GroupTerms& terms, std::size_t group, const Macroscopic* states, double* values)
{
    constexpr int first = reading == Reading::strainRate ? 4 : 0, count = valuesOf(reading);
    double sum[count] = {};
    for (std::size_t i = terms.begin[group]; i < terms.begin[group + 1]; ++i) {
        const Macroscopic& s = states[terms.node(i)];
        const double weight = terms.weight(i);
        for (int k = 0; k < count; ++k) sum[k] = std::fma(weight, valueOf(s, first + k), sum[k]);
    }
    for (int k = 0; k < count; ++k) values[k] = first + k == 0 ? 1 + sum[k] : sum[k];
}

// populations: [nodes of the block][Q].
LBM_HD inline double sumPopulations(const GroupTerms& terms, std::size_t group, int Q, const double* populations)
{
    double sum = 0;
    for (std::size_t i = terms.begin[group]; i < terms.begin[group + 1]; ++i)
        sum = std::fma(terms.weights[i], populations[std::size_t(terms.ordinals[i]) * Q + terms.directions[i]], sum);
    return sum;
}

LBM_HD inline double magnitude(double x) { return x < 0 ? -x : x; }

// The larger one, or whichever is not a number.
LBM_HD inline double larger(double a, double b) { return a != a || b <= a ? a : b; }

LBM_HD inline void include(Extremes& all, const Extremes& more)
{
    all.speedSquare = larger(all.speedSquare, more.speedSquare);
    all.excess = larger(all.excess, more.excess);
    all.rate = larger(all.rate, more.rate);
    all.deviation = larger(all.deviation, more.deviation);
}

// But for strain rates.
LBM_HD inline Extremes extremesOfFlow(const Macroscopic& s)
{
    Extremes e{0, magnitude(s.density - 1), 0, 0};
    for (int a = 0; a < 3; ++a) e.speedSquare += s.velocity[a] * s.velocity[a];
    return e;
}

LBM_HD inline Extremes extremesOf(const Macroscopic& s)
{
    Extremes e = extremesOfFlow(s);
    for (int k = 0; k < 6; ++k) e.rate += magnitude(s.strainRate[k]);
    return e;
}

// populations: of one node.
LBM_HD inline Extremes extremesOf(const double* populations, int Q)
{
    double parts[4] = {0, 0, 0, 0}; // one sum alone would wait for each of its terms
    int q = 0;
    for (; q + 4 <= Q; q += 4)
        for (int k = 0; k < 4; ++k) parts[k] += magnitude(populations[q + k]);
    for (; q < Q; ++q) parts[0] += magnitude(populations[q]);
    return {0, 0, 0, (parts[0] + parts[1]) + (parts[2] + parts[3])};
}

// f(std::integral_constant<Reading, ...>).
template<class F>
void withReading(Reading reading, F&& f)
{
    switch (reading) {
        case Reading::flow: return f(std::integral_constant<Reading, Reading::flow>{});
        case Reading::strainRate: return f(std::integral_constant<Reading, Reading::strainRate>{});
        case Reading::state: return f(std::integral_constant<Reading, Reading::state>{});
    }
}

} // namespace lbm
