// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/SlabAgreement.hpp"

#include "lbm/api/DeviceRoom.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/solver/Devices.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

bool asksForSlabs(const Config& config) { return config.slabSteps > 0 || config.slabLayers > 0; }

// Of the devices of this process, which stand for those of other ranks.
double leastRoom(const Config& config)
{
    double least = std::numeric_limits<double>::max();
    for (const std::string& device : devicesOf(config)) least = std::min(least, deviceRoom(device).bytes);
    return least;
}

} // namespace

int partsOfDevice(const Config& config)
{
    const int devices = config.ranks * int(devicesOf(config).size());
    return (partsOf(config) + devices - 1) / devices;
}

// Memory that is just free is asked only for populations, as SlabFit does, and only where these may be too many.
bool partsStream(const KernelRow& row, const Domain& domain, const Config& config)
{
    if (isOnHost(row) || partsOf(config) < 2) return false;
    const bool given = config.deviceMemory > 0;
    if (!asksForSlabs(config)) {
        const int devices = (partsOf(config) + partsOfDevice(config) - 1) / partsOfDevice(config);
        const double room = leastRoom(config);
        const double budget = devices * (given ? std::min(config.deviceMemory, room) : room);
        if (!given && 2 * double(populationBytes(row, double(domain.nodes()))) < budget) return false;
        const MemoryUse use = expectedMemory(domain, config);
        // The part with most has a little more than the mean
        if ((1 + Bricks::aim) * (double(use.populations) + (given ? double(use.geometry) : 0)) <= budget) return false;
    }
    if (storageOf(row).streams) return true;
    if (!given && !asksForSlabs(config)) return false; // who makes it says how much would fit
    throw std::invalid_argument("deviceMemory: storage " + row.storage
                                + " cannot stream through a device; others can: moments, aa, t2c, packed");
}

CutCosts slabCutCosts(CutCosts costs)
{
    costs.acrossLast = std::numeric_limits<double>::infinity();
    return costs;
}

// Ranks find the row by words, of which a budget may choose another tile.
Config configOfSlabPart(const KernelRow& row, Config config)
{
    config.slabSteps = std::max(config.slabSteps, 1);
    config.deviceMemory /= partsOfDevice(config);
    config.tile = row.tile;
    return config;
}

void agreeOnSlabs(const std::vector<SlabPart*>& parts, const Config& config)
{
    std::vector<SlabOffer> offers;
    for (const SlabPart* part : parts) offers.push_back(part->slabOffer(partsOfDevice(config)));
    const SlabPlan plan = planSlabs(offers, config.slabSteps, config.slabLayers);
    for (SlabPart* part : parts) part->stream(plan);
}

} // namespace lbm
