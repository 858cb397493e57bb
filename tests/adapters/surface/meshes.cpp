// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::test {

namespace {

Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vec3 cross(const Vec3& a, const Vec3& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::string text(const Int3& v)
{
    return "(" + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + ")";
}

void oneRegion(TriangleMesh& mesh, const std::string& name)
{
    mesh.regions.assign(mesh.triangles.size(), 0);
    mesh.regionNames = {name};
}

} // namespace

std::vector<Int3> d3q27()
{
    std::vector<Int3> all;
    for (int code = 0; code < 27; ++code) all.push_back(directionOf(std::uint8_t(code)));
    return all;
}

std::vector<Int3> d2q9()
{
    std::vector<Int3> flat;
    for (const Int3& c : d3q27())
        if (c[2] == 0) flat.push_back(c);
    return flat;
}

TriangleMesh boxMesh(const Vec3& min, const Vec3& max, const std::array<std::string, 6>& names)
{
    TriangleMesh mesh;
    appendBox(mesh, min, max, names);
    return mesh;
}

TriangleMesh boxMesh(const Vec3& min, const Vec3& max)
{
    return boxMesh(min, max, {"xMin", "xMax", "yMin", "yMax", "zMin", "zMax"});
}

TriangleMesh sphereMesh(const Vec3& centre, double radius, int rings)
{
    TriangleMesh mesh;
    const int sectors = 2 * rings;
    auto point = [&](double polar, double azimuth) {
        mesh.points.push_back({centre[0] + radius * std::sin(polar) * std::cos(azimuth),
                               centre[1] + radius * std::sin(polar) * std::sin(azimuth),
                               centre[2] + radius * std::cos(polar)});
    };
    point(0, 0);
    for (int r = 1; r < rings; ++r)
        for (int s = 0; s < sectors; ++s) point(pi * r / rings, 2 * pi * s / sectors);
    point(pi, 0);
    auto number = [&](int r, int s) {
        return r == 0 ? 0 : r == rings ? int(mesh.points.size()) - 1 : 1 + (r - 1) * sectors + s % sectors;
    };
    for (int r = 0; r < rings; ++r) {
        for (int s = 0; s < sectors; ++s) {
            if (r > 0) mesh.triangles.push_back({number(r, s), number(r + 1, s), number(r, s + 1)});
            if (r < rings - 1) mesh.triangles.push_back({number(r, s + 1), number(r + 1, s), number(r + 1, s + 1)});
        }
    }
    oneRegion(mesh, "sphere");
    return mesh;
}

TriangleMesh torusMesh(const Vec3& centre, double ring, double tube, int n)
{
    TriangleMesh mesh;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const double u = 2 * pi * i / n, v = 2 * pi * j / n, r = ring + tube * std::cos(v);
            mesh.points.push_back(
                {centre[0] + r * std::cos(u), centre[1] + r * std::sin(u), centre[2] + tube * std::sin(v)});
        }
    }
    auto number = [&](int i, int j) { return (i % n) * n + j % n; };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i, j + 1)});
            mesh.triangles.push_back({number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
        }
    }
    oneRegion(mesh, "torus");
    return mesh;
}

TriangleMesh octahedronMesh(const Vec3& centre, double radius)
{
    TriangleMesh mesh;
    for (int a = 0; a < 3; ++a) {
        for (double side : {-radius, radius}) {
            mesh.points.push_back(centre);
            mesh.points.back()[a] += side;
        }
    }
    for (int octant = 0; octant < 8; ++octant) {
        const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2 & 1);
        const bool even = (x + y + z) % 2 == 1;
        mesh.triangles.push_back(even ? Int3{x, y, z} : Int3{x, z, y});
    }
    oneRegion(mesh, "octahedron");
    return mesh;
}

TriangleMesh moved(TriangleMesh mesh, const std::function<Vec3(const Vec3&)>& move)
{
    for (Vec3& p : mesh.points) p = move(p);
    return mesh;
}

TriangleMesh turned(const TriangleMesh& mesh, double angle)
{
    const double norm = std::sqrt(14.0);
    const Vec3 k{1 / norm, 2 / norm, 3 / norm};
    return moved(mesh, [&](const Vec3& p) {
        const Vec3 kxp = cross(k, p);
        Vec3 q;
        for (int a = 0; a < 3; ++a)
            q[a] = p[a] * std::cos(angle) + kxp[a] * std::sin(angle) + k[a] * dot(k, p) * (1 - std::cos(angle));
        return q;
    });
}

TriangleMesh flipped(TriangleMesh mesh)
{
    for (Int3& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

LatticeBox unitBox(const Int3& size)
{
    LatticeBox box;
    box.size = size;
    return box;
}

Vec3 position(const Domain& domain, NodeIndex node)
{
    const Int3 c = domain.coordinates(node);
    Vec3 p;
    for (int a = 0; a < 3; ++a) p[a] = domain.origin[a] + c[a] * domain.spacing;
    return p;
}

const Link* findLink(const Domain& domain, const Int3& node, const Int3& c)
{
    const NodeIndex index = domain.index(node[0], node[1], node[2]);
    const std::uint8_t code = directionCode(c[0], c[1], c[2]);
    const auto link =
        std::lower_bound(domain.links.begin(), domain.links.end(), index,
                         [code](const Link& a, NodeIndex n) { return a.node != n ? a.node < n : a.direction < code; });
    const bool found = link != domain.links.end() && link->node == index && link->direction == code;
    return found ? &*link : nullptr;
}

std::string linkFault(const Domain& domain, const std::vector<Int3>& directions)
{
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Int3 at = domain.coordinates(node);
        for (const Int3& c : directions) {
            if (c == Int3{0, 0, 0}) continue;
            const std::string where = "node " + text(at) + " along " + text(c);
            const Link* link = findLink(domain, at, c);
            if (!domain.fluid[node]) {
                if (link) return where + " is solid, but has a link";
                continue;
            }
            const NodeIndex next = domain.neighbour(at, c);
            const bool open = next >= 0 && domain.fluid[next];
            if (!open && !link) return where + " leaves the fluid without a link";
            if (!open || !link) continue;
            if (!findLink(domain, domain.coordinates(next), {-c[0], -c[1], -c[2]}))
                return where + " is cut from one side alone";
        }
    }
    return "";
}

double windingNumber(const TriangleMesh& mesh, const Vec3& p)
{
    double sum = 0;
    for (const Int3& t : mesh.triangles) {
        const Vec3 a = mesh.points[t[0]] - p, b = mesh.points[t[1]] - p, c = mesh.points[t[2]] - p;
        const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
        sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (4 * pi);
}

double nearestCrossing(const TriangleMesh& mesh, const Vec3& p, const Vec3& c)
{
    double nearest = 2;
    for (const Int3& t : mesh.triangles) {
        // p + s c = a + u (b - a) + v (d - a), by Cramer's rule
        const Vec3 e = mesh.points[t[1]] - mesh.points[t[0]], f = mesh.points[t[2]] - mesh.points[t[0]];
        const Vec3 r = p - mesh.points[t[0]];
        const double det = dot(c, cross(f, e));
        if (det == 0) continue;
        const double s = dot(r, cross(e, f)) / det;
        const double u = dot(r, cross(f, c)) / -det, v = dot(r, cross(c, e)) / -det;
        if (s > 0 && s <= 1 && u >= 0 && v >= 0 && u + v <= 1) nearest = std::min(nearest, s);
    }
    return nearest;
}

} // namespace lbm::test
