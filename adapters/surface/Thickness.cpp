// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/Thickness.hpp"

#include "adapters/surface/EmbreeScene.hpp"
#include "adapters/surface/Slabs.hpp"
#include "adapters/surface/VectorMath.hpp"

namespace lbm::exact {

namespace {

// Rays start so many spacings off their triangle, for Embree's single precision.
constexpr float start = 1e-3f;

class Rays {
public:
    Rays(const Surface& surface, const std::vector<std::int8_t>& outward) : surface_(surface), outward_(outward)
    {
        for (std::size_t t = 0; t < surface.size(); ++t)
            if (!surface.triangle(t).degenerate()) number_.push_back(unsigned(t));
        scene_.take(scene_.triangles(surface, number_));
    }

    // Distance to what faces the triangle, along its normal (sense 1) or against it; 0: nothing does.
    float distance(std::size_t t, int sense) const
    {
        const std::array<Vec3, 3> c = surface_.place(t);
        const Vec3 n = outwardNormal(t, c);
        RTCRayHit query{};
        for (int a = 0; a < 3; ++a) (&query.ray.org_x)[a] = float((c[0][a] + c[1][a] + c[2][a]) / 3);
        for (int a = 0; a < 3; ++a) (&query.ray.dir_x)[a] = float(sense * n[a]);
        query.ray.tnear = start;
        query.ray.tfar = HUGE_VALF;
        query.ray.mask = ~0u;
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene_.get(), &context, &query);
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return 0;
        const std::size_t met = number_[query.hit.primID];
        const bool faces = outward_[met] == 0 || vec::dot(outwardNormal(met, surface_.place(met)), n) < 0;
        return faces ? query.ray.tfar : 0;
    }

private:
    Vec3 outwardNormal(std::size_t t, const std::array<Vec3, 3>& c) const
    {
        const Vec3 n = vec::cross(vec::operator-(c[1], c[0]), vec::operator-(c[2], c[0]));
        return vec::operator*((outward_[t] < 0 ? -1 : 1) / vec::magnitude(n), n);
    }

    const Surface& surface_;
    const std::vector<std::int8_t>& outward_;
    std::vector<unsigned> number_;
    EmbreeScene scene_;
};

} // namespace

Thickness thickness(const Surface& surface, const std::vector<std::int8_t>& outward, int threads)
{
    Thickness result;
    result.gap.assign(surface.size(), 0);
    result.wall.assign(surface.size(), 0);
    const QuietFloats quiet;
    const Rays rays(surface, outward);
    const std::size_t grain = 1024;
    parallelFor(int((surface.size() + grain - 1) / grain), threads, [&](int chunk) {
        const QuietFloats quietHere;
        const std::size_t end = std::min(surface.size(), (chunk + 1) * grain);
        for (std::size_t t = chunk * grain; t < end; ++t) {
            if (outward[t] == 0 || surface.triangle(t).degenerate()) continue;
            result.gap[t] = rays.distance(t, 1);
            result.wall[t] = rays.distance(t, -1);
        }
    });
    return result;
}

} // namespace lbm::exact
