// BitSet: one bit a node; a dense box of flags without the byte that a vector<char> would cost.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lbm {

class BitSet {
public:
    BitSet() = default;
    explicit BitSet(std::int64_t n, bool value = false) : n_(n), words_((n + 63) / 64, value ? ~std::uint64_t(0) : 0)
    {
        if (value && n % 64) words_.back() &= (std::uint64_t(1) << n % 64) - 1;
    }

    std::int64_t size() const { return n_; }
    bool operator[](std::int64_t i) const { return words_[i >> 6] >> (i & 63) & 1; }
    void set(std::int64_t i) { words_[i >> 6] |= std::uint64_t(1) << (i & 63); }
    void clear(std::int64_t i) { words_[i >> 6] &= ~(std::uint64_t(1) << (i & 63)); }
    void set(std::int64_t i, bool value) { value ? set(i) : clear(i); }

    // As they are kept, the first bit lowest
    const std::vector<std::uint64_t>& words() const { return words_; }
    BitSet(std::int64_t n, std::vector<std::uint64_t> words) : n_(n), words_(std::move(words)) {}

    std::int64_t count() const
    {
        std::int64_t sum = 0;
        for (std::uint64_t word : words_) sum += __builtin_popcountll(word);
        return sum;
    }

private:
    std::int64_t n_ = 0;
    std::vector<std::uint64_t> words_;
};

} // namespace lbm
