// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CudaStream.hpp"

#include "lbm/device/NoMemory.hpp"

namespace lbm::cuda {
namespace {

void check(cudaError_t status, const Device& device)
{
    if (status == cudaSuccess) return;
    const std::string text = "streams of " + device.name() + ": " + cudaGetErrorString(status);
    if (status != cudaErrorMemoryAllocation) throw Error(text);
    cudaGetLastError(); // else it would be reported again
    throw NoMemory(text);
}

} // namespace

Event::Event(const Device& device)
{
    device.use();
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), device);
}

// Only a device that has failed refuses, and that has been reported; so below.
Event::~Event()
{
    if (event_) static_cast<void>(cudaEventDestroy(event_));
}

Stream::Stream(const Device& device, Urgency urgency, Order order) : device_(&device)
{
    device.use();
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), device);
    check(cudaStreamCreateWithPriority(&stream_, order == Order::none ? cudaStreamNonBlocking : cudaStreamDefault,
                                       urgency == Urgency::urgent ? greatest : least),
          device);
}

Stream::~Stream()
{
    if (stream_) static_cast<void>(cudaStreamDestroy(stream_));
}

void Stream::waitFor(const Event& event) const
{
    if (event.recording_ == recording()) follow(event);
}

void Stream::follow(const Event& event) const { check(cudaStreamWaitEvent(stream_, event.event_, 0), *device_); }

void Stream::record(Event& event) const
{
    event.recording_ = recording();
    check(cudaEventRecord(event.event_, stream_), *device_);
}

unsigned long long Stream::recording() const
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long number = 0;
    check(cudaStreamGetCaptureInfo(stream_, &status, &number), *device_);
    return status == cudaStreamCaptureStatusNone ? 0 : number;
}

bool Stream::isDone(int status, const std::string& what) const
{
    if (status == cudaErrorNotReady) return false;
    if (status != cudaSuccess)
        throw Error(what + " on " + device_->name() + ": " + cudaGetErrorString(cudaError_t(status)));
    return true;
}

bool Stream::isDone(const std::string& what) const { return isDone(int(cudaStreamQuery(stream_)), what); }

bool Stream::isDone(const Event& event, const std::string& what) const
{
    return isDone(int(cudaEventQuery(event.event_)), what);
}

void Stream::wait(const Event& event)
{
    const cudaError_t status = cudaEventSynchronize(event.event_);
    if (status != cudaSuccess) throw Error(std::string("an event of a stream: ") + cudaGetErrorString(status));
}

void Stream::toDevice(void* target, const void* source, std::size_t bytes) const
{
    check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, stream_), *device_);
}

void Stream::toHost(void* target, const void* source, std::size_t bytes) const
{
    check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, stream_), *device_);
}

} // namespace lbm::cuda
