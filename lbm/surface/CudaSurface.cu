// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/surface/CudaSurface.hpp"

#include "lbm/device/CudaStream.hpp"
#include "lbm/device/DeviceList.hpp"
#include "lbm/device/Window.hpp"
#include "lbm/surface/Workbenches.hpp"

#include <cstring>
#include <sstream>

namespace lbm {

namespace {

using cuda::Array;

constexpr int blockThreads = 128;
constexpr int mostLanes = 8; // that keep a device busy while other threads see to what it has found

// Points of a packet are lanes of a warp that follow each other; its four packets, which are neighbours in space, take clusters in
// the same order, and each one with those that need it.
__global__ void __launch_bounds__(blockThreads) sumPackets(const WindingCluster* clusters, int n, const Facet* facets,
                                                           const Vec3* points, double reach, WindingSums* sums)
{
    const int slot = blockIdx.x * blockThreads + threadIdx.x;
    const Vec3 point = points[slot];
    PacketBounds bounds;
    for (int a = 0; a < 3; ++a) {
        double low = point[a], high = low;
        for (int apart = 1; apart < packetPoints; apart *= 2) {
            low = fmin(low, __shfl_xor_sync(~0u, low, apart));
            high = fmax(high, __shfl_xor_sync(~0u, high, apart));
        }
        bounds.low[a] = low;
        bounds.high[a] = high;
    }
    const auto pace = [n](int next) {
        int first = next;
        for (int apart = 16; apart > 0; apart /= 2) first = min(first, __shfl_xor_sync(~0u, first, apart));
        return first >= n ? n : next == first ? next : -1;
    };
    sums[slot] = windingSums(clusters, n, facets, bounds, point, reach, pace);
}

// Hits of a warp's nodes are put together; where, is whose turn it was.
__global__ void __launch_bounds__(blockThreads)
    crossNodeBlocks(exact::NodeBlockView view, exact::LinkRays rays, const Int3* nodes, int n, std::uint32_t* masks,
                    std::uint32_t* first, FoundCrossings::Found* hits, std::uint32_t* count)
{
    const int i = blockIdx.x * blockThreads + threadIdx.x, lane = threadIdx.x % 32;
    exact::Hit own[27];
    std::uint32_t mask = 0;
    if (i < n) {
        exact::searchNodeBlock(view, rays, nodes[i], own);
        for (int q = 0; q < rays.count; ++q) mask |= std::uint32_t(bool(own[q])) << q;
    }
    const std::uint32_t mine = __popc(mask);
    std::uint32_t upTo = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        const std::uint32_t before = __shfl_up_sync(~0u, upTo, apart);
        if (lane >= apart) upTo += before;
    }
    std::uint32_t begin = lane == 31 ? atomicAdd(count, upTo) : 0;
    begin = __shfl_sync(~0u, begin, 31);
    if (i >= n) return;
    std::uint32_t at = begin + upTo - mine;
    masks[i] = mask;
    first[i] = at;
    for (int q = 0; q < rays.count; ++q)
        if (mask >> q & 1) hits[at++] = {float(own[q].fraction), own[q].region};
}

void requireRoom(const cuda::Device& device, std::size_t bytes, const std::string& what)
{
    const std::size_t unused = device.freeBytes();
    if (bytes <= unused) return;
    std::ostringstream text;
    text.precision(4);
    text << device.name() << " has no room for " << what << ": " << double(bytes) / 1e9 << " GB are needed, "
         << double(unused) / 1e9 << " GB are free";
    throw NoDeviceRoom(text.str());
}

// Memory that the host and a device have of the same values: `host` goes over, or comes back.
template<class T>
class Pair {
public:
    Pair(const cuda::Device& device, std::size_t n) : pinned_(device, n * sizeof(T)), there_(device, n) {}

    T* host() { return static_cast<T*>(pinned_.data()); }
    T* device() { return there_.data(); }
    void send(const cuda::Stream& stream, std::size_t n) { stream.toDevice(there_.data(), host(), n * sizeof(T)); }
    void fetch(const cuda::Stream& stream, std::size_t n) { stream.toHost(host(), there_.data(), n * sizeof(T)); }

private:
    cuda::PinnedMemory pinned_;
    Array<T> there_;
};

struct Lane {
    cuda::Stream stream;
    cuda::Event done;

    explicit Lane(const cuda::Device& device) : stream(device), done(device) {}

