// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/TriangleFinder.hpp"

#include <cmath>

namespace lbm::exact {

namespace {

void requireSuccess(RTCDevice device, const char* what)
{
    const RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE)
        throw SurfaceError(std::string("Embree: ") + what + " failed with error " + std::to_string(error));
}

// Coordinates in node spacings are rounded to single precision when they are handed to Embree.
float radiusWithMargin(const Surface& surface)
{
    Coordinate most = surface.unit();
    for (const Point& p : surface.points())
        for (Coordinate x : p) most = std::max(most, std::abs(x));
    const double roundOff = double(most)/double(surface.unit())*std::ldexp(1.0, -22);
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
    return false;               // the radius stays
}

} // namespace

TriangleFinder::TriangleFinder(const Surface& surface, const std::vector<bool>& skippedRegions)
:
    radius_(radiusWithMargin(surface))
{
    for (std::size_t t = 0; t < surface.size(); ++t)
        if (skippedRegions.empty() || !skippedRegions[surface.region(t)]) triangle_.push_back(unsigned(t));

    const QuietFloats quiet;
    device_ = rtcNewDevice(nullptr);
    requireSuccess(device_, "rtcNewDevice");
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    fill(surface, geometry);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    requireSuccess(device_, "building the tree");
}

TriangleFinder::~TriangleFinder()
{
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
}

void TriangleFinder::fill(const Surface& surface, RTCGeometry geometry) const
{
    const std::vector<Point>& points = surface.points();
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3*sizeof(float), points.size()));
    auto* corner = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3*sizeof(unsigned), triangle_.size()));
    requireSuccess(device_, "rtcSetNewGeometryBuffer");
    for (const Point& p : points)
        for (Coordinate x : p) *vertex++ = float(double(x)/double(surface.unit()));
    for (unsigned t : triangle_)
        for (int c : surface.corners(t)) *corner++ = unsigned(c);
}

void TriangleFinder::find(const Int3& node, std::vector<unsigned>& found) const
{
    found.clear();
    RTCPointQuery query{float(node[0]), float(node[1]), float(node[2]), 0, radius_};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    Search search{triangle_, found};
    rtcPointQuery(scene_, &query, &context, collect, &search);
    std::sort(found.begin(), found.end());
}

} // namespace lbm::exact
