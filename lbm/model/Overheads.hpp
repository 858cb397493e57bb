// Overheads of methods for sparse domains: memory and traffic beyond what the fluid nodes' populations need, as a
// share of that. Equations (9) to (43) of Tomczak & Szafran 2019 and the ideal variants of their preprint's
// section 2.3.3, for any lattice, size of values and tile; tiles need not be cubes. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/model/Tiling.hpp"

namespace lbm::model {

enum class Method {
    twoCopies,       // T2C: tiles, two copies of the populations
    ghostBuffers,    // TGB: tiles, one copy and double-buffered ghost buffers
    fluidIndex,      // FIA: an index a node of the box, two copies, collision and propagation apart
    connectivity,    // CM: an index a population of fluid nodes, two copies
    idealFluidIndex, // the last two with one copy, moved once
    idealConnectivity,
    dense // populations of all nodes of the box, two copies
};

// Numbers of directions by the faces they cross (section 3.1.1.2) and what follows from them.
struct LatticeCounts {
    int dimensions, q;
    int one, two, three; // q_s, q_d, q_t

    double ghostBuffersPerValue() const { return double(one + 2 * two + 3 * three) / q; } // C_gb
    int ghostIndices() const { return 2 * one + 5 * two + 10 * three; }                   // C_gbi
    int corners() const { return dimensions == 2 ? two : three; }                         // q_c
};

LatticeCounts countDirections(const std::vector<Int3>& directions);

// Bytes.
struct Sizes {
    double value = 8;        // s_d
    double nodeType = 2;     // s_t
    double tileIndex = 4;    // s_ti
    double ghostIndex = 4;   // s_gbi
    double nodeIndex = 4;    // s_CM_idx, s_FIA_idx
    double transaction = 32; // s_b
};

// What the equations take; Tiling gives all of it, a published table some.
struct SparseCase {
    LatticeCounts lattice;
    Int3 tile;
    Sizes sizes;
    double porosity = 1, tilePorosity = 1;
    double allOverFluid = 1; // N_tiles/N_ftiles
    double alphaM = 1, alphaB = 1;
};

SparseCase sparseCase(const Tiling&, const std::vector<Int3>& directions, const Sizes&);

double nodeMemory(const SparseCase&);  // M_node (9)
double nodeTraffic(const SparseCase&); // B_node (10), a step

// Their sums are Delta^M: (13), (15), (24), (30).
struct MemoryOverhead {
    double solid = 0;     // populations of solid nodes (20)
    double nodeTypes = 0; // (21)
    double races = 0;     // second copy (22) or ghost buffers (28)
    double addresses = 0; // maps and indices (23), (29)

    double sum() const { return solid + nodeTypes + races + addresses; }
};

// ideal() is Delta^B: (14), (16), (35), (37); burst() adds what memory moves in whole transactions: (41), (42).
struct TrafficOverhead {
    double nodeTypes = 0;    // (33)
    double addresses = 0;    // (34), (36)
    double twice = 0;        // populations moved again between collision and propagation
    double solid = 0;        // whole tiles (38)
    double ghostBuffers = 0; // (39), (40)

    double ideal() const { return nodeTypes + addresses + twice; }
    double burst() const { return ideal() + solid + ghostBuffers; }
};

MemoryOverhead memoryOverhead(Method, const SparseCase&);
TrafficOverhead trafficOverhead(Method, const SparseCase&);

// BU (43), of a bandwidth in bytes per second.
double utilisation(double mlups, double bytesPerNode, double bandwidth);

} // namespace lbm::model
