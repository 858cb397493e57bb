// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/Contacts.hpp"

#include "adapters/surface/EmbreeScene.hpp"

#include <cmath>
#include <mutex>

namespace lbm::exact {

namespace {

enum class Meeting { none, touch, cross };

using Sides = std::array<int, 3>;

Sides sidesOf(const Triangle& plane, const Triangle& other)
{
    return {sign(plane.height(other.corner[0])), sign(plane.height(other.corner[1])),
            sign(plane.height(other.corner[2]))};
}

bool allBeyond(const Sides& s) { return s[0] == s[1] && s[1] == s[2] && s[0] != 0; }

// Of a point in the triangle's plane, seen along the normal's longest component.
bool holds(const Triangle& t, const Point& p)
{
    auto size = [&](int axis) { return t.normal[axis] < 0 ? -t.normal[axis] : t.normal[axis]; };
    int w = 0;
    for (int a : {1, 2})
        if (size(a) > size(w)) w = a;
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    for (int i = 0; i < 3; ++i) {
        const Point& a = t.corner[i];
        const Point& b = t.corner[(i + 1) % 3];
        const Wide side = Wide(b[u] - a[u]) * (p[v] - a[v]) - Wide(b[v] - a[v]) * (p[u] - a[u]);
        if (sign(side) * sign(t.normal[w]) < 0) return false;
    }
    return true;
}

// An edge with an end on each side of the triangle's plane.
Meeting through(const Triangle& t, const Point& p, const Point& q)
{
    const Point along = minus(q, p);
    std::array<int, 3> s;
    for (int i = 0; i < 3; ++i) s[i] = sign(dot(cross(minus(t.corner[i], p), minus(t.corner[(i + 1) % 3], p)), along));
    const int most = std::max({s[0], s[1], s[2]}), least = std::min({s[0], s[1], s[2]});
    if (most > 0 && least < 0) return Meeting::none;
    return s[0] && s[1] && s[2] ? Meeting::cross : Meeting::touch;
}

Meeting edgesAgainst(const Triangle& edges, const Sides& side, const Triangle& t)
{
    Meeting worst = Meeting::none;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (side[i] == 0 && holds(t, edges.corner[i])) worst = std::max(worst, Meeting::touch);
        if (side[i] * side[j] < 0) worst = std::max(worst, through(t, edges.corner[i], edges.corner[j]));
    }
    return worst;
}

bool overlap(const Triangle& a, const Triangle& b)
{
    for (int axis = 0; axis < 3; ++axis)
        if (a.min(axis) > b.max(axis) || b.min(axis) > a.max(axis)) return false;
    return true;
}

Meeting meeting(const Triangle& a, const Triangle& b)
{
    if (!overlap(a, b)) return Meeting::none;
    const Sides ofB = sidesOf(a, b), ofA = sidesOf(b, a);
    if (allBeyond(ofB) || allBeyond(ofA)) return Meeting::none;
    return std::max(edgesAgainst(b, ofB, a), edgesAgainst(a, ofA, b));
}

// What Embree asks for and answers to.
struct Search {
    const Surface& surface;
    const std::vector<int>& merged;
    std::vector<Contact> found;
    std::mutex mutex;

    bool shareCorner(int a, int b) const
    {
        for (int p : surface.corners(a))
            for (int q : surface.corners(b))
                if (merged[p] == merged[q]) return true;
        return false;
    }

    void test(int a, int b, std::vector<Contact>& result) const
    {
        if (a >= b || shareCorner(a, b)) return;
        const Triangle ta = surface.triangle(a), tb = surface.triangle(b);
        if (ta.degenerate() || tb.degenerate()) return;
        const Meeting m = meeting(ta, tb);
        if (m != Meeting::none) result.push_back({a, b, m == Meeting::cross});
    }
};

void onPairs(void* user, RTCCollision* pairs, unsigned n)
{
    Search& search = *static_cast<Search*>(user);
    std::vector<Contact> result;
    for (unsigned i = 0; i < n; ++i) {
        const int a = int(pairs[i].primID0), b = int(pairs[i].primID1);
        search.test(std::min(a, b), std::max(a, b), result);
    }
    if (result.empty()) return;
    const std::lock_guard<std::mutex> lock(search.mutex);
    search.found.insert(search.found.end(), result.begin(), result.end());
}

void boundsOf(const RTCBoundsFunctionArguments* arguments)
{
    const Surface& surface = *static_cast<const Surface*>(arguments->geometryUserPtr);
    const Triangle t = surface.triangle(arguments->primID);
    float* low = &arguments->bounds_o->lower_x;
    float* high = &arguments->bounds_o->upper_x;
    for (int a = 0; a < 3; ++a) {
        low[a] = std::nextafter(float(double(t.min(a)) / double(surface.unit())), -HUGE_VALF);
        high[a] = std::nextafter(float(double(t.max(a)) / double(surface.unit())), HUGE_VALF);
    }
}

} // namespace

std::vector<Contact> contacts(const Surface& surface, const std::vector<int>& mergedPoints)
{
    const QuietFloats quiet;
    EmbreeScene scene;
    RTCGeometry geometry = rtcNewGeometry(scene.device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, unsigned(surface.size()));
    rtcSetGeometryUserData(geometry, const_cast<Surface*>(&surface));
    rtcSetGeometryBoundsFunction(geometry, boundsOf, nullptr);
    scene.take(geometry);

    Search search{surface, mergedPoints, {}, {}};
    rtcCollide(scene.get(), scene.get(), onPairs, &search);
    scene.check("the search for contacts");
    std::sort(search.found.begin(), search.found.end(),
              [](const Contact& p, const Contact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    auto same = [](const Contact& p, const Contact& q) { return p.a == q.a && p.b == q.b; };
    search.found.erase(std::unique(search.found.begin(), search.found.end(), same), search.found.end());
    return std::move(search.found);
}

} // namespace lbm::exact
