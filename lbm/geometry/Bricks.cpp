// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/Bricks.hpp"

#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace lbm {

// Named, for Bricks knows its cutter.
namespace cutting {

// By axis and layer of a box: fluid nodes, and what they and their links cost.
struct Layers {
    std::array<std::vector<std::int64_t>, 3> nodes;
    std::array<std::vector<double>, 3> cost;
};

// A node with links, and what these cost.
struct Heavy {
    Int3 at;
    float cost;
};
using HeavyRange = std::pair<std::vector<Heavy>::iterator, std::vector<Heavy>::iterator>;

std::vector<Heavy> heavyNodes(const Domain& domain, const std::vector<double>& costOfLink)
{
    std::vector<Heavy> heavy;
    if (costOfLink.empty()) return heavy;
    NodeIndex last = -1;
    for (const Link& link : domain.links) {
        const auto cost = float(costOfLink[std::size_t(link.patch)]);
        if (cost == 0) continue;
        if (link.node == last) heavy.back().cost += cost;
        else heavy.push_back({domain.coordinates(link.node), cost});
        last = link.node;
    }
    return heavy;
}

void countLayers(const Domain& domain, const Brick& box, Layers& layers)
{
    for (int a = 0; a < 3; ++a) layers.nodes[std::size_t(a)].assign(std::size_t(box.size[a]), 0);
    constexpr int layersAtOnce = 16;
    const bool isLarge = NodeIndex(box.size[0]) * box.size[1] * box.size[2] > 1000000;
    const auto countFrom = [&](int first) {
        std::vector<std::int64_t> inX(std::size_t(box.size[0])), inY(std::size_t(box.size[1]));
        for (int z = first; z < std::min(first + layersAtOnce, box.size[2]); ++z)
            for (int y = 0; y < box.size[1]; ++y) {
                std::int64_t inRow = 0;
                domain.fluid.forEachIn(domain.index(box.first[0], box.first[1] + y, box.first[2] + z), box.size[0],
                                       [&](std::int64_t x) {
                                           ++inX[std::size_t(x)];
                                           ++inRow;
                                       });
                inY[std::size_t(y)] += inRow;
                layers.nodes[2][std::size_t(z)] += inRow; // no other thread's
            }
#pragma omp critical(layersOfBricks)
        {
            for (std::size_t x = 0; x < inX.size(); ++x) layers.nodes[0][x] += inX[x];
            for (std::size_t y = 0; y < inY.size(); ++y) layers.nodes[1][y] += inY[y];
        }
    };
    inParallel(
        std::size_t(box.size[2] + layersAtOnce - 1) / layersAtOnce,
        [&](std::size_t share) { countFrom(int(share) * layersAtOnce); }, isLarge ? 0 : 1);
}

void weighLayers(const Brick& box, const HeavyRange& heavy, Layers& layers)
{
    for (int a = 0; a < 3; ++a)
        layers.cost[std::size_t(a)].assign(layers.nodes[std::size_t(a)].begin(), layers.nodes[std::size_t(a)].end());
    for (auto h = heavy.first; h != heavy.second; ++h)
        for (int a = 0; a < 3; ++a)
            layers.cost[std::size_t(a)][std::size_t(h->at[a] - box.first[a])] += double(h->cost);
}

// How parts of a box may be shared out to the two sides of a plane, the most even way first.
std::vector<int> sharesOf(int parts)
{
    std::vector<int> lower = {parts / 2};
    for (int off = 1; off < parts; ++off)
        for (const int l : {parts / 2 - off, parts / 2 + off})
            if (l > 0 && l < parts) lower.push_back(l);
    return lower;
}

int levelsOf(int parts)
{
    int levels = 0;
    while ((1 << levels) < parts) ++levels;
    return levels;
}

// A plane that has so many nodes of the box below it, and parts that go there.
struct CutPlane {
    int axis = -1, at = 0, lowerParts = 0;
    double uneven = std::numeric_limits<double>::max(); // of the side with more a part, over the mean of all parts
    double cost = std::numeric_limits<double>::max();
    bool within = false; // as equal as asked for

