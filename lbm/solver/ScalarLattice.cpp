// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/ScalarLattice.hpp"

#include "lbm/solver/ScalarChecks.hpp"
#include "lbm/storage/scalar/ScalarSteps.hpp"
#include "lbm/storage/scalar/setScalarEnds.hpp"

#include <stdexcept>

namespace lbm {

namespace {

template<int D, class R>
class ScalarLatticeOf : public ScalarLattice {
    static constexpr int Q = ScalarLinks<D>::Q;

public:
    ScalarLatticeOf(std::shared_ptr<const Domain> domain, const ScalarConfig& config) :
        domain_(std::move(domain)),
        geometry_(*domain_),
        magic_(positiveOfScalar(config.magic, "the magic number")),
        steps_{geometry_, threadsOfScalar(config, *domain_)},
        scalar_(size())
    {
        sent_.resize(std::size_t(Q) * size());
        next_.resize(sent_.size());
        ends_.ends.resize(geometry_.slots().size());
        ends_.arrives.resize(geometry_.slots().size());
        setDiffusivity(config.diffusivity);
    }

    const Domain& domain() const override { return *domain_; }
    std::size_t size() const override { return std::size_t(geometry_.nodes()); }
    std::size_t bytes() const override
    {
        return geometry_.bytes() + (sent_.size() + next_.size()) * sizeof(R) + scalar_.size() * sizeof(double)
            + diffusivity_.size() * sizeof(R) + ends_.ends.size() * (sizeof(ends_.ends[0]) + sizeof(R));
    }

    void setDiffusivity(const ScalarDiffusivity& value) override
    {
        std::vector<R> ofNodes = diffusivitiesOfScalar<R>(value, size());
        if (!value.ofNodes) rates_ = scalarRates(R(value.all), R(magic_));
        diffusivity_.swap(ofNodes);
    }

    void setBoundary(int patch, const ScalarLinkValue* values, std::size_t n) override
    {
        if (patch < 0 || std::size_t(patch) >= domain_->patches.size())
            throw std::invalid_argument("a scalar's lattice: links of a patch");
        setScalarEnds(domain_->patches[std::size_t(patch)], geometry_.slotsOf(patch), geometry_.slots(), values, n,
                      ends_.ends);
    }

    void initialise(const double* values, const double* flow) override
    {
        for (std::size_t i = 0; i < size(); ++i) {
            const R s = R(values[i]);
            sent_[i] = s * (1 - R(0.25) * D);
            for (int a = 0; a < D; ++a) {
                const R odd = flow ? s * R(flow[4 * i + 1 + std::size_t(a)]) : R(0);
                sent_[std::size_t(1 + 2 * a) * size() + i] = R(0.125) * s + R(0.5) * odd;
                sent_[std::size_t(2 + 2 * a) * size() + i] = R(0.125) * s - R(0.5) * odd;
            }
            scalar_[i] = double(s);
        }
    }

    void rescale(double ratio, const ScalarDiffusivity& diffusivity, const double* flow) override
    {
        const std::vector<R> ofNodes = diffusivity_;
        const ScalarRatesOfNodes<R> before{rates_, ofNodes.empty() ? nullptr : ofNodes.data(), R(magic_)};
        setDiffusivity(diffusivity);
        steps_.arrive(sent_, ends_, scalar_);
        steps_.stream(sent_, ends_, next_);
        values(scalar_.data());
        const ScalarRatesOfNodes<R> after = rates();
        for (std::size_t i = 0; i < size(); ++i) {
            R s = 0, u[D], beyond[D], gradient[D], g[Q];
            for (int q = 0; q < Q; ++q) s += next_[std::size_t(q) * size() + i];
            for (int a = 0; a < D; ++a) {
                const std::size_t there = std::size_t(1 + 2 * a) * size() + i, back = there + size();
                u[a] = R(flow[4 * i + 1 + std::size_t(a)] / ratio);
                beyond[a] = next_[there] - next_[back] - s * u[a];
            }
            scalarGradient<D>(beyond, u, before.at(std::int32_t(i)).odd, gradient);
            for (int a = 0; a < D; ++a) u[a] *= R(ratio);
            sendScalar<D>(g, R(scalar_[i]), gradient, u, after.at(std::int32_t(i)).odd);
            for (int q = 0; q < Q; ++q) sent_[std::size_t(q) * size() + i] = g[q];
        }
    }

    void arrive() override { steps_.arrive(sent_, ends_, scalar_); }
    const double* arrived() const override { return scalar_.data(); }
    void collide(const double* flow) override
    {
        steps_.collide(sent_, ends_, flow, rates(), next_);
        sent_.swap(next_);
    }

    void values(double* out) const override
    {
        for (std::size_t i = 0; i < size(); ++i) {
            R s = sent_[i];
            for (int q = 1; q < Q; ++q) s += sent_[std::size_t(q) * size() + i];
            out[i] = double(s);
        }
    }

    std::vector<double> passed(int patch) const override
    {
        std::vector<double> out;
        for (const std::int32_t s : geometry_.slotsOf(patch)) {
            out.push_back(0);
            if (s < 0) continue;
            // The last collision has left what was sent before in the other copy
            const ScalarSlot& slot = geometry_.slots()[std::size_t(s)];
            out.back() =
                double(next_[slot.link * size() + std::size_t(slot.node)]) - double(ends_.arrives[std::size_t(s)]);
        }
        return out;
    }

    int populations() const override { return Q; }
    void getPopulations(double* out) const override { std::copy(sent_.begin(), sent_.end(), out); }
    void setPopulations(const double* in) override
    {
        for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = R(in[i]);
        values(scalar_.data());
    }

private:
    ScalarRatesOfNodes<R> rates() const
    {
        return {rates_, diffusivity_.empty() ? nullptr : diffusivity_.data(), R(magic_)};
    }

    std::shared_ptr<const Domain> domain_;
    ScalarGeometry geometry_;
    double magic_;
    ScalarSteps<D, R> steps_;
    std::vector<R> sent_, next_, diffusivity_; // the last: empty, rates_ are those of all
    std::vector<double> scalar_;
    ScalarRates<R> rates_;
    ScalarEnds<R> ends_;
};

template<int D>
std::unique_ptr<ScalarLattice> make(std::shared_ptr<const Domain> domain, const ScalarConfig& config)
{
    if (config.precision == "double") return std::make_unique<ScalarLatticeOf<D, double>>(std::move(domain), config);
    if (config.precision == "float") return std::make_unique<ScalarLatticeOf<D, float>>(std::move(domain), config);
    throw std::invalid_argument("a scalar's lattice: precision is " + config.precision
                                + "; it must be double or float");
}

} // namespace

std::unique_ptr<ScalarLattice> makeScalarLattice(std::shared_ptr<const Domain> domain, const ScalarConfig& config)
{
    return domain->dimensions == 2 ? make<2>(std::move(domain), config) : make<3>(std::move(domain), config);
}

} // namespace lbm
