// CutFacts: what each brick of a domain has to do and what is handed over between bricks in a step, found without making parts:
// nodes near the cuts are looked at, not parts one by one. Counts are those that parts (PartDomain) and their halos have.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Bricks.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lbm {

// Of the ghosts of one brick that another one owns, or the brick itself at a periodic side.
struct TakenGhosts {
    int from = 0;
    NodeIndex ghosts = 0;
    NodeIndex wanted = 0;      // of these, such as a step looks at: storages of moments hand over all of their moments
    NodeIndex populations = 0; // that a step looks at (PopulationsForStep)
};

struct BrickFacts {
    NodeIndex nodes = 0, rim = 0;   // fluid ones; of these in tiles of the rim
    double cost = 0;                // of its nodes and links, in updates of a fluid node
    std::vector<TakenGhosts> taken; // by the brick that gives it
};

// What a cut is judged by.
struct CutView {
    int reach = 1;                // layers of ghosts
    Int3 tile{1, 1, 1};           // extents
    Int3 rim{1, 1, 1};            // extents of what is stepped as one, of which all is rim that touches it
    std::vector<Int3> directions; // of the lattice
};

std::vector<BrickFacts> factsOf(const Domain&, const Bricks&, const CutView&, const CutCosts& = {});

// Of all bricks.
struct CutSums {
    NodeIndex nodes = 0, least = 0, most = 0, ghosts = 0;
    double imbalance = 0; // cost of the dearest over the mean, less one
};
CutSums sumsOf(const std::vector<BrickFacts>&);

// Of a ghost: its populations, one bit each, that arrive in a step at a node of which own(x, c) is true: it lies at the link c
// from x, is fluid and the part's.
template<class Own>
std::uint32_t populationsTo(const std::vector<Int3>& directions, const Int3& x, Own&& own)
{
    std::uint32_t needed = 0;
    for (std::size_t q = 1; q < directions.size(); ++q)
        if (own(x, directions[q])) needed |= std::uint32_t(1) << q;
    return needed;
}

// Nodes that have links, of those in a box that counts: steps look further than links lead (CutView::reach) from them alone.
class LinkedNodes {
public:
    // low, end: of the box, in coordinates of the domain, below zero or beyond it among images; round: axes along which all
    // counts, image by image.
    LinkedNodes(const Domain& domain, const BitSet& linked, const Int3& low, const Int3& end,
                const std::array<bool, 3>& round) :
        domain_(domain), linked_(linked), low_(low), end_(end), round_(round)
    {}

    // Does one lie within so many nodes of x along each axis?
    bool within(int reach, const Int3& x) const
    {
        Int3 first, last;
        for (int a = 0; a < 3; ++a) {
            first[a] = round_[a] ? x[a] - reach : std::max(low_[a], x[a] - reach);
            last[a] = round_[a] ? x[a] + reach : std::min(end_[a] - 1, x[a] + reach);
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y) {
                const NodeIndex row = domain_.index(0, wrapped(1, y), wrapped(2, z));
                for (int i = first[0], n = 0; i <= last[0]; i += n) {
                    const int at = wrapped(0, i);
                    n = std::min(last[0] + 1 - i, domain_.size[0] - at);
                    if (linked_.countIn(row + at, n) > 0) return true;
                }
            }
        return false;
    }

private:
    int wrapped(int a, int x) const
    {
        const int n = domain_.size[a];
        return (x % n + n) % n;
    }

    const Domain& domain_;
    const BitSet& linked_;
    Int3 low_, end_;
    std::array<bool, 3> round_;
};

BitSet nodesWithLinks(const Domain&);

} // namespace lbm
