// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/WindingSide.hpp"

#include "adapters/surface/Contacts.hpp"
#include "adapters/surface/MeshEdges.hpp"
#include "adapters/surface/ShellRoles.hpp"

#include <sstream>

namespace lbm::exact {

namespace {

constexpr double reach = 2;         // see WindingTree
constexpr double wellInside = 0.75; // numbers of places that are in a body, hole or not
constexpr double anotherBody = 0.5; // differences of numbers above this come from another body
constexpr double smallestShare = 0.01;

bool boundsMeet(const Bounds& a, const Bounds& b)
{
    for (int i = 0; i < 3; ++i)
        if (a.min[i] > b.max[i] || b.min[i] > a.max[i]) return false;
    return true;
}

// Whether some bounds of shells meet, so that the shells might.
bool mayTouch(const std::vector<Shell>& shells)
{
    for (std::size_t i = 0; i < shells.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (boundsMeet(shells[i].bounds, shells[j].bounds)) return true;
    return false;
}

} // namespace

std::string whyNotParity(const TriangleMesh& mesh, const Topology& topology, const LatticeBox& box)
{
    if (!topology.sound()) {
        std::ostringstream text;
        text << topology.openEdges << " open, " << topology.branchEdges << " branching and "
             << topology.misorientedEdges << " misoriented edges, " << topology.count(Topology::repeated)
             << " repeated triangles";
        return text.str();
    }
    if (!mayTouch(topology.shells)) return "";
    for (const Contact& c : contacts(Surface(mesh, box), mergedPoints(mesh.points)))
        if (topology.shell[c.a] != topology.shell[c.b]) return "closed shells that overlap or touch";
    return "";
}

WindingSide::WindingSide(TriangleMesh mesh, const Topology& topology, const LatticeBox& box, int threads) :
    mesh_(std::move(mesh)),
    surface_(mesh_, box),
    tree_(facetsOf(mesh_, topology, shellRoles(mesh_, topology), box.origin, box.spacing), threads)
{}

KnownNodes WindingSide::nearSides(const DeviceWinding* device, const std::vector<Slab>& slabs, int threads,
                                  std::int64_t& near) const
{
    return exact::nearSides(surface_, tree_, device, slabs, threads, near);
}

BitSet WindingSide::scan(KnownNodes near, const std::vector<Slab>& slabs, int threads, ScanCounts& counts) const
{
    return windingScan(tree_, std::move(near), slabs, threads, counts);
}

std::vector<double> WindingSide::numbers(const std::vector<Vec3>& places) const
{
    std::vector<double> result = tree_.numbers(places, reach);
    for (double& w : result) w = std::abs(w);
    return result;
}

double WindingSide::crossing(double a, double b)
{
    const double share = (a - 0.5) / (a - b);
    return share > smallestShare && share < 1 ? share : 0.5;
}

bool WindingSide::clearlyInside(double number) { return number > wellInside; }

bool WindingSide::united(double a, double b) { return std::min(a, b) > wellInside && std::abs(a - b) > anotherBody; }

} // namespace lbm::exact
