// LinkSearch: where the links of a node meet the surface, decided exactly.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleFinder.hpp"

namespace lbm::exact {

struct Hit {
    double fraction = 0; // 0: no hit
    std::int16_t region = -1;
    bool leaving = false;   // through a triangle whose outer side faces away from the node
    bool preferred = false; // see SurfaceOptions

    explicit operator bool() const { return fraction > 0; }
};

class LinkSearch {
public:
    // outerSide: 1 if normals point out of the fluid, -1 if into it. A link that meets two coincident
    // triangles (a baffle) takes the one whose outer side it leaves by, then one of a preferred region.
    LinkSearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box,
               const std::vector<Int3>& directions, const std::vector<bool>& preferred, int outerSide);

    // The nearest hit of each direction, in their order; valid until the next call.
    const std::vector<Hit>& search(const Int3& node);

    // For a link that ends at a solid node without a hit: the triangle that it misses by the least, or
    // no hit if there is none around.
    Hit nearestMiss(const Int3& node, const Int3& direction);

private:
    void searchImage(const Int3& node);
    void searchTriangle(unsigned triangle, const Point& node);
    bool better(const Hit& hit, const Hit& best) const;
    bool isPreferred(unsigned triangle) const;
    template<class Act>
    void forImages(const Int3& node, const Act& act) const;

    const Surface& surface_;
    const TriangleFinder& finder_;
    const LatticeBox& box_;
    const std::vector<Int3>& directions_;
    const std::vector<bool>& preferred_;
    int outerSide_;
    std::vector<Hit> hits_;
    std::vector<unsigned> candidates_;
};

} // namespace lbm::exact
