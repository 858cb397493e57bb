// Copies between arrays as rows, and rows at constant distances: every value gets there, and what a face takes is small.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RowCopies.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace {

using lbm::RowCopies;

struct Copy {
    std::size_t to, from;
};

RowCopies listOf(const std::vector<Copy>& values)
{
    RowCopies copies;
    for (const Copy& value : values) copies.add(value.to, value.from);
    copies.finish();
    return copies;
}

// By teams of one and three: as value by value
void expectCopied(const std::vector<Copy>& values, std::size_t sizeFrom, std::size_t sizeTo)
{
    const RowCopies copies = listOf(values);
    std::vector<int> from(sizeFrom);
    std::iota(from.begin(), from.end(), 1);
    std::vector<int> expected(sizeTo, 0);
    for (const Copy& value : values) expected[value.to] = from[value.from];
    for (const int threads : {1, 3}) {
        std::vector<int> to(sizeTo, 0);
#pragma omp parallel num_threads(threads)
        copies.copyShare(from.data(), to.data());
        EXPECT_EQ(to, expected) << threads << " threads";
    }
}

// Nodes of a face across x of tiles of 8 x 4 x 4 nodes, so many of them along y and z, `layers` deep, into a room one by one
std::vector<Copy> face(int alongY, int alongZ, int layers)
{
    std::vector<Copy> values;
    for (int z = 0; z < alongZ; ++z)
        for (int y = 0; y < alongY; ++y)
            for (int x = 0; x < layers; ++x) {
                const int tile = y / 4 + alongY / 4 * (z / 4), local = x + 8 * (y % 4 + 4 * (z % 4));
                values.push_back({values.size(), std::size_t(27 * 128 * tile + local)});
            }
    return values;
}

TEST(RowCopies, FacesAcrossX)
{
    for (const int layers : {1, 2, 8}) {
        const auto values = face(16, 12, layers);
        expectCopied(values, 27 * 128 * 12, values.size());
        auto back = values;
        for (Copy& value : back) std::swap(value.to, value.from);
        expectCopied(back, values.size(), 27 * 128 * 12);
        EXPECT_LE(listOf(values).bytes(), 8 * values.size()) << layers << " layers";
    }
}

// Nodes whose values lie one node further along x, so that tiles cut each row: pieces of three and one take turns
TEST(RowCopies, PiecesThatTakeTurns)
{
    std::vector<Copy> values;
    for (std::size_t row = 0; row < 256; ++row)
        for (std::size_t x = 5; x < 9; ++x)
            values.push_back({values.size(), 27 * 128 * (row / 16 + 16 * (x / 8)) + x % 8 + 8 * (row % 16)});
    expectCopied(values, 27 * 128 * 32, values.size());
    EXPECT_LE(listOf(values).bytes(), 6 * values.size());
}

TEST(RowCopies, WholeRowsAreOne)
{
    std::vector<Copy> values;
    for (std::size_t i = 0; i < 1000; ++i) values.push_back({i + 7, i + 3});
    expectCopied(values, 2000, 2000);
    EXPECT_LE(listOf(values).bytes(), 32u);
}

// Far apart, forwards and backwards, with rows of any length
TEST(RowCopies, AnyOrder)
{
    std::mt19937 random(20);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::size_t> to(500), from(500);
        std::iota(to.begin(), to.end(), 0);
        std::iota(from.begin(), from.end(), 0);
        // Runs stay together more and more
        for (int i = 0; i < 600 - 30 * round; ++i) {
            std::swap(to[random() % 500], to[random() % 500]);
            std::swap(from[random() % 500], from[random() % 500]);
        }
        std::vector<Copy> values;
        for (std::size_t i = 0; i < 500; ++i) values.push_back({to[i], from[i]});
        expectCopied(values, 500, 500);
    }
    // Distances beyond 32 bits are no distances of rows
    const std::size_t far = std::size_t(1) << 33;
    RowCopies copies = listOf({{0, 0}, {far, 1}, {2 * far, 2}});
    EXPECT_EQ(copies.bytes(), 3 * 32u);
    expectCopied({}, 1, 1);
}

} // namespace
