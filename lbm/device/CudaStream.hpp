// CudaStream: work on a CUDA device in an order of its own, and events by which streams wait for each other; the host does so
// only in wait(). Every stream but one of no order is ordered with the device's default stream, in which nodes are read and written between steps: what is
// begun there waits for all that was begun before, and all that comes after waits for it. Failures throw cuda::Error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

#include <utility>

struct CUstream_st;
struct CUevent_st;

namespace lbm::cuda {

using StreamHandle = CUstream_st*;

// A place in a stream's work.
class Event {
public:
    explicit Event(const Device&);
    ~Event();
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)), recording_(other.recording_) {}
    Event& operator=(Event&&) = delete;

private:
    friend class Stream;
    CUevent_st* event_ = nullptr;
    unsigned long long recording_ = 0; // of a Graph that it was recorded in last; 0: it is in the streams themselves
};

class Stream {
public:
    // Blocks of urgent kernels are placed before those of others that wait for room.
    enum class Urgency { usual, urgent };

    enum class Order { withDefault, none };

    explicit Stream(const Device&, Urgency urgency = Urgency::usual, Order order = Order::withDefault);
    ~Stream();
    Stream(Stream&& other) noexcept : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&&) = delete;

    StreamHandle handle() const { return stream_; }
    const Device& device() const { return *device_; }

    // What is begun from now on waits for the event as it was recorded last; for one that never was, it does not. Nor, while work is
    // recorded as a Graph, for what was before, and later for what is in a Graph: who begins that sees to both.
    void waitFor(const Event&) const;

    // The same for any event; of one that is in a Graph's recording, the stream's work is from now on recorded there.
    void follow(const Event&) const;

    // The event is now behind what has been begun so far.
    void record(Event&) const;

    // All that was begun is done. Throws if it has failed; what: whose it was.
    bool isDone(const std::string& what) const;
    // All in front of the event as it was recorded last, likewise; of one that never was, there is nothing.
    bool isDone(const Event&, const std::string& what) const;

    // The host waits for the event as it was recorded last.
    static void wait(const Event&);

    // Copies that the host does not wait for: its memory is pinned.
    void toDevice(void* target, const void* source, std::size_t bytes) const;
    void toHost(void* target, const void* source, std::size_t bytes) const;

private:
    unsigned long long recording() const; // 0: none
    bool isDone(int status, const std::string& what) const;

    const Device* device_;
    StreamHandle stream_ = nullptr;
};

} // namespace lbm::cuda
