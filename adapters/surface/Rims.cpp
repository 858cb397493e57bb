// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/Rims.hpp"

#include "adapters/surface/FlatLoop.hpp"
#include "adapters/surface/MeshEdges.hpp"
#include "adapters/surface/Topology.hpp"
#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <tuple>
#include <unordered_map>

namespace lbm {

namespace {

using namespace vec;

constexpr std::size_t holesShown = 10;

// Of the surface's extent: places and radii that count as equal in the order of rims
constexpr double sameInOrder = 1e-6;

// Of the larger radius: distance of centres, and difference of radii, of rims that lie in one place
constexpr double sameRim = 0.1;

struct OpenEdge {
    int from, to; // as a cap runs along it
    int shell;
    std::int16_t region;
    bool used = false;
};

std::vector<OpenEdge> openEdges(const TriangleMesh& mesh, const Topology& topology)
{
    std::vector<bool> skipped(mesh.triangles.size());
    for (std::size_t t = 0; t < skipped.size(); ++t) skipped[t] = topology.shell[t] < 0;
    const std::vector<HalfEdge> edges = sortedHalfEdges(mesh, mergedPoints(mesh.points), skipped);
    std::vector<OpenEdge> open;
    forEdges(edges, [&](std::size_t begin, std::size_t end) {
        if (end - begin != 1) return;
        const HalfEdge& e = edges[begin];
        const bool flipped = topology.defects[e.triangle] & Topology::flipped;
        OpenEdge result{e.high, e.low, topology.shell[e.triangle], mesh.regions[e.triangle]};
        if (e.forward == flipped) std::swap(result.from, result.to);
        open.push_back(result);
    });
    return open;
}

// Open edges to loops without a point twice.
class Walk {
public:
    explicit Walk(std::vector<OpenEdge> edges) : edges_(std::move(edges))
    {
        for (std::size_t i = 0; i < edges_.size(); ++i) leaving_[edges_[i].from].push_back(i);
    }

    std::vector<std::vector<std::size_t>> loops()
    {
        for (std::size_t i = 0; i < edges_.size(); ++i)
            if (!edges_[i].used) walkFrom(i);
        return std::move(loops_);
    }

    const OpenEdge& edge(std::size_t i) const { return edges_[i]; }
    std::int64_t strayEdges() const { return stray_; }

private:
    void walkFrom(std::size_t first)
    {
        std::vector<std::size_t> path;
        std::unordered_map<int, std::size_t> at; // of a point: the edge of the path that leaves it
        for (std::size_t next = first; next != none;) {
            OpenEdge& e = edges_[next];
            e.used = true;
            at.emplace(e.from, path.size());
            path.push_back(next);
            if (const auto back = at.find(e.to); back != at.end()) {
                const std::size_t begin = back->second;
                loops_.emplace_back(path.begin() + begin, path.end());
                for (std::size_t i = begin; i < path.size(); ++i) at.erase(edges_[path[i]].from);
                path.resize(begin);
                if (path.empty()) return;
            }
            next = following(edges_[path.back()]);
        }
        stray_ += std::int64_t(path.size());
    }

    std::size_t following(const OpenEdge& e) const
    {
        const auto leaving = leaving_.find(e.to);
        if (leaving == leaving_.end()) return none;
        std::size_t found = none;
        for (std::size_t i : leaving->second) {
            if (edges_[i].used) continue;
            if (edges_[i].shell == e.shell) return i;
            if (found == none) found = i;
        }
        return found;
    }

