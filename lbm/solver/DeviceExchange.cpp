// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/DeviceExchange.hpp"

#ifdef LBM_CUDA
#include "lbm/device/Nccl.hpp"
#include "lbm/solver/StreamedEnd.hpp"
#endif

#include <map>

namespace lbm {

std::string whyNoDeviceExchange(const std::vector<DevicePresence>& ranks)
{
    std::map<std::string, std::size_t> devices;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const DevicePresence& its = ranks[rank];
        const std::string name = "rank " + std::to_string(rank);
        if (!its.missing.empty()) return name + ": " + its.missing;
        if (its.library != ranks[0].library) return name + " has " + its.library + ", rank 0 " + ranks[0].library;
        for (const std::string& device : its.devices) {
            const auto [found, isNew] = devices.emplace(device, rank);
            if (isNew) continue;
            if (found->second == rank) return name + " has " + device + " twice, and NCCL asks for different ones";
            return "ranks " + std::to_string(found->second) + " and " + std::to_string(rank) + " share " + device
                + ", and NCCL asks for their own";
        }
    }
    return {};
}

DeviceExchange& deviceExchange()
{
    static DeviceExchange ofProcess;
    return ofProcess;
}

void DeviceExchange::leave()
{
    ranks_.reset();
    devices_.clear();
}

void DeviceExchange::send(int device, int to, const char* bytes, std::size_t n, cuda::StreamHandle stream)
{
    if (n) waiting_.push_back({true, device, to, const_cast<char*>(bytes), n, stream});
}

void DeviceExchange::receive(int device, int from, char* bytes, std::size_t n, cuda::StreamHandle stream)
{
    if (n) waiting_.push_back({false, device, from, bytes, n, stream});
}

#ifdef LBM_CUDA

namespace {

const cuda::Device& deviceOf(const Part& part)
{
    const auto* there = dynamic_cast<const OnDevice*>(&part);
    if (!there) throw cuda::Error("NCCL: a part is on no GPU");
    return there->device();
}

} // namespace

DevicePresence DeviceExchange::presence(const PartsByDevice& parts) const
{
    DevicePresence here;
    try {
        for (const Part* part : parts)
            here.devices.push_back(deviceOf(*part).name() + ' ' + deviceOf(*part).identity());
        here.library = cuda::ncclName();
        here.joined = ranks_ && devices_ == here.devices;
    } catch (const cuda::Error& fault) {
        here.missing = fault.what();
    }
    return here;
}

std::string DeviceExchange::newId() { return cuda::newNcclId(); }

void DeviceExchange::join(const PartsByDevice& parts, const std::string& id, int rank, int ranks)
{
    leave();
    const int each = int(parts.size());
    std::vector<cuda::Device> devices;
    for (const Part* part : parts) devices.push_back(deviceOf(*part));
    ranks_ = std::make_shared<cuda::NcclRanks>(devices, id, rank * each, ranks * each);
    devices_ = presence(parts).devices;
}

std::string DeviceExchange::way() const { return "by " + cuda::ncclName(); }

void DeviceExchange::go()
{
    if (waiting_.empty()) return;
    ranks_->begin();
    for (const Transfer& t : waiting_)
        if (t.sends) ranks_->send(t.device, t.other, t.bytes, t.n, t.stream);
        else ranks_->receive(t.device, t.other, t.bytes, t.n, t.stream);
    waiting_.clear();
    ranks_->end();
}

#else

namespace {

[[noreturn]] void refuse() { throw std::logic_error("ranks: this build of lbmFoam has no GPU kernels"); }

} // namespace

DevicePresence DeviceExchange::presence(const PartsByDevice&) const { refuse(); }
std::string DeviceExchange::newId() { refuse(); }
void DeviceExchange::join(const PartsByDevice&, const std::string&, int, int) { refuse(); }
std::string DeviceExchange::way() const { refuse(); }
void DeviceExchange::go()
{
    if (!waiting_.empty()) refuse();
}

#endif

} // namespace lbm
