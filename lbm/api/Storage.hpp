// Storage: what each storage holds of a node, told in one place. Registry, memory estimate, performance model, checkpoints
// and benchmarks read it here; nobody reads it off a name. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Collision.hpp"
#include "lbm/api/Config.hpp"

#include <cstdint>
#include <string_view>

namespace lbm {

enum class Stored { populations, moments };

struct StorageDescriptor {
    std::string_view device, name;
    Stored stored;
    int copies;        // of what is stored: one if it is replaced where it lies
    int valueBytes;    // of a stored value; 0: as the row's precision says
    bool spareTile;    // one tile more than hold fluid, for neighbours that are missing
    bool ghostBuffers; // beside the tiles, for populations that cross their faces
    bool keepsFaces;   // moments of three dimensions: populations that leave a tile across x, besides
    bool nodeFields;   // its kernels load what nodes are told one by one
    bool streams;      // slabs of a domain may go through its device one behind the other
};

constexpr StorageDescriptor storageDescriptors[] = {
    {"cpu", "ab", Stored::populations, 2, 0, true, false, false, true, false},
    {"cpu", "aa", Stored::populations, 1, 0, true, false, false, true, false},
    {"cpu", "t2c", Stored::populations, 2, 0, true, false, false, true, false},
    {"cpu", "moments", Stored::moments, 1, 0, false, false, false, true, false},
    {"cpu", "tgb", Stored::populations, 1, 0, false, true, false, false, false},
    {"cpu", "connectivity", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "fluidIndex", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "denseAos", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "densePush", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "densePull", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "denseBranchless", Stored::populations, 2, 0, false, false, false, false, false},
    {"cpu", "denseTiled", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "ab", Stored::populations, 2, 0, true, false, false, true, true},
    {"cuda", "aa", Stored::populations, 1, 0, true, false, false, true, true},
    {"cuda", "t2c", Stored::populations, 2, 0, true, false, false, true, true},
    {"cuda", "packed", Stored::populations, 2, 0, false, false, false, true, true},
    {"cuda", "moments", Stored::moments, 2, 0, false, false, true, true, true},
    {"cuda", "momentsSingle", Stored::moments, 1, 0, false, false, true, true, false},
    {"cuda", "moments16", Stored::moments, 2, 2, false, false, false, true, true},
    {"cuda", "moments16Single", Stored::moments, 1, 2, false, false, false, true, false},
    {"cuda", "tgb", Stored::populations, 1, 0, false, true, false, false, false},
    {"cuda", "connectivity", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "fluidIndex", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "denseAos", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "densePush", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "densePull", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "denseBranchless", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "denseBounded", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "denseFull", Stored::populations, 2, 0, false, false, false, false, false},
    {"cuda", "denseTiled", Stored::populations, 2, 0, false, false, false, false, false}};

// What a storage is to make of the velocities around each node: relaxation times (ClosureDescriptor::ofGradient), strain rates
// (CollisionDescriptor::ofGradient).
struct FoundAround {
    bool tau, strain;
    constexpr bool any() const { return tau || strain; }
};

inline FoundAround foundAround(const Config& config)
{
    const ClosureDescriptor* closure = findClosure(config.closure);
    const CollisionDescriptor* collision = findCollision(config.collision);
    return {closure && closure->ofGradient, collision && collision->ofGradient};
}

// Faces hold velocities, too, in kernels that may look at their gradient: relaxation times by node are told or follow from it.
inline bool keepsFaceVelocities(const KernelRow& row)
{
    const CollisionDescriptor* collision = findCollision(row.collision);
    const ClosureDescriptor* closure = findClosure(row.closure);
    return (collision && collision->ofGradient) || (closure && closure->byNode);
}

// Moments have these velocities at hand. Of populations `ab`, which serves tests, makes them in a pass of its own, which takes some 17
// times as long as a step ...
constexpr bool takesGradients(const StorageDescriptor& s)
{
    return s.nodeFields && (s.stored == Stored::moments || (s.device == "cpu" && s.name == "ab"));
}

// ... and in parts for those of ghosts, of which populations are handed over only where links lead.
constexpr bool keepsWholeGhosts(const StorageDescriptor& s) { return s.stored == Stored::moments; }

// Moments of third order do without what nodes are told one by one.
constexpr bool takesClosures(const StorageDescriptor& s, const CollisionDescriptor& c)
{
    return !(s.stored == Stored::moments && c.ofThird);
}

// Rows of a CPU keep each population, or moment, of a few tiles, spare ones included, as a run of so many bytes, with some
// between two runs (lbm/storage/rows/Runs.hpp).
constexpr int runBytes = 8192, runGap = 64;

constexpr bool keepsRuns(const StorageDescriptor& s)
{
    return s.device == "cpu" && (s.spareTile || s.stored == Stored::moments);
}

// Room for so many nodes in whole runs.
constexpr double nodesInRuns(double nodes, int valueBytes)
{
    const double run = runBytes / valueBytes, whole = double(std::int64_t(nodes / run));
    return (whole + (nodes > whole * run)) * (runBytes + runGap) / valueBytes;
}

// Null: no such storage on that device.
constexpr const StorageDescriptor* findStorage(std::string_view device, std::string_view name)
{
    for (const StorageDescriptor& s : storageDescriptors)
        if (s.device == device && s.name == name) return &s;
    return nullptr;
}

// Of a row of kernels.list. Throws std::logic_error if the table above lacks it.
const StorageDescriptor& storageOf(const KernelRow&);

} // namespace lbm
