// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CudaShared.hpp"

#include <cstring>

namespace lbm::cuda {

namespace {

// What is shared is whole pages of the device, whatever else lies in them: nothing else shall.
constexpr std::size_t page = std::size_t(2) << 20;

} // namespace

SharedMemory::SharedMemory(const Device& device, std::size_t bytes) : memory_(device, (bytes + page - 1) / page * page)
{}

const std::size_t SharedMemory::nameBytes = sizeof(cudaIpcMemHandle_t);

std::string SharedMemory::name() const
{
    cudaIpcMemHandle_t handle;
    if (memory_.size() == 0 || cudaIpcGetMemHandle(&handle, const_cast<char*>(memory_.data())) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        return {};
    }
    return {reinterpret_cast<const char*>(&handle), sizeof handle};
}

OpenedMemory::OpenedMemory(const Device& device, const std::string& name) : device_(&device)
{
    cudaIpcMemHandle_t handle;
    if (name.size() != sizeof handle) throw Error("memory of another process: no such name");
    std::memcpy(&handle, name.data(), sizeof handle);
    device.use();
    void* opened = nullptr;
    const cudaError_t status = cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess);
    if (status != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        throw Error(device.name() + " does not reach another process's memory: " + cudaGetErrorString(status));
    }
    data_ = static_cast<char*>(opened);
}

OpenedMemory::~OpenedMemory()
{
    if (!data_) return;
    try {
        device_->use();
        static_cast<void>(cudaIpcCloseMemHandle(data_));
    } catch (const Error&) {} // the device has failed, which has been reported
}

} // namespace lbm::cuda
