// The entry of lbmSurfaceReader, the module with OpenFOAM's readers. lbmSurface loads it when the first
// file is read, so that a program which reads none needs no OpenFOAM, and one that runs outside
// OpenFOAM's environment (lbmBench) can still read: the environment is set before its libraries load.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleMesh.hpp"

extern "C" {

// Fills mesh or, on failure, error.
using LbmReadSurface = void(const std::string& file, double scale, lbm::TriangleMesh& mesh, std::string& error);

LbmReadSurface lbmReadSurface;
}
