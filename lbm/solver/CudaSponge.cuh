// CudaSponge: a sponge (lbm/api/Sponge.hpp) on the CUDA device where its lattice lies: a kernel reads a node, relaxes it and writes it,
// and the host is told the largest deviation alone. Formulas are the host's (SpongeNode.hpp). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/SpongeNode.hpp"
#include "lbm/solver/CudaNodes.cuh"
#include "lbm/storage/scalar/ScalarKernels.cuh"

#include <algorithm>
#include <vector>

namespace lbm {

// By whole blocks of threads, see changeNodes. found: of each block the largest deviation.
template<class L, class T>
struct SpongeChange {
    const T* shares;
    T* means;
    double newest, most;
    double* found;

    __device__ void operator()(int i, bool own, double (&f)[L::Q]) const
    {
        double deviation = 0;
        if (own) {
            deviation = extremesOf(f, L::Q).deviation;
            double mean[Sponge::meanValues];
            T* its = means + std::size_t(i) * Sponge::meanValues;
            for (int k = 0; k < Sponge::meanValues; ++k) mean[k] = its[k];
            sponge::relax<L>(f, mean, newest, most * double(shares[i]));
            for (int k = 0; k < Sponge::meanValues; ++k) its[k] = T(mean[k]);
        }
        deviation = largestOfBlock<listThreads>(deviation);
        if (threadIdx.x == 0) found[blockIdx.x] = deviation;
    }
};

template<class SolverT>
class CudaSponge final : public Sponge {
public:
    using L = typename SolverT::L;
    using T = typename SolverT::T;

    CudaSponge(SolverT& solver, const std::vector<NodeIndex>& nodes, const std::vector<double>& shares) :
        solver_(solver), device_(solver.device())
    {
        if (nodes.empty()) return;
        device_.use();
        const std::vector<NodePlace> places = solver.placesOf(nodes);
        places_ = {device_, places.data(), places.size()};
        const std::vector<T> own(shares.begin(), shares.end());
        shares_ = {device_, own.data(), own.size()};
        means_ = {device_, meanValues * nodes.size()};
        found_ = {device_, 1 + std::size_t(blocksFor(nodes.size(), listThreads))};
    }

    std::size_t size() const override { return places_.size(); }
    bool onDevice() const override { return true; }
    std::string whyOnHost() const override { return {}; }

    Extremes apply(double newest, double most, int) override
    {
        Extremes seen;
        if (size() == 0) return seen;
        device_.use();
        solver_.beginToSet();
        double *largest = found_.data(), *ofBlocks = largest + 1;
        solver_.storage_.change(places_.data(), size(),
                                SpongeChange<L, T>{shares_.data(), means_.data(), newest, most, ofBlocks});
        device_.check("kernel of a sponge");
        largestOfBlocks<<<1, largestThreads>>>(int(found_.size() - 1), ofBlocks, largest);
        device_.check("kernel of a sponge's extremes");
        found_.download(&seen.deviation, 1);
        return seen;
    }

    void convert(double longer) override
    {
        std::vector<T> means = download(0, size());
        for (std::size_t i = 0; i < means.size(); ++i)
            means[i] = T(double(means[i]) * sponge::unitsOf(int(i % meanValues), longer));
        upload(means);
    }

    void means(std::size_t first, std::size_t n, double* values) const override
    {
        const std::vector<T> means = download(first, n);
        std::copy(means.begin(), means.end(), values);
    }

    void setMeans(const double* values) override { upload(std::vector<T>(values, values + means_.size())); }

private:
    void upload(const std::vector<T>& means)
    {
        device_.use();
        if (size() > 0) means_.upload(means.data(), means.size());
    }

    std::vector<T> download(std::size_t first, std::size_t n) const
    {
        device_.use();
        std::vector<T> means(meanValues * n);
        if (n > 0) device_.toHost(means.data(), means_.data() + meanValues * first, means.size() * sizeof(T));
        return means;
    }

    SolverT& solver_;
    cuda::Device device_; // which the arrays refer to, whether or not the solver is still there
    cuda::Array<NodePlace> places_;
    cuda::Array<T> shares_, means_;
    cuda::Array<double> found_; // the largest of all, and of each block
};

} // namespace lbm
