// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/scalar/CudaScalarState.hpp"

#include "lbm/storage/scalar/setScalarEnds.hpp"

#include <algorithm>

namespace lbm {

namespace {

constexpr int threads = 128;

int blocks(std::size_t n) { return int((n + threads - 1) / threads); }

template<int D, class R>
__global__ void __launch_bounds__(threads) bringOverLinks(int n, const ScalarSlot* slots, const ScalarEnd<R>* ends,
                                                          const R* sent, std::int32_t nodes, R* arrives)
{
    const int s = blockIdx.x * threads + threadIdx.x;
    if (s < n) arrives[s] = broughtBy<D>(slots[s], ends[s], sent, nodes);
}

// What left over a link: what was sent before the last collision is in the other copy.
template<class R>
__global__ void __launch_bounds__(threads)
    leftOverLinks(int n, const ScalarSlot* slots, const R* before, const R* arrives, std::int32_t nodes, double* out)
{
    const int s = blockIdx.x * threads + threadIdx.x;
    if (s >= n) return;
    const ScalarSlot slot = slots[s];
    out[s] = double(before[std::size_t(slot.link) * nodes + slot.node]) - double(arrives[s]);
}

// Of nodes `first` to first + n - 1.
template<int D, class R>
__global__ void __launch_bounds__(threads)
    sumPopulationsOfScalar(std::int32_t first, int n, const R* sent, std::int32_t nodes, double* out)
{
    const int k = blockIdx.x * threads + threadIdx.x;
    if (k >= n) return;
    R g[1 + 2 * D];
    for (int q = 0; q < 1 + 2 * D; ++q) g[q] = sent[std::size_t(q) * nodes + first + k];
    out[k] = double(sumOfScalar<D>(g));
}

// Nodes that go over to the host at once
constexpr std::int32_t piece = std::int32_t(1) << 20;

} // namespace

template<int D, class R>
CudaScalarState<D, R>::CudaScalarState(const cuda::Device& device, const Domain& domain) :
    CudaScalarState(device, domain, ScalarGeometry(domain))
{}

template<int D, class R>
CudaScalarState<D, R>::CudaScalarState(const cuda::Device& device, const Domain& domain,
                                       const ScalarGeometry& geometry) :
    device_(device), slots_(geometry.slots()), ends_(slots_.size()), patches_(domain.patches)
{
    for (int patch = 0; patch < int(patches_.size()); ++patch) slotsOf_.push_back(geometry.slotsOf(patch));
    const ScalarGroups groups(geometry, Q);
    view_ = groups.view();
    const std::size_t all = std::size_t(Q) * std::size_t(nodes());
    device_.use();
    device_.require(2 * all * sizeof(R) + groups.bytes()
                        + slots_.size() * (sizeof(ScalarSlot) + sizeof(ScalarEnd<R>) + sizeof(R)),
                    nodes(), "nodes of temperature");
    const auto copy = [&](auto& to, const auto& from) { to = {device_, from.data(), from.size()}; };
    copy(of_, groups.of);
    copy(offsets_, groups.offsets);
    copy(sources_, groups.sources);
    copy(slotsOnDevice_, slots_);
    copy(endsOnDevice_, ends_);
    sent_ = {device_, all};
    next_ = {device_, all};
    arrives_ = {device_, slots_.size()};
    view_.of = of_.data();
    view_.offsets = offsets_.data();
    view_.sources = sources_.data();
}

template<int D, class R>
std::size_t CudaScalarState<D, R>::deviceBytes() const
{
    return of_.bytes() + offsets_.bytes() + sources_.bytes() + slotsOnDevice_.bytes() + endsOnDevice_.bytes()
        + sent_.bytes() + next_.bytes() + arrives_.bytes();
}

template<int D, class R>
std::size_t CudaScalarState<D, R>::hostBytes() const
{
    std::size_t all = slots_.size() * (sizeof(slots_[0]) + sizeof(ends_[0]));
    for (const auto& patch : slotsOf_) all += patch.size() * sizeof(patch[0]);
    return all;
}

template<int D, class R>
void CudaScalarState<D, R>::setBoundary(int patch, const ScalarLinkValue* values, std::size_t n)
{
    if (patch < 0 || std::size_t(patch) >= slotsOf_.size())
        throw std::invalid_argument("a scalar's lattice: links of a patch");
    const std::vector<std::int32_t>& slots = slotsOf_[std::size_t(patch)];
    setScalarEnds(patches_[std::size_t(patch)], slots, slots_, values, n, ends_);
    std::size_t first = ends_.size(), last = 0;
    for (const std::int32_t slot : slots) {
        if (slot < 0) continue;
        first = std::min(first, std::size_t(slot));
        last = std::max(last, std::size_t(slot) + 1);
    }
    device_.use();
    endsOnDevice_.upload(ends_.data(), first, last);
}

template<int D, class R>
void CudaScalarState<D, R>::bring()
{
    if (slots_.empty()) return;
    bringOverLinks<D><<<blocks(slots_.size()), threads>>>(int(slots_.size()), slotsOnDevice_.data(),
                                                          endsOnDevice_.data(), sent(), nodes(), arrives_.data());
    device_.check("kernel of a scalar's links");
}

template<int D, class R>
void CudaScalarState<D, R>::getPopulations(double* out) const
{
    device_.use();
    std::vector<R> values(sent_.size());
    sent_.download(values.data(), values.size());
    std::copy(values.begin(), values.end(), out);
}

template<int D, class R>
void CudaScalarState<D, R>::setPopulations(const double* in)
{
    device_.use();
    std::vector<R> values(sent_.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = R(in[i]);
    sent_.upload(values.data(), values.size());
}

template<int D, class R>
void CudaScalarState<D, R>::values(double* out) const
{
    device_.use();
    cuda::Array<double> room(device_, std::size_t(std::min(piece, nodes())));
    for (std::int32_t first = 0; first < nodes(); first += std::min(piece, nodes() - first)) {
        const std::int32_t n = std::min(piece, nodes() - first);
        sumPopulationsOfScalar<D><<<blocks(std::size_t(n)), threads>>>(first, n, sent(), nodes(), room.data());
        device_.check("kernel of a scalar's values");
        room.download(out + first, std::size_t(n));
    }
}

template<int D, class R>
std::vector<double> CudaScalarState<D, R>::passed(int patch) const
{
    const std::vector<std::int32_t>& slots = slotsOf_.at(std::size_t(patch));
    std::vector<double> out(slots.size(), 0), left(slots_.size());
    if (slots_.empty()) return out;
    device_.use();
    cuda::Array<double> room(device_, slots_.size());
    leftOverLinks<<<blocks(slots_.size()), threads>>>(int(slots_.size()), slotsOnDevice_.data(), next_.data(),
                                                      arrives(), nodes(), room.data());
    device_.check("kernel of what leaves a scalar's patches");
    room.download(left.data(), left.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (slots[i] >= 0) out[i] = left[std::size_t(slots[i])];
    return out;
}

template class CudaScalarState<2, double>;
template class CudaScalarState<2, float>;
template class CudaScalarState<3, double>;
template class CudaScalarState<3, float>;

} // namespace lbm
