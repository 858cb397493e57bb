// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/FlatLoop.hpp"

#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace lbm {

namespace {

using namespace vec;
using Vec2 = std::array<double, 2>;

// Of the perimeter squared: an area that rounding alone may make
constexpr double noArea = 1e-14;

double twiceArea(const Vec2& a, const Vec2& b, const Vec2& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double square(const Vec2& a, const Vec2& b) { return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]); }

bool between(const Vec2& a, const Vec2& b, const Vec2& p)
{
    return std::min(a[0], b[0]) <= p[0] && p[0] <= std::max(a[0], b[0]) && std::min(a[1], b[1]) <= p[1]
        && p[1] <= std::max(a[1], b[1]);
}

// Segments that share a point.
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d)
{
    const double ac = twiceArea(a, b, c), ad = twiceArea(a, b, d), ca = twiceArea(c, d, a), cb = twiceArea(c, d, b);
    if (((ac > 0 && ad < 0) || (ac < 0 && ad > 0)) && ((ca > 0 && cb < 0) || (ca < 0 && cb > 0))) return true;
    return (ac == 0 && between(a, b, c)) || (ad == 0 && between(a, b, d)) || (ca == 0 && between(c, d, a))
        || (cb == 0 && between(c, d, b));
}

class EarClipper {
public:
    explicit EarClipper(const std::vector<Vec2>& place) :
        place_(place), before_(place.size()), after_(place.size()), quality_(place.size(), -1)
    {
        const int n = int(place.size());
        for (int i = 0; i < n; ++i) {
            before_[i] = (i + n - 1) % n;
            after_[i] = (i + 1) % n;
        }
        for (int i = 0; i < n; ++i)
            if (turn(i) <= 0) reflex_.insert(i);
        for (int i = 0; i < n; ++i) judge(i);
    }

    std::vector<Int3> run()
    {
        std::vector<Int3> result;
        for (std::size_t left = place_.size(); left > 3; --left) {
            if (ears_.empty()) return {};
            const int ear = ears_.begin()->second;
            const int a = before_[ear], b = after_[ear];
            result.push_back({a, ear, b});
            cut(ear);
            last_ = a;
        }
        result.push_back({before_[last_], last_, after_[last_]});
        return result;
    }

private:
    double turn(int i) const { return twiceArea(place_[before_[i]], place_[i], place_[after_[i]]); }

    // Area of its triangle over that of the equilateral one with the same sum of squares, or less than 0: no ear
    double earQuality(int i) const
    {
        const double area = turn(i);
        if (area < 0) return -1;
        const Vec2 &a = place_[before_[i]], &b = place_[i], &c = place_[after_[i]];
        for (int r : reflex_) {
            if (r == before_[i] || r == i || r == after_[i]) continue;
            const Vec2& p = place_[r];
            if (twiceArea(a, b, p) >= 0 && twiceArea(b, c, p) >= 0 && twiceArea(c, a, p) >= 0) return -1;
        }
        return area / (square(a, b) + square(b, c) + square(c, a));
    }

    void judge(int i)
    {
        ears_.erase({-quality_[i], i});
        quality_[i] = earQuality(i);
        if (quality_[i] >= 0) ears_.insert({-quality_[i], i});
    }

    void cut(int ear)
    {
        const int a = before_[ear], b = after_[ear];
        ears_.erase({-quality_[ear], ear});
        reflex_.erase(ear);
        after_[a] = b;
        before_[b] = a;
        for (int i : {a, b}) {
            if (turn(i) > 0) reflex_.erase(i);
            else reflex_.insert(i);
        }
        judge(a);
        judge(b);
    }

    const std::vector<Vec2>& place_;
    std::vector<int> before_, after_;
    std::vector<double> quality_;
    std::set<int> reflex_; // straight ones too
    std::set<std::pair<double, int>> ears_;
    int last_ = 0;
};

} // namespace

FlatLoop::FlatLoop(const std::vector<Vec3>& points, const std::vector<int>& chain)
{
    measure(points, chain);
    for (int p : chain) place_.push_back(flat(points[p]));
}

void FlatLoop::measure(const std::vector<Vec3>& points, const std::vector<int>& chain)
{
    const std::size_t n = chain.size();
    const auto at = [&](std::size_t i) { return points[chain[i % n]]; };
    Vec3 sum{0, 0, 0};
    for (std::size_t i = 0; i < n; ++i) {
        const double length = magnitude(at(i + 1) - at(i));
        perimeter_ += length;
        sum = sum + (length / 2) * (at(i) + at(i + 1));
    }
    if (perimeter_ == 0) {
        centre_ = at(0);
        return;
    }
    centre_ = (1 / perimeter_) * sum;

    Vec3 area{0, 0, 0};
    for (std::size_t i = 0; i < n; ++i) area = area + 0.5 * cross(at(i) - centre_, at(i + 1) - centre_);
    area_ = magnitude(area);
    if (area_ <= noArea * perimeter_ * perimeter_) {
        area_ = 0;
        return;
    }
    normal_ = (1 / area_) * area;
    int least = 0;
    for (int a = 1; a < 3; ++a)
        if (std::abs(normal_[a]) < std::abs(normal_[least])) least = a;
    Vec3 axis{0, 0, 0};
    axis[least] = 1;
    along_ = cross(axis, normal_);
    along_ = (1 / magnitude(along_)) * along_;
    across_ = cross(normal_, along_);

    double x = 0, y = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 p = flat(at(i)), q = flat(at(i + 1));
        const double weight = (p[0] * q[1] - p[1] * q[0]) / (6 * area_);
        x += (p[0] + q[0]) * weight;
        y += (p[1] + q[1]) * weight;
    }
    centre_ = centre_ + x * along_ + y * across_;
    for (std::size_t i = 0; i < n; ++i) deviation_ = std::max(deviation_, std::abs(dot(at(i) - centre_, normal_)));
}

FlatLoop::Vec2 FlatLoop::flat(const Vec3& p) const { return {dot(p - centre_, along_), dot(p - centre_, across_)}; }

bool FlatLoop::isSimple() const
{
    const int n = int(place_.size());
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    const auto low = [&](int i) { return std::min(place_[i][0], place_[(i + 1) % n][0]); };
    const auto high = [&](int i) { return std::max(place_[i][0], place_[(i + 1) % n][0]); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return low(a) < low(b); });
    for (int i = 0; i < n; ++i) {
        const int a = order[i], a1 = (a + 1) % n;
        for (int j = i + 1; j < n && low(order[j]) <= high(a); ++j) {
            const int b = order[j], b1 = (b + 1) % n;
            if (a1 == b || b1 == a) continue;
            if (meet(place_[a], place_[a1], place_[b], place_[b1])) return false;
        }
    }
    return true;
}

// By the number of sides that a ray along the first axis crosses.
bool FlatLoop::holds(const Vec3& p) const
{
    const Vec2 at = flat(p);
    bool in = false;
    for (std::size_t i = 0; i < place_.size(); ++i) {
        const Vec2 &a = place_[i], &b = place_[(i + 1) % place_.size()];
        if ((a[1] > at[1]) == (b[1] > at[1])) continue;
        const double x = a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        in = in != (x > at[0]);
    }
    return in;
}

std::vector<Int3> FlatLoop::triangles() const
{
    if (place_.size() < 3 || area_ == 0) return {};
    return EarClipper(place_).run();
}

} // namespace lbm
