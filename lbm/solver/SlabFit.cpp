// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/SlabFit.hpp"

#include <algorithm>
#include <sstream>

namespace lbm {

namespace {

// Of device memory that is free a solver of the whole leaves some to what is allocated later: placed nodes, pictures.
constexpr double usable = 0.97;

std::string gigabytes(std::size_t bytes)
{
    std::ostringstream text;
    text.precision(4);
    text << double(bytes) / 1e9 << " GB";
    return text.str();
}

} // namespace

std::size_t memoryLeft(const cuda::Device& device, double deviceMemory, std::size_t used)
{
    const double unused = usable * double(device.freeBytes());
    return std::size_t(deviceMemory > 0 ? std::clamp(deviceMemory - double(used), 0., unused) : unused);
}

std::size_t memoryBudget(const cuda::Device& device, const Config& config)
{
    return memoryLeft(device, config.deviceMemory, 0);
}

// Of memory that is just free only what cannot fit streams: tables are estimated generously, and a solver of the whole says itself
// when it is they that do not.
bool mustStream(const cuda::Device& device, const Domain& domain, const Config& config)
{
    if (config.slabLayers > 0 || config.slabSteps > 0) return true;
    const double budget = double(memoryBudget(device, config));
    const bool given = config.deviceMemory > 0;
    // As if all were fluid: most domains need no counting of tiles
    if (!given && 2 * double(populationBytes(findKernel(config), double(domain.nodes()))) < budget) return false;
    const MemoryUse use = expectedMemory(domain, config);
    return double(use.populations) + (given ? double(use.geometry) : 0) > budget;
}

// The wedge of a periodic box and what closes it meet at other layers from step to step; ends of wraps that are swapped before a
// step, for they fall on no tile boundary, have no place there.
void requireStreamable(const Domain& domain, const Int3& extents, int axis)
{
    if (domain.ghostsBelow[axis] > 0 || domain.ghostsAbove[axis] > 0)
        throw std::invalid_argument("parts: a domain that streams through devices (deviceMemory) is not cut across "
                                    + std::string(1, "xyz"[axis]) + ", along which its slabs lie");
    if (!domain.turns.empty())
        throw std::invalid_argument("deviceMemory: a domain that repeats by turns does not stream through the device");
    if (!domain.periodic[axis]) return;
    for (int a = 0; a < domain.dimensions; ++a)
        if (domain.periodic[a] && domain.size[a] % extents[a] != 0)
            throw std::invalid_argument(
                "deviceMemory: a domain that is periodic along " + std::string(1, "xyz"[axis])
                + " streams through the device only where its periodic sides are whole tiles; along "
                + std::string(1, "xyz"[a]) + " it has " + std::to_string(domain.size[a])
                + " nodes, tiles of this kernel " + std::to_string(extents[a]));
}

LinkRates linkRates(const cuda::Device& device)
{
    constexpr std::size_t bytes = std::size_t(64) << 20;
    return {device.linkBandwidth(bytes), device.copyBandwidth(bytes)};
}

cuda::Error tooLittle(const cuda::Device& device, std::size_t budget, std::size_t least)
{
    return cuda::Error(device.name() + ": deviceMemory of " + gigabytes(budget)
                       + " is too little even for thin slabs of the domain, which ask for " + gigabytes(least));
}

} // namespace lbm
