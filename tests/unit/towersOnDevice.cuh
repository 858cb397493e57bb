// towersOnDevice, where it is compiled: the build writes a source for each velocity set. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "tests/unit/towersOnDevice.hpp"

#include "lbm/storage/papers/lrnla/DeviceInner.cuh"
#include "lbm/storage/papers/lrnla/DeviceReFold.cuh"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "lbm/storage/papers/lrnla/Shells.hpp"

using namespace lbm;
using namespace lbm::lrnla;

namespace {

template<class L, bool folds, class S>
void advance(const Place& size, int stepsAtOnce, const std::vector<int>& rounds, bool trt, double tau,
             std::vector<S>& populations, const std::function<bool(const Place&)>& solid)
{
    using Relax = Relaxation<L, lbm::QuasiCompressible, S>;
    const lbm::cuda::Device device("cuda");
    device.use();
    DeviceReFold<L, S, folds> towers(device, size, stepsAtOnce, solid);
    const auto visit = [&](auto&& each) {
        std::size_t i = 0;
        for (int z = 0; z < size[2]; ++z)
            for (int y = 0; y < size[1]; ++y)
                for (int x = 0; x < size[0]; ++x)
                    for (int q = 0; q < L::Q; ++q, ++i)
                        if (!solid || !solid({x, y, z})) each(Place{x, y, z}, q, populations[i]);
    };
    visit([&](const Place& x, int q, S value) { towers.setArrived(x, q, value); });
    towers.send();
    for (int steps : rounds) towers.advance(steps, trt ? Relax::trt(tau, 0.1875) : Relax::bgk(tau));
    towers.fetch();
    visit([&](const Place& x, int q, S& value) { value = towers.arrived(x, q); });
}

} // namespace

template<class L, class S>
std::vector<S> towersOnDevice(const Place& size, bool folds, int stepsAtOnce, const std::vector<int>& rounds, bool trt,
                              double tau, std::vector<S> populations, const std::function<bool(const Place&)>& solid)
{
    if (folds) advance<L, true>(size, stepsAtOnce, rounds, trt, tau, populations, solid);
    else advance<L, false>(size, stepsAtOnce, rounds, trt, tau, populations, solid);
    return populations;
}

template<class L, class S>
std::unique_ptr<InnerFolds> innerFoldsOnDevices(const std::vector<std::string>& devices, const SharedBox& box, bool trt,
                                                double tau)
{
    using Relax = Relaxation<L, lbm::QuasiCompressible, S>;
    return innerOnDevices<L, S>(devices, box, trt ? Relax::trt(tau, 0.1875) : Relax::bgk(tau));
}

using Solid = std::function<bool(const Place&)>;

#define LBM_TOWERS(L)                                                                                                  \
    template std::vector<float> towersOnDevice<L, float>(const Place&, bool, int, const std::vector<int>&, bool,       \
                                                         double, std::vector<float>, const Solid&);                    \
    template std::vector<double> towersOnDevice<L, double>(const Place&, bool, int, const std::vector<int>&, bool,     \
                                                           double, std::vector<double>, const Solid&);                 \
    template std::unique_ptr<InnerFolds> innerFoldsOnDevices<L, float>(const std::vector<std::string>&,                \
                                                                       const SharedBox&, bool, double);                \
    template std::unique_ptr<InnerFolds> innerFoldsOnDevices<L, double>(const std::vector<std::string>&,               \
                                                                        const SharedBox&, bool, double);
