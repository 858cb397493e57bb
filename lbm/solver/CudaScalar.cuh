// CudaScalar: a scalar (lbm/api/CarriedScalar.hpp) on the CUDA device where the lattice of its flow lies. Its steps read the flow's
// momentum and tell its nodes their forces there. What is done rarely (a beginning, steps of another length) the host does, by
// its own lattice of scalars. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/CudaNodes.cuh"
#include "lbm/solver/NodeChecks.hpp"
#include "lbm/solver/ScalarChecks.hpp"
#include "lbm/storage/scalar/CudaScalarState.hpp"
#include "lbm/storage/scalar/ScalarKernels.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lbm {

template<class SolverT>
class CudaScalar final : public CarriedScalar {
public:
    using L = typename SolverT::L;
    using T = typename SolverT::T;
    static constexpr int D = L::D;

    CudaScalar(SolverT& solver, std::shared_ptr<const Domain> domain, const ScalarConfig& config) :
        solver_(solver),
        device_(solver.device()),
        domain_(std::move(domain)),
        config_(config),
        state_(device_, *domain_),
        placed_(placedFluid(solver, *domain_)),
        told_(domain_->patches.size())
    {
        device_.use();
        before_ = {device_, size()};
        fastest_ = {device_, 1 + std::size_t(blocksFor(size(), scalarThreads))};
        setDiffusivity(config.diffusivity);
        if (config.byNode) diffusivity_ = {device_, size()}; // room: values are yet to be told
    }

    bool onDevice() const override { return true; }
    std::string whyOnHost() const override { return {}; }
    std::size_t size() const override { return std::size_t(state_.nodes()); }
    std::size_t deviceBytes() const override
    {
        return state_.deviceBytes() + before_.bytes() + between_.bytes() + diffusivity_.bytes() + fastest_.bytes()
            + size() * sizeof(NodePlace) + begin_.bytes() + nodes_.bytes() + weights_.bytes() + sums_.bytes();
    }
    std::size_t hostBytes() const override
    {
        std::size_t all = state_.hostBytes() + size() * sizeof(NodeIndex);
        for (const auto& patch : told_) all += patch.size() * sizeof(ScalarLinkValue);
        return all;
    }

    void setDiffusivity(const ScalarDiffusivity& value) override
    {
        const std::vector<T> ofNodes = diffusivitiesOfScalar<T>(value, size());
        if (value.ofNodes) {
            device_.use();
            if (diffusivity_.size() == 0) diffusivity_ = {device_, ofNodes.data(), ofNodes.size()};
            else diffusivity_.upload(ofNodes.data(), ofNodes.size());
            toldByNode_ = true;
            return;
        }
        // Room that is there stays: nodes may be told their own again
        toldByNode_ = false;
        config_.diffusivity = value.all;
        rates_ = scalarRates(T(value.all), T(positiveOfScalar(config_.magic, "the magic number")));
    }

    void setBoundary(int patch, const ScalarLinkValue* values, std::size_t n) override
    {
        state_.setBoundary(patch, values, n);
        told_[std::size_t(patch)].assign(values, values + n);
    }

    std::vector<double> passed(int patch) const override { return state_.passed(patch); }
    void values(double* out) const override { state_.values(out); }
    void setStride(int stride) override { stride_ = checkedStride(stride); }

    void initialise(const double* values) override
    {
        const auto host = makeScalarLattice(domain_, config_);
        host->initialise(values, flow().data());
        take(*host, values);
    }

    void rescale(double ratio, const ScalarDiffusivity& diffusivity) override
    {
        const auto host = makeScalarLattice(domain_, config_);
        if (toldByNode_) {
            std::vector<double> before(size());
            get(diffusivity_, before.data());
            host->setDiffusivity(ScalarDiffusivity(before.data()));
        }
        for (std::size_t patch = 0; patch < told_.size(); ++patch)
            if (!told_[patch].empty()) host->setBoundary(int(patch), told_[patch].data(), told_[patch].size());
        std::vector<double> populations(std::size_t(state_.Q) * size()), values(size());
        state_.getPopulations(populations.data());
        host->setPopulations(populations.data());
        host->values(values.data());
        std::vector<double>().swap(populations); // the host is to hold no more at once than in the beginning
        host->rescale(ratio, diffusivity, flow().data());
        setDiffusivity(diffusivity);
        take(*host, values.data());
    }

    bool arrive(const Buoyancy* buoyancy) override
    {
        device_.use();
        const FlowForces<T> forces = buoyancy ? forcesToTell(*buoyancy) : FlowForces<T>{};
        if (!buoyancy && between_.size() == 0) between_ = {device_, size()};
        state_.bring();
        arriveScalar<D><<<blocksFor(size(), scalarThreads), scalarThreads>>>(
            state_.view(), state_.sent(), state_.arrives(), before_.data(), buoyancy ? nullptr : between_.data(),
            scalarMiddle(stride_), buoyancy ? *buoyancy : Buoyancy{}, places(), forces);
        device_.check("kernel of a scalar that arrives");
        if (buoyancy) solver_.fields_.renewBoundary(solver_.boundaryPlaces());
        return buoyancy;
    }

    void between(double* out) const override { get(between_, out); }

    void forces(const NodeSet& set, double* out) const override { solver_.getFields(set, nullptr, out); }

