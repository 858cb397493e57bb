// Storage: what each storage keeps of a node, told in one place. Registry, memory estimate, performance model, checkpoints
// and benchmarks read it here; nobody reads it off a name. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <string_view>

namespace lbm {

enum class Kept { populations, moments };

struct StorageDescriptor {
    std::string_view device, name;
    Kept kept;
    int copies;             // of what is kept: one if it is replaced where it lies
    int valueBytes;         // of a stored value; 0: as the row's precision says
    bool spareTile;         // one tile more than hold fluid, for neighbours that are missing
    bool ghostBuffers;      // beside the tiles, for populations that cross their faces
    bool keepsFaces;        // moments of three dimensions: populations that leave a tile across x, besides
};

constexpr StorageDescriptor storageDescriptors[] = {
    {"cpu", "ab", Kept::populations, 2, 0, true, false, false},
    {"cpu", "aa", Kept::populations, 1, 0, true, false, false},
    {"cpu", "t2c", Kept::populations, 2, 0, true, false, false},
    {"cpu", "moments", Kept::moments, 1, 0, false, false, false},
    {"cpu", "tgb", Kept::populations, 1, 0, false, true, false},
    {"cpu", "connectivity", Kept::populations, 2, 0, false, false, false},
    {"cpu", "fluidIndex", Kept::populations, 2, 0, false, false, false},
    {"cpu", "denseAos", Kept::populations, 2, 0, false, false, false},
    {"cpu", "densePush", Kept::populations, 2, 0, false, false, false},
    {"cpu", "densePull", Kept::populations, 2, 0, false, false, false},
    {"cpu", "denseBranchless", Kept::populations, 2, 0, false, false, false},
    {"cpu", "denseTiled", Kept::populations, 2, 0, false, false, false},
    {"cuda", "ab", Kept::populations, 2, 0, true, false, false},
    {"cuda", "aa", Kept::populations, 1, 0, true, false, false},
    {"cuda", "t2c", Kept::populations, 2, 0, true, false, false},
    {"cuda", "packed", Kept::populations, 2, 0, false, false, false},
    {"cuda", "moments", Kept::moments, 2, 0, false, false, true},
    {"cuda", "momentsSingle", Kept::moments, 1, 0, false, false, false},
    {"cuda", "moments16", Kept::moments, 2, 2, false, false, false},
    {"cuda", "tgb", Kept::populations, 1, 0, false, true, false},
    {"cuda", "connectivity", Kept::populations, 2, 0, false, false, false},
    {"cuda", "fluidIndex", Kept::populations, 2, 0, false, false, false},
    {"cuda", "denseAos", Kept::populations, 2, 0, false, false, false},
    {"cuda", "densePush", Kept::populations, 2, 0, false, false, false},
    {"cuda", "densePull", Kept::populations, 2, 0, false, false, false},
    {"cuda", "denseBranchless", Kept::populations, 2, 0, false, false, false},
    {"cuda", "denseBounded", Kept::populations, 2, 0, false, false, false},
    {"cuda", "denseFull", Kept::populations, 2, 0, false, false, false},
    {"cuda", "denseTiled", Kept::populations, 2, 0, false, false, false}};

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
