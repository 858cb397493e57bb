// BlockCounts: axes of blocks (BlockSweep.hpp), and how many values they keep, of one lane each. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>

namespace lbm {

// Sweeps are cut along the lattice's last axis, which they call z. In two dimensions there is one line along what they call y. From the
// lattice's axes to theirs, and back.
template<class OfAxes>
constexpr OfAxes alongSweep(const OfAxes& of, int dimensions)
{
    return dimensions == 2 ? OfAxes{of[0], of[2], of[1]} : of;
}

struct BlockCounts {
    // Of a node: moments; what passes on to a line beside; sums of a row; what parts and ends of a row keep.
    int dimensions, populations, count, passing, summed, carried, ends;

    static constexpr BlockCounts of(int dimensions)
    {
        return dimensions == 2 ? BlockCounts{2, 9, 6, 3, 5, 9, 9} : BlockCounts{3, 19, 10, 5, 13, 19, 19};
    }

    // Registers that a thread's sweep takes, of rows of n registers, a piece so wide and so many steps at most.
    constexpr std::size_t ofSweep(std::size_t n, std::size_t width, int steps) const
    {
        const std::size_t most = 2 * std::size_t(steps), row = n * (summed + 6 * passing) + width * (carried + ends);
        if (dimensions == 2) return row;
        return row + width * n * passing + most * (2 * n + 2 * width) + 2 * width * most * n * passing;
    }
};

} // namespace lbm
