// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceTowers.hpp"

#include "lbm/bench/towers/Stirred.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/DeviceInner.cuh"
#include "lbm/storage/papers/lrnla/DeviceReFold.cuh"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"

#include <stdexcept>

namespace lbm::bench {
namespace {

constexpr double magic = 3.0 / 16;

template<class L, class S>
using Relax = lrnla::Relaxation<L, QuasiCompressible, S>;

template<class L, class S>
Relax<L, S> relaxation(const TowerCase& c)
{
    return c.collision == "bgk" ? Relax<L, S>::bgk(c.tau) : Relax<L, S>::trt(c.tau, magic);
}

cuda::Device used(const std::string& word)
{
    const cuda::Device device(word);
    device.use();
    return device;
}

template<class L, class S>
class DeviceBox : public TowerBox {
public:
    explicit DeviceBox(const TowerCase& c) :
        device_(used(c.device)), towers_(device_, c.box(), c.stepsAtOnce, c.solid()), relax_(relaxation<L, S>(c))
    {
        towers_.fill(Stirred<L, S>{c.size});
    }

    void advance(std::int64_t steps, int) override { towers_.advance(steps, relax_); }
    bool finite() const override { return towers_.finite(); }
    double wallBytes() const override { return towers_.wallBytes(); }

private:
    cuda::Device device_;
    mutable lrnla::DeviceReFold<L, S, true> towers_;
    Relax<L, S> relax_;
};

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
    visitBox(c, [&]<class L, class S>() { box = std::make_unique<DeviceBox<L, S>>(c); });
    return box;
}

std::unique_ptr<lrnla::InnerFolds> makeInnerFolds(const TowerCase& c, const lrnla::SharedBox& box)
{
    std::unique_ptr<lrnla::InnerFolds> folds;
    visitBox(c, [&]<class L, class S>() {
        folds = std::make_unique<lrnla::DeviceInner<L, S, Relax<L, S>>>(used(c.device), box, relaxation<L, S>(c));
    });
    return folds;
}

double linkRate(const std::string& word) { return used(word).linkBandwidth(std::size_t(256) << 20); }

double deviceTowerBytes(const TowerCase& c)
{
    double bytes = 0;
    visitBox(c, [&]<class L, class S>() { bytes = lrnla::DeviceReFold<L, S, true>::bytesFor(c.box(), c.stepsAtOnce); });
    return bytes;
}

} // namespace lbm::bench
