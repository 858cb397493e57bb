// SurfaceDevice: a GPU that takes winding numbers around a surface and finds where links cross it. Results are those of a processor,
// to the last bit. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/NodeBlocks.hpp"
#include "lbm/surface/Winding.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace lbm {

// The device has too little free memory for what it is asked to hold: what() tells how much. Nothing was placed on it.
struct NoDeviceRoom : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The sums of points in packets. Several threads may ask at a time.
class DeviceWinding {
public:
    virtual ~DeviceWinding() = default;

    // Packet p are points[ends[p - 1]] to points[ends[p] - 1], one to packetPoints of them. sums: of each point.
    virtual void sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
                     std::vector<WindingSums>& sums) const = 0;
};

// Hits of nodes: bit q of masks[i] for direction q of node i, and its hits by q from hits[first[i]] on.
struct FoundCrossings {
    struct Found {
        float fraction;
        std::int16_t region;
    };
    std::vector<std::uint32_t> masks, first;
    std::vector<Found> hits;

    void clear()
    {
        masks.clear();
        first.clear();
        hits.clear();
    }
};

// The nearest crossings of links. Several threads may search at a time, while nobody sets blocks.
class DeviceCrossings {
public:
    virtual ~DeviceCrossings() = default;

    // Of the planes that are searched next.
    virtual void setNodeBlocks(const exact::NodeBlockLists&) = 0;
    virtual void search(const std::vector<Int3>& nodes, FoundCrossings& found) const = 0;
};

// Memory is given back with each object. Failures of the device are std::runtime_error, whose text names it.
class SurfaceDevice {
public:
    // word: as Config::device. share: which of those that it names, for processes that each take one; modulo how many there are.
    // Null for the processor, and where no GPU answers: `why` says so then.
    static std::unique_ptr<SurfaceDevice> find(const std::string& word, int share, std::string& why);

    virtual ~SurfaceDevice() = default;
    virtual const std::string& name() const = 0;

    // Throw NoDeviceRoom. Triangles are copied.
    virtual std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>&,
                                                   const std::vector<Facet>&) const = 0;
    virtual std::unique_ptr<DeviceCrossings> crossings(const exact::SearchTriangles&, const exact::LinkRays&) const = 0;

    // Of one piece of planes at most, which is what crossings() foresees: blocks, and entries of their lists.
    static constexpr std::size_t mostNodeBlocks = std::size_t(1) << 25, mostEntries = std::size_t(1) << 26;

    // What find() makes devices with: those of CUDA, or what a test puts there.
    using Make = std::unique_ptr<SurfaceDevice> (*)(const std::string& word, int share, std::string& why);
    static Make& make();
};

} // namespace lbm
