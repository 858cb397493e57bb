// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallPieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace lbm {

namespace {

// Of a block or a piece: its side of the wall and its number along each axis.
using At = std::array<std::int64_t, 4>;

// The number of each, in the order in which they are met.
class Numbers {
public:
    std::uint32_t of(const At& at) { return number_.try_emplace(at, std::uint32_t(number_.size())).first->second; }
    std::size_t size() const { return number_.size(); }
    std::vector<At> all() const
    {
        std::vector<At> all(size());
        for (const auto& [at, number] : number_) all[number] = at;
        return all;
    }

private:
    std::map<At, std::uint32_t> number_;
};

// Along an axis of the domain.
struct Axis {
    std::int64_t blocks;
    double width;
    bool periodic;

    Axis(int nodes, bool periodic) :
        blocks(std::max<std::int64_t>(1, std::llround(nodes / WallPieces::width))),
        width(double(nodes) / double(blocks)),
        periodic(periodic || nodes == 1)
    {}
    std::int64_t wrapped(std::int64_t i) const { return periodic ? (i % blocks + blocks) % blocks : i; }
};

} // namespace

WallPieces::WallPieces(const Domain& domain, const std::vector<std::size_t>& links,
                       const std::vector<std::uint32_t>& sides) :
    places(links.size())
{
    const Axis axes[] = {{domain.size[0], domain.periodic[0]},
                         {domain.size[1], domain.periodic[1]},
                         {domain.size[2], domain.periodic[2]}};
    Numbers blocks, pieces;
    At last{-1, 0, 0, 0};
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Link& link = domain.links[links[i]];
        const Int3 node = domain.coordinates(link.node), c = directionOf(link.direction);
        At at{sides.empty() ? 0 : std::int64_t(sides[i]), 0, 0, 0};
        for (std::size_t a = 0; a < 3; ++a) {
            const double x = (node[a] + link.fraction * c[a]) / axes[a].width, low = std::floor(x);
            at[a + 1] = axes[a].wrapped(std::int64_t(low));
            places[i].within[a] = float(x - low);
        }
        // Links follow each other in their nodes' order: mostly in the block of the one before
        if (i > 0 && at == last) {
            places[i].block = places[i - 1].block;
            continue;
        }
        last = at;
        places[i].block = blocks.of(at);
        if (blocks.size() == corners.size()) continue;
        corners.emplace_back();
        for (int k = 0; k < 8; ++k) {
            At corner = at;
            for (std::size_t a = 0; a < 3; ++a)
                if (k >> a & 1) corner[a + 1] = axes[a].wrapped(at[a + 1] + 1);
            corners.back()[std::size_t(k)] = pieces.of(corner);
        }
    }
    count = std::max<std::size_t>(1, pieces.size());
    at_ = pieces.all();
}

std::vector<double> WallPieces::sums(const std::vector<double>& values) const
{
    std::vector<double> sums(count, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        for (int k = 0; k < 8; ++k) sums[corners[places[i].block][std::size_t(k)]] += shareOf(places[i], k) * values[i];
    return sums;
}

void WallPieces::joinWhereFluidSticks(const std::vector<double>& slipping, const std::vector<double>& all)
{
    const std::vector<double> slips = sums(slipping), whole = sums(all);
    std::vector<std::uint32_t> able, to(count);
    std::iota(to.begin(), to.end(), 0);
    for (std::uint32_t piece = 0; piece < count; ++piece)
        if (slips[piece] > enough * whole[piece]) able.push_back(piece);
    if (able.empty() || able.size() == count) return;
    for (std::uint32_t piece = 0; piece < count; ++piece) {
        if (slips[piece] > enough * whole[piece]) continue;
        std::array<std::int64_t, 2> least{std::numeric_limits<std::int64_t>::max(), 0};
        for (const std::uint32_t other : able) {
            std::int64_t apart = 0;
            for (std::size_t a = 1; a < 4; ++a) {
                const std::int64_t along = at_[other][a] - at_[piece][a];
                apart += along * along;
            }
            const std::array<std::int64_t, 2> distance{at_[other][0] != at_[piece][0], apart};
            if (distance >= least) continue;
            least = distance;
            to[piece] = other;
        }
    }
    for (auto& ofBlock : corners)
        for (std::uint32_t& piece : ofBlock) piece = to[piece];
}

} // namespace lbm
