// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/geometries/generators.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace lbm {
namespace {

Domain filled(const Int3& size)
{
    for (int extent : size)
        if (extent < 1) throw std::invalid_argument("geometry: a side of the box has no node");
    Domain domain;
    domain.dimensions = size[2] == 1 ? 2 : 3;
    domain.size = size;
    domain.fluid = BitSet(domain.nodes(), true);
    return domain;
}

bool leaves(int x, int size) { return x < 0 || x >= size; }

GeneratedCase cavity(const Int3& size, std::vector<Int3> directions, double lidSpeed)
{
    if (directions.empty()) throw std::invalid_argument("geometry: no lattice directions given");
    std::sort(directions.begin(), directions.end(), [](const Int3& a, const Int3& b) {
        return directionCode(a[0], a[1], a[2]) < directionCode(b[0], b[1], b[2]);
    });

    GeneratedCase result{filled(size), std::vector<LinkValue>(2)};
    Domain& domain = result.domain;
    domain.patches = {"lid", "walls"};
    result.patches[0].kind = BoundaryKind::movingWall;
    result.patches[0].velocity = {lidSpeed, 0, 0};

    const auto visit = [&](int x, int y, int z) {
        for (const Int3& c : directions) {
            const bool sideways = leaves(x + c[0], size[0]) || leaves(z + c[2], size[2]);
            const bool upright = leaves(y + c[1], size[1]);
            if (!sideways && !upright) continue;
            const bool lid = upright && c[1] > 0 && !sideways;
            domain.links.push_back(
                {domain.index(x, y, z), 0.5f, std::int16_t(lid ? 0 : 1), directionCode(c[0], c[1], c[2])});
        }
    };
    for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y) {
            const bool edge = z == 0 || z == size[2] - 1 || y == 0 || y == size[1] - 1;
            for (int x = 0; x < size[0]; x += edge || size[0] == 1 ? 1 : size[0] - 1) visit(x, y, z);
        }
    return result;
}

// Spheres leave the box on one side and come back on the other.
class SphereArray {
public:
    SphereArray(Domain& domain, double diameter) : domain_(domain), radius_(diameter / 2), left_(domain.fluidNodes()) {}

    double porosity() const { return double(left_) / double(domain_.nodes()); }

    void cut(const Vec3& centre)
    {
        const int reach = int(std::ceil(radius_));
        const int n = domain_.size[0];
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const Int3 node{int(centre[0]) + x, int(centre[1]) + y, int(centre[2]) + z};
                    double distance = 0;
                    for (int a = 0; a < 3; ++a) distance += std::pow(node[a] - centre[a], 2);
                    if (distance >= radius_ * radius_) continue;
                    const NodeIndex index = domain_.index(wrap(node[0], n), wrap(node[1], n), wrap(node[2], n));
                    if (!domain_.fluid[index]) continue;
                    domain_.fluid.clear(index);
                    --left_;
                }
    }

private:
    static int wrap(int x, int n) { return (x % n + n) % n; }

    Domain& domain_;
    double radius_;
    NodeIndex left_; // fluid nodes
};

} // namespace

GeneratedCase cavity3D(int n, const std::vector<Int3>& directions, double lidSpeed)
{
    return cavity({n, n, n}, directions, lidSpeed);
}

GeneratedCase cavity2D(int n, const std::vector<Int3>& directions, double lidSpeed)
{
    return cavity({n, n, 1}, directions, lidSpeed);
}

GeneratedCase box(const Int3& size)
{
    GeneratedCase result{filled(size), {}};
    result.domain.periodic = {true, true, true};
    return result;
}

GeneratedCase ras(int n, double porosity, double diameter, std::uint64_t seed)
{
    if (!(porosity > 0 && porosity <= 1))
        throw std::invalid_argument("geometry: the porosity of a sphere array lies in (0, 1]");
    if (!(diameter >= 1 && diameter <= n))
        throw std::invalid_argument("geometry: the spheres' diameter lies between 1 and the side of the box");

    GeneratedCase result = box({n, n, n});
    Domain& domain = result.domain;
    SphereArray spheres(domain, diameter);
    std::mt19937_64 random(seed);
    const auto coordinate = [&] { return double(random() >> 11) / double(std::uint64_t(1) << 53) * n; };
    while (spheres.porosity() > porosity) {
        Vec3 centre;
        for (double& x : centre) x = coordinate();
        spheres.cut(centre);
    }
    if (domain.fluidNodes() == 0)
        throw std::invalid_argument("geometry: the spheres are too large for this porosity, no fluid is left");
    return result;
}

} // namespace lbm