    bool betterThan(const CutPlane& other) const
    {
        if (within != other.within) return within;
        return within || uneven == other.uneven ? cost < other.cost : uneven < other.uneven;
    }
};

// Pieces that both sides of a plane are cut into along the same axis; none: they are cut anywhere.
struct SidePieces {
    int lower = 0, upper = 0;
};

std::string piecesOf(const CutNumbers& numbers)
{
    const Int3& n = numbers.pieces;
    return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

void checkNumbers(const CutNumbers& numbers, int parts)
{
    if (!numbers.any()) return;
    for (const int n : numbers.pieces)
        if (n < 1) throw std::invalid_argument("cuts: " + piecesOf(numbers) + " pieces: each number must be 1 or more");
    Int3 axes = numbers.order;
    std::sort(axes.begin(), axes.end());
    if (axes != Int3{0, 1, 2}) throw std::invalid_argument("cuts: the order must name each axis once");
    int ofPiece = parts; // number by number: products of any three pass every integer
    for (const int n : numbers.pieces) {
        if (ofPiece % n != 0)
            throw std::invalid_argument("cuts: " + piecesOf(numbers) + " pieces, and " + std::to_string(parts)
                                        + " parts, which are no multiple of that");
        ofPiece /= n;
    }
}

class BrickCutter {
public:
    BrickCutter(Bricks& bricks, const Domain& domain, int parts, const Int3& tile, const CutCosts& costs,
                const CutNumbers& numbers) :
        bricks_(bricks),
        domain_(domain),
        tile_(tile),
        costs_(costs),
        numbers_(numbers),
        heavy_(heavyNodes(domain, costs.ofLink))
    {
        double all = double(domain.fluidNodes());
        for (const Heavy& h : heavy_) all += double(h.cost);
        mean_ = all / parts;
        bricks_.bricks_.reserve(std::size_t(parts));
        const Brick box{{0, 0, 0}, domain.size};
        const HeavyRange heavy{heavy_.begin(), heavy_.end()};
        refusePiecesOfSlabs();
        if (numbers_.straight) placePlanes(box, heavy);
        bricks_.root_ = numbers_.any() ? divideAlong(0, {}, box, box, heavy, parts) : divide(box, box, heavy, parts);
    }

private:
    // filled: what of the box may hold fluid.
    int divide(const Brick& box, const Brick& filled, const HeavyRange& heavy, int parts)
    {
        if (parts == 1) {
            bricks_.bricks_.push_back(box);
            return -bricks_.count();
        }
        const Layers layers = layersOf(filled, heavy);
        const CutPlane plane = bestPlane(box, filled, layers, parts);
        if (plane.axis < 0) refuse(box, parts);
        return cut(box, filled, heavy, layers, plane,
                   [&](const Brick& side, const Brick& filledSide, const HeavyRange& its, bool isLower) {
                       return divide(side, filledSide, its, isLower ? plane.lowerParts : parts - plane.lowerParts);
                   });
    }

    // Pieces along an axis, of which a box has some.
    struct Pieces {
        int first = 0, last = 0; // none: all of them
        int count() const { return last - first; }
    };

    // stage: in the order of axes.
    int divideAlong(int stage, Pieces pieces, const Brick& box, const Brick& filled, const HeavyRange& heavy, int parts)
    {
        if (stage == 3) return divide(box, filled, heavy, parts);
        const int axis = numbers_.order[std::size_t(stage)];
        if (pieces.count() == 0) pieces = {0, numbers_.pieces[std::size_t(axis)]};
        if (pieces.count() == 1) return divideAlong(stage + 1, {}, box, filled, heavy, parts);
        const Layers layers = layersOf(filled, heavy);
        const int middle = pieces.first + pieces.count() / 2,
                  lowerParts = parts / pieces.count() * (middle - pieces.first);
        const CutPlane plane = numbers_.straight
            ? givenPlane(axis, planes_[std::size_t(axis)][std::size_t(middle)], filled, layers, lowerParts, parts)
            : bestAcross(axis, box, filled, layers, lowerParts, parts, allowed(costOf(layers), parts),
                         {middle - pieces.first, pieces.last - middle});
        if (plane.axis < 0) refusePieces(axis, box);
        return cut(box, filled, heavy, layers, plane,
                   [&](const Brick& side, const Brick& filledSide, const HeavyRange& its, bool isLower) {
                       return isLower
                           ? divideAlong(stage, {pieces.first, middle}, side, filledSide, its, lowerParts)
                           : divideAlong(stage, {middle, pieces.last}, side, filledSide, its, parts - lowerParts);
                   });
    }

    // Where the pieces along each axis begin, each with as much to do as the others; on planes of tiles where that takes little from it.
    void placePlanes(const Brick& box, const HeavyRange& heavy)
    {
        const Layers layers = layersOf(box, heavy);
        for (std::size_t a = 0; a < 3; ++a) {
            std::vector<double> below{0}; // of layers
            for (const double cost : layers.cost[a]) below.push_back(below.back() + cost);
            const double piece = below.back() / numbers_.pieces[a];
            for (int i = 0; i < numbers_.pieces[a]; ++i) {
                const auto nearest = std::lower_bound(below.begin(), below.end(), (i - 1e-9) * piece);
                const int at = int(nearest - below.begin()), tile = tile_[a],
                          onTile = std::min((at + tile / 2) / tile * tile, box.size[a]);
                const bool asEqual = std::abs(below[std::size_t(onTile)] - *nearest) <= Bricks::aim / 2 * piece;
                planes_[a].push_back(asEqual ? onTile : at);
            }
        }
    }

    // No axis: a side would have too few nodes.
    static CutPlane givenPlane(int axis, int at, const Brick& filled, const Layers& layers, int lowerParts, int parts)
    {
        const auto& nodes = layers.nodes[std::size_t(axis)];
        std::int64_t below = 0, all = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            all += nodes[i];
            if (filled.first[axis] + int(i) < at) below += nodes[i];
        }
        CutPlane plane;
        if (below < lowerParts || all - below < parts - lowerParts) return plane;
        plane.axis = axis;
        plane.at = at;
        plane.lowerParts = lowerParts;
        return plane;
    }

    Layers layersOf(const Brick& filled, const HeavyRange& heavy) const
    {
        Layers layers;
        countLayers(domain_, filled, layers);
        weighLayers(filled, heavy, layers);
        return layers;
    }

    static double costOf(const Layers& layers)
    {
        double cost = 0;
        for (const double c : layers.cost[2]) cost += c;
        return cost;
    }

    // divideSide(box, what of it may hold fluid, its nodes with links, whether it is the lower one): returns its branch.
    template<class DivideSide>
    int cut(const Brick& box, const Brick& filled, const HeavyRange& heavy, const Layers& layers, const CutPlane& plane,
            DivideSide&& divideSide)
    {
        const int axis = plane.axis, at = plane.at;
        Brick lower = box, upper = box, filledBelow = filled, filledAbove = filled;
        lower.size[axis] = at - box.first[axis];
        upper.first[axis] = at;
        upper.size[axis] -= lower.size[axis];
        shrink(layers, filledBelow, filledAbove, axis, at);
        const auto middle = std::partition(heavy.first, heavy.second, [&](const Heavy& h) { return h.at[axis] < at; });
        const std::size_t number = bricks_.cuts_.size();
        bricks_.cuts_.push_back({axis, at, 0, 0});
        const int below = divideSide(lower, filledBelow, HeavyRange{heavy.first, middle}, true),
                  above = divideSide(upper, filledAbove, HeavyRange{middle, heavy.second}, false);
        bricks_.cuts_[number].lower = below;
        bricks_.cuts_[number].upper = above;
        return int(number);
    }

    // Both sides of a plane, without layers at the box's ends that hold nothing.
    static void shrink(const Layers& layers, Brick& below, Brick& above, int axis, int at)
    {
        const Brick filled = below;
        for (int a = 0; a < 3; ++a) {
            const auto& nodes = layers.nodes[std::size_t(a)];
            int first = 0, last = int(nodes.size());
            while (nodes[std::size_t(first)] == 0) ++first;
            while (nodes[std::size_t(last - 1)] == 0) --last;
            first += filled.first[a];
            last += filled.first[a];
            for (Brick* side : {&below, &above}) {
                const int from = a == axis && side == &above ? std::max(at, first) : first,
                          to = a == axis && side == &below ? std::min(at, last) : last;
                side->first[a] = from;
                side->size[a] = to - from;
            }
        }
    }

    // What the parts of a box are more than the mean already, and a share of what is left until the aim: cuts to come need theirs, each
    // more than the one before, for layers are larger a part. (Of 1.26, 1.6, 2 and 3 the second kept most domains within the aim.)
    double allowed(double cost, int parts) const
    {
        const double now = std::max(0., cost / (parts * mean_) - 1), more = 1.6;
        return now + std::max(0., Bricks::aim - now) * (more - 1) / (std::pow(more, levelsOf(parts)) - 1);
    }

    CutPlane bestPlane(const Brick& box, const Brick& filled, const Layers& layers, int parts) const
    {
        const double enough = allowed(costOf(layers), parts);
        CutPlane best;
        for (const int lowerParts : sharesOf(parts)) {
            for (const int a : {2, 1, 0}) {
                if (!mayCutAcross(a)) continue;
                const CutPlane found = bestAcross(a, box, filled, layers, lowerParts, parts, enough);
                if (found.axis >= 0 && found.betterThan(best)) best = found;
            }
            if (best.within) break;
        }
        return best;
    }

    // Into how many pieces along an axis layers can be cut, each with nodes for its parts: [i] those below layer i.
    template<class Iterator>
    static std::vector<int> mostPieces(Iterator first, Iterator last, int partsOfPiece)
    {
        std::vector<int> most{0};
        std::int64_t inPiece = 0;
        for (; first != last; ++first) {
            inPiece += *first;
            const bool full = inPiece >= partsOfPiece;
            most.push_back(most.back() + full);
            if (full) inPiece = 0;
        }
        return most;
    }

    bool mayCutAcross(int axis) const { return axis != domain_.dimensions - 1 || !std::isinf(costs_.acrossLast); }

    // Each part must be left a fluid node.
    CutPlane bestAcross(int axis, const Brick& box, const Brick& filled, const Layers& layers, int lowerParts,
                        int parts, double enough, const SidePieces& pieces = {}) const
    {
        // Rows along x are cut where the other faces are that much larger. Ghosts take whole tiles, however few layers of them there
        // are: a little dearer are those of long ones. Where a brick ends within a tile, this holds ghosts and its own nodes, is
        // stepped as a whole, and all that is stored of the ghosts is handed over.
        constexpr double acrossX = 4, ofTiles = 0.05, offTile = 1.5;
        // Nobody waits for a part with little to do, but it is a device for nothing
        constexpr double ofLack = 0.2;
        const auto& nodes = layers.nodes[std::size_t(axis)];
        const auto& costs = layers.cost[std::size_t(axis)];
        std::int64_t all = 0;
        double allCosts = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            all += nodes[i];
            allCosts += costs[i];
        }
        const int tile = tile_[std::size_t(axis)], upperParts = parts - lowerParts;
        const double across = (axis == 0                            ? acrossX
                                   : axis == domain_.dimensions - 1 ? costs_.acrossLast
                                                                    : 1)
            + ofTiles * tile;
        std::vector<int> piecesBelow, piecesAbove; // at most
        if (pieces.lower > 0) {
            const int ofPiece = lowerParts / pieces.lower;
            piecesBelow = mostPieces(nodes.begin(), nodes.end(), ofPiece);
            piecesAbove = mostPieces(nodes.rbegin(), nodes.rend(), ofPiece);
        }
        CutPlane best;
        std::int64_t below = 0;
        double costBelow = 0;
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            below += nodes[i - 1];
            costBelow += costs[i - 1];
            if (below < lowerParts || all - below < upperParts) continue;
            if (pieces.lower > 0 && (piecesBelow[i] < pieces.lower || piecesAbove[nodes.size() - i] < pieces.upper))
                continue;
            CutPlane here;
            here.axis = axis;
            here.at = filled.first[axis] + int(i);
            here.lowerParts = lowerParts;
            const double lower = costBelow / lowerParts, upper = (allCosts - costBelow) / upperParts;
            const double excess = std::max(lower, upper) / mean_ - 1,
                         lack = 1 - std::min(lower, upper) * parts / allCosts;
            here.uneven = std::max(excess, ofLack * lack);
            here.within = here.uneven <= enough;
            const bool offTiles = (here.at - box.first[axis]) % tile != 0;
            here.cost =
                double(nodes[i - 1] + nodes[i]) * across * (offTiles ? offTile : 1) + std::max(0., excess) * mean_;
            if (here.betterThan(best)) best = here;
        }
        return best;
    }

    void refusePiecesOfSlabs() const
    {
        const int last = domain_.dimensions - 1;
        if (mayCutAcross(last) || numbers_.pieces[std::size_t(last)] < 2) return;
        throw std::invalid_argument("cuts: " + piecesOf(numbers_)
                                    + " pieces: a domain that streams through devices (deviceMemory) is not cut across "
                                    + "xyz"[last] + ", along which its slabs lie");
    }

    [[noreturn]] void refuse(const Brick& box, int parts) const
    {
        throw std::invalid_argument(
            "parts: the lattice cannot be cut into as many; " + std::to_string(parts) + " parts are to share a box of "
            + std::to_string(box.size[0]) + " x " + std::to_string(box.size[1]) + " x " + std::to_string(box.size[2])
            + " nodes, and each must hold a fluid node on its own side of a plane"
            + (mayCutAcross(domain_.dimensions - 1)
                   ? ""
                   : ", which for slabs that stream through devices (deviceMemory) lies along them"));
    }

    [[noreturn]] void refusePieces(int axis, const Brick& box) const
    {
        throw std::invalid_argument("cuts: " + piecesOf(numbers_) + " pieces: along " + "xyz"[axis] + " a box of "
                                    + std::to_string(box.size[0]) + " x " + std::to_string(box.size[1]) + " x "
                                    + std::to_string(box.size[2])
                                    + " nodes cannot be cut so that each piece holds fluid nodes for its parts");
    }

    Bricks& bricks_;
    const Domain& domain_;
    Int3 tile_;
    const CutCosts& costs_;
    const CutNumbers& numbers_;
    std::array<std::vector<int>, 3> planes_; // where pieces begin, if they lie between straight planes
    std::vector<Heavy> heavy_;
    double mean_; // cost of a part
};

} // namespace cutting

Bricks::Bricks(const Domain& domain, int parts, const Int3& tile, const CutCosts& costs, const CutNumbers& numbers)
{
    if (parts < 1) throw std::invalid_argument("parts is " + std::to_string(parts) + "; it must be 1 or more");
    cutting::checkNumbers(numbers, parts);
    cutting::BrickCutter(*this, domain, parts, tile, costs, numbers);
}

int Bricks::owner(const Int3& node) const
{
    int at = root_;
    while (at >= 0) {
        const Cut& cut = cuts_[std::size_t(at)];
        at = node[std::size_t(cut.axis)] < cut.at ? cut.lower : cut.upper;
    }
    return -1 - at;
}

} // namespace lbm
