// SurfaceDevice: a GPU that takes winding numbers around a surface and finds where links cross it. Results are those of a processor,
// to the last bit. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/SearchBlocks.hpp"
#include "lbm/surface/Winding.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace lbm {

// Too little memory for what a device is asked to hold, of its own or of what the host pins for it: what() tells how much. A
// processor can do what was asked for.
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

    // Of the planes that are searched next. Throws NoDeviceRoom; there is nothing to search in then.
    virtual void setSearchBlocks(const exact::SearchBlockLists&) = 0;
    // Of these planes at most: blocks, and entries of their lists.
    virtual std::size_t mostSearchBlocks() const { return std::size_t(1) << 25; }
    virtual std::size_t mostEntries() const { return std::size_t(1) << 26; }

    virtual void search(const std::vector<Int3>& nodes, FoundCrossings& found) const = 0;
};

// Memory is given back with each object. Failures of the device are std::runtime_error, whose text names it.
class SurfaceDevice {
public:
    // Throws std::invalid_argument for what Config::device cannot be: none of cpu, cuda, and cuda: with names behind it.
    static void checkWord(const std::string& word);

    // word: as Config::device. share: which of those that it names, for processes of a host that each take one: their number there,
    // modulo how many devices there are. Null for the processor, and where no GPU answers: `why` says so then. Throws as checkWord.
    static std::unique_ptr<SurfaceDevice> find(const std::string& word, int share, std::string& why);

    virtual ~SurfaceDevice() = default;
    virtual const std::string& name() const = 0;

    // Throw NoDeviceRoom. Triangles are copied. within: of the nodes that are searched for, both ends.
    virtual std::unique_ptr<DeviceWinding> winding(const std::vector<WindingCluster>&,
                                                   const std::vector<Facet>&) const = 0;
    virtual std::unique_ptr<DeviceCrossings> crossings(const exact::SearchTriangles&, const exact::LinkRays&,
                                                       const exact::NodeReach& within) const = 0;
};

} // namespace lbm
