// BoxDifferences: strain rates from differences of the velocities around the nodes of a box, as StrainRates has them, for who goes through
// nodes one by one, on a host or a device: what lies at their sides, in tables of the box. Units: lattice.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"
#include "lbm/lattice/Macros.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace lbm {

// A side of a node with a link.
struct BoxSide {
    std::int32_t node; // in the box, x fastest
    std::int32_t side; // twice the axis, and 1 above
    double distance;   // 0: tells nothing
    double velocity[3];
};

// To the strain rate of a node with velocity u, differences from those at its sides: [axis][below, above], the same bits whoever
// finds them. distance: 0: tells nothing.
LBM_HD inline void addDifferences(int dimensions, const double* u, const double (&distance)[3][2],
                                  const double (&beside)[3][2][3], double* strain)
{
    double gradient[3][3] = {};
    for (int a = 0; a < dimensions; ++a) {
        // (h (u - u_low)/l + l (u_high - u)/h)/(l + h), or what one side tells
        const double l = distance[a][0], h = distance[a][1];
        const double ofLow = l > 0 ? (h > 0 ? -h / (l * (l + h)) : -1 / l) : 0;
        const double ofHigh = h > 0 ? (l > 0 ? l / (h * (l + h)) : 1 / h) : 0;
        for (int b = 0; b < dimensions; ++b)
            gradient[a][b] =
                std::fma(ofHigh, beside[a][1][b], std::fma(ofLow, beside[a][0][b], -(ofLow + ofHigh) * u[b]));
    }
    for (int a = 0, k = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b, ++k) strain[k] += 0.5 * (gradient[a][b] + gradient[b][a]);
}

struct DifferencesView {
    Int3 low, size, whole; // of the box, and the Domain's
    int dimensions;
    // Bits of nodes, each row along x with words of its own: of the box and one node more around it, which are fluid; of the box which
    // have sides, and of which populations tell no strain rate (null: of none).
    const std::uint32_t *fluid, *linked, *silent;
    const BoxSide* sides; // by node
    std::int32_t sideCount;

    // Adds to the strain rate of a fluid node of the box that has velocity u. velocityAt(x, u): that of another one.
    template<class VelocityAt>
    LBM_HD void add(const Int3& x, const double* u, VelocityAt&& velocityAt, double* strain) const
    {
        const Int3 at{x[0] - low[0], x[1] - low[1], x[2] - low[2]};
        if (silent && !bit(silent, size[0], at[1] + size[1] * at[2], at[0])) return;
        double distance[3][2], beside[3][2][3];
        for (int a = 0; a < dimensions; ++a)
            for (int s = 0; s < 2; ++s) lookBeside(x, a, s, velocityAt, distance[a][s], beside[a][s]);
        if (bit(linked, size[0], at[1] + size[1] * at[2], at[0])) {
            const std::int32_t node = at[0] + size[0] * (at[1] + size[1] * at[2]);
            for (std::int32_t i = firstSide(node); i < sideCount && sides[i].node == node; ++i) {
                const BoxSide& side = sides[i];
                distance[side.side / 2][side.side % 2] = side.distance;
                for (int b = 0; b < 3; ++b) beside[side.side / 2][side.side % 2][b] = side.velocity[b];
            }
        }
        addDifferences(dimensions, u, distance, beside, strain);
    }

    static LBM_HD int wordsOfRow(int nodes) { return (nodes + 31) / 32; }

private:
    static LBM_HD bool bit(const std::uint32_t* words, int nodes, std::int64_t row, int i)
    {
        return words[row * wordsOfRow(nodes) + i / 32] >> i % 32 & 1;
    }

    template<class VelocityAt>
    LBM_HD void lookBeside(Int3 x, int a, int s, VelocityAt&& velocityAt, double& distance, double (&u)[3]) const
    {
        x[a] += 2 * s - 1;
        const Int3 at{x[0] - low[0] + 1, x[1] - low[1] + 1, x[2] - low[2] + 1};
        if (bit(fluid, size[0] + 2, at[1] + std::int64_t(size[1] + 2) * at[2], at[0])) {
            x[a] += x[a] < 0 ? whole[a] : x[a] >= whole[a] ? -whole[a] : 0;
            distance = 1;
            velocityAt(x, u);
        } else {
            distance = 0.5; // a wall at rest
            for (double& component : u) component = 0;
        }
    }

    LBM_HD std::int32_t firstSide(std::int32_t node) const
    {
        std::int32_t first = 0, last = sideCount;
        while (first < last) {
            const std::int32_t middle = first + (last - first) / 2;
            if (sides[middle].node < node) first = middle + 1;
            else last = middle;
        }
        return first;
    }
};

struct BoxDifferences {
    NodeBox box;
    std::vector<std::uint32_t> fluid, linked, silent;
    std::vector<BoxSide> sides;

    // silent: of the Domain's nodes, see DifferencesView; null: all are. sideOf(link) is a BoxSide but for its node, of links along axes.
    template<class SideOf>
    BoxDifferences(const Domain& domain, const NodeBox& box, const BitSet* silent, const SideOf& sideOf) : box(box)
    {
        findFluid(domain);
        if (silent) this->silent = bitsOf(domain, *silent);
        findSides(domain, sideOf);
    }

    // Tables stay the host's.
    DifferencesView view(const Domain& domain) const
    {
        return {box.low,
                box.size,
                domain.size,
                domain.dimensions,
                fluid.data(),
                linked.data(),
                silent.empty() ? nullptr : silent.data(),
                sides.data(),
                std::int32_t(sides.size())};
    }

private:
    void findFluid(const Domain&);
    std::vector<std::uint32_t> bitsOf(const Domain&, const BitSet&) const;

    // Where the links of a row of the box begin.
    std::size_t firstLink(const Domain&, std::size_t row) const;

    // f(link, node in its row) of those of a row that go along an axis.
    template<class F>
    void eachAlongAxis(const Domain& domain, std::size_t row, F&& f) const
    {
        const NodeIndex first = firstOfRow(domain, box, row);
        for (std::size_t i = firstLink(domain, row); i < domain.links.size(); ++i) {
            const Link& link = domain.links[i];
            if (link.node >= first + box.size[0]) return;
            const Int3 c = directionOf(link.direction);
            if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 1) f(link, int(link.node - first));
        }
    }

    template<class SideOf>
    void findSides(const Domain& domain, const SideOf& sideOf)
    {
        const std::size_t rows = std::size_t(box.size[1]) * std::size_t(box.size[2]),
                          words = std::size_t(DifferencesView::wordsOfRow(box.size[0]));
        linked.assign(rows * words, 0);
        std::vector<std::size_t> before(rows + 1);
#pragma omp parallel for schedule(static)
        for (std::size_t row = 0; row < rows; ++row)
            eachAlongAxis(domain, row, [&](const Link&, int x) {
                linked[row * words + std::size_t(x / 32)] |= std::uint32_t(1) << x % 32;
                ++before[row + 1];
            });
        for (std::size_t row = 0; row < rows; ++row) before[row + 1] += before[row];
        sides.resize(before.back());
#pragma omp parallel for schedule(static)
        for (std::size_t row = 0; row < rows; ++row) {
            std::size_t to = before[row];
            eachAlongAxis(domain, row, [&](const Link& link, int x) {
                sides[to] = sideOf(link);
                sides[to++].node = std::int32_t(row) * box.size[0] + x;
            });
        }
    }
};

} // namespace lbm
