// What links take from faces of a patch, and give to them. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmPatchLinks.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

struct PatchLinks : testing::TestWithParam<const char*> {
    FoamCase c{GetParam()};

    // Of a patch, straight on: where its links cross it.
    Foam::pointField crossings(Foam::label patch) const
    {
        const Domain& d = c.lattice.domain();
        Foam::DynamicList<Foam::point> places;
        for (const Link& link : d.links) {
            if (link.patch != patch) continue;
            const Int3 at = d.coordinates(link.node), step = directionOf(link.direction);
            Vec3 x;
            for (int a = 0; a < 3; ++a) x[a] = at[a] + double(link.fraction) * step[a];
            places.append(c.lattice.axes().position(d, x));
        }
        return places;
    }

    template<class F>
    void forPatches(F&& f) const
    {
        int looked = 0;
        for (Foam::label patch = 0; patch < c.mesh.boundary().size(); ++patch) {
            const Foam::lbmPatchLinks links(c.lattice.domain(), lbm::LinkRuns(c.lattice.domain()), c.lattice.axes(),
                                            c.mesh.boundaryMesh()[patch]);
            if (links.faces().empty()) continue;
            f(links, c.mesh.boundary()[patch], crossings(patch));
            ++looked;
        }
        EXPECT_GT(looked, 1);
    }
};

TEST_P(PatchLinks, linearFunctionIsExactBetweenFaces)
{
    forPatches([](const Foam::lbmPatchLinks& links, const Foam::fvPatch& patch, const Foam::pointField& x) {
        const Foam::vector slope(7, -4, 3);
        const Foam::scalarField onFaces(3 + (slope & patch.Cf())), exact(3 + (slope & x));
        const Foam::scalarField found(links.atLinks(onFaces));
        int between = 0;
        for (Foam::label i = 0; i < x.size(); ++i) {
            // Faces of patches that turn a corner see none beyond it
            const Foam::scalar away = Foam::mag(exact[i] - onFaces[links.faces()[i]]);
            EXPECT_LE(Foam::mag(found[i] - exact[i]), away + 1e-9);
            if (Foam::mag(found[i] - exact[i]) < 1e-6 && away > 1e-6) ++between;
        }
        EXPECT_GT(between, x.size() / 2) << patch.name();
    });
}

TEST_P(PatchLinks, stepsStaySteps)
{
    forPatches([](const Foam::lbmPatchLinks& links, const Foam::fvPatch& patch, const Foam::pointField&) {
        Foam::scalarField onFaces(patch.size(), 0);
        for (Foam::label face = 0; face < patch.size() / 2; ++face) onFaces[face] = 1;
        for (const Foam::scalar value : Foam::scalarField(links.atLinks(onFaces))) {
            EXPECT_GE(value, 0);
            EXPECT_LE(value, 1);
        }
    });
}

// Walls from surfaces: links end off the mesh's faces, and see the one that is nearest of all
TEST_P(PatchLinks, linksOffTheFacesSeeTheNearestOne)
{
    Domain d = c.lattice.domain();
    for (std::size_t i = 0; i < d.links.size(); ++i) d.links[i].fraction = 0.05f + 0.9f * float(i % 7) / 7;
    const LinkRuns runs(d);
    int off = 0;
    for (const Foam::polyPatch& patch : c.mesh.boundaryMesh()) {
        const Foam::lbmPatchLinks links(d, runs, c.lattice.axes(), patch, false);
        const auto away = [&](Foam::label face, const Foam::point& x) {
            return patch.localFaces()[face].nearestPoint(x, patch.localPoints()).distance();
        };
        Foam::label next = 0;
        for (const Link& link : d.links) {
            if (link.patch != patch.index()) continue;
            const Int3 at = d.coordinates(link.node), step = directionOf(link.direction);
            Vec3 x;
            for (int a = 0; a < 3; ++a) {
                x[a] = at[a] + double(link.fraction) * step[a];
                if (d.periodic[a]) x[a] -= d.size[a] * std::floor((x[a] + 0.5) / d.size[a]);
            }
            const Foam::point place(c.lattice.axes().position(d, x));
            Foam::scalar least = Foam::GREAT;
            for (Foam::label face = 0; face < patch.size(); ++face) least = std::min(least, away(face, place));
            ASSERT_NEAR(away(links.faces()[next++], place), least, 1e-5 * d.spacing) << patch.name();
            off += least > 0.01 * d.spacing;
        }
    }
    EXPECT_GT(off, 100);
}

