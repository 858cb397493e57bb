// TriangleFinder: the triangles that a link of a node may meet, by Embree's bounding volume tree.
// Embree works in single precision, so it only preselects, with a margin; hits are decided exactly.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/EmbreeScene.hpp"

#include <memory>
#include <mutex>

namespace lbm::exact {

class TriangleFinder {
public:
    TriangleFinder(const Surface& surface, const std::vector<bool>& skippedRegions);

    // Replaces `found` by the numbers, ascending, of all triangles within one link of a node
    // (sqrt(3) spacings), and some farther ones. May be called by several threads.
    void find(const Int3& node, std::vector<unsigned>& found) const;

    // The triangle nearest to a node, however far; -1: there is none. May be called by several threads.
    int nearest(const Int3& node) const;

private:
    const EmbreeScene& scene() const;

    const Surface& surface_;
    std::vector<unsigned> triangle_; // number in the surface of each of Embree's
    float radius_;
    mutable std::once_flag made_; // with the first question: where a GPU searches there may be none
    mutable std::unique_ptr<EmbreeScene> scene_;
};

} // namespace lbm::exact
