// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPackedLabels.H"

#include <algorithm>

Foam::lbmPackedLabels::lbmPackedLabels(const labelUList& all)
:
    size_(all.size())
{
    blocks_.reserve((std::size_t(size_) + inBlock - 1)/inBlock);
    std::size_t words = 0;
    for (label first = 0; first < size_; first += inBlock)
    {
        const auto from = all.begin() + first;
        const auto ends = std::minmax_element(from, from + min(label(inBlock), size_ - first));
        std::uint32_t bits = 0;
        for
        (
            std::uint64_t most = std::uint64_t(std::int64_t(*ends.second) - *ends.first);
            most > 0;
            most >>= 1
        ) ++bits;
        blocks_.push_back({words, *ends.first, bits});
        words += bits;
    }
    words_.resize(words);
    for (label i = 0; i < size_; ++i)
    {
        const block& its = blocks_[std::size_t(i)/inBlock];
        if (its.bits == 0) continue;
        const unsigned at = unsigned(i) % inBlock*its.bits, shift = at % 64;
        std::uint64_t* const word = &words_[its.firstWord + at/64];
        const auto above = std::uint64_t(std::int64_t(all[i]) - its.least);
        word[0] |= above << shift;
        if (shift + its.bits > 64) word[1] |= above >> (64 - shift);
    }
}


Foam::label Foam::lbmPackedLabels::find(const label value) const
{
    const auto behind = std::upper_bound
    (
        blocks_.begin(),
        blocks_.end(),
        value,
        [](const label sought, const block& its){ return sought < its.least; }
    );
    if (behind == blocks_.begin()) return -1;
    label low = label(behind - blocks_.begin() - 1)*inBlock;
    label end = min(low + label(inBlock), size_);
    while (low < end)
    {
        const label middle = low + (end - low)/2, there = (*this)[middle];
        if (there == value) return middle;
        if (there < value) low = middle + 1;
        else end = middle;
    }
    return -1;
}


Foam::labelList Foam::lbmPackedLabels::list() const
{
    labelList result(size_);
    forAll(result, i) result[i] = (*this)[i];
    return result;
}
