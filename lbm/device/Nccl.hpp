// Nccl: NVIDIA's library of communication between GPUs, as far as halos use it: bytes from one process's device to another one's, in
// the order of streams, be it over a network. The library is looked for when it is first asked for, by the name libnccl.so.2 or
// by what the environment's LBM_NCCL_LIBRARY names: builds do not depend on it. Failures throw cuda::Error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/device/CudaStream.hpp"

#include <vector>

namespace lbm::cuda {

// E.g. "NCCL 2.28.9". Throws where the library is not found, or is older than 2.7, which cannot send from one rank to another.
std::string ncclName();

// By one process, for all others to join with.
std::string newNcclId();

// Devices of processes, all different ones; NCCL calls each a rank. This process has some that follow each other.
class NcclRanks {
public:
    // By all processes at once: each waits for all others. first: the number of the first device here, of so many in all.
    NcclRanks(std::vector<Device>, const std::string& id, int first, int all);
    // By all of them, too.
    ~NcclRanks();
    NcclRanks(const NcclRanks&) = delete;
    NcclRanks& operator=(const NcclRanks&) = delete;

    // Between begin() and end(), which lets all of them go at once. What two devices send each other meets in the order of calls.
    // device: one of this process, from 0 on; to, from: one of all.
    void begin();
    void send(int device, int to, const char* bytes, std::size_t n, StreamHandle);
    void receive(int device, int from, char* bytes, std::size_t n, StreamHandle);
    void end();

private:
    void check(int status, const char* what) const;

    std::vector<Device> devices_;
    std::vector<void*> ranks_; // by device
};

} // namespace lbm::cuda
