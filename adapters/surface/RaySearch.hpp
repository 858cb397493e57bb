// RaySearch: where the links of many nodes meet the surface: each by itself (LinkSearch), or many at a time on a GPU, with the same
// hits. Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/LinkSearch.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

#include <memory>

namespace lbm::exact {

class RaySearch {
public:
    // References are kept. crossings: of a GPU, of these triangles; null: none.
    RaySearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box, const LinkRays& rays,
              const std::vector<bool>& preferred, const SearchTriangles* triangles, DeviceCrossings* crossings) :
        surface_(surface),
        finder_(finder),
        box_(box),
        rays_(rays),
        preferred_(preferred),
        triangles_(triangles),
        crossings_(crossings)
    {}

    // Of so many nodes or more threads are to ask at a time.
    std::size_t least() const { return crossings_ ? std::size_t(1) << 14 : 1; }

    // Makes ready for nodes of planes [begin, result), where result is `end` at most.
    int begin(int begin, int end, int threads);

    // Calls act(i, hits, search) for node nodes[i], with its hits by direction, which act may change. By several threads.
    template<class Act>
    void forHits(const std::vector<Int3>& nodes, const Act& act) const
    {
        LinkSearch search(surface_, finder_, box_, rays_, preferred_);
        FoundCrossings found;
        if (crossings_) crossings_->search(nodes, found);
        std::vector<Hit> hits;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            // Behind the other end of the box a GPU does not look
            if (!crossings_ || LinkSearch::wraps(box_, nodes[i])) hits = search.search(nodes[i]);
            else take(found, i, hits);
            act(i, hits, search);
        }
    }

private:
    void take(const FoundCrossings& found, std::size_t i, std::vector<Hit>& hits) const;

    const Surface& surface_;
    const TriangleFinder& finder_;
    const LatticeBox& box_;
    LinkRays rays_;
    const std::vector<bool>& preferred_;
    const SearchTriangles* triangles_;
    DeviceCrossings* crossings_;
};

} // namespace lbm::exact
