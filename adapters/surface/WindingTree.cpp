// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/WindingTree.hpp"

#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <omp.h>

namespace lbm {

namespace {

using namespace vec;

const double fourPi = 4 * std::acos(-1.0);

constexpr int leafSize = 4;

// Reach of each pass, and how near to one half a number must be for the next one: the largest errors, as
// measured on open surfaces of up to 400 thousand triangles, with a margin.
struct Pass {
    double reach, error;
};
constexpr Pass passes[] = {{2, 0.02}, {4, 2e-3}, {8, 0}};
constexpr double tie = 2e-4; // above the errors of the last pass

Vec3 middle(const Facet& f) { return (1.0 / 3) * (f[0] + f[1] + f[2]); }

} // namespace

// Lanes are independent, so that the compiler makes vector instructions of every loop over them.
// Half angles of near facets are summed as products of complex numbers; one arc tangent does for all.
struct WindingTree::Packet {
    static constexpr int lanes = 8;

    double x[lanes], y[lanes], z[lanes];
    double low[3], high[3]; // bounds of the points
    double sum[lanes] = {}, re[lanes], im[lanes] = {}, turns[lanes] = {};

    // Spare lanes repeat the last point.
    Packet(const Vec3* points, int n)
    {
        for (int l = 0; l < lanes; ++l) {
            const Vec3& p = points[std::min(l, n - 1)];
            x[l] = p[0];
            y[l] = p[1];
            z[l] = p[2];
            re[l] = 1;
            for (int a = 0; a < 3; ++a) {
                low[a] = l ? std::min(low[a], p[a]) : p[a];
                high[a] = l ? std::max(high[a], p[a]) : p[a];
            }
        }
    }

    double distance2(const Vec3& p) const
    {
        double sum2 = 0;
        for (int a = 0; a < 3; ++a) {
            const double d = std::max({low[a] - p[a], p[a] - high[a], 0.0});
            sum2 += d * d;
        }
        return sum2;
    }

    double number(int l) const { return (sum[l] + 2 * std::atan2(im[l], re[l]) + turns[l] * fourPi) / fourPi; }
};

WindingTree::WindingTree(std::vector<Facet> facets, int threads) : facets_(std::move(facets))
{
    if (facets_.empty()) return;
    clusters_.resize(std::size_t(clustersOf(int(facets_.size()))));
#pragma omp parallel num_threads(threads > 0 ? threads : omp_get_max_threads())
#pragma omp single
    build(0, 0, int(facets_.size()));
}

// Of so many facets, all below counted.
int WindingTree::clustersOf(int facets)
{
    if (facets <= leafSize) return 1;
    return 1 + clustersOf(facets / 2) + clustersOf(facets - facets / 2);
}

// Where each cluster stands follows from the numbers of facets alone, so that threads may share the branches.
void WindingTree::build(int number, int begin, int end)
{
    Cluster& cluster = clusters_[std::size_t(number)];
    cluster.begin = begin;
    cluster.end = end;
    cluster.leaf = end - begin <= leafSize;
    cluster.skip = number + clustersOf(end - begin);
    place(cluster);
    addMoments(cluster);
    if (cluster.leaf) return;
    Vec3 low = middle(facets_[begin]), high = low;
    for (int i = begin + 1; i < end; ++i) {
        const Vec3 m = middle(facets_[i]);
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], m[a]);
            high[a] = std::max(high[a], m[a]);
        }
    }
    int axis = 0;
    for (int a : {1, 2})
        if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
    const int half = begin + (end - begin) / 2;
    std::nth_element(facets_.begin() + begin, facets_.begin() + half, facets_.begin() + end,
                     [axis](const Facet& p, const Facet& q) {
                         const double mp = middle(p)[axis], mq = middle(q)[axis];
                         return mp != mq ? mp < mq : p < q;
                     });
    const int first = number + 1, second = first + clustersOf(half - begin);
