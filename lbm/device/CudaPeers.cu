// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CudaPeers.hpp"

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
    const cudaError_t status = cudaDeviceEnablePeerAccess(other.index(), 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        static_cast<void>(cudaGetLastError()); // else it would be reported again
        return true;
    }
    check(status, own, other);
    return true;
}

} // namespace lbm::cuda
