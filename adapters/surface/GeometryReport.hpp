// GeometryReport: what a user should know of a surface and of the lattice in it before a run.
//
// Lengths, areas and volumes are in SI units, gaps and walls in node spacings.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/Rims.hpp"
#include "adapters/surface/SurfaceDomain.hpp"
#include "adapters/surface/Topology.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/model/TileOffsets.hpp"
#include "lbm/model/TileOrder.hpp"

namespace lbm {

// Distances along normals, over the triangles that the fluid meets; shares and percentiles by area.
struct Distances {
    std::int64_t measured = 0, belowOne = 0, belowTwo = 0; // triangles, of these below 1 and 2 spacings
    double shareBelowOne = 0, shareBelowTwo = 0;
    double least = 0, percent1 = 0, percent5 = 0, percent50 = 0;
};

struct GeometryReport {
    std::string name;

    // Surface, without the enclosure
    std::int64_t triangles = 0, points = 0, regions = 0;
    std::int64_t degenerate = 0, repeated = 0, flipped = 0; // triangles
    std::int64_t openEdges = 0, branchEdges = 0, misorientedEdges = 0;
    std::int64_t crossingPairs = 0, touchingPairs = 0, crossingTriangles = 0;
    std::int64_t shells = 0, closedShells = 0, bodies = 0, cavities = 0, insideOut = 0, sheets = 0;
    double area = 0;   // of all shells
    double volume = 0; // that bodies hold less their cavities, holes closed; what overlaps counts twice

    std::vector<RimFate> rims; // as the caller closed them before

    // Lattice
    Int3 size{};
    double spacing = 0;
    Vec3 origin{};
    NodeIndex fluidNodes = 0; // kept
    SurfaceFacts facts;
    double enclosureVolume = 0;     // 0: no enclosure
    double expectedFluidVolume = 0; // by the surface and the enclosure; 0: not known
    double fluidVolume = 0;         // nodes times cubed spacing, before pockets were removed
    // What the kept fluid meets of the surface: by links (Crofton's formula, without those across holes,
    // corrected for the triangles' orientations) and by triangles
    double wettedArea = 0, expectedWettedArea = 0;
    std::vector<std::string> regionsWithoutLink;
    Pockets pockets;

    Distances gap, wall; // through fluid and through solid
    std::vector<TileChoice> tiles;
    static constexpr std::int64_t nearTiles = 256;
    std::vector<model::TileOrder> orders; // of the same tiles: neighbours at most nearTiles apart

    // Of the kept region: methods of Tomczak & Szafran with D3Q19, double precision and tiles of 4x4x4, and the
    // kernels of this build with D3Q19 and lbmFoam's defaults, as lbm/model predicts them.
    model::Tiling tiling;
    struct MethodOverhead {
        std::string name;
        double memory, traffic, transactions;
    };
    std::vector<MethodOverhead> methods;
    model::Choice storages;

    // Spacings, each half the one before, and the share of the wetted area in front of which a gap has fewer
    // than `acrossGap` of them; the first that leaves at most `allowedShare` is recommended, else the last.
    static constexpr int acrossGap = 4;
    static constexpr double allowedShare = 0.05;
    struct Refinement {
        double spacing, shareOfNarrow;
    };
    std::vector<Refinement> refinements;
    double recommendedSpacing = 0;

    // One a triangle of the surface, the enclosure's included
    std::vector<std::uint8_t> defects;
    std::vector<int> shell;
    std::vector<float> gaps, walls; // 0: none
    std::vector<char> wetted;
};

// Voxelizes with all 27 directions, keeps one region as keepConnected does along the axes, and looks.
GeometryReport geometryReport(const TriangleMesh& mesh, const LatticeBox& box, const SurfaceOptions& options);

// For people, and for programs (keys as the members above).
std::string reportText(const GeometryReport& report);
std::string reportJson(const GeometryReport& report);

} // namespace lbm
