// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/towersOnDevice.hpp"

#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/DeviceInner.cuh"
#include "lbm/storage/papers/lrnla/DeviceReFold.cuh"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"

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
std::unique_ptr<InnerFolds> innerFoldsOnDevice(const SharedBox& box, bool trt, double tau)
{
    using Relax = Relaxation<L, lbm::QuasiCompressible, S>;
    const lbm::cuda::Device device("cuda");
    device.use();
    return std::make_unique<DeviceInner<L, S, Relax>>(device, box, trt ? Relax::trt(tau, 0.1875) : Relax::bgk(tau));
}

using Solid = std::function<bool(const Place&)>;

#define LBM_TOWERS(L)                                                                                                  \
    template std::vector<float> towersOnDevice<L, float>(const Place&, bool, int, const std::vector<int>&, bool,       \
                                                         double, std::vector<float>, const Solid&);                    \
    template std::vector<double> towersOnDevice<L, double>(const Place&, bool, int, const std::vector<int>&, bool,     \
                                                           double, std::vector<double>, const Solid&);                 \
    template std::unique_ptr<InnerFolds> innerFoldsOnDevice<L, float>(const SharedBox&, bool, double);                 \
    template std::unique_ptr<InnerFolds> innerFoldsOnDevice<L, double>(const SharedBox&, bool, double);
LBM_TOWERS(lbm::D3Q19)
#ifdef LBM_ALL_SHELLS
LBM_TOWERS(D3Q7)
LBM_TOWERS(D3Q9)
LBM_TOWERS(D3Q13)
LBM_TOWERS(lbm::D3Q15)
LBM_TOWERS(D3Q21)
LBM_TOWERS(lbm::D3Q27)
#endif
