// A scalar that the threads of a host step, by what any solver gives. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/CarriedScalar.hpp"

#include "lbm/api/TeamSize.hpp"
#include "lbm/physics/ScalarNode.hpp"
#include "lbm/solver/ScalarChecks.hpp"
#include "lbm/storage/scalar/ScalarPull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

class HostScalar final : public CarriedScalar {
    static constexpr std::size_t perNode = lbm::valuesOf(Reading::flow);

public:
    HostScalar(Solver& solver, std::shared_ptr<const Domain> domain, const ScalarConfig& config, std::string why) :
        solver_(solver),
        why_(std::move(why)),
        lattice_(makeScalarLattice(domain, config)),
        threads_(threadsOfScalar(config, *domain)),
        placed_(placedFluid(solver, *domain)),
        flow_(size() * perNode),
        before_(size()),
        between_(size())
    {}

    bool onDevice() const override { return false; }
    std::string whyOnHost() const override { return why_; }
    std::size_t size() const override { return lattice_->size(); }
    std::size_t deviceBytes() const override { return 0; }
    std::size_t hostBytes() const override
    {
        return lattice_->bytes() + (flow_.size() + before_.size() + between_.size() + weights_.size()) * sizeof(double)
            + begin_.size() * sizeof(begin_[0]) + nodes_.size() * sizeof(nodes_[0]);
    }

    void setDiffusivity(const ScalarDiffusivity& d) override { lattice_->setDiffusivity(d); }
    void setBoundary(int patch, const ScalarLinkValue* values, std::size_t n) override
    {
        lattice_->setBoundary(patch, values, n);
    }
    std::vector<double> passed(int patch) const override { return lattice_->passed(patch); }
    void values(double* out) const override { lattice_->values(out); }
    void setStride(int stride) override { stride_ = checkedStride(stride); }

    void initialise(const double* values) override
    {
        sampleFlow();
        lattice_->initialise(values, flow_.data());
        before_.assign(values, values + size());
    }

    void rescale(double ratio, const ScalarDiffusivity& diffusivity) override
    {
        lattice_->values(before_.data());
        sampleFlow();
        lattice_->rescale(ratio, diffusivity, flow_.data());
    }

    bool arrive(const Buoyancy*) override
    {
        lattice_->arrive();
        const double *after = lattice_->arrived(), last = scalarMiddle(stride_);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t i = 0; i < before_.size(); ++i) {
            between_[i] = scalarBetween(before_[i], after[i], last);
            before_[i] = after[i];
        }
        return false;
    }

    void between(double* out) const override { std::copy(between_.begin(), between_.end(), out); }
    void forces(const NodeSet&, double*) const override
    {
        throw std::logic_error("a scalar's lattice: nodes have not been told forces by it");
    }

    double collide() override
    {
        sampleFlow();
        double square = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(max : square)
        for (std::size_t i = 0; i < size(); ++i) {
            const double *u = &flow_[perNode * i + 1], own = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
            square = std::max(square, std::isfinite(own) ? own : std::numeric_limits<double>::infinity());
        }
        lattice_->collide(flow_.data());
        return std::sqrt(square);
    }

    void placeSums(std::vector<std::size_t> begin, std::vector<std::int32_t> nodes,
                   std::vector<double> weights) override
    {
        begin_ = std::move(begin);
        nodes_ = std::move(nodes);
        weights_ = std::move(weights);
    }

    void sums(double* out) const override
    {
        const std::size_t groups = begin_.empty() ? 0 : begin_.size() - 1;
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t g = 0; g < groups; ++g)
            out[g] = scalarSum(begin_[g], begin_[g + 1], nodes_.data(), weights_.data(), before_.data());
    }

    int populations() const override { return lattice_->populations(); }
    void getState(double* populations, double* arrived) const override
    {
        lattice_->getPopulations(populations);
        std::copy(before_.begin(), before_.end(), arrived);
    }
    void setState(const double* populations, const double* arrived) override
    {
        lattice_->setPopulations(populations);
        before_.assign(arrived, arrived + size());
    }

private:
    void sampleFlow()
    {
        solver_.sample(*placed_, Reading::flow, flow_.data());
        if (stride_ == 1) return;
        for (double& value : flow_) value *= stride_;
    }

    Solver& solver_;
    std::string why_;
    std::unique_ptr<ScalarLattice> lattice_;
    int threads_, stride_ = 1;
    std::shared_ptr<const NodeSet> placed_;
    std::vector<double> flow_, before_, between_;
    std::vector<std::size_t> begin_;
    std::vector<std::int32_t> nodes_;
    std::vector<double> weights_;
};

} // namespace

std::unique_ptr<CarriedScalar> placeScalar(Solver& solver, std::shared_ptr<const Domain> domain,
                                           const ScalarConfig& config)
{
    std::string why;
    if (!isOnHost(solver.row())) {
        why = "the flow has several parts";
        if (auto* own = dynamic_cast<HasScalars*>(&solver)) {
            why.clear();
            if (auto scalar = own->placeScalar(domain, config, why)) return scalar;
        }
    }
    return std::make_unique<HostScalar>(solver, std::move(domain), config, why);
}

// Two copies of populations, what arrived, what forces follow, where a node lies, half of the list of its sources, and its part of
// what blocks of 128 threads find; of a cell its sum, where that begins, and a term for each node around it
double scalarBytesOnDevice(int dimensions, int valueBytes, bool diffusivityByNode)
{
    const double links = 1 + 2 * dimensions;
    const double ofCell =
        sizeof(double) + sizeof(std::size_t) + (1 << dimensions) * (sizeof(std::int32_t) + sizeof(double));
    return (2 * links + 2 + diffusivityByNode) * valueBytes + 2 * sizeof(std::int32_t)
        + links * sizeof(std::int32_t) / 2 + sizeof(double) / 128.0 + ofCell;
}

// Of a link what it is, what it was told and brings, and what left over it when that is asked for
double scalarBytesOnDevice(const Domain& domain, int valueBytes, bool diffusivityByNode)
{
    double links = 0;
    for (const Link& link : domain.links) {
        const Int3 c = directionOf(link.direction);
        links += c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 1;
    }
    const std::size_t ofEnd = valueBytes == sizeof(float) ? sizeof(ScalarEnd<float>) : sizeof(ScalarEnd<double>);
    return scalarBytesOnDevice(domain.dimensions, valueBytes, diffusivityByNode) * double(domain.fluidNodes())
        + links * double(sizeof(ScalarSlot) + ofEnd + std::size_t(valueBytes) + sizeof(double));
}

} // namespace lbm
