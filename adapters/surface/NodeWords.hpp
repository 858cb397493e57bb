// NodeWords: flags of nodes 64 at a time. Most of a box lies far from any surface, where a word of them is told by one look.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm::exact {

using NodeWord = std::uint64_t;
constexpr int nodesOfWord = 64;

// The lowest n bits, n from 0 to 64.
inline NodeWord lowest(int n) { return n == nodesOfWord ? ~NodeWord(0) : (NodeWord(1) << n) - 1; }

// n flags from one on, which may begin within a word; those before the first one and behind the last are 0, and bits beyond n may be
// anything. A word that holds none of them is not read: another thread may be writing it.
inline NodeWord wordAt(const BitSet& bits, NodeIndex first, int n = nodesOfWord)
{
    const std::vector<NodeWord>& words = bits.words();
    const NodeIndex word = first >> 6; // rounds down
    const int shift = int(first & 63);
    const auto at = [&](NodeIndex w) { return w >= 0 && w < NodeIndex(words.size()) ? words[std::size_t(w)] : 0; };
    if (shift + n <= nodesOfWord) return at(word) >> shift;
    return at(word) >> shift | at(word + 1) << (nodesOfWord - shift);
}

// Calls act(begin, length) for each run of ones.
template<class Act>
void forRuns(NodeWord word, const Act& act)
{
    while (word) {
        const int begin = __builtin_ctzll(word);
        const NodeWord rest = ~(word >> begin);
        const int length = rest ? __builtin_ctzll(rest) : nodesOfWord;
        act(begin, std::min(length, nodesOfWord - begin));
        if (begin + length >= nodesOfWord) return;
        word &= ~NodeWord(0) << (begin + length);
    }
}

// Makes n flags from `first` on those of the word.
inline void putWord(BitSet& bits, NodeIndex first, int n, NodeWord word)
{
    const NodeWord own = lowest(n), before = wordAt(bits, first, n) & own;
    forRuns(word & own & ~before, [&](int begin, int length) { bits.setIn(first + begin, length); });
    for (NodeWord gone = before & ~word; gone; gone &= gone - 1) bits.clear(first + __builtin_ctzll(gone));
}

// Calls act(x, n) for the words of a row: nodes [x, x + n), n up to 64.
template<class Act>
void forWords(int row, const Act& act)
{
    for (int x = 0; x < row; x += nodesOfWord) act(x, std::min(nodesOfWord, row - x));
}

} // namespace lbm::exact