#pragma omp task if (end - begin > 4096)
    build(first, begin, half);
    build(second, half, end);
#pragma omp taskwait
}

// Centre of area, and the farthest corner from it.
void WindingTree::place(Cluster& cluster) const
{
    const Vec3 origin = facets_[cluster.begin][0];
    Vec3 sum{};
    double area = std::numeric_limits<double>::min();
    for (int i = cluster.begin; i < cluster.end; ++i) {
        const Facet& f = facets_[i];
        const double a = magnitude(cross(f[1] - f[0], f[2] - f[0]));
        sum = sum + a * (middle(f) - origin);
        area += a;
    }
    cluster.centre = origin + (1 / area) * sum;
    for (int i = cluster.begin; i < cluster.end; ++i)
        for (const Vec3& p : facets_[i]) cluster.radius = std::max(cluster.radius, magnitude(p - cluster.centre));
}

void WindingTree::addMoments(Cluster& cluster) const
{
    for (int i = cluster.begin; i < cluster.end; ++i) {
        const Facet& f = facets_[i];
        std::array<Vec3, 3> v;
        for (int k = 0; k < 3; ++k) v[k] = f[k] - cluster.centre;
        const Vec3 n = 0.5 * cross(v[1] - v[0], v[2] - v[0]);
        const Vec3 s = v[0] + v[1] + v[2];
        // mean of x_i x_j over a triangle
        double m[3][3];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                m[a][b] = (v[0][a] * v[0][b] + v[1][a] * v[1][b] + v[2][a] * v[2][b] + s[a] * s[b]) / 12;
        auto t = [&](int a, int b, int c) { return m[a][b] * n[c]; };
        auto sym = [&](int a, int b, int c) { return t(a, b, c) + t(a, c, b) + t(b, c, a); };

        cluster.first = cluster.first + n;
        for (int a = 0; a < 3; ++a) {
            cluster.second[a] += s[a] * n[a] / 3;
            cluster.second[3 + a] += (s[a] * n[(a + 1) % 3] + s[(a + 1) % 3] * n[a]) / 6;
            for (int b = 0; b < 3; ++b) cluster.thirdTrace[a] += t(b, b, a) + 2 * t(a, b, b);
            cluster.third[a] += t(a, a, a);
        }
        const int mixed[6][3] = {{0, 0, 1}, {0, 0, 2}, {1, 1, 0}, {1, 1, 2}, {2, 2, 0}, {2, 2, 1}};
        for (int k = 0; k < 6; ++k) cluster.third[3 + k] += sym(mixed[k][0], mixed[k][1], mixed[k][2]);
        cluster.third[9] += 2 * sym(0, 1, 2);
    }
}

// Taylor expansion of the solid angle's kernel d/|d|^3 about the centre, d from the point.
void WindingTree::addFar(const Cluster& c, Packet& p)
{
    const auto& q = c.second;
    const auto& t = c.third;
    const auto& u = c.thirdTrace;
    const double trace = q[0] + q[1] + q[2];
#pragma omp simd
    for (int l = 0; l < Packet::lanes; ++l) {
        const double x = c.centre[0] - p.x[l], y = c.centre[1] - p.y[l], z = c.centre[2] - p.z[l];
        const double distance2 = x * x + y * y + z * z;
        const double r2 = 1 / distance2, r3 = r2 / std::sqrt(distance2);
        const double line = c.first[0] * x + c.first[1] * y + c.first[2] * z;
        const double square =
            q[0] * x * x + q[1] * y * y + q[2] * z * z + 2 * (q[3] * x * y + q[4] * y * z + q[5] * z * x);
        const double cube = x * x * (t[0] * x + t[3] * y + t[4] * z) + y * y * (t[1] * y + t[5] * x + t[6] * z)
            + z * z * (t[2] * z + t[7] * x + t[8] * y) + t[9] * x * y * z;
        const double slope = u[0] * x + u[1] * y + u[2] * z;
        p.sum[l] += r3 * (line + trace - 3 * r2 * square - 1.5 * r2 * slope + 7.5 * r2 * r2 * cube);
    }
}

