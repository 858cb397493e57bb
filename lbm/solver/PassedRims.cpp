// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PassedRims.hpp"

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#include "lbm/solver/StreamedEnd.hpp"
#endif

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

namespace lbm {

bool areApart(const std::vector<std::string>& devicesByProcess)
{
    std::set<std::string> all;
    for (const std::string& devices : devicesByProcess) {
        if (devices.empty()) return false;
        std::istringstream text(devices);
        for (std::string device; text >> device;)
            if (!all.insert(device).second) return false;
    }
    return true;
}

#ifdef LBM_CUDA

namespace {

OnDevice& onDevice(Part* part) { return dynamic_cast<OnDevice&>(*part); }

bool mayPass(const std::vector<Part*>& parts, const std::vector<std::unique_ptr<Halo>>& halos)
{
    return !halos.empty() && std::all_of(parts.begin(), parts.end(), [](Part* part) {
        const auto* there = dynamic_cast<OnDevice*>(part);
        return there && there->mayPassRim();
    }) && std::all_of(halos.begin(), halos.end(), [](const auto& halo) { return halo->mayPass(); });
}

std::string devicesOf(const std::vector<Part*>& parts)
{
    std::string all;
    for (Part* part : parts) all += onDevice(part).device().identity() + ' ';
    return all;
}

// 0: some take none.
int stepsOfAll(const std::vector<Part*>& parts, std::int64_t steps)
{
    int all = parts.empty() ? 0 : std::numeric_limits<int>::max();
    for (Part* part : parts) all = std::min(all, onDevice(part).stepsOfPart(steps));
    return all;
}

// Until isDone(part of each).
template<class IsDone>
void waitUntil(std::vector<Part*> left, IsDone&& isDone)
{
    while (!left.empty())
        left.erase(std::remove_if(left.begin(), left.end(), [&](Part* part) { return isDone(onDevice(part)); }),
                   left.end());
}

// Throws what each device that has failed says. What was recorded for all fails as the first one's, and kernels that reach another device's
// memory fail with it: which one was the first is not known.
void nameFailures(const std::vector<Part*>& parts)
{
    std::string all;
    for (Part* part : parts) try {
            onDevice(part).isDone();
        } catch (const cuda::Error& its) {
            all += (all.empty() ? "" : "; ") + std::string(its.what());
        }
    if (!all.empty()) throw cuda::Error(all);
}

// Steps whose kernels a device holds twice over.
constexpr std::int64_t betweenMarks = 32;

} // namespace

void waitForEach(const std::vector<Part*>& parts)
{
    waitUntil(parts, [](const OnDevice& part) { return part.isDone(); });
}

void PassedRims::be(const std::vector<Part*>& parts, const std::vector<std::unique_ptr<Halo>>& halos,
                    const TextsOfAll& textsOfAll)
{
    const std::string own = mayPass(parts, halos) ? devicesOf(parts) : std::string();
    if (!areApart(textsOfAll ? textsOfAll(own) : std::vector<std::string>{own})) return;
    for (const auto& halo : halos) halo->pass();
    for (Part* part : parts) onDevice(part).passRim();
    passed_ = true;
    betweenProcesses_ = bool(textsOfAll);
    const std::string over = stepsOfAll(parts, 1) > 0 ? "over boxes" : "";
    const std::vector<std::string> all = textsOfAll ? textsOfAll(over) : std::vector<std::string>{over};
    overBoxes_ = std::none_of(all.begin(), all.end(), [](const std::string& its) { return its.empty(); });
}

// Forces, on which it depends besides, are told to all parts alike.
int PassedRims::stepsOfPass(const std::vector<Part*>& parts, std::int64_t steps) const
{
    return overBoxes_ ? stepsOfAll(parts, steps) : 0;
}

void PassedRims::passOverBox(const std::vector<Part*>& parts, std::int64_t steps, bool known)
{
    if (!known)
        for (Part* part : parts) onDevice(part).handOverBox();
    while (steps > 0) {
        const int several = stepsOfAll(parts, steps);
        for (Part* part : parts) onDevice(part).passOverBox(several);
        begun(parts, 1);
        steps -= several;
    }
}

void PassedRims::make(const std::vector<Part*>& parts, const std::function<void()>& begin) const
{
    try {
        begin();
        if (betweenProcesses_)
            for (Part* part : parts) onDevice(part).awaitGhosts();
        if (passed_) waitForEach(parts);
    } catch (...) {
        if (passed_) {
            for (Part* part : parts) onDevice(part).letGo();
            nameFailures(parts);
        }
        throw;
    }
    for (Part* part : parts) part->wait();
}

void PassedRims::begun(const std::vector<Part*>& parts, std::int64_t steps)
{
    if (!passed_ || (unmarked_ += steps) < betweenMarks) return;
    unmarked_ = 0;
    for (Part* part : parts) onDevice(part).mark();
    waitUntil(parts, [](const OnDevice& part) { return part.isDoneToMark(); });
}

#else

void waitForEach(const std::vector<Part*>&) {}
void PassedRims::begun(const std::vector<Part*>&, std::int64_t) {}
void PassedRims::be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&, const TextsOfAll&) {}
int PassedRims::stepsOfPass(const std::vector<Part*>&, std::int64_t) const { return 0; }
void PassedRims::passOverBox(const std::vector<Part*>&, std::int64_t, bool) {}
void PassedRims::make(const std::vector<Part*>& parts, const std::function<void()>& begin) const
{
    begin();
    for (Part* part : parts) part->wait();
}

#endif

} // namespace lbm
