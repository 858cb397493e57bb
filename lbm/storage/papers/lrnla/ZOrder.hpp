// ZOrder: where cells lie in memory. Tiles keep the whole (folded) box at one time: groups of eight cells along Morton's curve
// within blocks of n cells a side, and blocks along that curve, too. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm::lrnla {

using Place = std::array<int, 3>;

// Bits of the numbers by turns, the first number's lowest.
template<std::size_t D>
constexpr std::uint64_t zipped(const std::array<int, D>& x)
{
    std::uint64_t code = 0;
    for (std::size_t a = 0; a < D; ++a)
        for (int bit = 0; x[a] >> bit != 0; ++bit) code |= std::uint64_t(x[a] >> bit & 1) << (D * bit + a);
    return code;
}

template<std::size_t D>
constexpr std::array<int, D> unzipped(std::uint64_t code)
{
    std::array<int, D> x{};
    for (int bit = 0; code >> D * bit != 0; ++bit)
        for (std::size_t a = 0; a < D; ++a) x[a] |= int(code >> (D * bit + a) & 1) << bit;
    return x;
}

class ZOrder {
public:
    // Throws std::invalid_argument unless n is a power of two, at least 2, and divides all extents.
    ZOrder(const Place& cells, int n) : n_(n)
    {
        if (n < 2 || !std::has_single_bit(unsigned(n)))
            throw std::invalid_argument("LRnLA: blocks have a power of two of cells a side, not " + std::to_string(n));
        std::vector<std::uint64_t> codes;
        for (int a = 0; a < 3; ++a) {
            if (cells[a] < n || cells[a] % n != 0)
                throw std::invalid_argument("LRnLA: blocks of " + std::to_string(n) + " cells a side do not fill "
                                            + std::to_string(cells[a]));
            blocks_[a] = cells[a] / n;
        }
        rank_.resize(std::size_t(blocks_[0]) * blocks_[1] * blocks_[2]);
        std::vector<std::size_t> order(rank_.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        for (std::size_t i : order) codes.push_back(zipped(blockAt(i)));
        std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return codes[i] < codes[j]; });
        for (std::size_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    }

    std::size_t cells() const { return rank_.size() * n_ * n_ * n_; }

    std::size_t operator()(const Place& x) const
    {
        std::size_t block = 0;
        Place within;
        for (int a = 2; a >= 0; --a) {
            block = block * blocks_[a] + x[a] / n_;
            within[a] = x[a] & (n_ - 1);
        }
        return rank_[block] * n_ * n_ * n_ + zipped(within);
    }

private:
    Place blockAt(std::size_t i) const
    {
        return {int(i % blocks_[0]), int(i / blocks_[0] % blocks_[1]), int(i / blocks_[0] / blocks_[1])};
    }

    int n_;
    Place blocks_;
    std::vector<std::size_t> rank_; // of a block on the curve
};

} // namespace lbm::lrnla
