// Generators: domains made from a few numbers, for benchmarks and tests. Units: lattice.
//
// `directions` are those of a lattice (latticeDirections), so that only links it uses are listed.
// All of them throw std::invalid_argument for extents below 1, for no directions, and as stated.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

struct GeneratedCase {
    Domain domain;
    std::vector<LinkValue> patches; // for Config::patches
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

// Closed vessels, all that is measured being the flow inside: nodes outside are solid, links into them resting walls
// without a record. n nodes along the longest side, at least 16; the shares of fluid are those of the cases of
// Tomczak & Szafran 2019. aneurysm: n^3 nodes, 0.18 of them fluid; a winding vessel, a sac where it branches.
// coarctation: n x n x 0.3 n, 0.094; an aorta with a narrow place behind the arch.
GeneratedCase aneurysm(int n);
GeneratedCase coarctation(int n);

// Plane networks of channels, of which the narrowest are `width` nodes wide; 0.2 of the nodes are fluid. chipA:
// 240 x 154 widths, two trees of channels that meet; chipB: 201 x 201 widths, a net of irregular meshes.
GeneratedCase chipA(int width);
GeneratedCase chipB(int width);

} // namespace lbm
