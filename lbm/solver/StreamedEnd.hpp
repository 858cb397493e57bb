// StreamedEnd: what a HaloEnd on a device is, too: its bytes can go from device to device (DeviceExchange) in the order of a stream,
// and the host waits for none of it. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/device/CudaStream.hpp"

namespace lbm {

class StreamedEnd {
public:
    virtual ~StreamedEnd() = default;

    // Before the first handover: pack and unpack return before they are done, and use no room.
    virtual void beStreamed() = 0;

    // Behind pack of owners; before unpack of ghosts.
    virtual cuda::StreamHandle stream() const = 0;

    // Where the bytes of the next handover lie on the device.
    virtual char* onDevice() = 0;
};

// What a Part on a device is, too.
class OnDevice {
public:
    virtual ~OnDevice() = default;
    virtual const cuda::Device& device() const = 0;
};

} // namespace lbm