    void wait()
    {
        stream.record(done);
        cuda::Stream::wait(done);
    }
};

class CudaWinding final : public DeviceWinding {
public:
    CudaWinding(const cuda::Device& device, const std::vector<WindingCluster>& clusters,
                const std::vector<Facet>& facets) :
        device_(device)
    {
        requireRoom(device_,
                    clusters.size() * sizeof(WindingCluster) + facets.size() * sizeof(Facet)
                        + mostLanes * mostSlots * (sizeof(Vec3) + sizeof(WindingSums)),
                    "winding numbers of " + std::to_string(facets.size()) + " triangles");
        clusters_ = {device_, clusters.data(), clusters.size()};
        facets_ = {device_, facets.data(), facets.size()};
    }

    void sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
             std::vector<WindingSums>& sums) const override
    {
        sums.resize(points.size());
        lanes_.use([&] { return std::make_unique<WindingLane>(device_); },
                   [&](WindingLane& lane) {
                       for (std::size_t first = 0; first < ends.size();) {
                           const std::size_t last = std::min(ends.size(), first + mostSlots / packetPoints);
                           fill(lane, points, ends, first, last);
                           run(lane, (last - first) * packetPoints, reach);
                           take(lane, ends, first, last, sums);
                           first = last;
                       }
                   });
    }

private:
    static constexpr std::size_t mostSlots = std::size_t(1) << 16; // of points, packetPoints for each packet

    struct WindingLane : Lane {
        Pair<Vec3> points;
        Pair<WindingSums> sums;
        explicit WindingLane(const cuda::Device& device) :
            Lane(device), points(device, mostSlots), sums(device, mostSlots)
        {}
    };

    // Spare slots of a packet repeat its last point.
    static void fill(WindingLane& lane, const std::vector<Vec3>& points, const std::vector<int>& ends,
                     std::size_t first, std::size_t last)
    {
        Vec3* slot = lane.points.host();
        for (std::size_t p = first; p < last; ++p) {
            const int begin = p == 0 ? 0 : ends[p - 1], end = ends[p];
            for (int l = 0; l < packetPoints; ++l) *slot++ = points[std::size_t(std::min(begin + l, end - 1))];
        }
    }

    // Spare packets of the last block repeat its last point.
    void run(WindingLane& lane, std::size_t slots, double reach) const
    {
        device_.use();
        const std::size_t blocks = (slots + blockThreads - 1) / blockThreads;
        Vec3* points = lane.points.host();
        std::fill(points + slots, points + blocks * blockThreads, points[slots - 1]);
        lane.points.send(lane.stream, blocks * blockThreads);
        sumPackets<<<unsigned(blocks), blockThreads, 0, lane.stream.handle()>>>(
            clusters_.data(), int(clusters_.size()), facets_.data(), lane.points.device(), reach, lane.sums.device());
        device_.check("winding numbers");
        lane.sums.fetch(lane.stream, slots);
        lane.wait();
    }

    static void take(WindingLane& lane, const std::vector<int>& ends, std::size_t first, std::size_t last,
                     std::vector<WindingSums>& sums)
    {
        const WindingSums* slot = lane.sums.host();
        for (std::size_t p = first; p < last; ++p, slot += packetPoints) {
            const int begin = p == 0 ? 0 : ends[p - 1];
            std::copy(slot, slot + (ends[p] - begin), sums.begin() + begin);
        }
    }

    cuda::Device device_;
    Array<WindingCluster> clusters_;
    Array<Facet> facets_;
    mutable Lanes<WindingLane> lanes_{mostLanes};
};

class CudaCrossings final : public DeviceCrossings {
public:
    CudaCrossings(const cuda::Device& device, const exact::SearchTriangles& triangles, const exact::LinkRays& rays) :
        device_(device), rays_(rays)
    {
        const std::size_t n = triangles.reach.size();
        requireRoom(device_,
                    n * exact::SearchTriangles::bytesEach
                        + (SurfaceDevice::mostNodeBlocks + SurfaceDevice::mostEntries) * sizeof(std::uint32_t)
                        + mostLanes * mostNodes * bytesOfNode(),
                    "rays to " + std::to_string(n) + " triangles");
        corners_ = {device_, triangles.corners.data(), n};
        reach_ = {device_, triangles.reach.data(), n};
        marks_ = {device_, triangles.marks.data(), n};
    }

    void setNodeBlocks(const exact::NodeBlockLists& lists) override
    {
        begin_ = {}, entries_ = {}; // before others are made
        begin_ = {device_, lists.begin.data(), lists.begin.size()};
        entries_ = {device_, lists.triangles.data(), lists.triangles.size()};
        zBegin_ = lists.zBegin;
        nodeBlocks_ = lists.blocks;
    }

