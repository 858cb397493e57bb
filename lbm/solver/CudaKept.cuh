// CudaKept: states of the nodes of a box that are kept on a CUDA device (KeptStates), whatever stores the populations.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/solver/BoxDifferences.hpp"
#include "lbm/solver/CudaNodes.cuh"

namespace lbm {

struct CudaKept final : KeptStates {
    CudaKept(const cuda::Device& device, std::unique_ptr<const CudaNodes> set, std::size_t nodes) :
        device(device), set(std::move(set)), states(this->device, nodes)
    {}

    cuda::Device device;                  // which states refer to, whether or not the solver is still there
    std::unique_ptr<const CudaNodes> set; // of boxes that make up the box
    cuda::Array<Macroscopic> states;      // of one block after the other
};

// BoxDifferences' tables on the device.
class CudaDifferences {
public:
    CudaDifferences(const cuda::Device& device, const Domain& domain, const BoxDifferences& tables) :
        view_(tables.view(domain))
    {
        const auto copy = [&](auto& array, const auto& from, auto& pointer) {
            if (from.empty()) return;
            array = {device, from.data(), from.size()};
            pointer = array.data();
        };
        copy(fluid_, tables.fluid, view_.fluid);
        copy(linked_, tables.linked, view_.linked);
        copy(silent_, tables.silent, view_.silent);
        copy(sides_, tables.sides, view_.sides);
    }

    const DifferencesView& view() const { return view_; }

private:
    DifferencesView view_;
    cuda::Array<std::uint32_t> fluid_, linked_, silent_;
    cuda::Array<BoxSide> sides_;
};

// differs: with differences of the velocities around nodes.
template<class TileT, bool differs, class StateAt>
__global__ void __launch_bounds__(listThreads)
    keepBoxes(BoxesView view, int n, StateAt stateAt, DifferencesView differences, Macroscopic* states)
{
    visitBoxes(view, n, [&](int, const Int3& x, std::size_t to) {
        Macroscopic state = stateAt.template of<true>(view.tiles.template place<TileT>(x));
        if constexpr (differs)
            differences.add(
                x, &state.velocity[0],
                [&](const Int3& there, double(&u)[3]) {
                    const Macroscopic its = stateAt.template of<false>(view.tiles.template place<TileT>(there));
                    for (int a = 0; a < 3; ++a) u[a] = its.velocity[a];
                },
                &state.strainRate[0]);
        states[to] = state;
    });
}

// Of the groups of a block of boxes.
template<class TileT, class StateAt>
void keepBlock(const CudaBoxes& boxes, const CudaNodes::Block& b, const StateAt& stateAt,
               const CudaDifferences* differences, Macroscopic* states)
{
    if (b.groups == 0) return;
    const unsigned blocks = blocksFor(b.groups * 32, listThreads);
    if (differences)
        keepBoxes<TileT, true>
            <<<blocks, listThreads>>>(boxes.view(b.group), int(b.groups), stateAt, differences->view(), states);
    else keepBoxes<TileT, false><<<blocks, listThreads>>>(boxes.view(b.group), int(b.groups), stateAt, {}, states);
}

} // namespace lbm
