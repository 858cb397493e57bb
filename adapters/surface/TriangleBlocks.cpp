// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/TriangleBlocks.hpp"

#include "lbm/api/inParallel.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

#include <cmath>

namespace lbm::exact {

namespace {

constexpr std::size_t grain = 256; // triangles that a thread takes at a time

// Whether a triangle's plane may pass links of a block's nodes, by rounded numbers with a slack far above their rounding.
class PlaneTest {
public:
    PlaneTest(const std::array<Point, 3>& corners, Coordinate unit)
    {
        const Triangle triangle = triangleOf(corners);
        const double scale = 1 / double(unit);
        for (int a = 0; a < 3; ++a) {
            normal_[a] = double(triangle.normal[a]) * scale * scale;
            corner_[a] = double(corners[0][a]) * scale;
            thick_ += std::abs(normal_[a]);
        }
        thick_ *= 0.5 * (searchBlockEdge - 1) + 1 + 1e-3;
    }

    // By its first node.
    bool mayPass(const Int3& first) const
    {
        double height = 0;
        for (int a = 0; a < 3; ++a) height += normal_[a] * (first[a] + 0.5 * (searchBlockEdge - 1) - corner_[a]);
        return std::abs(height) <= thick_;
    }

private:
    double normal_[3], corner_[3], thick_ = 0;
};

class ListMaker {
public:
    ListMaker(const SearchTriangles& triangles, Coordinate unit, const Int3& size, int begin, int threads) :
        triangles_(triangles), unit_(unit), size_(size), threads_(threads)
    {
        lists_.zBegin = begin;
        for (int a = 0; a < 2; ++a) lists_.blocks[a] = (size[a] + searchBlockEdge - 1) / searchBlockEdge;
    }

    std::size_t blocksOfLayer() const { return std::size_t(lists_.blocks[0]) * std::size_t(lists_.blocks[1]); }

    // How many entries the lists of planes up to `end` have. Where that is within 32 bits, begin[b] is behind block b's last one.
    std::size_t count(int end)
    {
        end_ = end;
        lists_.blocks[2] = (end - lists_.zBegin + searchBlockEdge - 1) / searchBlockEdge;
        lists_.begin.assign(blocksOfLayer() * std::size_t(lists_.blocks[2]) + 1, 0);
        forEach([&](std::uint32_t, std::size_t block) { next(block); });
        std::size_t n = 0;
        for (std::uint32_t& each : lists_.begin) each = std::uint32_t(n += each);
        return n;
    }

    // After count(), with what it returned: threads count back from the ends.
    SearchBlockLists fill(std::size_t entries)
    {
        lists_.triangles.resize(entries);
        forEach([&](std::uint32_t t, std::size_t block) { lists_.triangles[before(block)] = t; });
        const std::size_t blocks = lists_.begin.size() - 1, share = 4096;
        inParallel((blocks + share - 1) / share,
                   [&](std::size_t i) {
                       for (std::size_t b = i * share; b < std::min(blocks, (i + 1) * share); ++b)
                           std::sort(lists_.triangles.begin() + lists_.begin[b],
                                     lists_.triangles.begin() + lists_.begin[b + 1]);
                   },
                   threads_);
        return std::move(lists_);
    }

private:
    std::uint32_t next(std::size_t block) { return __atomic_fetch_add(&lists_.begin[block], 1u, __ATOMIC_RELAXED); }
    std::uint32_t before(std::size_t block) { return __atomic_sub_fetch(&lists_.begin[block], 1u, __ATOMIC_RELAXED); }

    // act(triangle, block), by all threads
    template<class Act>
    void forEach(const Act& act) const
    {
        const std::size_t n = triangles_.reach.size();
        inParallel((n + grain - 1) / grain,
                   [&](std::size_t i) {
                       for (std::size_t t = i * grain; t < std::min(n, (i + 1) * grain); ++t)
                           forSearchBlocks(std::uint32_t(t), act);
                   },
                   threads_);
    }

