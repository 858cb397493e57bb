// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/EmbreeScene.hpp"

#include <new>

namespace lbm::exact {

// Triangles need none of the 128 MB that Embree keeps for tessellations; and where it does not get them, it keeps a lock that the
// next device, or the end of one, waits for without end.
EmbreeScene::EmbreeScene() : device_(rtcNewDevice("tessellation_cache_size=0"))
{
    check("rtcNewDevice");
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
}

EmbreeScene::~EmbreeScene()
{
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
}

RTCGeometry EmbreeScene::triangles(const Surface& surface, const std::vector<unsigned>& numbers) const
{
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    const std::vector<Point>& points = surface.points();
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               3 * sizeof(float), points.size()));
    auto* corner = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                  3 * sizeof(unsigned), numbers.size()));
    check("rtcSetNewGeometryBuffer");
    for (const Point& p : points)
        for (Coordinate x : p) *vertex++ = float(double(x) / double(surface.unit()));
    for (unsigned t : numbers)
        for (int c : surface.corners(t)) *corner++ = unsigned(c);
    return geometry;
}

void EmbreeScene::take(RTCGeometry geometry)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    check("building the tree");
}

void EmbreeScene::check(const char* what) const
{
    const RTCError error = rtcGetDeviceError(device_);
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE)
        throw SurfaceError(std::string("Embree: ") + what + " failed with error " + std::to_string(error));
}

} // namespace lbm::exact
