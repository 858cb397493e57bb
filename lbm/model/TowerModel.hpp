// TowerModel: operations, data and arithmetic intensity of LRnLA algorithms (Levchenko & Perepelkina 2022, section 3), and the speed
// that they allow with the bandwidths of a machine's levels of memory. Three dimensions. C++17; header alone, for lbmBench.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lbm::model {

// An update of one node. Operations count additions and multiplications as halves of a fused one, which a processor's peak does:
// 2 where one of them goes alone.
struct NodeCost {
    int values;
    double flop, operations;
    double bytes; // S: of all values, once

    double intensity() const { return operations / (2 * bytes); } // of a step that reads and writes each once
};

// Table 1: BGK of a velocity set with rest and links along axes, diagonals of faces, diagonals of cubes, or some of them.
inline NodeCost bgkCost(bool axes, bool faces, bool corners, int valueBytes)
{
    NodeCost c{1, 30, 30, 0};
    const auto add = [&c](bool has, int links, int length) {
        if (!has) return;
        c.values += links;
        c.flop += links * (6 + 2 * length); // products and sums of `length` components
        c.operations += links * (10 + 4 * length);
    };
    add(axes, 6, 1);
    add(faces, 12, 2);
    add(corners, 8, 3);
    c.bytes = double(c.values) * valueBytes;
    return c;
}

inline double cube(double m) { return m * m * m; }

// Cells of a gnomon, one or more cells thick, of a cube of m cells a side.
inline double gnomon(double m, double thick = 1) { return cube(m) - cube(std::max(0.0, m - thick)); }

// A cube of all nodes that is read and written once in `steps` steps.
inline double cubeIntensity(const NodeCost& c, double steps) { return steps * c.intensity(); }

// Equations 3.1 and 3.2: TorreFold<n, n> where `faces` faces of the box cut it: 1 of 2, 2 of 1, 3 of 0 in the paper's nu.
struct ConeFold {
    double operations, bytes;
};
inline ConeFold coneFold(const NodeCost& c, double n, int nu)
{
    return {cube(n) * n * c.operations / (4 - nu), 2 * cube(n) * 4 * c.bytes / (4 - nu)};
}
inline double coneFoldIntensity(const NodeCost& c, double n) { return n * c.intensity() / 4; }

// Equation 3.3: TorreFold<m, steps>, whose base and slopes are read and written once.
inline double torreIntensity(const NodeCost& c, double m, double steps)
{
    return steps * cube(m) / (cube(m) + steps * gnomon(m)) * c.intensity();
}

// Equation 3.4: with the slopes kept, the bases alone.
inline double keptSlopesIntensity(const NodeCost& c, double n) { return n * c.intensity(); }

// Section 3.5: inner and boundary parts of a folded box of N cells a side, cut into TorreFolds<n, n>.
inline double innerIntensity(const NodeCost& c, double N, double n) { return torreIntensity(c, N - n, n); }
inline double boundaryIntensity(const NodeCost& c, double N, double n)
{
    return n * (cube(N) - cube(N - n)) / (cube(n) * gnomon(N / n) + n * gnomon(N)) * c.intensity();
}

// Equation 3.5, what two processors make together that each do their share at once. Printed are products with the shares,
// which would be slower than each by itself; shares divide.
inline double togetherPeak(double inner, double boundary, double N, double n)
{
    const double share = cube(1 - n / N);
    return std::min(inner / share, boundary / (1 - share));
}

// Table 2: cells that TorreFold<m, steps> touches. A step moves on by a cell, and groups of two cells a side are behind it.
inline double footprintCells(double m, double steps) { return steps * gnomon(m, 2) + cube(std::max(0.0, m - 2)); }
// Two tiers of groups, shifted by a cell: they share one.
constexpr double lrnlaCellCells = 15;

inline double footprintIntensity(const NodeCost& c, double m, double steps)
{
    return steps * cube(m) / footprintCells(m, steps) * c.intensity();
}
inline double lrnlaCellIntensity(const NodeCost& c) { return 16 / lrnlaCellCells * c.intensity(); }
// Collision and streaming by themselves each read and write all values.
inline double cellIntensity(const NodeCost& c) { return c.intensity() / 2; }

// A level of memory as a thread sees it: what it holds for one thread, and what it gives to all that run. The last level, the
// memory, holds everything.
struct MemoryLevel {
    const char* name;
    double bytes;     // a thread
    double bandwidth; // bytes a second, reads and writes together, of all threads
};

struct TowerLimit {
    double m;
    double footprint;    // bytes of TorreFold<m, steps>, `lanes` nodes a cell
    const char* level;   // what it exchanges its base and slopes with
    double bytesPerNode; // of that exchange, a step
    double updates;      // a second that it allows
};

// Of TorreFolds of n cells a side and of all that they are made of, the largest first. Each exchanges with the level that
// holds the one around it; of the largest that is the memory.
inline std::vector<TowerLimit> towerLimits(const NodeCost& c, int lanes, double n, double steps,
                                           const std::vector<MemoryLevel>& levels)
{
    std::vector<TowerLimit> limits;
    const MemoryLevel* around = &levels.back();
    for (double m = n; m >= 2; m /= 2) {
        const double bytes = c.operations / torreIntensity(c, m, steps);
        const double footprint = footprintCells(m, steps) * c.bytes * lanes;
        limits.push_back({m, footprint, around->name, bytes, around->bandwidth / bytes});
        around = &*std::find_if(levels.begin(), levels.end() - 1,
                                [&](const MemoryLevel& level) { return footprint <= level.bytes; });
    }
    return limits;
}

// ConeTorre<8, NT> on a GPU, a cell a thread: words of four bytes that a node's exchange within its group moves a step, by shuffles
// after even steps and, but for what crosses x alone, out of and into shared memory after odd ones. The links that some axes are
// exchanged for: those with a component that points into the group; as many point out of it.
struct ExchangedLinks {
    int all, alongX;
};
inline ExchangedLinks exchangedLinks(bool axes, bool faces, bool corners)
{
    // Of 12 diagonals of faces 3 point out along both axes, of 8 of cubes one along all
    return {(axes ? 3 : 0) + (faces ? 9 : 0) + (corners ? 7 : 0), (axes ? 1 : 0) + (faces ? 2 : 0) + (corners ? 1 : 0)};
}
inline double exchangedWords(const ExchangedLinks& links, int valueBytes)
{
    const double even = 2.0 * links.all, odd = 2.0 * (links.alongX + 2 * (links.all - links.alongX));
    return (even + odd) / 2 * valueBytes / 4;
}

// The least of them and of what cores compute.
inline double towerPeak(const std::vector<TowerLimit>& limits, double computed)
{
    for (const TowerLimit& limit : limits) computed = std::min(computed, limit.updates);
    return computed;
}

} // namespace lbm::model
