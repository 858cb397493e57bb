// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CudaPeers.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace lbm::cuda {
namespace {

void check(cudaError_t status, const Device& own, const Device& other)
{
    if (status != cudaSuccess)
        throw Error(own.name() + ", access to " + other.name() + ": " + cudaGetErrorString(status));
}

} // namespace

bool reaches(const Device& own, const Device& other)
{
    if (own.index() == other.index()) return true;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, own.index(), other.index()), own, other);
    if (!can) return false;
    own.use();
    // Once a process and pair: the second time is an error, which others may be the first to see
    static std::mutex one;
    static std::set<std::pair<int, int>> enabled;
    const std::lock_guard<std::mutex> lock(one);
    if (enabled.count({own.index(), other.index()})) return true;
    const cudaError_t status = cudaDeviceEnablePeerAccess(other.index(), 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) static_cast<void>(cudaGetLastError()); // by another library
    else check(status, own, other);
    enabled.insert({own.index(), other.index()});
    return true;
}

} // namespace lbm::cuda
