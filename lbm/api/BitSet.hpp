// BitSet: one bit a node; a dense box of flags without the byte that a vector<char> would cost.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
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
    void setIn(std::int64_t first, std::int64_t n)
    {
        for (std::int64_t at = 0; at < n;) {
            const std::int64_t bit = first + at, taken = std::min<std::int64_t>(64 - (bit & 63), n - at);
            words_[std::size_t(bit >> 6)] |= ~std::uint64_t(0) >> (64 - taken) << (bit & 63);
            at += taken;
        }
    }
    // While other threads set bits, too; true: some were set before.
    void setShared(std::int64_t i) { setInShared(i, 1); }
    bool setInShared(std::int64_t first, std::int64_t n)
    {
        bool before = false;
        for (std::int64_t at = 0; at < n;) {
            const std::int64_t bit = first + at, taken = std::min<std::int64_t>(64 - (bit & 63), n - at);
            const std::uint64_t own = ~std::uint64_t(0) >> (64 - taken) << (bit & 63);
            std::uint64_t& word = words_[std::size_t(bit >> 6)];
            std::uint64_t there = __atomic_load_n(&word, __ATOMIC_RELAXED);
            if ((there & own) != own) there = __atomic_fetch_or(&word, own, __ATOMIC_RELAXED);
            before = before || (there & own);
            at += taken;
        }
        return before;
    }
    void clearIn(std::int64_t first, std::int64_t n)
    {
        for (std::int64_t i = first; i < first + n; ++i) clear(i);
    }
    void clear(std::int64_t i) { words_[i >> 6] &= ~(std::uint64_t(1) << (i & 63)); }
    void set(std::int64_t i, bool value) { value ? set(i) : clear(i); }

    // f(i) of each one that is set among n from `first` on, counted from there.
    template<class F>
    void forEachIn(std::int64_t first, std::int64_t n, F&& f) const
    {
        for (std::int64_t at = 0; at < n;) {
            const std::int64_t bit = first + at, taken = std::min<std::int64_t>(64 - (bit & 63), n - at);
            for (std::uint64_t word = wordAt(bit, taken); word; word &= word - 1) f(at + __builtin_ctzll(word));
            at += taken;
        }
    }

    std::int64_t countIn(std::int64_t first, std::int64_t n) const
    {
        std::int64_t sum = 0;
        for (std::int64_t at = 0; at < n;) {
            const std::int64_t bit = first + at, taken = std::min<std::int64_t>(64 - (bit & 63), n - at);
            sum += __builtin_popcountll(wordAt(bit, taken));
            at += taken;
        }
        return sum;
    }

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
    // So many bits from one on, all in one word.
    std::uint64_t wordAt(std::int64_t bit, std::int64_t taken) const
    {
        return words_[std::size_t(bit >> 6)] >> (bit & 63) & (~std::uint64_t(0) >> (64 - taken));
    }

    std::int64_t n_ = 0;
    std::vector<std::uint64_t> words_;
};

} // namespace lbm
