// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/CubeSlicer.hpp"

#include "catalyst/lattice/voxel.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace lbm {

namespace {

constexpr std::int64_t run = 64; // cells that share a box

// An edge begins at a corner whose bit of its axis is 0
constexpr int edgeAt(int corner, int axis) { return 3 * corner + axis; }
constexpr int edges = 3 * corners;

struct Plane {
    Vec3 normal, origin;

    double at(const float* x) const
    {
        double sum = 0;
        for (int a = 0; a < 3; ++a) sum += normal[a] * (x[a] - origin[a]);
        return sum;
    }
    // Smallest and largest value in a box
    std::pair<double, double> range(const std::array<float, 6>& box) const
    {
        float low[3], high[3];
        for (int a = 0; a < 3; ++a) {
            low[a] = box[normal[a] < 0 ? 3 + a : a];
            high[a] = box[normal[a] < 0 ? a : 3 + a];
        }
        return {at(low), at(high)};
    }
};

// The edges that a plane cuts, one after the other around the cut, for each set of corners that lie above it
class Loops {
public:
    Loops()
    {
        for (int above = 0; above < 1 << corners; ++above) loops_[above] = around(above);
    }
    const std::vector<int>& operator[](int above) const { return loops_[above]; }

private:
    static bool differ(int above, int corner, int axis)
    {
        return (above >> corner & 1) != (above >> (corner | 1 << axis) & 1);
    }

    // Each face holds two of them or none; empty for what no plane leaves above it
    static std::vector<int> around(int above)
    {
        std::vector<int> links[edges];
        int start = -1;
        std::size_t number = 0;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const int b = (axis + 1) % 3, c = (axis + 2) % 3, corner = side << axis;
                std::vector<int> found;
                for (const auto& [at, along] :
                     {std::pair{corner, b}, {corner | 1 << b, c}, {corner | 1 << c, b}, {corner, c}})
                    if (differ(above, at, along)) found.push_back(edgeAt(at, along));
                if (found.size() != 2) continue;
                for (int i = 0; i < 2; ++i) links[found[i]].push_back(found[1 - i]);
                start = found[0];
            }
        for (const auto& link : links) number += !link.empty();
        std::vector<int> loop;
        for (int edge = start, before = -1; edge >= 0;) {
            loop.push_back(edge);
            if (links[edge].size() != 2) return {};
            const int next = links[edge][links[edge][0] == before];
            before = edge;
            edge = next == start ? -1 : next;
        }
        return loop.size() == number ? facing(loop, above) : std::vector<int>();
    }

    // So that the polygon's normal points to what is above
    static std::vector<int> facing(std::vector<int> loop, int above)
    {
        const auto middle = [](int edge) {
            Vec3 x;
            for (int a = 0; a < 3; ++a) x[a] = edge % 3 == a ? 0.5 : edge / 3 >> a & 1;
            return x;
        };
        double sum = 0;
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec3 p = middle(loop[i]), q = middle(loop[(i + 1) % loop.size()]);
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                double up = 0;
                for (int corner = 0; corner < corners; ++corner)
                    up += (above >> corner & 1 ? 1 : -1) * ((corner >> a & 1) - 0.5);
                sum += up * (p[b] * q[c] - p[c] * q[b]);
            }
        }
        if (sum < 0) std::reverse(loop.begin(), loop.end());
        return loop;
    }

    std::vector<int> loops_[1 << corners];
};

// Cells cut by one plane; neighbours find each other's points by the edges on which these lie
class Cutter {
public:
    Cutter(const lbmInsituMesh& mesh, const Plane& plane, double value, SlicePolygons& result) :
        mesh_(mesh), plane_(plane), value_(value), result_(result)
    {}

