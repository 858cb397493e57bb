// What is published as a node of Conduit's Mesh Blueprint. Coordinates and fields are looked at where they are.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"

#include <catalyst_conduit.hpp>

#include <cstdint>
#include <vector>

// Connectivity in the Blueprint's order of corners, which for cubes along the axes is not VTK's
struct BlueprintCells {
    std::int64_t version = -1;
    std::vector<std::int32_t> connectivity, sizes;
    int uniformType = 0; // VTK's; 0: types has each cell's
    std::vector<std::int32_t> types;

    void set(const lbmInsituMesh&);
};

// Throws std::invalid_argument for cells or arrays that the Blueprint has no name for (polyhedra), and where it does not
// accept the node, after printing its reasons.
void setMesh(conduit_cpp::Node& node, const lbmInsituMesh&, const BlueprintCells&, const lbmInsituArray* fields, int n);