    void search(const std::vector<Int3>& nodes, FoundCrossings& found) const override
    {
        found.clear();
        lanes_.use([&] { return std::make_unique<CrossingLane>(device_, rays_.count); },
                   [&](CrossingLane& lane) {
                       for (std::size_t first = 0; first < nodes.size(); first += mostNodes)
                           search(lane, nodes.data() + first, std::min(nodes.size() - first, mostNodes), found);
                   });
    }

private:
    static constexpr std::size_t mostNodes = std::size_t(1) << 15;

    struct CrossingLane : Lane {
        Pair<Int3> nodes;
        Pair<std::uint32_t> masks, first, count;
        Pair<FoundCrossings::Found> hits;
        CrossingLane(const cuda::Device& device, int directions) :
            Lane(device),
            nodes(device, mostNodes),
            masks(device, mostNodes),
            first(device, mostNodes),
            count(device, 1),
            hits(device, mostNodes * std::size_t(directions))
        {}
    };

    std::size_t bytesOfNode() const
    {
        return sizeof(Int3) + 2 * sizeof(std::uint32_t) + std::size_t(rays_.count) * sizeof(FoundCrossings::Found);
    }

    void search(CrossingLane& lane, const Int3* nodes, std::size_t n, FoundCrossings& found) const
    {
        device_.use();
        std::copy(nodes, nodes + n, lane.nodes.host());
        *lane.count.host() = 0;
        lane.nodes.send(lane.stream, n);
        lane.count.send(lane.stream, 1);
        const exact::NodeBlockView view{begin_.data(),   entries_.data(), zBegin_,      nodeBlocks_,
                                        corners_.data(), reach_.data(),   marks_.data()};
        crossNodeBlocks<<<unsigned((n + blockThreads - 1) / blockThreads), blockThreads, 0, lane.stream.handle()>>>(
            view, rays_, lane.nodes.device(), int(n), lane.masks.device(), lane.first.device(), lane.hits.device(),
            lane.count.device());
        device_.check("rays to a surface");
        lane.masks.fetch(lane.stream, n);
        lane.first.fetch(lane.stream, n);
        lane.count.fetch(lane.stream, 1);
        lane.wait();
        const std::size_t hits = *lane.count.host();
        lane.hits.fetch(lane.stream, hits);
        lane.wait();
        const auto before = std::uint32_t(found.hits.size());
        found.masks.insert(found.masks.end(), lane.masks.host(), lane.masks.host() + n);
        for (std::size_t i = 0; i < n; ++i) found.first.push_back(before + lane.first.host()[i]);
        found.hits.insert(found.hits.end(), lane.hits.host(), lane.hits.host() + hits);
    }

    cuda::Device device_;
    exact::LinkRays rays_;
    Array<std::array<exact::Point, 3>> corners_;
    Array<exact::NodeReach> reach_;
    Array<exact::TriangleMark> marks_;
    Array<std::uint32_t> begin_, entries_;
    int zBegin_ = 0;
    Int3 nodeBlocks_{};
    mutable Lanes<CrossingLane> lanes_{mostLanes};
};

class CudaSurface final : public SurfaceDevice {
public:
    explicit CudaSurface(const std::string& word) : device_(word) {}

    const std::string& name() const override { return device_.name(); }

    std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>& clusters,
                                           const std::vector<Facet>& facets) const override
    {
        return std::make_unique<CudaWinding>(device_, clusters, facets);
    }

    std::unique_ptr<DeviceCrossings> crossings(const exact::SearchTriangles& triangles,
                                               const exact::LinkRays& rays) const override
    {
        return std::make_unique<CudaCrossings>(device_, triangles, rays);
    }

private:
    cuda::Device device_;
};

} // namespace

std::unique_ptr<SurfaceDevice> findCudaSurface(const std::string& word, int share)
{
    // Of ranks each takes one, and `cuda` means all of them
    const std::string named = share > 0 && word.find(':') == std::string::npos ? word + ":all" : word;
    const std::vector<std::string> words = devicesIn(named, namesAllDevices(named) ? cuda::deviceCount() : 0);
    if (words.empty()) throw cuda::Error("device '" + word + "': no CUDA device is present");
    return std::make_unique<CudaSurface>(words[std::size_t(share) % words.size()]);
}

} // namespace lbm
