// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/MeshEdges.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace lbm {

namespace {

std::ostream& operator<<(std::ostream& os, const Vec3& p)
{
    return os << '(' << p[0] << ' ' << p[1] << ' ' << p[2] << ')';
}

} // namespace

std::int16_t regionNumber(TriangleMesh& mesh, const std::string& name)
{
    const auto at = std::find(mesh.regionNames.begin(), mesh.regionNames.end(), name);
    if (at == mesh.regionNames.end()) {
        if (mesh.regionNames.size() >= std::size_t(std::numeric_limits<std::int16_t>::max()))
            throw SurfaceError("more regions than can be numbered");
        mesh.regionNames.push_back(name);
        return std::int16_t(mesh.regionNames.size() - 1);
    }
    return std::int16_t(at - mesh.regionNames.begin());
}

void append(TriangleMesh& mesh, const TriangleMesh& other)
{
    const int shift = int(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    std::vector<std::int16_t> number;
    for (const std::string& name : other.regionNames) number.push_back(regionNumber(mesh, name));
    for (std::size_t t = 0; t < other.triangles.size(); ++t) {
        const Int3& corners = other.triangles[t];
        mesh.triangles.push_back({corners[0] + shift, corners[1] + shift, corners[2] + shift});
        mesh.regions.push_back(number[other.regions[t]]);
    }
}

void appendBox(TriangleMesh& mesh, const Vec3& min, const Vec3& max, const std::array<std::string, 6>& names)
{
    TriangleMesh box;
    for (int i = 0; i < 8; ++i)
        box.points.push_back({i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]});
    const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int side = 0; side < 6; ++side) {
        const int* corner = sides[side];
        const std::int16_t region = regionNumber(box, names[side]);
        box.triangles.push_back({corner[0], corner[1], corner[2]});
        box.triangles.push_back({corner[0], corner[2], corner[3]});
        box.regions.insert(box.regions.end(), 2, region);
    }
    append(mesh, box);
}

Bounds bounds(const TriangleMesh& mesh)
{
    const double huge = std::numeric_limits<double>::max();
    Bounds box{{huge, huge, huge}, {-huge, -huge, -huge}};
    for (const Int3& triangle : mesh.triangles) {
        for (int corner : triangle) {
            for (int a = 0; a < 3; ++a) {
                box.min[a] = std::min(box.min[a], mesh.points[corner][a]);
                box.max[a] = std::max(box.max[a], mesh.points[corner][a]);
            }
        }
    }
    return box;
}

double volume(const TriangleMesh& mesh)
{
    if (mesh.triangles.empty()) return 0;
    // seen from a point of the surface, so that a far origin costs no digits
    const Vec3 o = mesh.points[mesh.triangles[0][0]];
    double sum = 0;
    for (const Int3& t : mesh.triangles) {
        std::array<Vec3, 3> v;
        for (int i = 0; i < 3; ++i)
            for (int a = 0; a < 3; ++a) v[i][a] = mesh.points[t[i]][a] - o[a];
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2])
            + v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum / 6;
}

EdgeDefects edgeDefects(const TriangleMesh& mesh)
{
    const std::vector<HalfEdge> edges = sortedHalfEdges(mesh, mergedPoints(mesh.points));
    EdgeDefects defects;
    forEdges(edges, [&](std::size_t begin, std::size_t end) {
        std::int64_t balance = 0;
        for (std::size_t i = begin; i < end; ++i) balance += edges[i].forward ? 1 : -1;
        if (balance == 0) return;
        ++((end - begin) % 2 ? defects.open : defects.misoriented);
        if (defects.triangle >= 0 && defects.triangle <= edges[begin].triangle) return;
        defects.triangle = edges[begin].triangle;
        defects.edge = {mesh.points[edges[begin].low], mesh.points[edges[begin].high]};
    });
    return defects;
}

void requireClosed(const TriangleMesh& mesh, const std::string& name)
{
    const EdgeDefects defects = edgeDefects(mesh);
    if (defects.none()) return;
    std::ostringstream text;
    text << name << " is not closed: " << defects.open << " open edges and " << defects.misoriented
         << " edges between triangles of opposite orientation; the first is at triangle " << defects.triangle
         << ", from " << defects.edge[0] << " to " << defects.edge[1];
    throw SurfaceError(text.str());
}

} // namespace lbm