    double collide() override
    {
        device_.use();
        const FlowForces<T> forces = forcesOfFlow();
        solver_.storage_.withMomentum([&](const auto& momentumAt) {
            collideScalarNodes<D><<<blocksFor(size(), scalarThreads), scalarThreads>>>(
                state_.view(), state_.sent(), state_.arrives(), state_.next(), places(), momentumAt, forces,
                double(stride_), rates(), fastest_.data() + 1);
        });
        device_.check("kernel of a scalar's collision");
        largestOfBlocks<<<1, largestThreads>>>(int(fastest_.size() - 1), fastest_.data() + 1, fastest_.data());
        device_.check("kernel of a scalar's fastest node");
        state_.endStep();
        double square;
        fastest_.download(&square, 1);
        return std::sqrt(square);
    }

    void placeSums(std::vector<std::size_t> begin, std::vector<std::int32_t> nodes,
                   std::vector<double> weights) override
    {
        device_.use();
        begin_ = {device_, begin.data(), begin.size()};
        nodes_ = {device_, nodes.data(), nodes.size()};
        weights_ = {device_, weights.data(), weights.size()};
        sums_ = {device_, begin.empty() ? 0 : begin.size() - 1};
    }

    void sums(double* out) const override
    {
        if (sums_.size() == 0) return;
        device_.use();
        sumGroupsOfScalar<<<blocksFor(sums_.size(), scalarThreads), scalarThreads>>>(
            int(sums_.size()), begin_.data(), nodes_.data(), weights_.data(), before_.data(), sums_.data());
        device_.check("kernel of a scalar's sums");
        sums_.download(out, sums_.size());
    }

    int populations() const override { return state_.Q; }
    void getState(double* populations, double* arrived) const override
    {
        state_.getPopulations(populations);
        get(before_, arrived);
    }
    void setState(const double* populations, const double* arrived) override
    {
        state_.setPopulations(populations);
        setArrived(arrived);
    }

private:
    ScalarRatesOfNodes<T> rates() const
    {
        return {rates_, toldByNode_ ? diffusivity_.data() : nullptr, T(config_.magic)};
    }

    const NodePlace* places() const { return static_cast<const CudaNodes&>(*placed_).block(0).places; }

    // Of nodes, in steps of the scalar.
    std::vector<double> flow() const
    {
        std::vector<double> values(size() * std::size_t(lbm::valuesOf(Reading::flow)));
        solver_.sample(*placed_, Reading::flow, values.data());
        for (double& value : values) value *= stride_;
        return values;
    }

    void take(const ScalarLattice& host, const double* arrived)
    {
        std::vector<double> populations(std::size_t(state_.Q) * size());
        host.getPopulations(populations.data());
        setState(populations.data(), arrived);
    }

    void setArrived(const double* arrived)
    {
        std::vector<T> values(size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(arrived[i]);
        device_.use();
        before_.upload(values.data(), values.size());
    }

    void get(const cuda::Array<T>& from, double* out) const
    {
        device_.use();
        std::vector<T> values(from.size());
        from.download(values.data(), values.size());
        std::copy(values.begin(), values.end(), out);
    }

    // All components when others have told nodes forces since, the uniform ones are others, or one is uniform now that was not; then
    // those alone that differ.
    FlowForces<T> forcesToTell(const Buoyancy& b)
    {
        requireNodeForces(solver_.fields_.forces());
        const unsigned before = along_;
        along_ = 0;
        for (int a = 0; a < D; ++a)
            if (b.g[std::size_t(a)] != 0) along_ |= 1u << a;
        const bool anew = toldForces_ != solver_.forcesTold_ || b.base != base_ || (before & ~along_);
        toldForces_ = solver_.forcesTold_;
        base_ = b.base;
        FlowForces<T> forces = forcesOfFlow();
        if (anew) forces.which = (1u << D) - 1;
        return forces;
    }

    // As they are: what this has told, or others.
    FlowForces<T> forcesOfFlow() const
    {
        FlowForces<T> forces{
            solver_.fields_.forces() ? solver_.fields_.tileForces() : nullptr, SolverT::nodesPerTile, 0, {0, 0, 0}};
        const bool own = toldForces_ == solver_.forcesTold_;
        if (forces.force) forces.which = own ? along_ : (1u << D) - 1;
        for (int a = 0; a < D; ++a)
            forces.uniform[a] = double(T(forces.force ? base_[std::size_t(a)] : solver_.force_[std::size_t(a)]));
        return forces;
    }

    SolverT& solver_;
    cuda::Device device_; // which the arrays refer to
    std::shared_ptr<const Domain> domain_;
    ScalarConfig config_;
    CudaScalarState<D, T> state_;
    std::shared_ptr<const NodeSet> placed_;
    std::vector<std::vector<ScalarLinkValue>> told_; // by patch
    ScalarRates<T> rates_;
    int stride_ = 1;
    bool toldByNode_ = false; // each node has its diffusivity_, else rates_ are those of all
    cuda::Array<T> before_, between_, diffusivity_;
    cuda::Array<double> fastest_; // of all nodes, then of blocks of threads; squares
    cuda::Array<std::size_t> begin_;
    cuda::Array<std::int32_t> nodes_;
    cuda::Array<double> weights_;
    mutable cuda::Array<double> sums_;

    // Of the forces that nodes have: how often the solver had been told some, the uniform part, and components that are not
    std::int64_t toldForces_ = -1;
    Vec3 base_{0, 0, 0};
    unsigned along_ = 0;
};

} // namespace lbm
