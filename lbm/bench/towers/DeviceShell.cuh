// DeviceShell, where it is compiled. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/towers/DeviceShell.hpp"
#include "lbm/bench/towers/Stirred.hpp"
#include "lbm/device/DeviceList.hpp"
#include "lbm/storage/papers/lrnla/DeviceInner.cuh"
#include "lbm/storage/papers/lrnla/DeviceReFold.cuh"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"

namespace lbm::bench {

template<class L, class S>
class DeviceBox : public TowerBox {
    using Relax = lrnla::Relaxation<L, QuasiCompressible, S>;
    static constexpr double magic = 3.0 / 16;

public:
    static Relax relaxation(const TowerCase& c)
    {
        return c.collision == "bgk" ? Relax::bgk(c.tau) : Relax::trt(c.tau, magic);
    }

    explicit DeviceBox(const TowerCase& c) :
        device_(c.device), towers_(device_, c.box(), c.stepsAtOnce, c.solid()), relax_(relaxation(c))
    {
        towers_.fill(Stirred<L, S>{c.size});
    }

    void advance(std::int64_t steps, int) override { towers_.advance(steps, relax_); }
    bool finite() const override { return towers_.finite(); }
    double wallBytes() const override { return towers_.wallBytes(); }

private:
    cuda::Device device_;
    mutable lrnla::DeviceReFold<L, S, true> towers_;
    Relax relax_;
};

template<class L, class S>
std::unique_ptr<TowerBox> DeviceShell<L, S>::box(const TowerCase& c)
{
    return std::make_unique<DeviceBox<L, S>>(c);
}

template<class L, class S>
std::unique_ptr<lrnla::InnerFolds> DeviceShell<L, S>::inner(const TowerCase& c, const lrnla::SharedBox& box)
{
    const std::vector<std::string> devices = devicesIn(c.device, cuda::deviceCount());
    return lrnla::innerOnDevices<L, S>(devices, box, DeviceBox<L, S>::relaxation(c));
}

template<class L, class S>
double DeviceShell<L, S>::bytes(const TowerCase& c)
{
    return lrnla::DeviceReFold<L, S, true>::bytesFor(c.box(), c.stepsAtOnce);
}

} // namespace lbm::bench
