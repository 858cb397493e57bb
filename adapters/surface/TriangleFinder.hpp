// TriangleFinder: the triangles that a link of a node may meet, by Embree's bounding volume tree.
// Embree works in single precision, so it only preselects, with a margin; hits are decided exactly.
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

class TriangleFinder {
public:
    TriangleFinder(const Surface& surface, const std::vector<bool>& skippedRegions);
    ~TriangleFinder();
    TriangleFinder(const TriangleFinder&) = delete;
    TriangleFinder& operator=(const TriangleFinder&) = delete;

    // Replaces `found` by the numbers, ascending, of all triangles within one link of a node
    // (sqrt(3) spacings), and some farther ones. May be called by several threads.
    void find(const Int3& node, std::vector<unsigned>& found) const;

private:
    void fill(const Surface& surface, RTCGeometry geometry) const;

    std::vector<unsigned> triangle_;    // number in the surface of each of Embree's
    float radius_;
    RTCDevice device_;
    RTCScene scene_;
};

} // namespace lbm::exact
