// DirectionNumbers: which direction of a lattice points where. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <vector>

namespace lbm {

class DirectionNumbers {
public:
    // directions: in the lattice's order.
    explicit DirectionNumbers(const std::vector<Int3>& directions)
    {
        numbers_.fill(directions.size());
        for (std::size_t q = 0; q < directions.size(); ++q) numbers_[codeOf(directions[q])] = q;
    }

    // As many as there are for one that the lattice lacks. c: of components -1, 0, 1.
    std::size_t operator()(const Int3& c) const { return numbers_[codeOf(c)]; }

private:
    static std::uint8_t codeOf(const Int3& c) { return directionCode(c[0], c[1], c[2]); }

    std::array<std::size_t, 27> numbers_;
};

} // namespace lbm
