// RaySearch: where the links of many nodes meet the surface: each by itself (LinkSearch), or many at a time on a GPU, with the same
// hits. Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/LinkSearch.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

#include <atomic>
#include <memory>

namespace lbm::exact {

class RaySearch {
public:
    // References are kept.
    RaySearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box, const LinkRays& rays,
              const std::vector<bool>& preferred) :
        surface_(surface), finder_(finder), box_(box), rays_(rays), preferred_(preferred)
    {}

    // To be asked from now on: of a GPU, for these triangles.
    void take(SearchTriangles triangles, std::unique_ptr<DeviceCrossings> crossings)
    {
        triangles_ = std::move(triangles);
        crossings_ = std::move(crossings);
    }
    // Each node by itself from now on.
    void dropDevice() { take({}, nullptr); }
    bool onDevice() const { return bool(crossings_); }

    // Of so many nodes or more threads are to ask a GPU at a time.
    static constexpr std::size_t leastOnDevice = std::size_t(1) << 14;

    // Makes ready for nodes of planes [begin, result), where result is `end` at most. Throws NoDeviceRoom; dropDevice() helps.
    int begin(int begin, int end, int threads);

    // Nodes that a GPU has searched for so far.
    std::int64_t nodesOnDevice() const { return nodesOnDevice_; }

    // Calls act(i, hits, search) for node nodes[i], with its hits by direction, which act may change. By several threads.
    template<class Act>
    void forHits(const std::vector<Int3>& nodes, const Act& act) const
    {
        LinkSearch search(surface_, finder_, box_, rays_, preferred_);
        FoundCrossings found;
        if (crossings_) askDevice(nodes, found);
        std::vector<Hit> hits;
        std::size_t next = 0; // of what the GPU has found
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (isForDevice(nodes[i])) read(found, next++, hits);
            else hits = search.search(nodes[i]);
            act(i, hits, search);
        }
    }

private:
    // Behind the other end of the box a GPU does not look
    bool isForDevice(const Int3& node) const { return crossings_ && !LinkSearch::wraps(box_, node); }
    void askDevice(const std::vector<Int3>& nodes, FoundCrossings& found) const;
    void read(const FoundCrossings& found, std::size_t i, std::vector<Hit>& hits) const;

    const Surface& surface_;
    const TriangleFinder& finder_;
    const LatticeBox& box_;
    LinkRays rays_;
    const std::vector<bool>& preferred_;
    SearchTriangles triangles_;
    std::unique_ptr<DeviceCrossings> crossings_;
    mutable std::atomic<std::int64_t> nodesOnDevice_{0};
};

} // namespace lbm::exact
