// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/TriangleFinder.hpp"

#include "adapters/surface/VectorMath.hpp"

#include <cmath>

namespace lbm::exact {

namespace {

// Coordinates in node spacings are rounded to single precision when they are handed to Embree.
float radiusWithMargin(const Surface& surface)
{
    Coordinate most = surface.unit();
    for (const Point& p : surface.points())
        for (Coordinate x : p) most = std::max(most, std::abs(x));
    const double roundOff = double(most) / double(surface.unit()) * std::ldexp(1.0, -22);
    return float(std::sqrt(3.0) + 1e-3 + roundOff);
}

struct Search {
    const std::vector<unsigned>& number;
    std::vector<unsigned>& found;
};

bool collect(RTCPointQueryFunctionArguments* arguments)
{
    Search& search = *static_cast<Search*>(arguments->userPtr);
    search.found.push_back(search.number[arguments->primID]);
    return false; // the radius stays
}

struct Nearest {
    const Surface& surface;
    const std::vector<unsigned>& number;
    Vec3 node;
    double distance = HUGE_VAL;
    int triangle = -1;
};

bool approach(RTCPointQueryFunctionArguments* arguments)
{
    Nearest& nearest = *static_cast<Nearest*>(arguments->userPtr);
    const unsigned t = nearest.number[arguments->primID];
    const double distance = vec::distance(nearest.surface.place(t), nearest.node);
    if (distance > nearest.distance || (distance == nearest.distance && int(t) > nearest.triangle)) return false;
    nearest.distance = distance;
    nearest.triangle = int(t);
    // triangles at the same distance are still wanted, for the lowest number
    arguments->query->radius = std::nextafter(float(distance), HUGE_VALF) * 1.00001f;
    return true;
}

} // namespace

TriangleFinder::TriangleFinder(const Surface& surface, const std::vector<bool>& skippedRegions) :
    surface_(surface), radius_(radiusWithMargin(surface))
{
    for (std::size_t t = 0; t < surface.size(); ++t)
        if (skippedRegions.empty() || !skippedRegions[surface.region(t)]) triangle_.push_back(unsigned(t));
}

const EmbreeScene& TriangleFinder::scene() const
{
    std::call_once(made_, [this] {
        const QuietFloats quiet;
        auto scene = std::make_unique<EmbreeScene>();
        scene->take(scene->triangles(surface_, triangle_));
        scene_ = std::move(scene);
    });
    return *scene_;
}

void TriangleFinder::find(const Int3& node, std::vector<unsigned>& found) const
{
    found.clear();
    RTCPointQuery query{float(node[0]), float(node[1]), float(node[2]), 0, radius_};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    Search search{triangle_, found};
    rtcPointQuery(scene().get(), &query, &context, collect, &search);
    std::sort(found.begin(), found.end());
}

int TriangleFinder::nearest(const Int3& node) const
{
    RTCPointQuery query{float(node[0]), float(node[1]), float(node[2]), 0, HUGE_VALF};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    Nearest nearest{surface_, triangle_, {double(node[0]), double(node[1]), double(node[2])}};
    rtcPointQuery(scene().get(), &query, &context, approach, &nearest);
    return nearest.triangle;
}

} // namespace lbm::exact
