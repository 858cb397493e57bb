// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/surface/CudaSurface.hpp"

#include "lbm/device/CudaStream.hpp"
#include "lbm/device/DeviceList.hpp"
#include "lbm/device/NoMemory.hpp"
#include "lbm/device/Window.hpp"
#include "lbm/surface/Workbenches.hpp"

#include <sstream>

namespace lbm {

namespace {

using cuda::Array;

constexpr int blockThreads = 128;
constexpr int workbenches = 8; // that keep a device busy while other threads see to what it has found

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
    crossSearchBlocks(exact::SearchBlockView view, exact::LinkRays rays, const Int3* nodes, int n, std::uint32_t* masks,
                      std::uint32_t* first, FoundCrossings::Found* hits, std::uint32_t* count)
{
    const int i = blockIdx.x * blockThreads + threadIdx.x, lane = threadIdx.x % 32;
    exact::Hit own[27];
    std::uint32_t mask = 0;
    if (i < n) {
        exact::searchBlock(view, rays, nodes[i], own);
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

// Memory that cannot be had, here or there: the processor does without.
template<class Make>
auto orNoRoom(const Make& make) -> decltype(make())
{
    try {
        return make();
    } catch (const cuda::NoMemory& fault) {
        throw NoDeviceRoom(fault.what());
    }
}

// Said before others take their part of it.
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

// A stream with memory of its own, which a thread works with at a time.
struct Workbench {
    cuda::Stream stream;
    cuda::Event done;

    explicit Workbench(const cuda::Device& device) : stream(device), done(device) {}

    // what: is done, for the message of a device that fails meanwhile.
    void wait(const std::string& what)
    {
        stream.record(done);
        try {
            cuda::Stream::wait(done);
        } catch (const cuda::Error& fault) {
            throw cuda::Error(what + " on " + stream.device().name() + ": " + fault.what());
        }
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
                        + workbenches * mostSlots * (sizeof(Vec3) + sizeof(WindingSums)),
                    "winding numbers of " + std::to_string(facets.size()) + " triangles");
        clusters_ = {device_, clusters.data(), clusters.size()};
        facets_ = {device_, facets.data(), facets.size()};
        for (int i = 0; i < workbenches; ++i) benches_.add(std::make_unique<WindingBench>(device_));
        // The first launch takes what its kernel needs of the device
        benches_.use([&](WindingBench& bench) { run(bench, packetPoints, 1); });
    }

    void sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
             std::vector<WindingSums>& sums) const override
    {
        sums.resize(points.size());
        benches_.use([&](WindingBench& bench) {
            for (std::size_t first = 0; first < ends.size();) {
                const std::size_t last = std::min(ends.size(), first + mostSlots / packetPoints);
                fill(bench, points, ends, first, last);
                run(bench, (last - first) * packetPoints, reach);
                take(bench, ends, first, last, sums);
                first = last;
            }
        });
    }

private:
    static constexpr std::size_t mostSlots = std::size_t(1) << 16; // of points, packetPoints for each packet

    struct WindingBench : Workbench {
        Pair<Vec3> points;
        Pair<WindingSums> sums;
        explicit WindingBench(const cuda::Device& device) :
            Workbench(device), points(device, mostSlots), sums(device, mostSlots)
        {}
    };

    // Spare slots of a packet repeat its last point.
    static void fill(WindingBench& bench, const std::vector<Vec3>& points, const std::vector<int>& ends,
                     std::size_t first, std::size_t last)
    {
        Vec3* slot = bench.points.host();
        for (std::size_t p = first; p < last; ++p) {
            const int begin = p == 0 ? 0 : ends[p - 1], end = ends[p];
            for (int l = 0; l < packetPoints; ++l) *slot++ = points[std::size_t(std::min(begin + l, end - 1))];
        }
    }

    // Spare packets of the last block repeat its last point.
    void run(WindingBench& bench, std::size_t slots, double reach) const
    {
        device_.use();
        const std::size_t blocks = (slots + blockThreads - 1) / blockThreads;
        Vec3* points = bench.points.host();
        std::fill(points + slots, points + blocks * blockThreads, points[slots - 1]);
        bench.points.send(bench.stream, blocks * blockThreads);
        sumPackets<<<unsigned(blocks), blockThreads, 0, bench.stream.handle()>>>(
            clusters_.data(), int(clusters_.size()), facets_.data(), bench.points.device(), reach, bench.sums.device());
        device_.check("winding numbers");
        bench.sums.fetch(bench.stream, slots);
        bench.wait("winding numbers");
    }

    static void take(WindingBench& bench, const std::vector<int>& ends, std::size_t first, std::size_t last,
                     std::vector<WindingSums>& sums)
    {
        const WindingSums* slot = bench.sums.host();
        for (std::size_t p = first; p < last; ++p, slot += packetPoints) {
            const int begin = p == 0 ? 0 : ends[p - 1];
            std::copy(slot, slot + (ends[p] - begin), sums.begin() + begin);
        }
    }

    cuda::Device device_;
    Array<WindingCluster> clusters_;
    Array<Facet> facets_;
    mutable Workbenches<WindingBench> benches_;
};

class CudaCrossings final : public DeviceCrossings {
public:
    CudaCrossings(const cuda::Device& device, const exact::SearchTriangles& triangles, const exact::LinkRays& rays,
                  const exact::NodeReach& within) :
        device_(device), rays_(rays)
    {
        const std::size_t n = triangles.reach.size();
        const exact::SearchBlockCounts counts(triangles, within);
        requireRoom(device_,
                    n * exact::SearchTriangles::bytesEach
                        + (std::min(counts.blocks, mostSearchBlocks()) + std::min(counts.entries, mostEntries()))
                            * sizeof(std::uint32_t)
                        + workbenches * mostNodes * bytesOfNode(),
                    "rays to " + std::to_string(n) + " triangles");
        corners_ = {device_, triangles.corners.data(), n};
        reach_ = {device_, triangles.reach.data(), n};
        marks_ = {device_, triangles.marks.data(), n};
        for (int i = 0; i < workbenches; ++i) benches_.add(std::make_unique<CrossingBench>(device_, rays_.count));
        FoundCrossings none; // the first launch takes what its kernel needs of the device
        benches_.use([&](CrossingBench& bench) { search(bench, nullptr, 0, none); });
    }

