// The force that drives a flow, from lbmDict and from the case's sources. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmForce.H"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

const double fluidNu = 0.01;

void expectForce(const Foam::vector& found, const Foam::vector& expected)
{
    EXPECT_LT(Foam::mag(found - expected), 1e-9) << found[0] << ' ' << found[1] << ' ' << found[2];
}

TEST(Force, ofTheDictionary)
{
    FoamCase c("periodic");
    const Foam::lbmSources sources(c.U, c.p, fluidNu);
    expectForce(Foam::lbmForce(sources, Foam::vector(1, 2, 3)).value(), {1, 2, 3});
}

TEST(Force, sourcesAddToTheDictionarys)
{
    FoamCase c("sourced");
    const Foam::lbmSources sources(c.U, c.p, fluidNu);
    expectForce(Foam::lbmForce(sources, Foam::vector(0, 0, 0)).value(), {5, 0, -1});
    expectForce(Foam::lbmForce(sources, Foam::vector(1, 2, 3)).value(), {6, 2, 2});
}

} // namespace
} // namespace lbm::test
