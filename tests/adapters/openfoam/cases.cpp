// Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"

#include "linear.H"

#include <gtest/gtest.h>

namespace lbm::test {

std::string caseFolder;

namespace {

Foam::IOobject start(const Foam::word& name, const Foam::Time& time, const Foam::objectRegistry& registry,
                     Foam::IOobject::readOption read = Foam::IOobject::MUST_READ)
{
    return Foam::IOobject(name, time.timeName(), registry, read, Foam::IOobject::NO_WRITE);
}

} // namespace

FoamCase::FoamCase(const std::string& name) :
    time(Foam::Time::controlDictName, caseFolder, name),
    mesh(start(Foam::fvMesh::defaultRegion, time, time)),
    U(start("U", time, mesh), mesh),
    p(start("p", time, mesh), mesh),
    phi(start("phi", time, mesh, Foam::IOobject::NO_READ), Foam::linearInterpolate(U) & mesh.Sf()),
    controls(time),
    lattice(mesh, controls),
    boundary(U, p, phi, lattice.axes(), nullptr, false),
    config(controls.config(lattice.axes().dimensions()))
{
    lattice.build(config, boundary.preferredWalls(), boundary.mirrors(), boundary.slipPatches());
    boundary.connect(lattice.domain(), config.lattice);
}

Foam::point FoamCase::position(NodeIndex node) const
{
    const Int3 at = lattice.domain().coordinates(node);
    return lattice.axes().position(lattice.domain(), {double(at[0]), double(at[1]), double(at[2])});
}

std::unique_ptr<Solver> FoamCase::solver(double tau, int threads) const
{
    Config own = config;
    own.tau = tau;
    own.threads = threads;
    own.patches = boundary.uniform();
    return makeSolver(lattice.shared(), own);
}

Foam::lbmUnits FoamCase::units(double tau, double dt, double pressureLevel) const
{
    const double dx = lattice.domain().spacing;
    return {dx, dt, (tau - 0.5) / 3 * dx * dx / dt, pressureLevel};
}

} // namespace lbm::test

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER_WITH_CASES\n", argv[0]);
        return 1;
    }
    lbm::test::caseFolder = argv[1];
    Foam::FatalError.throwExceptions();
    Foam::FatalIOError.throwExceptions();
    return RUN_ALL_TESTS();
}
