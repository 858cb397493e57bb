// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Symmetry.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::reference {
namespace {

using Row = std::vector<double>;

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// x of A x = b, A symmetric, by Gauss & Jordan. Nothing if a row is nearly a sum of those before it: less than a thousandth of
// its diagonal is left. Unknowns without any row are zero.
Row solved(std::vector<Row> a, const Row& b)
{
    const std::size_t n = b.size();
    Row diagonal;
    for (std::size_t i = 0; i < n; ++i) {
        diagonal.push_back(a[i][i] > 1e-9 * a[0][0] ? a[i][i] : 0);
        a[i].push_back(b[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (diagonal[i] == 0) continue;
        const double pivot = a[i][i];
        if (pivot < 1e-3 * diagonal[i]) return {};
        for (double& v : a[i]) v /= pivot;
        for (std::size_t k = 0; k < n; ++k) {
            if (k == i || diagonal[k] == 0) continue;
            const double factor = a[k][i];
            for (std::size_t j = 0; j <= n; ++j) a[k][j] -= factor * a[i][j];
        }
    }
    Row x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(diagonal[i] == 0 ? 0 : a[i][n]);
    return x;
}

// The share of each node such that every function's sum over the nodes is its value at the ghost. functions: [node].
Row shares(const std::vector<Row>& functions, const Row& weights, const Row& ghost)
{
    const std::size_t n = ghost.size();
    std::vector<Row> products(n, Row(n, 0.0));
    for (std::size_t p = 0; p < weights.size(); ++p)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) products[i][j] += weights[p] * functions[p][i] * functions[p][j];
    const Row factors = solved(products, ghost);
    if (factors.empty()) return {};
    Row result;
    for (std::size_t p = 0; p < weights.size(); ++p) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += factors[i] * functions[p][i];
        result.push_back(weights[p] * sum);
    }
    return result;
}

double sizeOf(const Row& row)
{
    double sum = 0;
    for (double v : row) sum += std::abs(v);
    return sum;
}

} // namespace

bool isMirror(const Link& link, const Vec3& outward, const Int3& inward)
{
    const Int3 c = directionOf(link.direction);
    double height = 0;
    int axes = 0;
    for (int a = 0; a < 3; ++a) {
        height += c[a] * outward[a];
        axes += std::abs(inward[a]);
    }
    bool mirror = axes == 1 || std::abs(link.fraction - 0.5) <= 0.01;
    for (int a = 0; a < 3; ++a) mirror = mirror && std::abs(height * outward[a] + inward[a]) <= 1e-4;
    return mirror;
}

std::vector<Image> imagesOf(const Domain& domain, const Neighbours& neighbours, int record, const Vec3& outward)
{
    const Link& link = domain.links[record];
    const Int3 c = directionOf(link.direction);
    const Vec3 ghost{double(c[0]), double(c[1]), double(c[2])};
    const double height = dot(ghost, outward);
    // Two directions along the plane: the axis that leans least on the normal gives the first.
    int least = 0;
    for (int a = 1; a < 3; ++a)
        if (std::abs(outward[a]) < std::abs(outward[least]) - 1e-6) least = a;
    Vec3 s{0, 0, 0}, t;
    s[least] = 1;
    for (int a = 0; a < 3; ++a) s[a] -= outward[least] * outward[a];
    const double length = std::sqrt(dot(s, s));
    for (double& v : s) v /= length;
    for (int a = 0; a < 3; ++a) t[a] = outward[(a + 1) % 3] * s[(a + 2) % 3] - outward[(a + 2) % 3] * s[(a + 1) % 3];

    const double behind = height * (1 - double(link.fraction)); // the ghost, from the plane
    const auto relative = [&](const Vec3& x) {
        const Vec3 d{x[0] - ghost[0], x[1] - ghost[1], x[2] - ghost[2]};
        return Vec3{dot(d, s), dot(d, t), dot(d, outward) + behind};
    };
    const auto evens = [](const Vec3& x) {
        return Row{1, x[0], x[1], x[0] * x[0], x[0] * x[1], x[1] * x[1], x[2] * x[2]};
    };
    const auto odds = [](const Vec3& x) { return Row{x[2], x[2] * x[0], x[2] * x[1]}; };

    std::vector<Image> images;
    std::vector<Row> even, odd;
    Row weights;
    const int depth = domain.dimensions == 3 ? 2 : 0;
    for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y)
            for (int z = -depth; z <= depth; ++z) {
                // The way there: a link, and what is left of it
                Int3 first, rest;
                for (int a = 0; a < 3; ++a) {
                    const int step[3] = {x, y, z};
                    first[a] = std::min(std::max(step[a], -1), 1);
                    rest[a] = step[a] - first[a];
                }
                const Int3 none{0, 0, 0};
                NodeIndex node = first == none ? link.node : neighbours.openAt(link.node, first);
                if (node >= 0 && rest != none) node = neighbours.openAt(node, rest);
                const Vec3 at = relative({double(x), double(y), double(z)});
                const double fromImage = at[0] * at[0] + at[1] * at[1] + (at[2] + behind) * (at[2] + behind);
                const double near = 1 - fromImage / (2.2 * 2.2);
                if (node < 0 || near <= 0 || at[2] >= 0) continue;
                images.push_back({node, 0, 0});
                even.push_back(evens(at));
                odd.push_back(odds(at));
                weights.push_back(near * near);
            }
    if (images.size() < 4) return {};
    const Vec3 there{0, 0, behind};
    const Row evenShares = shares(even, weights, evens(there)), oddShares = shares(odd, weights, odds(there));
    if (evenShares.empty() || oddShares.empty()) return {};
    double whole = 0;
    for (double share : evenShares) whole += share;
    if (!(sizeOf(evenShares) < 5) || !(sizeOf(oddShares) < 5) || whole < 0.5) return {};
    for (std::size_t i = 0; i < images.size(); ++i) {
        images[i].even = evenShares[i] / whole;
        images[i].odd = oddShares[i];
    }
    return images;
}

} // namespace lbm::reference
