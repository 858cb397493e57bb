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

std::vector<std::string> devicesOf(const Config& config)
{
    int present = 0;
#ifdef LBM_CUDA
    if (namesAllDevices(config.device)) present = cuda::deviceCount();
#endif
    return devicesIn(config.device, present);
}

std::string deviceOfRank(const Config& config, int number, int ofSo)
{
    if (config.device == "cpu") return config.device;
    Config named = config;
    if (named.device.find(':') == std::string::npos) named.device += ":all";
    const std::vector<std::string> words = devicesOf(named);
    if (words.empty() || (ofSo > int(words.size()) && !config.sharedDevices))
        throw std::invalid_argument("device '" + config.device + "' is " + std::to_string(words.size())
                                    + (words.size() == 1 ? " device" : " devices") + " of a host that "
                                    + std::to_string(ofSo) + " ranks share; each is to have one of its own");
    for (const std::string& word : words)
        if (!config.sharedDevices && std::count(words.begin(), words.end(), word) > 1)
            throw std::invalid_argument("device '" + config.device + "': " + word + " is named twice");
    return words[std::size_t(number) % words.size()];
}

int partsOf(const Config& config)
{
    const int devices = config.ranks > 1 ? 1 : int(devicesOf(config).size());
    return config.parts == 1 && devices > 1 ? devices : config.parts;
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
    if (words.size() < 2 || config.ranks > 1) return;
    if (config.parts > 1 && config.parts % int(words.size()) != 0)
        throw std::invalid_argument("parts is " + std::to_string(config.parts) + ", and device '" + config.device
                                    + "' names " + std::to_string(words.size())
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
