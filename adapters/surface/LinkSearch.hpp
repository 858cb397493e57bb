// LinkSearch: where the links of a node meet the surface, decided exactly.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleFinder.hpp"
#include "lbm/surface/Crossing.hpp"

namespace lbm::exact {

class LinkSearch {
public:
    // A link that meets two coincident triangles (a baffle) takes the one whose outer side it leaves by, then one of a preferred
    // region (SurfaceOptions).
    LinkSearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box, const LinkRays& rays,
               const std::vector<bool>& preferred);

    // The nearest hit of each direction, in their order; valid until the next call.
    const std::vector<Hit>& search(const Int3& node);

    // Whether links of a node wrap, and also meet what lies behind the other end of the box.
    static bool wraps(const LatticeBox& box, const Int3& node);

    // For a link that ends at a solid node without a hit: the triangle that it misses by the least, or
    // no hit if there is none around.
    Hit nearestMiss(const Int3& node, const Int3& direction);

private:
    void searchImage(const Int3& node);
    void searchTriangle(unsigned triangle, const Point& node);
    bool isPreferred(unsigned triangle) const;
    template<class Act>
    void forImages(const Int3& node, const Act& act) const;

    const Surface& surface_;
    const TriangleFinder& finder_;
    const LatticeBox& box_;
    LinkRays rays_;
    const std::vector<bool>& preferred_;
    std::vector<Hit> hits_;
    std::vector<unsigned> candidates_;
};

} // namespace lbm::exact