    static constexpr std::size_t none = std::size_t(-1);
    std::vector<OpenEdge> edges_;
    std::unordered_map<int, std::vector<std::size_t>> leaving_;
    std::vector<std::vector<std::size_t>> loops_;
    std::int64_t stray_ = 0;
};

std::int16_t regionOf(const Walk& walk, const std::vector<std::size_t>& loop)
{
    std::map<std::int16_t, int> count;
    for (std::size_t i : loop) ++count[walk.edge(i).region];
    return std::max_element(count.begin(), count.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

void measure(const TriangleMesh& mesh, Rim& rim)
{
    const FlatLoop loop(mesh.points, rim.points);
    rim.centre = loop.centre();
    rim.normal = loop.normal();
    rim.area = loop.area();
    rim.perimeter = loop.perimeter();
    rim.deviation = loop.deviation();
    for (int p : rim.points) rim.reach = std::max(rim.reach, magnitude(mesh.points[p] - rim.centre));
    rim.simple = rim.area > 0 && loop.isSimple();
}

void sortRims(std::vector<Rim>& rims, double extent)
{
    const auto key = [&](const Rim& r) {
        const double unit = sameInOrder * extent;
        return std::make_tuple(-std::round(r.radius() / unit), std::round(r.centre[0] / unit),
                               std::round(r.centre[1] / unit), std::round(r.centre[2] / unit), r.points.front());
    };
    std::sort(rims.begin(), rims.end(), [&](const Rim& a, const Rim& b) { return key(a) < key(b); });
}

bool inOnePlace(const Rim& a, const Rim& b)
{
    const double near = sameRim * std::max(a.radius(), b.radius());
    return magnitude(a.centre - b.centre) <= near && std::abs(a.radius() - b.radius()) <= near
        && std::abs(dot(a.normal, b.normal)) > 0.5;
}

bool liesWithin(const TriangleMesh& mesh, const Rim& small, const Rim& large)
{
    if (magnitude(small.centre - large.centre) > large.reach) return false;
    if (std::abs(dot(small.centre - large.centre, large.normal)) > sameRim * large.radius()) return false;
    return FlatLoop(mesh.points, large.points).holds(small.centre);
}

void relate(const TriangleMesh& mesh, std::vector<Rim>& rims)
{
    for (std::size_t i = 0; i < rims.size(); ++i) {
        Rim& large = rims[i];
        if (large.area == 0) continue;
        for (std::size_t j = i + 1; j < rims.size(); ++j) {
            Rim& small = rims[j];
            if (small.area == 0 || magnitude(small.centre - large.centre) > large.reach) continue;
            if (inOnePlace(large, small)) {
                large.facing = int(j);
                small.facing = int(i);
            } else if (liesWithin(mesh, small, large)) {
                if (large.holds < 0) large.holds = int(j);
                small.within = int(i);
            }
        }
    }
}

std::string text(const Vec3& v)
{
    std::ostringstream os;
    os << std::setprecision(6) << '(' << v[0] << ' ' << v[1] << ' ' << v[2] << ')';
    return os.str();
}

// 0 and no -0, nor what rounding leaves of it
Vec3 clean(Vec3 v, double unit)
{
    for (double& x : v)
        if (std::abs(x) < 1e-9 * unit) x = 0;
    return v;
}

} // namespace

double Rim::radius() const { return std::sqrt(area / std::acos(-1.0)); }

double Rim::width() const { return perimeter > 0 ? 4 * area / perimeter : 0; }

RimList rimsOf(const TriangleMesh& mesh)
{
    const Topology topology = topologyOf(mesh);
    RimList result;
    if (topology.openEdges == 0) return result;
    Walk walk(openEdges(mesh, topology));
    for (const std::vector<std::size_t>& loop : walk.loops()) {
        Rim rim;
        for (std::size_t i : loop) rim.points.push_back(walk.edge(i).from);
        rim.region = regionOf(walk, loop);
        measure(mesh, rim);
        // Where the file has its triangles inside out, so has the cap
        if (topology.shells[walk.edge(loop.front()).shell].volume < 0) rim.normal = -1.0 * rim.normal;
        result.all.push_back(std::move(rim));
    }
    result.strayEdges = walk.strayEdges();
    const Bounds b = bounds(mesh);
    sortRims(result.all, magnitude(b.max - b.min));
    relate(mesh, result.all);
    return result;
}

void closeRim(TriangleMesh& mesh, const Rim& rim, const std::string& name)
{
    std::ostringstream place;
    place << "The rim at " << text(rim.centre) << " of region " << mesh.regionNames[rim.region];
    if (rim.area == 0) throw SurfaceError(place.str() + " has no area");
    std::vector<Int3> cap;
    if (rim.simple) cap = FlatLoop(mesh.points, rim.points).triangles();
    if (cap.empty()) throw SurfaceError(place.str() + " crosses itself, seen along its normal: no flat cap closes it");
    const std::int16_t region = regionNumber(mesh, name);
    for (const Int3& t : cap) {
        mesh.triangles.push_back({rim.points[t[0]], rim.points[t[1]], rim.points[t[2]]});
        mesh.regions.push_back(region);
    }
}

std::string rimsText(const std::vector<RimFate>& rims)
{
    if (rims.empty()) return "";
    std::ostringstream os;
    os << "Rims of open surfaces\n"
       << "    " << std::left << std::setw(16) << "patch" << std::setw(36) << "centre [m]" << std::setw(30) << "normal"
       << std::setw(14) << "area [m2]" << std::setw(14) << "radius [m]"
       << "of region\n";
    std::size_t holes = 0;
    for (const RimFate& fate : rims) {
        const Rim& r = fate.rim;
        if (fate.patch.empty() && ++holes > holesShown) continue;
        os << "    " << std::setw(15) << (fate.patch.empty() ? "(hole)" : fate.patch) << ' ' << std::setw(35)
           << text(clean(r.centre, r.reach)) << ' ' << std::setw(29) << text(clean(r.normal, 1)) << ' ' << std::setw(13)
           << r.area << ' ' << std::setw(13) << r.radius() << ' ' << fate.surface << (fate.why.empty() ? "" : ": ")
           << fate.why << '\n';
    }
    if (holes > holesShown) os << "    and " << holes - holesShown << " smaller holes\n";
    return os.str();
}

} // namespace lbm