// Half of the solid angle; Van Oosterom & Strackee 1983.
void WindingTree::addNear(const Facet& f, Packet& p)
{
#pragma omp simd
    for (int l = 0; l < Packet::lanes; ++l) {
        const double ax = f[0][0] - p.x[l], ay = f[0][1] - p.y[l], az = f[0][2] - p.z[l];
        const double bx = f[1][0] - p.x[l], by = f[1][1] - p.y[l], bz = f[1][2] - p.z[l];
        const double cx = f[2][0] - p.x[l], cy = f[2][1] - p.y[l], cz = f[2][2] - p.z[l];
        const double la = std::sqrt(ax * ax + ay * ay + az * az);
        const double lb = std::sqrt(bx * bx + by * by + bz * bz);
        const double lc = std::sqrt(cx * cx + cy * cy + cz * cz);
        const double s = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        const double c = la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la
            + (cx * ax + cy * ay + cz * az) * lb;
        // on an edge or a corner both are 0: no angle
        const double one = c == 0 && s == 0 ? 1 : c;
        const double re = p.re[l] * one - p.im[l] * s, im = p.re[l] * s + p.im[l] * one;
        // two angles of one sign whose sum changed it have passed pi
        const double up = p.im[l] >= 0 && s >= 0 && im < 0 ? 1 : 0;
        const double down = p.im[l] < 0 && s < 0 && im >= 0 ? 1 : 0;
        p.turns[l] += up - down;
        const double scale = 1 / (std::abs(re) + std::abs(im));
        p.re[l] = scale * re;
        p.im[l] = scale * im;
    }
}

void WindingTree::run(Packet& packet, double reach) const
{
    for (int i = 0; i < int(clusters_.size());) {
        const Cluster& c = clusters_[i];
        if (packet.distance2(c.centre) > reach * reach * c.radius * c.radius) {
            addFar(c, packet);
        } else if (c.leaf) {
            for (int f = c.begin; f < c.end; ++f) addNear(facets_[f], packet);
        } else {
            ++i;
            continue;
        }
        i = c.skip;
    }
}

std::vector<double> WindingTree::numbers(const std::vector<Vec3>& points, double reach) const
{
    std::vector<double> result;
    for (std::size_t begin = 0; begin < points.size(); begin += Packet::lanes) {
        const int n = int(std::min<std::size_t>(Packet::lanes, points.size() - begin));
        Packet packet(points.data() + begin, n);
        run(packet, reach);
        for (int l = 0; l < n; ++l) result.push_back(packet.number(l));
    }
    return result;
}

double WindingTree::number(const Vec3& point, double reach) const { return numbers({point}, reach)[0]; }

void WindingTree::inside(const std::vector<Vec3>& points, char* result) const
{
    const double threshold = 0.5 + tie;
    for (std::size_t begin = 0; begin < points.size(); begin += Packet::lanes) {
        const int n = int(std::min<std::size_t>(Packet::lanes, points.size() - begin));
        std::vector<int> open(n);
        std::iota(open.begin(), open.end(), 0);
        for (const Pass& pass : passes) {
            std::vector<Vec3> asked;
            for (int l : open) asked.push_back(points[begin + l]);
            Packet packet(asked.data(), int(asked.size()));
            run(packet, pass.reach);
            std::vector<int> next;
            for (std::size_t i = 0; i < open.size(); ++i) {
                const double w = std::abs(packet.number(int(i)));
                if (std::abs(w - threshold) < pass.error) next.push_back(open[i]);
                else result[begin + open[i]] = w > threshold;
            }
            if (next.empty()) break;
            open = std::move(next);
        }
    }
}

bool WindingTree::inside(const Vec3& point) const
{
    char result;
    inside({point}, &result);
    return result;
}

} // namespace lbm
