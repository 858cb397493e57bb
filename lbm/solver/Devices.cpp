// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Devices.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/device/DeviceList.hpp"
#ifdef LBM_CUDA
#include "lbm/device/CudaPeers.hpp"
#endif

#include <algorithm>
#include <set>
#include <stdexcept>

namespace lbm {

PlaceOnHost& placeOnHost()
{
    static PlaceOnHost ofProcess;
    return ofProcess;
}

namespace {

std::vector<std::string> namedDevices(const Config& config)
{
    int present = 0;
#ifdef LBM_CUDA
    if (namesAllDevices(config.device)) present = cuda::deviceCount();
#endif
    return devicesIn(config.device, present);
}

std::string numberOfDevices(int n) { return std::to_string(n) + (n == 1 ? " device" : " devices"); }

// "'cuda:all' is 3 devices of a host that 2 ranks share; " of a Config that cannot be
std::string sharedOut(const Config& config, int devices, int ranks)
{
    return "device '" + config.device + "' is " + numberOfDevices(devices) + " of a host that " + std::to_string(ranks)
        + " ranks share; ";
}

} // namespace

std::vector<std::string> devicesOf(const Config& config)
{
    return config.ranks > 1 ? devicesOfRank(config, placeOnHost()) : namedDevices(config);
}

std::vector<std::string> devicesOfRank(const Config& config, const PlaceOnHost& place)
{
    if (config.device == "cpu") return {config.device};
    Config named = config;
    const bool oneEach = named.device.find(':') == std::string::npos;
    if (oneEach) named.device += ":all";
    const std::vector<std::string> words = namedDevices(named);
    const int n = int(words.size());
    if (words.empty() || (place.ranks > n && !config.sharedDevices))
        throw std::invalid_argument(sharedOut(config, n, place.ranks) + "each is to have one of its own");
    for (const std::string& word : words)
        if (!config.sharedDevices && std::count(words.begin(), words.end(), word) > 1)
            throw std::invalid_argument("device '" + config.device + "': " + word + " is named twice");
    if (oneEach || place.ranks > n) return {words[std::size_t(place.number % n)]};
    if (n % place.ranks != 0)
        throw std::invalid_argument(sharedOut(config, n, place.ranks) + "each is to have as many: name "
                                    + std::to_string(n / place.ranks * place.ranks)
                                    + ", or start another number of ranks");
    const auto first = words.begin() + place.number * (n / place.ranks);
    return {first, first + n / place.ranks};
}

const std::string& deviceOfRank(const std::vector<std::string>& words, const DeviceOfRank& device)
{
    if (int(words.size()) != device.ofSo)
        throw std::invalid_argument("device: this rank takes " + numberOfDevices(int(words.size()))
                                    + " of its host, and the first one " + std::to_string(device.ofSo)
                                    + " of its own; each is to have as many");
    return words.at(std::size_t(device.number));
}

// Of ranks what each takes if they can share, which checkDevices says
int partsOf(const Config& config)
{
    const bool oneEach = config.ranks > 1 && config.device.find(':') == std::string::npos;
    const int sharing = config.ranks > 1 ? placeOnHost().ranks : 1;
    const int devices = oneEach ? 1 : std::max(1, int(namedDevices(config).size()) / sharing);
    return config.parts == config.ranks ? config.ranks * devices : config.parts;
}

namespace {

void checkExchange(const Config& config)
{
    const std::string& way = config.exchange;
    if (way != "" && way != "auto" && way != "peer" && way != "nccl" && way != "mpi")
        throw std::invalid_argument("exchange '" + way + "' is none of auto, peer, nccl, mpi");
    if (config.device == "cpu" && (way == "peer" || way == "nccl"))
        throw std::invalid_argument("exchange " + way + ": it is between GPUs, and the device is cpu");
    if (config.ranks == 1 && way == "nccl")
        throw std::invalid_argument("exchange nccl: it is between ranks, and this is one process");
}

} // namespace

void checkDevices(const Config& config)
{
    checkExchange(config);
    const std::vector<std::string> words = devicesOf(config);
    if (words.size() < 2) return;
    const int devices = config.ranks * int(words.size());
    if (config.parts > config.ranks && config.parts % devices != 0)
        throw std::invalid_argument("parts is " + std::to_string(config.parts) + ", and device '" + config.device
                                    + "' names " + std::to_string(devices)
                                    + (config.ranks > 1 ? " for " + std::to_string(config.ranks) + " ranks" : "")
                                    + ": leave parts out, or let each device have as many");
#ifdef LBM_CUDA
    std::set<std::string> names;
    for (const std::string& word : words) {
        const std::string name = cuda::Device(word).name();
        if (!names.insert(name).second && !config.sharedDevices)
            throw std::invalid_argument("device '" + config.device + "': " + name + " is named twice");
    }
#endif
}

} // namespace lbm