    void setSearchBlocks(const exact::SearchBlockLists& lists) override
    {
        begin_ = {}, entries_ = {}; // before others are made
        orNoRoom([&] {
            begin_ = {device_, lists.begin.data(), lists.begin.size()};
            entries_ = {device_, lists.triangles.data(), lists.triangles.size()};
        });
        zBegin_ = lists.zBegin;
        searchBlocks_ = lists.blocks;
    }

    void search(const std::vector<Int3>& nodes, FoundCrossings& found) const override
    {
        found.clear();
        benches_.use([&](CrossingBench& bench) {
            for (std::size_t first = 0; first < nodes.size(); first += mostNodes)
                search(bench, nodes.data() + first, std::min(nodes.size() - first, mostNodes), found);
        });
    }

private:
    static constexpr std::size_t mostNodes = std::size_t(1) << 15;

    struct CrossingBench : Workbench {
        Pair<Int3> nodes;
        Pair<std::uint32_t> masks, first, count;
        Pair<FoundCrossings::Found> hits;
        CrossingBench(const cuda::Device& device, int directions) :
            Workbench(device),
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

    void search(CrossingBench& bench, const Int3* nodes, std::size_t n, FoundCrossings& found) const
    {
        device_.use();
        std::copy(nodes, nodes + n, bench.nodes.host());
        *bench.count.host() = 0;
        bench.nodes.send(bench.stream, n);
        bench.count.send(bench.stream, 1);
        const std::size_t blocks = std::max<std::size_t>(1, (n + blockThreads - 1) / blockThreads);
        const exact::SearchBlockView view{begin_.data(),   entries_.data(), zBegin_,      searchBlocks_,
                                          corners_.data(), reach_.data(),   marks_.data()};
        crossSearchBlocks<<<unsigned(blocks), blockThreads, 0, bench.stream.handle()>>>(
            view, rays_, bench.nodes.device(), int(n), bench.masks.device(), bench.first.device(), bench.hits.device(),
            bench.count.device());
        device_.check("rays to a surface");
        bench.masks.fetch(bench.stream, n);
        bench.first.fetch(bench.stream, n);
        bench.count.fetch(bench.stream, 1);
        bench.wait("rays to a surface");
        const std::size_t hits = *bench.count.host();
        bench.hits.fetch(bench.stream, hits);
        bench.wait("rays to a surface");
        const auto before = std::uint32_t(found.hits.size());
        found.masks.insert(found.masks.end(), bench.masks.host(), bench.masks.host() + n);
        for (std::size_t i = 0; i < n; ++i) found.first.push_back(before + bench.first.host()[i]);
        found.hits.insert(found.hits.end(), bench.hits.host(), bench.hits.host() + hits);
    }

    cuda::Device device_;
    exact::LinkRays rays_;
    Array<std::array<exact::Point, 3>> corners_;
    Array<exact::NodeReach> reach_;
    Array<exact::TriangleMark> marks_;
    Array<std::uint32_t> begin_, entries_;
    int zBegin_ = 0;
    Int3 searchBlocks_{};
    mutable Workbenches<CrossingBench> benches_;
};

class CudaSurface final : public SurfaceDevice {
public:
    explicit CudaSurface(const std::string& word) : device_(word) {}

    const std::string& name() const override { return device_.name(); }

    std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>& clusters,
                                           const std::vector<Facet>& facets) const override
    {
        return orNoRoom([&] { return std::make_unique<CudaWinding>(device_, clusters, facets); });
    }

    std::unique_ptr<DeviceCrossings> crossings(const exact::SearchTriangles& triangles, const exact::LinkRays& rays,
                                               const exact::NodeReach& within) const override
    {
        return orNoRoom([&] { return std::make_unique<CudaCrossings>(device_, triangles, rays, within); });
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
