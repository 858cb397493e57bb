// DeviceExchange: bytes of halos from device to device of different processes, by NCCL, in the order of the devices' streams. Of a
// process there is one, which the first rank has all others join. Each rank has as many devices, and those of all have numbers: rank
// r with n devices has r*n to r*n + n - 1. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/solver/Part.hpp"

namespace lbm {

namespace cuda {
class NcclRanks;
}

// Of a rank: the first part on each of its devices.
using PartsByDevice = std::vector<const Part*>;

// What a rank has for it.
struct DevicePresence {
    std::string missing;              // why it cannot take part; empty: it can
    std::vector<std::string> devices; // of its parts, of all hosts'
    std::string library;
    bool joined = false; // with these devices
};

// By rank: why they cannot exchange; empty: they can.
std::string whyNoDeviceExchange(const std::vector<DevicePresence>&);

class DeviceExchange {
public:
    DevicePresence presence(const PartsByDevice&) const;

    static std::string newId();

    // By all ranks at once, with the devices of these parts. Throws cuda::Error.
    void join(const PartsByDevice&, const std::string& id, int rank, int ranks);
    void leave();

    // "by NCCL 2.28.9"
    std::string way() const;

    // What is to go, with all else of this process; it may go from go() on. device: of this rank; to, from: of all.
    void send(int device, int to, const char* bytes, std::size_t n, cuda::StreamHandle);
    void receive(int device, int from, char* bytes, std::size_t n, cuda::StreamHandle);
    void go();

private:
    struct Transfer {
        bool sends;
        int device, other;
        char* bytes;
        std::size_t n;
        cuda::StreamHandle stream;
    };

    std::vector<Transfer> waiting_;
    std::shared_ptr<cuda::NcclRanks> ranks_;
    std::vector<std::string> devices_;
};

DeviceExchange& deviceExchange();

} // namespace lbm
