// Sums over boxes as a GPU's warps make them, by a host (HostBlock.hpp), against sums term by term, to the last bit.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/host/HostBlock.hpp"

#include "lbm/api/NodeBoxes.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/BoxTables.hpp"
#include "lbm/solver/SumBoxes.cuh"
#include "lbm/storage/Tile.hpp"
#include "tests/boxes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace lbm::test {
namespace {

using Cube = Tile<8, 4, 2>;

// Extents that are no multiples of a tile's or a word's; `solid` of 16 nodes each.
std::shared_ptr<const Domain> domainOf(const Int3& size, int solid)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->fluid = BitSet(domain->nodes(), true);
    std::mt19937 random(7);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        if (int(random() % 16) < solid) domain->fluid.set(i, false);
    return domain;
}

struct States {
    const Macroscopic* all; // by tile and node

    template<bool strain>
    Macroscopic of(const NodePlace& place) const
    {
        Macroscopic s = all[std::size_t(place.tile) * Cube::N + std::size_t(place.local)];
        if (!strain) s.strainRate = {};
        return s;
    }
};

std::vector<Macroscopic> randomStates(std::int32_t tiles)
{
    std::vector<Macroscopic> states(std::size_t(tiles) * Cube::N);
    std::mt19937 random(3);
    const auto next = [&] { return double(random()) / double(std::mt19937::max()) - 0.5; };
    for (Macroscopic& s : states) {
        s.density = 1 + 0.1 * next();
        for (double& u : s.velocity) u = next();
        for (double& rate : s.strainRate) rate = next();
    }
    return states;
}

template<bool strain>
Extremes sumByWarps(const BoxesView& view, int boxes, Reading reading, const States& states,
                    std::vector<double>& values)
{
    using Share = BoxShare<strain>;
    const std::size_t blocks = Share::blocks(std::size_t(boxes));
    std::vector<Extremes> found(blocks);
    static_assert(Share::sharedBytes <= sizeof memory);
    for (std::size_t block = 0; block < blocks; ++block)
        hostBlock.run(unsigned(block), Share::threads,
                      [&] { sumBoxes<strain, Cube>(view, boxes, reading, states, values.data(), found.data()); });
    Extremes all{0, 0, 0, 0};
    for (const Extremes& own : found) include(all, own);
    return all;
}

void compare(const Domain& domain, const NodeBoxes& boxes, Reading reading)
{
    const TileGrid grid(domain, {Cube::TX, Cube::TY, Cube::TZ});
    const NodeBlocks blocks(domain, boxes, 1 << 20);
    const BoxTables tables(domain, blocks);
    const std::vector<Macroscopic> states = randomStates(grid.tiles());
    const int count = valuesOf(reading), n = int(boxes.boxes.size());
    std::vector<double> found(std::size_t(n * count), std::numeric_limits<double>::quiet_NaN()), expected;
    const BoxesView view{blocks.boxes.data(),
                         blocks.begin.data(),
                         tables.firstWords.data(),
                         tables.words.data(),
                         {grid.map().data(), {grid.count()[0], grid.count()[1]}}};
    const Extremes seen = reading == Reading::flow ? sumByWarps<false>(view, n, reading, {states.data()}, found)
                                                   : sumByWarps<true>(view, n, reading, {states.data()}, found);
    Extremes looked{0, 0, 0, 0};
    for (const NodeBox& box : boxes.boxes) {
        std::vector<double> sums(std::size_t(count), 0);
        forFluid(domain, box, [&](NodeIndex, int x, int y, int z) {
            const TilePlace at = grid.place({x, y, z});
            const Macroscopic s = reading == Reading::flow ? States{states.data()}.of<false>({at.tile, at.local})
                                                           : States{states.data()}.of<true>({at.tile, at.local});
            include(looked, extremesOf(s));
            for (int k = 0; k < count; ++k)
                sums[std::size_t(k)] =
                    std::fma(weightAt(box, x, y, z), valueOf(s, k + (reading == Reading::strainRate ? 4 : 0)),
                             sums[std::size_t(k)]);
        });
        if (reading != Reading::strainRate) sums[0] += 1;
        expected.insert(expected.end(), sums.begin(), sums.end());
    }
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)), 0);
    EXPECT_EQ(seen.speedSquare, looked.speedSquare);
    EXPECT_EQ(seen.excess, looked.excess);
    EXPECT_EQ(seen.rate, looked.rate);
}

} // namespace

// Boxes that are all fluid, partly, and not at all, of less than a warp's nodes and of many times as many, some of them behind
// the last whole warp.
TEST(BoxSums, areSumsTermByTerm)
{
    struct Case {
        Int3 size, cell;
    };
    const Int3 box{37, 20, 11};
    for (const int solid : {0, 3, 16})
        for (const Case& c :
             {Case{{5, 4, 3}, {1, 1, 1}}, {{16, 8, 8}, {4, 4, 4}}, {box, {5, 3, 7}}, {box, box}, {box, {9, 20, 11}}}) {
            const auto domain = domainOf(c.size, solid);
            for (const Reading reading : {Reading::flow, Reading::strainRate, Reading::state})
                compare(*domain, boxesOf(*domain, c.cell, NodeSet::Kind::sumsOfStates), reading);
        }
}

// A value that is no number is told of, and stays in its own box.
TEST(BoxSums, tellOfWhatIsNoNumber)
{
    const auto domain = domainOf({8, 8, 8}, 0);
    const TileGrid grid(*domain, {Cube::TX, Cube::TY, Cube::TZ});
    const NodeBoxes boxes = boxesOf(*domain, {4, 4, 4}, NodeSet::Kind::sumsOfFlow);
    const NodeBlocks blocks(*domain, boxes, 1 << 20);
    const BoxTables tables(*domain, blocks);
    std::vector<Macroscopic> states = randomStates(grid.tiles());
    const TilePlace bad = grid.place({5, 1, 1}); // in the second box
    states[std::size_t(bad.tile) * Cube::N + std::size_t(bad.local)].velocity[1] = std::nan("");
    std::vector<double> values(4 * boxes.boxes.size());
    const BoxesView view{blocks.boxes.data(),
                         blocks.begin.data(),
                         tables.firstWords.data(),
                         tables.words.data(),
                         {grid.map().data(), {grid.count()[0], grid.count()[1]}}};
    EXPECT_TRUE(std::isnan(
        sumByWarps<false>(view, int(boxes.boxes.size()), Reading::flow, {states.data()}, values).speedSquare));
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::isnan(values[i]), i == 4 + 2) << i;
}

} // namespace lbm::test
