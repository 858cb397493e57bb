// StreamedEnd: what a HaloEnd on a device is, too: its bytes can go from device to device (DeviceExchange) in the order of a stream,
// and the host waits for none of it; or steps of the owners' part store them into ghosts. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/device/CudaStream.hpp"

#include <cstdint>
#include <vector>

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

    // See Halo; as both ends know once owners pack into the ghosts' device's memory.
    virtual bool mayPass() const = 0;
    virtual void pass() = 0;
};

// What a Part on a device is, too.
class OnDevice {
public:
    virtual ~OnDevice() = default;
    virtual const cuda::Device& device() const = 0;

    // Whether steps may be recorded (cuda::Graph): what their kernels are given is the same in every other one, or they look it up.
    virtual bool repeats() const = 0;
    virtual std::vector<const cuda::Stream*> streams() const = 0; // of steps and halos

    // Before and behind steps that are recorded, which the part counts as made; the end is recorded, too.
    virtual void beginRecord() = 0;
    virtual void endRecord() = 0;

    // What was recorded is about to begin; so many of its steps the part has counted already.
    virtual void beginAgain(std::int64_t counted) = 0;

    // So many of its steps have been begun.
    virtual void count(std::int64_t steps) = 0;

    // Whether its steps may hand over what parts on other devices have as ghosts by themselves (RimPassing); and that from now on they do,
    // as halos have told (Halo::pass).
    virtual bool mayPassRim() const { return false; }
    virtual void passRim() {}
    // Then, of a part of a box (BoxPass): how many of so many steps the next pass takes; 0: steps go as in any domain. Before the first of
    // some passes the state is handed over as it is; a pass does so itself, and ghosts are whole behind it.
    virtual int stepsOfPart(std::int64_t) const { return 0; }
    virtual void handOverBox() {}
    virtual void passOverBox(int /*steps*/) {}
    // Behind the steps begun so far, and behind as many of those that hand over to it.
    virtual void awaitGhosts() {}
    // Such steps wait for those of others in their kernels. So whoever waits for them all looks at each, and lets the others go when a
    // device has failed, which isDone() throws.
    virtual bool isDone() const { return true; }
    // The steps begun so far are marked; and whether those in front of the mark before the last one are done, which throws as isDone().
    virtual void mark() {}
    virtual bool isDoneToMark() const { return true; }
    virtual void letGo() noexcept {}
};

} // namespace lbm
