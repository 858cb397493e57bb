// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/Topology.hpp"

#include "adapters/surface/MeshEdges.hpp"
#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace lbm {

namespace {

using namespace vec;

// Height over longest side of a triangle that counts as without area: rounding of its corners.
constexpr double needle = 1e-12;

double areaOf(const std::array<Vec3, 3>& c) { return magnitude(cross(c[1] - c[0], c[2] - c[0])) / 2; }

class Analysis {
public:
    explicit Analysis(const TriangleMesh& mesh) :
        mesh_(mesh), merged_(mergedPoints(mesh.points)), left_(mesh.triangles.size(), false)
    {
        result_.defects.assign(mesh.triangles.size(), 0);
        result_.shell.assign(mesh.triangles.size(), -1);
    }

    Topology run()
    {
        findDegenerate();
        findRepeated();
        findEdges();
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
            if (!left_[t] && result_.shell[t] < 0) growShell(int(t));
        measure();
        closeHoles();
        return std::move(result_);
    }

private:
    struct Neighbour {
        int triangle = -1;
        bool sameSense = false; // both run along the edge the same way: orientations differ
    };

    void findDegenerate()
    {
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            const Int3& c = mesh_.triangles[t];
            const int a = merged_[c[0]], b = merged_[c[1]], d = merged_[c[2]];
            left_[t] = a == b || b == d || d == a;
            const std::array<Vec3, 3> p = {mesh_.points[c[0]], mesh_.points[c[1]], mesh_.points[c[2]]};
            double longest = 0;
            for (int i = 0; i < 3; ++i) longest = std::max(longest, magnitude(p[(i + 1) % 3] - p[i]));
            if (left_[t] || 2 * areaOf(p) <= needle * longest * longest) result_.defects[t] |= Topology::degenerate;
        }
    }

    void findRepeated()
    {
        std::vector<Int3> key(mesh_.triangles.size());
        std::vector<int> order;
        for (std::size_t t = 0; t < key.size(); ++t) {
            for (int i = 0; i < 3; ++i) key[t][i] = merged_[mesh_.triangles[t][i]];
            std::sort(key[t].begin(), key[t].end());
            if (!left_[t]) order.push_back(int(t));
        }
        std::sort(order.begin(), order.end(), [&](int a, int b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (key[order[i]] != key[order[i - 1]]) continue;
            result_.defects[order[i]] |= Topology::repeated;
            left_[order[i]] = true;
        }
    }

    void findEdges()
    {
        neighbours_.resize(mesh_.triangles.size());
        const std::vector<HalfEdge> edges = sortedHalfEdges(mesh_, merged_, left_);
        forEdges(edges, [&](std::size_t begin, std::size_t end) {
            const HalfEdge& a = edges[begin];
            if (end - begin == 2) {
                const HalfEdge& b = edges[begin + 1];
                const bool sameSense = a.forward == b.forward;
                result_.misorientedEdges += sameSense;
                neighbours_[a.triangle][a.side] = {int(b.triangle), sameSense};
                neighbours_[b.triangle][b.side] = {int(a.triangle), sameSense};
                return;
            }
            ++(end - begin == 1 ? result_.openEdges : result_.branchEdges);
            for (std::size_t i = begin; i < end; ++i)
                result_.defects[edges[i].triangle] |= end - begin == 1 ? Topology::atOpenEdge : Topology::atBranch;
        });
    }

    // Until the shell is complete, `flipped` says what disagrees with its first triangle.
    void growShell(int first)
    {
        const int number = int(result_.shells.size());
        Shell shell;
        std::vector<int> members = {first};
        result_.shell[first] = number;
        double areaFlipped = 0, area = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const int t = members[i];
            const bool turned = result_.defects[t] & Topology::flipped;
            const double here = areaOf(orientedCorners(mesh_, result_, t));
            area += here;
            if (turned) areaFlipped += here;
            for (const Neighbour& n : neighbours_[t]) {
                if (n.triangle < 0) {
                    ++shell.freeSides;
                    continue;
                }
                const bool turn = turned != n.sameSense;
                if (result_.shell[n.triangle] < 0) {
                    result_.shell[n.triangle] = number;
                    if (turn) result_.defects[n.triangle] |= Topology::flipped;
                    members.push_back(n.triangle);
                } else if (turn != bool(result_.defects[n.triangle] & Topology::flipped)) {
                    shell.orientable = false;
                }
            }
        }
        if (2 * areaFlipped > area)
            for (int t : members) result_.defects[t] ^= Topology::flipped;
        shell.triangles = std::int64_t(members.size());
        shell.area = area;
        result_.shells.push_back(shell);
    }

