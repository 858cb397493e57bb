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
struct WindingTree::Packet {
    static constexpr int lanes = packetPoints;

    double x[lanes], y[lanes], z[lanes];
    PacketBounds bounds;
    double far[lanes] = {}, re[lanes], im[lanes] = {}, turns[lanes] = {};

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
                bounds.low[a] = l ? std::min(bounds.low[a], p[a]) : p[a];
                bounds.high[a] = l ? std::max(bounds.high[a], p[a]) : p[a];
            }
        }
    }

    void add(const WindingCluster& c)
    {
#pragma omp simd
        for (int l = 0; l < lanes; ++l) addFar(c, x[l], y[l], z[l], far[l]);
    }

    void add(const Facet& f)
    {
#pragma omp simd
        for (int l = 0; l < lanes; ++l) addNear(f, x[l], y[l], z[l], re[l], im[l], turns[l]);
    }

    WindingSums sums(int l) const { return {far[l], re[l], im[l], turns[l]}; }
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
    WindingCluster& cluster = clusters_[std::size_t(number)];
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
void WindingTree::place(WindingCluster& cluster) const
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

void WindingTree::addMoments(WindingCluster& cluster) const
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

void WindingTree::run(Packet& packet, double reach) const
{
    for (int i = 0; i < int(clusters_.size());) {
        const WindingCluster& c = clusters_[i];
        if (packet.bounds.isFar(c, reach)) {
            packet.add(c);
        } else if (c.leaf) {
            for (int f = c.begin; f < c.end; ++f) packet.add(facets_[f]);
        } else {
            ++i;
            continue;
        }
        i = c.skip;
    }
}

double WindingTree::number(const WindingSums& s)
{
    return (s.far + 2 * std::atan2(s.im, s.re) + s.turns * fourPi) / fourPi;
}

std::vector<double> WindingTree::numbers(const std::vector<Vec3>& points, double reach) const
{
    std::vector<int> ends;
    addPackets(ends, points.size());
    std::vector<WindingSums> sums;
    sum(points, ends, reach, sums);
    std::vector<double> result;
    for (const WindingSums& s : sums) result.push_back(number(s));
    return result;
}

double WindingTree::number(const Vec3& point, double reach) const { return numbers({point}, reach)[0]; }

// Of a packet, what one pass leaves open is the next one's.
void WindingTree::inside(const std::vector<Vec3>& points, const std::vector<int>& ends, const Sum& sum, char* result)
{
    const double threshold = 0.5 + tie;
    std::vector<int> open(points.size()), openEnds = ends; // numbers of points
    std::iota(open.begin(), open.end(), 0);
    std::vector<Vec3> asked = points;
    std::vector<WindingSums> sums;
    for (const Pass& pass : passes) {
        if (open.empty()) return;
        sum(asked, openEnds, pass.reach, sums);
        std::vector<int> next, nextEnds;
        std::size_t i = 0;
        for (const int end : openEnds) {
            for (; i < std::size_t(end); ++i) {
                const double w = std::abs(number(sums[i]));
                if (std::abs(w - threshold) < pass.error) next.push_back(open[i]);
                else result[open[i]] = w > threshold;
            }
            if (!next.empty() && (nextEnds.empty() || nextEnds.back() < int(next.size())))
                nextEnds.push_back(int(next.size()));
        }
        open = std::move(next);
        openEnds = std::move(nextEnds);
        asked.clear();
        for (const int p : open) asked.push_back(points[std::size_t(p)]);
    }
}

void WindingTree::sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
                      std::vector<WindingSums>& sums) const
{
    sums.clear();
    int begin = 0;
    for (const int end : ends) {
        Packet packet(points.data() + begin, end - begin);
        run(packet, reach);
        for (int l = 0; begin + l < end; ++l) sums.push_back(packet.sums(l));
        begin = end;
    }
}

void WindingTree::addPackets(std::vector<int>& ends, std::size_t n)
{
    int end = ends.empty() ? 0 : ends.back();
    for (const int last = end + int(n); end < last;) ends.push_back(end = std::min(last, end + packetPoints));
}

void WindingTree::inside(const std::vector<Vec3>& points, char* result) const
{
    std::vector<int> ends;
    addPackets(ends, points.size());
    inside(
        points, ends,
        [this](const std::vector<Vec3>& asked, const std::vector<int>& askedEnds, double reach,
               std::vector<WindingSums>& sums) { sum(asked, askedEnds, reach, sums); },
        result);
}

bool WindingTree::inside(const Vec3& point) const
{
    char result;
    inside({point}, &result);
    return result;
}

} // namespace lbm
