// BlockCounts: how many values blocks keep (BlockSweep.hpp), of one lane each. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>

namespace lbm {

struct BlockCounts {
    // Of a node: moments; what passes on to a line beside; sums of a row; what parts and ends of a row keep.
    static constexpr int populations = 19, count = 10, passing = 5, summed = 13, carried = 19, ends = 19;

    // Registers that a thread's sweep takes, of rows of n registers, a piece so wide and so many steps at most.
    static constexpr std::size_t ofSweep(std::size_t n, std::size_t width, int steps)
    {
        const std::size_t most = 2 * std::size_t(steps);
        return n * (summed + 6 * passing) + width * (carried + ends + n * passing) + most * (2 * n + 2 * width)
            + 2 * width * most * n * passing;
    }
};

} // namespace lbm
