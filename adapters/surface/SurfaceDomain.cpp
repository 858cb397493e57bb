// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceDomain.hpp"

#include "adapters/surface/SurfaceTeam.hpp"

#include <cmath>

namespace lbm {

namespace {

void checkArguments(const TriangleMesh& mesh, const LatticeBox& box, const SurfaceOptions& options)
{
    for (int n : box.size)
        if (n < 1) throw std::invalid_argument("makeDomain: a side of the box has no node");
    if (!(box.spacing > 0 && std::isfinite(box.spacing)))
        throw std::invalid_argument("makeDomain: the spacing must be positive");
    if (mesh.triangles.empty()) throw SurfaceError(options.name + " has no triangle");
    if (!options.transparent.empty() && options.transparent.size() != mesh.regionNames.size())
        throw std::invalid_argument("makeDomain: `transparent` needs one entry a region");
    if (options.rule == InsideRule::exact) requireClosed(mesh, options.name);
    if (options.enclosure == 0 || options.enclosure >= std::int64_t(mesh.triangles.size()))
        throw std::invalid_argument("makeDomain: the enclosure needs triangles, and others before it");
}

} // namespace

Domain makeDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                  const SurfaceOptions& options, SurfaceFacts* facts)
{
    checkArguments(mesh, box, options);
    SurfaceFacts unasked;
    SurfaceFacts& filled = facts ? *facts : unasked;
    filled = SurfaceFacts();
    return exact::sharedDomain(mesh, box, directions, options, filled);
}

TriangleMesh bodiesOf(const TriangleMesh& mesh, const SurfaceOptions& options)
{
    TriangleMesh bodies = mesh;
    if (options.enclosure > 0) {
        bodies.triangles.resize(options.enclosure);
        bodies.regions.resize(options.enclosure);
    }
    return bodies;
}

Bounds fluidBounds(const TriangleMesh& mesh, const SurfaceOptions& options)
{
    if (options.enclosure <= 0) return bounds(mesh);
    TriangleMesh around;
    const auto first = std::size_t(options.enclosure);
    for (std::size_t t = first; t < mesh.triangles.size(); ++t) {
        Int3 corners = mesh.triangles[t];
        for (int& corner : corners) {
            around.points.push_back(mesh.points[corner]);
            corner = int(around.points.size()) - 1;
        }
        around.triangles.push_back(corners);
    }
    return bounds(around);
}

double nodesAlong(double side, double spacing)
{
    const double whole = side / spacing;
    return std::ceil(whole - 1e-6 * std::abs(whole));
}

LatticeBox boxAround(const TriangleMesh& mesh, int n)
{
    if (n < 1) throw std::invalid_argument("boxAround: at least one node along the longest side");
    if (mesh.triangles.empty()) throw SurfaceError("a surface without a triangle has no bounds");
    const Bounds b = bounds(mesh);
    const double longest = std::max({b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]});
    if (!(longest > 0)) throw SurfaceError("the surface is a point");
    LatticeBox box;
    box.spacing = longest / n;
    for (int a = 0; a < 3; ++a) {
        const double side = b.max[a] - b.min[a];
        box.size[a] = std::max(1, int(nodesAlong(side, box.spacing)));
        box.origin[a] = (b.min[a] + b.max[a]) / 2 - box.spacing * (box.size[a] - 1) / 2;
    }
    return box;
}

Domain surfaceDomain(const std::string& file, int n, const std::vector<Int3>& directions)
{
    const TriangleMesh mesh = readSurface(file);
    SurfaceOptions options;
    options.name = file;
    return makeDomain(mesh, boxAround(mesh, n), directions, options);
}

} // namespace lbm
