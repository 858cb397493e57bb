// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PartCosts.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/Devices.hpp"

#include <algorithm>
#include <set>

namespace lbm {

namespace {

// Threads slide along the last axis through layer after layer: two copies of moments on a GPU (storage/moments/gpu).
bool slides(const KernelRow& row)
{
    const StorageDescriptor& storage = storageOf(row);
    return storage.device == "cuda" && storage.stored == Stored::moments && storage.copies == 2;
}

// What links take besides their nodes, in updates of a node, from lbm/bench/results: interpolated walls from the speeds of vessels
// with and without them (curved-walls.md: an aneurysm of 384^3 with 2.6 million links and 10.2 million nodes, on a CPU of 256^3, where
// surface and volume make that 0.38 links a node), openings from a lid of 192^3 (sparse-gpu.md: 31 microseconds for 184 thousand
// completed links, 522 for 7.1 million nodes).
struct LinkCosts {
    double interpolated, opening;
};
LinkCosts linkCosts(const KernelRow& row)
{
    constexpr double ofOpenings = 2.3;
    if (isOnHost(row)) return {0.2, ofOpenings};
    if (storageOf(row).stored == Stored::populations) return {0.45, ofOpenings};
    return {storedState(row).valueBytes == 2 ? 2.6 : isSingle(row) ? 1.3 : 0.6, ofOpenings};
}

} // namespace

CutCosts cutCosts(const KernelRow& row, const Config& config)
{
    constexpr double acrossSliding = 3; // two-gpus.md
    const LinkCosts link = linkCosts(row);
    CutCosts costs(slides(row) ? acrossSliding : 1);
    for (const LinkValue& patch : config.patches)
        costs.ofLink.push_back(patch.kind == BoundaryKind::wall                   ? 0
                                   : patch.kind == BoundaryKind::interpolatedWall ? link.interpolated
                                                                                  : link.opening);
    return costs;
}

CutView cutView(const KernelRow& row, const Config& config)
{
    CutView view{reachOf(config), tileExtents(row.tile), tileExtents(row.tile), latticeDirections(row.lattice)};
    // Runs of so many layers, or tiles of two dimensions, are not cut for the rim (MomentGeometry::putRimFirst, longestRun). In small
    // domains runs of the rim are shorter (lengthsFor), which this does not know: it counts too much of the rim
    constexpr int longestRun = 128, longestFlatRun = 32;
    if (slides(row)) {
        if (latticeDimensions(row.lattice) == 3) view.rim[2] = longestRun;
        else view.rim[1] *= longestFlatRun;
    }
    return view;
}

// On a CPU the rim, inner tiles and ghosts are seen to one after the other. In a ring of moments ghosts' new places are old ones of
// other tiles, and openings that impose the whole state of a node do so behind all tiles (MomentGeometry::putRimFirst).
bool overlapsHandover(const KernelRow& row, const Config& config)
{
    if (isOnHost(row)) return false;
    if (storageOf(row).stored == Stored::populations) return true;
    const bool imposes = std::any_of(config.patches.begin(), config.patches.end(),
                                     [](const LinkValue& patch) { return patch.velocityGradient; });
    return slides(row) && !imposes;
}

double handedOverBytes(const KernelRow& row, const TakenGhosts& nodes)
{
    const StoredState stored = storedState(row);
    return stored.valueBytes
        * (storageOf(row).stored == Stored::moments ? double(nodes.wanted) * stored.values : double(nodes.populations));
}

namespace {

// Of one process the devices that it names, of ranks one each.
bool haveDevicesOfTheirOwn(const Config& config)
{
    if (config.exchange != "auto" && config.exchange != "peer") return false;
    if (config.ranks > 1) return partsOf(config) == config.ranks;
    const std::vector<std::string> devices = devicesOf(config);
    return std::set<std::string>(devices.begin(), devices.end()).size() == std::size_t(partsOf(config));
}

} // namespace

bool partsPassOverBox(const KernelRow& row, const Domain& whole, const Config& config)
{
    const Int3 tile = tileExtents(row.tile);
    const StoredState stored = storedState(row);
    if (!passesOverBoxes(row) || hasForces(config) || boxOfPasses(whole, tile)[0] == 0
        || !haveDevicesOfTheirOwn(config))
        return false;
    const Bricks bricks(whole, partsOf(config), tile, cutCosts(row, config), config.cuts);
    for (int p = 0; p < bricks.count(); ++p) {
        const Int3& size = bricks[p].size;
        if (size[0] != whole.size[0] || size[2] != whole.size[2] || size[1] % tile[1] != 0 || size[1] <= 2 * tile[1]
            || layersOfBoxPass(size, tile, stored.values, stored.valueBytes) == 0)
            return false;
    }
    return true;
}

std::string axesRoundedByCuts(const KernelRow& row, const Domain& whole, const Bricks& bricks)
{
    if (isOnHost(row) || storageOf(row).stored != Stored::moments) return {};
    const Int3 tile = tileExtents(row.tile);
    std::string axes;
    for (int a = 0; a < whole.dimensions; ++a) {
        bool cut = false;
        for (int i = 0; i < bricks.count(); ++i) cut = cut || bricks[i].size[a] < whole.size[a];
        if (cut && whole.periodic[a] && whole.size[a] % tile[a] != 0)
            axes += (axes.empty() ? "" : " and ") + std::string(1, "xyz"[a]);
    }
    return axes;
}

} // namespace lbm
