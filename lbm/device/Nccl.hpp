// Nccl: NVIDIA's library of communication between GPUs, as far as halos use it: bytes from one process's device to another one's, in
// the order of streams, be it over a network. The library is looked for when it is first asked for, by the name libnccl.so.2 or
// by what the environment's LBM_NCCL_LIBRARY names: builds do not depend on it. Failures throw cuda::Error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/device/CudaStream.hpp"

namespace lbm::cuda {

// E.g. "NCCL 2.28.9". Throws where the library is not found, or is older than 2.7, which cannot send from one rank to another.
std::string ncclName();

// By one process, for all others to join with.
std::string newNcclId();

// Processes with a device each, all different ones.
class NcclRanks {
public:
    // By all of them at once: each waits for all others.
    NcclRanks(const Device&, const std::string& id, int rank, int ranks);
    // By all of them, too.
    ~NcclRanks();
    NcclRanks(const NcclRanks&) = delete;
    NcclRanks& operator=(const NcclRanks&) = delete;

    // Between begin() and end(), which lets all of them go at once. What two ranks send each other meets in the order of calls.
    void begin();
    void send(int to, const char* bytes, std::size_t n, StreamHandle);
    void receive(int from, char* bytes, std::size_t n, StreamHandle);
    void end();

private:
    void check(int status, const char* what) const;

    Device device_;
    void* ranks_ = nullptr;
};

} // namespace lbm::cuda
