// What nodes are rounded at random by (RoundedPlaces): the same in every part of a domain, and by blocks that slide along its tiles.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/storage/Tile.hpp"
#include "lbm/storage/moments/gpu/LayerShape.hpp"
#include "lbm/storage/moments/gpu/RoundedPlaces.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lbm::test {
namespace {

Domain fluidBox(const Int3& size, bool flat)
{
    Domain d;
    d.dimensions = flat ? 2 : 3;
    d.size = size;
    d.periodic = {true, true, !flat};
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

template<class L, class TileT>
void compareParts(const Int3& size)
{
    using Plane = Layer<L, TileT>;
    constexpr Int3 tile{TileT::TX, TileT::TY, TileT::TZ};
    constexpr std::uint32_t step = 17;
    const Domain whole = fluidBox(size, L::D == 2);
    const TileGrid grid(whole, tile);
    const PlacesOfTiles places(grid, whole);
    std::vector<std::uint32_t> expected(std::size_t(whole.nodes()));
    for (NodeIndex i = 0; i < whole.nodes(); ++i) {
        const TilePlace at = grid.place(whole.coordinates(i));
        expected[std::size_t(i)] = places.view(places.tiles.data()).template random<Plane>(at.tile, at.local, step);
    }
    EXPECT_EQ(std::set<std::uint32_t>(expected.begin(), expected.end()).size(), expected.size());
    bool offTiles = false;
    for (const CutNumbers& cuts : {CutNumbers{{1, 2, L::D - 1}}, CutNumbers{{3, 1, 1}}, CutNumbers{}}) {
        const Bricks bricks(whole, cuts.any() ? int(cuts.count()) : 5, {1, 1, 1}, {}, cuts);
        for (int p = 0; p < bricks.count(); ++p) {
            const PartDomain part(whole, bricks[p], 2, tile);
            const TileGrid own(*part.domain(), tile);
            const PlacesOfTiles its(own, *part.domain());
            const RoundedPlaces view = its.view(its.tiles.data());
            offTiles = offTiles || part.domain()->inWhole[L::D - 1] % Plane::depth != 0;
            for (std::int32_t t = 0; t < own.stepped(); ++t)
                for (int node = 0; node < Plane::nodes; ++node) {
                    std::uint32_t random = view.template below<Plane::X>(its.tiles[std::size_t(t)], node, step);
                    for (int l = 0; l < Plane::depth; ++l) {
                        random = randomAfter(random);
                        const int local = l * Plane::nodes + node;
                        ASSERT_EQ(random, view.template random<Plane>(t, local, step));
                        const Int3 o = own.origin(t),
                                   x{o[0] + local % TileT::TX, o[1] + local / TileT::TX % TileT::TY,
                                     o[2] + local / TileT::TX / TileT::TY};
                        const Domain& d = *part.domain();
                        if (x[0] >= d.size[0] || x[1] >= d.size[1] || x[2] >= d.size[2] || d.isGhost(x)) continue;
                        const Int3 global = part.global(d.index(x[0], x[1], x[2]));
                        ASSERT_EQ(random, expected[std::size_t(whole.index(global[0], global[1], global[2]))])
                            << global[0] << ' ' << global[1] << ' ' << global[2] << ", part " << p;
                    }
                }
        }
    }
    EXPECT_EQ(offTiles, Plane::depth > 1); // those of one layer begin everywhere
}

} // namespace

TEST(RoundedPlaces, areThoseOfTheWholeInEveryPart)
{
    compareParts<D3Q19, Tile<32, 8, 4>>({70, 21, 27});
    compareParts<D3Q19, Tile<32, 8, 1>>({70, 21, 27});
    compareParts<D2Q9, Tile<128, 8, 1>>({301, 53, 1});
}

} // namespace lbm::test
