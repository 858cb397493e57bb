// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/ShellRoles.hpp"

#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace lbm {

namespace {

using namespace vec;

constexpr int fewestTriangles = 4;   // of a shell that holds a volume
constexpr int samples = 15;          // places of a shell at which winding numbers are taken
constexpr double reach = 4;          // see WindingTree
constexpr double nearlyClosed = 0.9; // its own number just behind a shell that holds a volume
constexpr double hollow = 1.0 / 3;   // below it the shell is oriented into what it holds
constexpr double whole = 0.25;       // numbers so close to an integer count as it
constexpr double behind = 1e-3;      // depth of the places, in lengths of the triangle

struct Body {
    int shell, weight;
    std::unique_ptr<WindingTree> tree;
};

bool contains(const Bounds& b, const Vec3& p)
{
    for (int a = 0; a < 3; ++a)
        if (p[a] < b.min[a] || p[a] > b.max[a]) return false;
    return true;
}

class Roles {
public:
    Roles(const TriangleMesh& mesh, const Topology& topology) :
        mesh_(mesh), topology_(topology), members_(topology.shells.size()), roles_(topology.shells.size())
    {
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            if (topology.shell[t] >= 0) members_[topology.shell[t]].push_back(int(t));
    }

    std::vector<ShellRole> run()
    {
        // what may enclose comes before what it encloses
        std::vector<int> order(roles_.size());
        std::iota(order.begin(), order.end(), 0);
        auto size = [&](int s) { return magnitude(topology_.shells[s].bounds.max - topology_.shells[s].bounds.min); };
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
        for (int s : order)
            if (topology_.shells[s].triangles >= fewestTriangles) judge(s);
        return std::move(roles_);
    }

private:
    // Places just behind the shell, as it is oriented.
    std::vector<Vec3> places(int shell) const
    {
        const std::vector<int>& members = members_[shell];
        std::vector<Vec3> result;
        const std::size_t step = std::max<std::size_t>(1, members.size() / samples);
        for (std::size_t i = step / 2; i < members.size(); i += step) {
            const std::array<Vec3, 3> c = orientedCorners(mesh_, topology_, members[i]);
            const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
            const double area2 = magnitude(n);
            if (!(area2 > 0)) continue;
            result.push_back((1.0 / 3) * (c[0] + c[1] + c[2]) - (behind / std::sqrt(area2)) * n);
        }
        return result;
    }

    void judge(int shell)
    {
        const std::vector<Vec3> at = places(shell);
        if (at.empty()) return;
        auto tree = std::make_unique<WindingTree>(facets(shell));
        std::vector<double> own;
        for (const Vec3& p : at) own.push_back(tree->number(p, reach));
        std::nth_element(own.begin(), own.begin() + own.size() / 2, own.end());
        const double typical = own[own.size() / 2];

        ShellRole& role = roles_[shell];
        role.insideOut = typical < hollow;
        role.weight = role.insideOut ? -1 : 1;
        role.holdsVolume = std::abs(typical - 0.5) > nearlyClosed - 0.5;
        if (!role.holdsVolume) return;
        const int around = numberAround(at);
        role.nested = around >= 1;
        if (role.nested) role.weight *= -around;
        bodies_.push_back({shell, role.weight, std::move(tree)});
    }

    // The number that the bodies so far give at all places, 0 if it differs or is not whole.
    int numberAround(const std::vector<Vec3>& at) const
    {
        int common = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            double w = 0;
            for (const Body& body : bodies_)
                if (contains(topology_.shells[body.shell].bounds, at[i]))
                    w += body.weight * body.tree->number(at[i], reach);
            const double nearest = std::round(w);
            if (std::abs(w - nearest) > whole || (i > 0 && nearest != common)) return 0;
            common = int(nearest);
        }
        return common;
    }

    std::vector<Facet> facets(int shell) const
    {
        std::vector<Facet> result;
        for (int t : members_[shell]) result.push_back(orientedCorners(mesh_, topology_, t));
        return result;
    }

    const TriangleMesh& mesh_;
    const Topology& topology_;
    std::vector<std::vector<int>> members_;
    std::vector<ShellRole> roles_;
    std::vector<Body> bodies_;
};

} // namespace

std::vector<ShellRole> shellRoles(const TriangleMesh& mesh, const Topology& topology)
{
    return Roles(mesh, topology).run();
}

std::vector<Facet> facetsOf(const TriangleMesh& mesh, const Topology& topology, const std::vector<ShellRole>& roles,
                            const Vec3& origin, double unit)
{
    std::vector<Facet> result;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (topology.shell[t] < 0) continue;
        Facet f = orientedCorners(mesh, topology, t);
        for (Vec3& p : f) p = (1 / unit) * (p - origin);
        const int weight = roles[topology.shell[t]].weight;
        if (weight < 0) std::swap(f[1], f[2]);
        result.insert(result.end(), std::size_t(std::abs(weight)), f);
    }
    return result;
}

} // namespace lbm
