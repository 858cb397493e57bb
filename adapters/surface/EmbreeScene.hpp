// EmbreeScene: a device and a scene of Embree's that end with their owner.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ExactSurface.hpp"

#include <embree3/rtcore.h>

#include <cfenv>

namespace lbm::exact {

// OpenFOAM lets floating point exceptions end the process; Embree raises them on purpose.
class QuietFloats {
public:
    QuietFloats() { std::feholdexcept(&saved_); }
    ~QuietFloats() { std::fesetenv(&saved_); }
    QuietFloats(const QuietFloats&) = delete;
    QuietFloats& operator=(const QuietFloats&) = delete;

private:
    std::fenv_t saved_;
};

class EmbreeScene {
public:
    // Throws SurfaceError if Embree does not start.
    EmbreeScene();
    ~EmbreeScene();
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;

    RTCDevice device() const { return device_; }
    RTCScene get() const { return scene_; }

    // A geometry with the triangles of these numbers, in node spacings.
    RTCGeometry triangles(const Surface& surface, const std::vector<unsigned>& numbers) const;

    // Takes the geometry over and builds the tree.
    void take(RTCGeometry geometry);

    // Throws SurfaceError, or std::bad_alloc, if Embree has failed since the last call.
    void check(const char* what) const;

private:
    RTCDevice device_;
    RTCScene scene_;
};

} // namespace lbm::exact
