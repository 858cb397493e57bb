// WallPieces: the pieces of a wall each of which brings nothing by itself where a law is followed link by link (WallLaw.hpp). They
// overlap: the shares of a link in the pieces around it are linear in its place along each axis and add up to 1, so that no piece ends
// where another begins. A sharp end cuts the steps that an oblique wall has on the lattice, of which one brings what the next takes:
// balanced in blocks of four nodes with sharp ends a channel's walls at 26.6 degrees took 1.5 times their friction, so they take it to
// 0.1 %. No piece goes past an edge of the wall, nor across a turned patch. A wall that is balanced as a whole lets a stream in at the
// front of a body and out where it sucks.
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

    // Where the fluid sticks links take mass, too, but bring none: pieces that have less than `enough` of their area left are one with
    // the nearest that has more, of the same side if there is one. slipping: of links, their share of the wall's area, none where the
    // fluid sticks; all: wherever it does.
    static constexpr double enough = 0.1;
    void joinWhereFluidSticks(const std::vector<double>& slipping, const std::vector<double>& all);

    // Sums of values of links, by pieces.
    std::vector<double> sums(const std::vector<double>&) const;

    std::vector<Place> places; // of links
    // Of blocks, which piece: number k is above along axis a if k >> a & 1.
    std::vector<std::array<std::uint32_t, 8>> corners;
    std::size_t count = 1;

private:
    std::vector<std::array<std::int64_t, 4>> at_; // of pieces: their side, and which along each axis
};

// A link's share in the piece at a corner of its block. Also on a device.
constexpr double shareOf(const WallPieces::Place& at, int corner)
{
    double share = 1;
    for (int a = 0; a < 3; ++a) share *= corner >> a & 1 ? double(at.within[a]) : 1 - double(at.within[a]);
    return share;
}

} // namespace lbm
