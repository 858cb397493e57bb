// SpecialNumbers: which number a special node has among all, by tile and node, from a bit of each node of tiles that have some: a host asks
// for single ones, a device makes a table of them. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Bits.hpp"

#include <cstddef>
#include <cstdint>

namespace lbm {

template<int nodes>
struct SpecialNumbers {
    static constexpr int wordsOfRow = nodes / 64;
    static_assert(nodes % 64 == 0, "rows are whole words");

    const std::uint64_t* isSpecial; // [rows][words]
    const std::int32_t* firstOfRow;

    // -1: is none.
    LBM_HD std::int32_t of(std::size_t row, int local) const
    {
        const std::uint64_t* const words = isSpecial + row * wordsOfRow;
        const std::uint64_t own = words[local / 64];
        if (!(own >> local % 64 & 1)) return -1;
        std::int32_t number = firstOfRow[row] + bitsOf(own & ((std::uint64_t(1) << local % 64) - 1));
        for (int w = 0; w < local / 64; ++w) number += bitsOf(words[w]);
        return number;
    }
};

// For cuda::forEach, of all nodes of rows.
template<int nodes>
struct PutSpecialNumber {
    SpecialNumbers<nodes> numbers;
    std::int32_t* table;

    LBM_HD void operator()(std::size_t i) const { table[i] = numbers.of(i / nodes, int(i % nodes)); }
};

} // namespace lbm
