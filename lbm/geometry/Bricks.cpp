// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/Bricks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

// Fluid nodes of each layer across each axis.
using Layers = std::array<std::vector<std::int64_t>, 3>;

Layers countLayers(const Domain& domain, const Brick& box)
{
    Layers layers;
    for (int a = 0; a < 3; ++a) layers[std::size_t(a)].assign(std::size_t(box.size[a]), 0);
    for (int z = 0; z < box.size[2]; ++z)
        for (int y = 0; y < box.size[1]; ++y) {
            const NodeIndex row = domain.index(box.first[0], box.first[1] + y, box.first[2] + z);
            std::int64_t inRow = 0;
            for (int x = 0; x < box.size[0]; ++x) {
                if (!domain.fluid[row + x]) continue;
                ++layers[0][std::size_t(x)];
                ++inRow;
            }
            layers[1][std::size_t(y)] += inRow;
            layers[2][std::size_t(z)] += inRow;
        }
    return layers;
}

// Where a box may be cut across one axis: layers below, nodes that both sides must hand over, and how far the shares are off.
struct Place {
    int at = 0;
    std::int64_t handedOver = 0;
    double unbalance = 2; // of the smaller share, relative
};

// Each part must be left a fluid node.
Place bestPlace(const std::vector<std::int64_t>& layers, int lowerParts, int upperParts, int tile)
{
    std::int64_t all = 0;
    for (const std::int64_t n : layers) all += n;
    // A face so many tiles above the box's first node may be so much off: a part's tiles begin with its brick (PartDomain)
    constexpr double allowance = 0.05;
    const double lowerShare = double(lowerParts) / (lowerParts + upperParts);
    Place best, aligned;
    std::int64_t below = 0;
    for (std::size_t at = 1; at < layers.size(); ++at) {
        below += layers[at - 1];
        if (below < lowerParts || all - below < upperParts) continue;
        const double lower = double(below) / (lowerShare * double(all)),
                     upper = double(all - below) / ((1 - lowerShare) * double(all));
        const Place here{int(at), layers[at - 1] + layers[at], std::max(lower, upper) - 1};
        if (here.unbalance < best.unbalance || best.at == 0) best = here;
        if (int(at) % tile == 0 && (here.unbalance < aligned.unbalance || aligned.at == 0)) aligned = here;
    }
    return aligned.at > 0 && aligned.unbalance < best.unbalance + allowance ? aligned : best;
}

} // namespace

Bricks::Bricks(const Domain& domain, int parts, const Int3& tile, double acrossLast) : acrossLast_(acrossLast)
{
    if (parts < 1) throw std::invalid_argument("parts is " + std::to_string(parts) + "; it must be 1 or more");
    root_ = divide(domain, {{0, 0, 0}, domain.size}, parts, tile);
}

int Bricks::divide(const Domain& domain, const Brick& box, int parts, const Int3& tile)
{
    if (parts == 1) {
        bricks_.push_back(box);
        return -count();
    }
    const int lowerParts = parts / 2;
    const Layers layers = countLayers(domain, box);
    // Rows along x are cut where the other faces are that much larger; balance counts as much as what is handed over. Ghosts
    // take whole tiles, however few layers of them there are: a little dearer are those of long ones.
    constexpr double acrossX = 4, ofTiles = 0.05;
    int axis = -1;
    Place place;
    double least = 0;
    for (const int a : {2, 1, 0}) {
        const Place found = bestPlace(layers[std::size_t(a)], lowerParts, parts - lowerParts, tile[std::size_t(a)]);
        if (found.at == 0) continue;
        const double nodes = double(box.size[0]) * box.size[1] * box.size[2];
        const double across = a == 0 ? acrossX : a == domain.dimensions - 1 ? acrossLast_ : 1;
        const double cost = double(found.handedOver) * (across + ofTiles * tile[std::size_t(a)])
            + nodes * std::min(found.unbalance, 1.);
        if (axis >= 0 && cost >= least) continue;
        axis = a;
        place = found;
        least = cost;
    }
    if (axis < 0)
        throw std::invalid_argument("parts: the lattice cannot be cut into as many; " + std::to_string(parts)
                                    + " parts are to share a box of " + std::to_string(box.size[0]) + " x "
                                    + std::to_string(box.size[1]) + " x " + std::to_string(box.size[2])
                                    + " nodes, and each must hold a fluid node on its own side of a plane");
    Brick lower = box, upper = box;
    lower.size[axis] = place.at;
    upper.first[axis] += place.at;
    upper.size[axis] -= place.at;
    const std::size_t cut = cuts_.size();
    cuts_.push_back({axis, upper.first[axis], 0, 0});
    const int below = divide(domain, lower, lowerParts, tile), above = divide(domain, upper, parts - lowerParts, tile);
    cuts_[cut].lower = below;
    cuts_[cut].upper = above;
    return int(cut);
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