    void measure()
    {
        const double huge = std::numeric_limits<double>::max();
        origin_.resize(result_.shells.size());
        for (Shell& shell : result_.shells) shell.bounds = {{huge, huge, huge}, {-huge, -huge, -huge}};
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            if (left_[t]) continue;
            const int s = result_.shell[t];
            Shell& shell = result_.shells[s];
            const std::array<Vec3, 3> c = orientedCorners(mesh_, result_, t);
            // seen from a point of the shell, so that a far origin costs no digits
            if (shell.bounds.min[0] == huge) origin_[s] = c[0];
            shell.volume += coneVolume(s, c[0], c[1], c[2]);
            for (const Vec3& p : c) {
                for (int a = 0; a < 3; ++a) {
                    shell.bounds.min[a] = std::min(shell.bounds.min[a], p[a]);
                    shell.bounds.max[a] = std::max(shell.bounds.max[a], p[a]);
                }
            }
        }
    }

    double coneVolume(int shell, const Vec3& a, const Vec3& b, const Vec3& c) const
    {
        const Vec3& o = origin_[shell];
        return dot(a - o, cross(b - o, c - o)) / 6;
    }

    struct FreeSide {
        int shell;
        std::array<int, 2> end; // merged points, in the sense of the shell
    };

    std::vector<FreeSide> freeSides() const
    {
        std::vector<FreeSide> sides;
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            if (left_[t]) continue;
            for (int i = 0; i < 3; ++i) {
                if (neighbours_[t][i].triangle >= 0) continue;
                FreeSide side{result_.shell[t],
                              {merged_[mesh_.triangles[t][i]], merged_[mesh_.triangles[t][(i + 1) % 3]]}};
                if (result_.defects[t] & Topology::flipped) std::swap(side.end[0], side.end[1]);
                sides.push_back(side);
            }
        }
        return sides;
    }

    // A fan of triangles from the middle of each rim: the volume of an open shell would else depend on the point from
    // which it is seen.
    void closeHoles()
    {
        const std::vector<FreeSide> sides = freeSides();
        std::map<std::pair<int, int>, std::size_t> number; // of a point on the rims of a shell
        for (const FreeSide& side : sides)
            for (int end : side.end) number.emplace(std::pair(side.shell, end), number.size());
        std::vector<std::size_t> parent(number.size());
        std::iota(parent.begin(), parent.end(), std::size_t(0));
        const auto rim = [&](const FreeSide& side, int end) {
            std::size_t i = number.at({side.shell, side.end[end]});
            while (parent[i] != i) i = parent[i] = parent[parent[i]];
            return i;
        };
        for (const FreeSide& side : sides) parent[rim(side, 0)] = rim(side, 1);

        std::vector<Vec3> sum(number.size(), Vec3{0, 0, 0});
        std::vector<int> count(number.size(), 0);
        for (const FreeSide& side : sides) {
            const std::size_t i = rim(side, 0);
            for (int end : side.end) sum[i] = sum[i] + mesh_.points[end];
            count[i] += 2;
        }
        for (const FreeSide& side : sides) {
            const std::size_t i = rim(side, 0);
            const Vec3 middle = (1.0 / count[i]) * sum[i];
            result_.shells[side.shell].volume +=
                coneVolume(side.shell, middle, mesh_.points[side.end[1]], mesh_.points[side.end[0]]);
        }
    }

    const TriangleMesh& mesh_;
    std::vector<int> merged_;
    std::vector<bool> left_; // in no shell
    std::vector<std::array<Neighbour, 3>> neighbours_;
    std::vector<Vec3> origin_; // of volumes, one a shell
    Topology result_;
};

} // namespace

std::int64_t Topology::count(Defect defect) const
{
    return std::count_if(defects.begin(), defects.end(), [=](std::uint8_t bits) { return bits & defect; });
}

bool Topology::sound() const { return openEdges + branchEdges + misorientedEdges + count(Topology::repeated) == 0; }

Topology topologyOf(const TriangleMesh& mesh) { return Analysis(mesh).run(); }

std::array<Vec3, 3> orientedCorners(const TriangleMesh& mesh, const Topology& topology, std::size_t triangle)
{
    const Int3& c = mesh.triangles[triangle];
    std::array<Vec3, 3> corners = {mesh.points[c[0]], mesh.points[c[1]], mesh.points[c[2]]};
    if (topology.defects[triangle] & Topology::flipped) std::swap(corners[1], corners[2]);
    return corners;
}

} // namespace lbm
