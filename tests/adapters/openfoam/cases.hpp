// OpenFOAM cases for tests of single classes: read from a folder that classes.sh has filled.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "fvMesh.H"
#include "lbmBoundary.H"
#include "lbmControls.H"
#include "lbmMeshDomain.H"
#include "lbmUnits.H"
#include "surfaceFields.H"
#include "volFields.H"

namespace lbm::test {

// Set by main from the command line.
extern std::string caseFolder;

// A mesh without a lattice.
struct FoamMesh {
    Foam::Time time;
    Foam::fvMesh mesh;

    explicit FoamMesh(const std::string& name) :
        time(Foam::Time::controlDictName, caseFolder, name),
        mesh(Foam::IOobject(Foam::fvMesh::defaultRegion, time.timeName(), time, Foam::IOobject::MUST_READ))
    {}
};

// Mesh and fields of a case at its start time, and its lattice for a cell size [m].
struct FoamCase {
    Foam::Time time;
    Foam::fvMesh mesh;
    Foam::volVectorField U;
    Foam::volScalarField p;
    Foam::surfaceScalarField phi;
    Foam::lbmControls controls;
    Foam::lbmMeshDomain lattice;
    Foam::lbmBoundary boundary;
    Config config;

    explicit FoamCase(const std::string& name);

    // Of a node [m].
    Foam::point position(NodeIndex) const;

    // Of its lattice, with every patch as it begins.
    std::unique_ptr<Solver> solver(double tau, int threads) const;

    // Of time step dt [s] with that tau.
    Foam::lbmUnits units(double tau, double dt, double pressureLevel) const;
};

} // namespace lbm::test
