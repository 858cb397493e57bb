// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Geometry.hpp"

#include "lbm/solver/Solver.hpp"

#include <algorithm>

namespace lbm::bench {
namespace {

bool isFlat(const std::vector<Int3>& directions)
{
    return std::all_of(directions.begin(), directions.end(), [](const Int3& c) { return c[2] == 0; });
}

GeneratedCase fromFile
(
    const Options& o, const std::vector<Int3>& directions, const std::vector<GeometrySource>& sources
)
{
    const auto colon = o.geometry.find(':');
    const std::string prefix = o.geometry.substr(0, colon), file = o.geometry.substr(colon + 1);
    for (const GeometrySource& source : sources) {
        if (source.prefix != prefix) continue;
        GeneratedCase result{source.make(file, o.size, directions), {}};
        result.patches.resize(result.domain.patches.size());    // resting walls
        return result;
    }
    if (prefix == "stl")
        throw UsageError("--geometry " + o.geometry + ": this build of lbmBench reads no surfaces; "
            "the one of preset release with OpenFOAM present does");
    throw UsageError("--geometry " + o.geometry + ": no source '" + prefix + ":'");
}

} // namespace

double expectedFluidNodes(const Options& o, const std::string& lattice)
{
    if (o.geometry.find(':') != std::string::npos) return 0;
    const double nodes = double(o.size)*o.size*(isFlat(latticeDirections(lattice)) ? 1 : o.size);
    return o.geometry == "ras" ? o.porosity*nodes : nodes;
}

GeneratedCase makeGeometry
(
    const Options& o, const std::string& lattice, const std::vector<GeometrySource>& sources
)
{
    const std::vector<Int3> directions = latticeDirections(lattice);
    const bool flat = isFlat(directions);
    const auto needs = [&](bool two) {
        if (flat != two)
            throw UsageError("--geometry " + o.geometry + " is " + (two ? "two" : "three")
                + "-dimensional, lattice " + lattice + " is not");
    };

    if (o.geometry == "cavity3D") { needs(false); return cavity3D(o.size, directions); }
    if (o.geometry == "cavity2D") { needs(true); return cavity2D(o.size, directions); }
    if (o.geometry == "ras") { needs(false); return ras(o.size, o.porosity, o.diameter, o.seed); }
    if (o.geometry == "box") return box({o.size, o.size, flat ? 1 : o.size});
    if (o.geometry.find(':') != std::string::npos) { needs(false); return fromFile(o, directions, sources); }
    throw UsageError("--geometry " + o.geometry + ": unknown; valid are cavity3D, cavity2D, box, ras, stl:FILE");
}

} // namespace lbm::bench
