// DeviceExchange: bytes of halos from device to device of different processes, by NCCL, in the order of the devices' streams. Of a
// process there is one, which the first rank has all others join. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/solver/Part.hpp"

namespace lbm {

namespace cuda {
class NcclRanks;
}

// What a rank has for it.
struct DevicePresence {
    std::string missing; // why it cannot take part; empty: it can
    std::string device;  // of its parts, one of all hosts'
    std::string library;
    bool joined = false; // with that device
};

// By rank: why they cannot exchange; empty: they can.
std::string whyNoDeviceExchange(const std::vector<DevicePresence>&);

class DeviceExchange {
public:
    DevicePresence presence(const Part&) const;

    static std::string newId();

    // By all ranks at once, with the device of this part. Throws cuda::Error.
    void join(const Part&, const std::string& id, int rank, int ranks);
    void leave();

    // "by NCCL 2.28.9"
    std::string way() const;

    // What is to go, with all else of this process; it may go from go() on.
    void send(int to, const char* bytes, std::size_t n, cuda::StreamHandle);
    void receive(int from, char* bytes, std::size_t n, cuda::StreamHandle);
    void go();

private:
    struct Transfer {
        bool sends;
        int other;
        char* bytes;
        std::size_t n;
        cuda::StreamHandle stream;
    };

    std::vector<Transfer> waiting_;
    std::shared_ptr<cuda::NcclRanks> ranks_;
    std::string device_;
};

DeviceExchange& deviceExchange();

} // namespace lbm