    template<class Act>
    void forSearchBlocks(std::uint32_t t, const Act& act) const
    {
        const NodeReach& reach = triangles_.reach[t];
        Int3 low, high;
        const Int3 first{0, 0, lists_.zBegin}, last{size_[0] - 1, size_[1] - 1, end_ - 1};
        for (int a = 0; a < 3; ++a) {
            low[a] = std::max(reach.low[a], first[a]);
            high[a] = std::min(reach.high[a], last[a]);
            if (low[a] > high[a]) return;
            low[a] = (low[a] - first[a]) / searchBlockEdge;
            high[a] = (high[a] - first[a]) / searchBlockEdge;
        }
        const PlaneTest plane(triangles_.corners[t], unit_);
        Int3 b;
        for (b[2] = low[2]; b[2] <= high[2]; ++b[2])
            for (b[1] = low[1]; b[1] <= high[1]; ++b[1])
                for (b[0] = low[0]; b[0] <= high[0]; ++b[0]) {
                    if (!plane.mayPass(
                            {b[0] * searchBlockEdge, b[1] * searchBlockEdge, lists_.zBegin + b[2] * searchBlockEdge}))
                        continue;
                    act(t,
                        std::size_t(b[0]) + std::size_t(lists_.blocks[0]) * std::size_t(b[1])
                            + blocksOfLayer() * std::size_t(b[2]));
                }
    }

    const SearchTriangles& triangles_;
    Coordinate unit_;
    Int3 size_;
    int threads_, end_ = 0;
    SearchBlockLists lists_;
};

} // namespace

SearchTriangles searchTriangles(const Surface& surface, const std::vector<bool>& skippedRegions,
                                const std::vector<bool>& preferredRegions, int threads)
{
    const std::size_t n = surface.size();
    SearchTriangles all{std::vector<std::array<Point, 3>>(n), std::vector<NodeReach>(n), std::vector<TriangleMark>(n)};
    inParallel((n + grain - 1) / grain,
               [&](std::size_t i) {
                   for (std::size_t t = i * grain; t < std::min(n, (i + 1) * grain); ++t) {
                       const Triangle triangle = surface.triangle(t);
                       const std::size_t region = std::size_t(surface.region(t));
                       all.corners[t] = triangle.corner;
                       all.marks[t] = {std::int16_t(region), !preferredRegions.empty() && preferredRegions[region]};
                       const bool skipped = !skippedRegions.empty() && skippedRegions[region];
                       for (int a = 0; a < 3; ++a) {
                           all.reach[t].low[a] = int(surface.ceilNode(triangle.min(a))) - 1;
                           all.reach[t].high[a] = int(surface.floorNode(triangle.max(a))) + 1;
                           if (skipped || triangle.degenerate()) all.reach[t].high[a] = all.reach[t].low[a] - 1;
                       }
                   }
               },
               threads);
    return all;
}

SearchBlockLists searchBlockLists(const SearchTriangles& triangles, Coordinate unit, const Int3& size, int begin,
                                  int& end, std::size_t mostSearchBlocks, std::size_t mostEntries, int threads)
{
    ListMaker maker(triangles, unit, size, begin, threads);
    int layers = (end - begin + searchBlockEdge - 1) / searchBlockEdge;
    layers = std::clamp<int>(int(std::min<std::size_t>(mostSearchBlocks / maker.blocksOfLayer(), 1u << 30)), 1, layers);
    while (true) {
        end = std::min(end, begin + layers * searchBlockEdge);
        const std::size_t entries = maker.count(end);
        if (entries <= mostEntries) return maker.fill(entries);
        if (layers == 1)
            throw NoDeviceRoom("one layer of blocks of nodes has " + std::to_string(entries) + " triangles, "
                               + std::to_string(mostEntries) + " at most are taken at a time");
        layers /= 2;
    }
}

} // namespace lbm::exact
