// WallPieces: the pieces of a wall each of which brings nothing by itself (SlipBalance.hpp, WallLaw.hpp). They overlap: the shares of a
// link in the pieces around it are linear in its place along each axis and add up to 1, so that no piece ends where another begins. A
// sharp end cuts the steps that an oblique wall has on the lattice, of which one brings what the next takes: balanced in blocks of four
// nodes with sharp ends a channel's walls at 26.6 degrees took 1.5 times their friction, so they take it to 0.1 %. No piece goes past an
// edge of the wall. A wall that is balanced as a whole lets a stream in at the front of a body and out where it sucks.
//
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

struct WallPieces {
    // About how far the middles of pieces are apart; along periodic axes a whole number of times.
    static constexpr double width = 16;

    // Links lie in blocks between the middles of pieces, one at each corner: where in its block, from 0 to 1 along each axis.
    struct Place {
        std::uint32_t block = 0;
        float within[3] = {0, 0, 0};
    };

    WallPieces() = default;

    // links: numbers in Domain::links, rising. sides: of the wall, from 0 on, one a link: pieces are of one; empty: it has but one.
    WallPieces(const Domain&, const std::vector<std::size_t>& links, const std::vector<std::uint32_t>& sides = {});

    std::vector<Place> places; // of links
    std::vector<std::array<std::uint32_t, 8>>
        corners; // of blocks: which piece; number k is above along axis a if k >> a & 1
    std::size_t count = 1;
};

} // namespace lbm