// Both sides of a wall without thickness are of one patch and in one place, with the same points or points of their own
TEST_P(PatchLinks, linksMeetTheSideOfAWallThatTheyComeFrom)
{
    const Domain& d = c.lattice.domain();
    forPatches([&](const Foam::lbmPatchLinks& links, const Foam::fvPatch& patch, const Foam::pointField&) {
        Foam::label i = 0;
        for (const Link& link : d.links) {
            if (link.patch != patch.index()) continue;
            const Int3 step = directionOf(link.direction);
            const Foam::vector direction(c.lattice.axes().toFoam({double(step[0]), double(step[1]), double(step[2])}));
            EXPECT_GE(patch.Sf()[links.faces()[i++]] & direction, -1e-12);
        }
    });
}

// Where faces lie in a plane
TEST_P(PatchLinks, facesGetForceAndMomentOfTheLinks)
{
    forPatches([](const Foam::lbmPatchLinks& links, const Foam::fvPatch& patch, const Foam::pointField& x) {
        const Foam::vectorField normals(patch.nf());
        if (max(mag(normals - normals[0])) > 1e-9) return;
        Foam::vectorField forces(x.size());
        for (Foam::label i = 0; i < x.size(); ++i)
            forces[i] = {std::sin(3.0 * i), std::cos(7.0 * i), std::sin(5.0 * i)};
        const Foam::vectorField onFaces(links.onFaces(forces));
        const Foam::vector origin(x[0]);
        EXPECT_LT(mag(sum(onFaces) - sum(forces)), 1e-9 * sum(mag(forces)));
        const Foam::vector moment(sum((x - origin) ^ forces)), found(sum((patch.Cf() - origin) ^ onFaces));
        EXPECT_LT(mag(found - moment), 1e-6 * sum(mag(x - origin) * mag(forces))) << patch.name();
    });
}

// A body of cells with four planes of symmetry: forces with the same symmetry turn it nowhere. Links cross its
// faces on their edges.
TEST(PatchLinksOfSteps, symmetricForcesHaveNoMoment)
{
    const FoamCase c("steps");
    const Foam::label patch = c.mesh.boundaryMesh().findPatchID("body");
    const Foam::lbmPatchLinks links(c.lattice.domain(), lbm::LinkRuns(c.lattice.domain()), c.lattice.axes(),
                                    c.mesh.boundaryMesh()[patch]);
    Foam::DynamicList<Foam::vector> forces;
    for (const Link& link : c.lattice.domain().links) {
        if (link.patch != patch) continue;
        const Int3 step = directionOf(link.direction);
        forces.append(c.lattice.axes().toFoam({double(step[0]), double(step[1]), double(step[2])}));
    }
    ASSERT_GT(forces.size(), 50);
    const Foam::vectorField onFaces(links.onFaces(Foam::vectorField(forces)));
    const Foam::vectorField arms(c.mesh.boundary()[patch].Cf() - c.mesh.bounds().midpoint());
    EXPECT_LT(mag(sum(onFaces)), 1e-12 * sum(mag(onFaces)));
    EXPECT_LT(mag(sum(arms ^ onFaces)), 1e-12 * sum(mag(arms) * mag(onFaces)));
    // Whichever way the body is mirrored, faces get the same
    for (Foam::label i = 0; i < arms.size(); ++i)
        for (Foam::label j = 0; j < arms.size(); ++j)
            if (Foam::mag(arms[j] + arms[i]) < 1e-9) { EXPECT_LT(mag(onFaces[i] + onFaces[j]), 1e-9); }
}

INSTANTIATE_TEST_SUITE_P(Mesh, PatchLinks,
                         testing::Values("channel", "fineLattice", "graded", "turned", "baffle", "slit"));

} // namespace
} // namespace lbm::test
