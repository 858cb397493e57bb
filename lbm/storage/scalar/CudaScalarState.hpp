// CudaScalarState: a scalar's populations, two copies of them, and what its steps must know, in the memory of a CUDA device; and what is
// done there that has nothing to do with the flow. Steps themselves are kernels of who has the flow (ScalarKernels.cuh).
// Failures throw cuda::Error. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/storage/scalar/ScalarGroups.hpp"

#include <string>
#include <vector>

namespace lbm {

template<int D, class R>
class CudaScalarState {
public:
    static constexpr int Q = ScalarLinks<D>::Q;

    // Throws as ScalarGeometry, or if the device has no room.
    CudaScalarState(const cuda::Device&, const Domain&);

    CudaScalarState(const CudaScalarState&) = delete; // arrays know its device
    void operator=(const CudaScalarState&) = delete;

    std::int32_t nodes() const { return view_.nodes; }
    std::size_t deviceBytes() const;
    std::size_t hostBytes() const;

    // What links of a patch are told, one after the other; of diagonal ones nothing.
    void setBoundary(int patch, const ScalarLinkValue* values, std::size_t n);

    // What links bring in the step that begins.
    void bring();

    const ScalarGroupsView& view() const { return view_; }
    const R* sent() const { return sent_.data(); }
    const R* arrives() const { return arrives_.data(); }
    R* next() { return next_.data(); }
    void endStep() { sent_.swap(next_); }

    void getPopulations(double*) const;
    void setPopulations(const double*);
    void values(double*) const;

    // Of the last step.
    std::vector<double> passed(int patch) const;

private:
    CudaScalarState(const cuda::Device&, const Domain&, const ScalarGeometry&);

    cuda::Device device_;
    std::vector<std::vector<std::int32_t>> slotsOf_; // see ScalarGeometry
    std::vector<ScalarSlot> slots_;
    std::vector<ScalarEnd<R>> ends_;
    std::vector<std::string> patches_;
    ScalarGroupsView view_;
    cuda::Array<std::int32_t> of_, offsets_, sources_;
    cuda::Array<ScalarSlot> slotsOnDevice_;
    cuda::Array<ScalarEnd<R>> endsOnDevice_;
    cuda::Array<R> sent_, next_, arrives_;
};

extern template class CudaScalarState<2, double>;
extern template class CudaScalarState<2, float>;
extern template class CudaScalarState<3, double>;
extern template class CudaScalarState<3, float>;

} // namespace lbm