    void cut(std::int64_t cell)
    {
        static const Loops loops;
        const std::int32_t* ids = mesh_.connectivity + corners * cell;
        double off[corners];
        int above = 0;
        for (int i = 0; i < corners; ++i) {
            off[i] = plane_.at(point(ids[i])) - value_;
            above |= (off[i] >= 0) << i;
        }
        std::vector<std::int32_t>& polygon = polygon_;
        polygon.clear();
        for (const int edge : loops[above]) {
            const int from = edge / 3, to = from | 1 << edge % 3;
            const std::int32_t id = pointOn(ids[from], ids[to], edge % 3, off[from], off[to]);
            if (polygon.empty() || (id != polygon.back() && id != polygon.front())) polygon.push_back(id);
        }
        if (polygon.size() < 3) return; // touches an edge or a corner
        result_.connectivity.insert(result_.connectivity.end(), polygon.begin(), polygon.end());
        result_.offsets.push_back(std::int32_t(result_.connectivity.size()));
        result_.cells.push_back(cell);
    }

private:
    const float* point(std::int32_t id) const
    {
        return static_cast<const float*>(mesh_.points.values) + 3 * std::int64_t(id);
    }

    std::int32_t pointOn(std::int32_t from, std::int32_t to, int axis, double offFrom, double offTo)
    {
        const float *low = point(from), *high = point(to);
        const double part = offFrom / (offFrom - offTo);
        const float place = float(low[axis] + part * (double(high[axis]) - low[axis]));
        // What lies in a corner belongs to all of its edges
        constexpr int corner = 3;
        std::int64_t key = 4 * std::int64_t(from) + axis;
        if (place == low[axis]) key = 4 * std::int64_t(from) + corner;
        if (place == high[axis]) key = 4 * std::int64_t(to) + corner;
        const auto [found, fresh] = known_.try_emplace(key, std::int32_t(result_.points.size() / 3));
        if (fresh)
            for (int a = 0; a < 3; ++a) result_.points.push_back(a == axis ? place : low[a]);
        return found->second;
    }

    const lbmInsituMesh& mesh_;
    const Plane& plane_;
    double value_;
    SlicePolygons& result_;
    std::vector<std::int32_t> polygon_;
    std::unordered_map<std::int64_t, std::int32_t> known_;
};

} // namespace

bool CubeSlicer::cuts(const lbmInsituMesh& mesh)
{
    return !mesh.types && mesh.uniformType == voxel && mesh.points.type == LBM_FLOAT32;
}

CubeSlicer::CubeSlicer(const lbmInsituMesh& mesh) : mesh_(mesh)
{
    for (std::int64_t begin = 0; begin < mesh.cells; begin += run) {
        Box box = boxOf(begin);
        for (std::int64_t cell = begin + 1; cell < std::min(begin + run, mesh.cells); ++cell) {
            const Box other = boxOf(cell);
            for (int a = 0; a < 3; ++a) {
                box[a] = std::min(box[a], other[a]);
                box[3 + a] = std::max(box[3 + a], other[3 + a]);
            }
        }
        boxes_.push_back(box);
    }
    boxes_.shrink_to_fit();
}

CubeSlicer::Box CubeSlicer::boxOf(std::int64_t cell) const
{
    const auto* points = static_cast<const float*>(mesh_.points.values);
    const std::int32_t* ids = mesh_.connectivity + corners * cell;
    const float *low = points + 3 * std::int64_t(ids[0]), *high = points + 3 * std::int64_t(ids[corners - 1]);
    return {low[0], low[1], low[2], high[0], high[1], high[2]};
}

SlicePolygons CubeSlicer::cut(const Vec3& normal, const Vec3& origin, const std::vector<double>& values) const
{
    const Plane plane{normal, origin};
    SlicePolygons result;
    std::vector<Cutter> cutters;
    for (const double value : values) cutters.emplace_back(mesh_, plane, value, result);
    const auto meets = [&](const Box& box, double value) {
        const auto [low, high] = plane.range(box);
        return low < value && value <= high;
    };
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const bool any =
            std::any_of(values.begin(), values.end(), [&](double value) { return meets(boxes_[i], value); });
        if (!any) continue;
        const std::int64_t begin = run * std::int64_t(i);
        for (std::int64_t cell = begin; cell < std::min(begin + run, mesh_.cells); ++cell) {
            if (mesh_.ghosts && mesh_.ghosts[cell]) continue;
            const Box box = boxOf(cell);
            for (std::size_t k = 0; k < values.size(); ++k)
                if (meets(box, values[k])) cutters[k].cut(cell);
        }
    }
    return result;
}

} // namespace lbm
