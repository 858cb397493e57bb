// Generators: domains made from a few numbers, for benchmarks and tests. Units: lattice.
//
// `directions` are those of a lattice (latticeDirections), so that only links it uses are listed.
// All of them throw std::invalid_argument for extents below 1, for no directions, and as stated.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Config.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

struct GeneratedCase {
    Domain domain;
    std::vector<LinkValue> patches;     // for Config::patches
};

// n x n x n (n x n x 1) fluid nodes between half-way walls. The lid (patch `lid`) is the top in y and
// moves along x; links that leave through another side as well belong to patch `walls`, as every
// other one, so that no mass goes astray.
GeneratedCase cavity3D(int n, const std::vector<Int3>& directions, double lidSpeed = 0.05);
GeneratedCase cavity2D(int n, const std::vector<Int3>& directions, double lidSpeed = 0.05);

// Fluid everywhere, periodic everywhere; two-dimensional for size[2] == 1.
GeneratedCase box(const Int3& size);

// Random array of overlapping spheres, periodic: spheres of the given diameter are added until at
// most the share `porosity` of the nodes is fluid; links into a sphere are resting walls without a
// record. The same seed gives the same array on every machine. Throws for a porosity outside (0, 1]
// and for a diameter not in [1, n].
GeneratedCase ras(int n, double porosity, double diameter = 40, std::uint64_t seed = 1);

} // namespace lbm
