// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceTowers.hpp"

#include "lbm/bench/towers/DeviceShell.hpp"
#include "lbm/device/Cuda.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"

#include <stdexcept>

namespace lbm::bench {
namespace {

cuda::Device used(const std::string& word)
{
    const cuda::Device device(word);
    device.use();
    return device;
}

// visit.operator()<L, S>() for what the case names, whose words TowerKernels has checked.
template<class Visit>
void visitBox(const TowerCase& c, Visit&& visit)
{
    lrnla::visitBuiltShells([&]<class L>() {
        if (c.shell != L::name) return;
        if (c.precision == "float") visit.template operator()<L, float>();
        else visit.template operator()<L, double>();
    });
}

} // namespace

DeviceRates deviceRates(const std::string& word)
{
    const cuda::Device device = used(word);
    int index = 0, multiprocessors = 0, kilohertz = 0;
    for (const cudaError_t status :
         {cudaGetDevice(&index), cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, index),
          cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index)})
        if (status != cudaSuccess) throw cuda::Error(device.name() + ": " + cudaGetErrorString(status));
    // Hopper: 32 banks, 128 lanes in single and 64 in double precision a multiprocessor
    const double cycles = 1e3 * kilohertz * multiprocessors;
    return {device.name(), 32 * cycles, 256 * cycles, 128 * cycles};
}

std::unique_ptr<TowerBox> makeDeviceTowers(const TowerCase& c)
{
    std::unique_ptr<TowerBox> box;
    visitBox(c, [&]<class L, class S>() { box = DeviceShell<L, S>::box(c); });
    return box;
}

std::unique_ptr<lrnla::InnerFolds> makeInnerFolds(const TowerCase& c, const lrnla::SharedBox& box)
{
    std::unique_ptr<lrnla::InnerFolds> folds;
    visitBox(c, [&]<class L, class S>() { folds = DeviceShell<L, S>::inner(c, box); });
    return folds;
}

double linkRate(const std::string& word) { return used(word).linkBandwidth(std::size_t(256) << 20); }

double deviceTowerBytes(const TowerCase& c)
{
    double bytes = 0;
    visitBox(c, [&]<class L, class S>() { bytes = DeviceShell<L, S>::bytes(c); });
    return bytes;
}

} // namespace lbm::bench
