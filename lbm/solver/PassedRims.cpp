// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PassedRims.hpp"

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#include "lbm/solver/StreamedEnd.hpp"

#include <algorithm>
#include <set>
#endif

namespace lbm {

#ifdef LBM_CUDA

namespace {

OnDevice& onDevice(Part* part) { return dynamic_cast<OnDevice&>(*part); }

bool haveDevicesOfTheirOwn(const std::vector<Part*>& parts)
{
    std::set<int> devices;
    return std::all_of(parts.begin(), parts.end(), [&](Part* part) {
        const auto* there = dynamic_cast<OnDevice*>(part);
        return there && there->mayPassRim() && devices.insert(there->device().index()).second;
    });
}

void waitForEach(const std::vector<Part*>& parts)
{
    std::vector<Part*> left = parts;
    while (!left.empty())
        left.erase(std::remove_if(left.begin(), left.end(), [](Part* part) { return onDevice(part).isDone(); }),
                   left.end());
}

} // namespace

void PassedRims::be(const std::vector<Part*>& parts, const std::vector<std::unique_ptr<Halo>>& halos)
{
    if (halos.empty() || !haveDevicesOfTheirOwn(parts)
        || !std::all_of(halos.begin(), halos.end(), [](const auto& halo) { return halo->mayPass(); }))
        return;
    for (const auto& halo : halos) halo->pass();
    for (Part* part : parts) onDevice(part).passRim();
    passed_ = true;
}

void PassedRims::wait(const std::vector<Part*>& parts) const
{
    if (passed_) try {
            waitForEach(parts);
        } catch (const cuda::Error&) {
            for (Part* part : parts) onDevice(part).letGo();
            throw;
        }
    for (Part* part : parts) part->wait();
}

#else

void PassedRims::be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&) {}
void PassedRims::wait(const std::vector<Part*>& parts) const
{
    for (Part* part : parts) part->wait();
}

#endif

} // namespace lbm
