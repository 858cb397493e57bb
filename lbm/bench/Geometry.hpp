// Geometry: the word of --geometry becomes a case. Geometries that lbm/ cannot make by itself (surfaces)
// come through a table that the program's main hands in.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/geometries/generators.hpp"
#include "lbm/bench/Options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace lbm::bench {

// A file's fluid on n nodes along its longest side, links along the given directions.
struct GeometrySource {
    std::string prefix; // of "prefix:FILE"
    std::function<Domain(const std::string& file, int n, const std::vector<Int3>& directions)> make;
};

// Throws UsageError for a geometry that is unknown, or does not go with the lattice.
GeneratedCase makeGeometry(const Options&, const std::string& lattice, const std::vector<GeometrySource>&);

// Adds records of the links into walls that have none, so that they can interpolate. Where they meet the wall is not known:
// fractions are spread evenly, as those of a curved wall are, unless all are to be half-way. Sides of the box across different axes are different patches.
void recordWalls(GeneratedCase&, const std::vector<Int3>& directions, bool halfway);

// What makeGeometry is about to make, or a little less; 0 for a file, of which nothing is known beforehand.
double expectedFluidNodes(const Options&, const std::string& lattice);

// Which options, besides --size, tell what a geometry is; a file has none of them.
struct GeometryOptions {
    bool width = false;   // --width, in place of --size
    bool spheres = false; // --porosity, --diameter and --seed
};
GeometryOptions optionsOf(const std::string& geometry);

// Those that need no file, for messages.
std::string geometryWords();

} // namespace lbm::bench
