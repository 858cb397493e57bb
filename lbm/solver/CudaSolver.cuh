// CudaSolver: the Solver of patterns on tiles that run on a CUDA device. Populations live there; what is asked for
// is carried over by nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Moments.hpp"
#include "lbm/solver/CudaTypes.hpp"
#include "lbm/storage/CudaGeometry.hpp"
#include "lbm/storage/NodeKernels.cuh"

#include <algorithm>
#include <limits>

namespace lbm {

template<class Phases, class L, class T, class TileT>
class CudaSolver final : public Solver {
public:
    using Node = typename NodeOf<Phases, L, TileT>::Type;
    static constexpr bool packed = std::is_same_v<Phases, PackedPhases>;

    CudaSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row, const CudaStep<T>& step)
    :
        domain_(std::move(domain)), row_(row), device_(config.device), stepKernel_(step), tau_(config.tau),
        magic_(config.magic), force_(config.force), incompressible_(config.equilibrium == "incompressible"),
        geometry_(*domain_, config, packed)
    {
        setParameters();
        const std::size_t values = geometry_.storedNodes()*L::Q;
        device_.require(values*sizeof(T)*Phases::copies + geometry_.bytes(), double(geometry_.host().fluidNodes()), "fluid nodes");
        geometry_.copyTo(device_);
        current_ = {device_, values};
        if (Phases::copies == 2) next_ = {device_, values};
    }

    const KernelRow& row() const override { return row_; }
    const Domain& domain() const override { return *domain_; }
    std::int64_t step() const override { return step_; }
    int directions() const override { return L::Q; }

    TilingFacts tiling() const override
    {
        TilingFacts facts;
        facts.tiles = geometry_.grid().tiles();
        facts.uniformTiles = geometry_.host().uniformTiles();
        facts.fluidNodes = geometry_.host().fluidNodes();
        facts.nodesPerTile = Node::N;
        facts.tilePorosity = double(facts.fluidNodes)/(double(facts.tiles)*Node::N);
        return facts;
    }

    MemoryUse memory() const override
    {
        MemoryUse use;
        use.populations = current_.bytes() + next_.bytes();
        use.geometry = geometry_.bytes();
        use.ideal = std::size_t(geometry_.host().fluidNodes())*L::Q*sizeof(T)*Phases::copies;
        return use;
    }

    void advance(std::int64_t steps) override
    {
        device_.use();
        const std::string what = "kernel " + name(row_);
        for (std::int64_t s = 0; s < steps; ++s) {
            atPhase([&](auto phase) { exchange<typename decltype(phase)::Load>(); });
            (odd_ ? stepKernel_.odd : stepKernel_.even)(geometry_.view(), current_.data(),
                                                        Phases::copies == 2 ? next_.data() : current_.data(), parameters_);
            device_.check(what);
            if (Phases::copies == 2) current_.swap(next_);
            odd_ = !odd_;
        }
        device_.synchronize(what);
        step_ += steps;
    }

    void initialise(const NodeIndex* nodes, std::size_t n, const Macroscopic* states) override
    {
        const Moments<L> moments(incompressible_, tau_, force_);
        std::vector<double> values;
        inChunks(nodes, n, [&](std::size_t first, std::size_t count) {
            values.resize(count*L::Q);
            #pragma omp parallel for schedule(static) if(count > 1000)
            for (std::size_t i = 0; i < count; ++i)
                moments.populations(states[first + i], 1 - 1/tau_, &values[i*L::Q]);
            put(count, values.data());
        });
    }

    void sample(const NodeIndex* nodes, std::size_t n, Macroscopic* states) const override
    {
        const Moments<L> moments(incompressible_, tau_, force_);
        std::vector<double> values;
        inChunks(nodes, n, [&](std::size_t first, std::size_t count) {
            values.resize(count*L::Q);
            fetch(count, values.data());
            #pragma omp parallel for schedule(static) if(count > 1000)
            for (std::size_t i = 0; i < count; ++i) states[first + i] = moments.state(&values[i*L::Q], 1 - 1/tau_);
        });
    }

    void getPopulations(const NodeIndex* nodes, std::size_t n, double* populations) const override
    {
        inChunks(nodes, n, [&](std::size_t first, std::size_t count) { fetch(count, populations + first*L::Q); });
    }

    void setPopulations(const NodeIndex* nodes, std::size_t n, const double* populations) override
    {
        inChunks(nodes, n, [&](std::size_t first, std::size_t count) { put(count, populations + first*L::Q); });
    }

    void setBoundary(int patch, const LinkValue* values, std::size_t n) override
    {
        device_.use();
        geometry_.setBoundary(patch, values, n);
    }

    std::vector<double> openingMemory() const override
    {
        device_.use();
        return geometry_.calm();
    }

    void setOpeningMemory(const std::vector<double>& memory) override
    {
        device_.use();
        geometry_.setCalm(memory);
    }

    void setForce(const Vec3& force) override { force_ = force; setParameters(); }
    void setRelaxationTime(double tau) override { tau_ = tau; setParameters(); }

    Health health(int stride) const override;

private:
    static constexpr std::size_t chunk = std::size_t(1) << 20;

    void setParameters()
    {
        if (!(tau_ > 0.5))
            throw std::invalid_argument("relaxation time tau = " + std::to_string(tau_) + ": must be above 0.5");
        const double force[3] = {force_[0], force_[1], force_[2]};
        parameters_ = parameters<T>(tau_, magic_, force);
    }

    // Calls back with the phase of the step to come.
    template<class F>
    void atPhase(F&& f) const
    {
        if (odd_) f(typename Phases::Odd{});
        else f(typename Phases::Even{});
    }

    // Populations of links that kernels know as reflecting though they are not.
    template<class Next>
    void exchange()
    {
        const auto boundary = geometry_.boundary(incompressible_);
        const auto view = geometry_.view();
        T* current = current_.data();
        if (const int n = boundary.nodes + boundary.curvedCount) {
            rememberNodes<Next, Node><<<blocksFor(n, listThreads), listThreads>>>(view, boundary, static_cast<const T*>(current));
            device_.check("kernel of boundary nodes");
        }
        if (const int n = boundary.nodes + boundary.pairCount) {
            exchangeLinks<Next, Node><<<blocksFor(n, listThreads), listThreads>>>(view, boundary, parameters_, current);
            device_.check("kernel of boundary links");
        }
        if (const int n = boundary.curvedCount) {
            interpolateWalls<Next, Node><<<blocksFor(n, listThreads), listThreads>>>(view, boundary, current);
            device_.check("kernel of interpolated walls");
        }
    }

    // f(first, count) with the places of so many nodes on the device. Throws before anything is changed.
    template<class F>
    void inChunks(const NodeIndex* nodes, std::size_t n, F&& f) const
    {
        bool bad = false;
        #pragma omp parallel for schedule(static) reduction(||:bad) if(n > 1000)
        for (std::size_t i = 0; i < n; ++i)
            bad = bad || nodes[i] < 0 || nodes[i] >= domain_->nodes() || !domain_->fluid[nodes[i]];
        if (bad) throw std::out_of_range("solver: a node that was asked for is not fluid");

        device_.use();
        const std::size_t most = std::min(n, chunk);
        if (places_.size() < most) {
            places_ = {device_, most};
            staging_ = {device_, most*L::Q};
        }
        std::vector<NodePlace> places(most);
        for (std::size_t first = 0; first < n; first += most) {
            const std::size_t count = std::min(most, n - first);
            #pragma omp parallel for schedule(static) if(count > 1000)
            for (std::size_t i = 0; i < count; ++i) {
                const TilePlace place = geometry_.grid().place(domain_->coordinates(nodes[first + i]));
                places[i] = {place.tile, place.local};
            }
            places_.upload(places.data(), count);
            f(first, count);
        }
    }

    // values: [count][Q], of the nodes in places_.
    void fetch(std::size_t count, double* values) const
    {
        launchAccess<false>(count);
        staging_.download(values, count*L::Q);
    }

    void put(std::size_t count, const double* values)
    {
        staging_.upload(values, count*L::Q);
        launchAccess<true>(count);
    }

    template<bool write>
    void launchAccess(std::size_t count) const
    {
        // access() serves both directions, as does the address.
        T* current = const_cast<T*>(current_.data());
        atPhase([&](auto phase) {
            access<typename decltype(phase)::Load, Node, write><<<blocksFor(count, listThreads), listThreads>>>(
                geometry_.view(), places_.data(), int(count), current, staging_.data());
        });
        device_.check("kernel of access to nodes");
    }

    std::shared_ptr<const Domain> domain_;
    KernelRow row_;
    cuda::Device device_;
    CudaStep<T> stepKernel_;
    double tau_, magic_;
    Vec3 force_;
    bool incompressible_;
    std::int64_t step_ = 0;
    bool odd_ = false;
    Parameters<T> parameters_;
    CudaGeometry<L, T, TileT> geometry_;
    cuda::Array<T> current_, next_;
    mutable cuda::Array<NodePlace> places_;
    mutable cuda::Array<double> staging_;
};

template<class Phases, class L, class T, class TileT>
Health CudaSolver<Phases, L, T, TileT>::health(int stride) const
{
    device_.use();
    const TileGrid& grid = geometry_.grid();
    const std::size_t n = std::size_t((grid.tiles() + stride - 1)/stride);
    const TileHealth none = {0, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), 0, -1, -1, 0};
    cuda::Array<TileHealth> found(device_, n);
    atPhase([&](auto phase) {
        inspect<typename decltype(phase)::Load, Node><<<unsigned(n), Node::N>>>(
            geometry_.view(), stride, current_.data(), incompressible_, none, found.data());
    });
    device_.check("kernel of health");
    std::vector<TileHealth> tiles(n);
    found.download(tiles.data(), n);

    const Int3 e = grid.extents();
    const auto nodeOf = [&](std::size_t i, int local) {
        const Int3 o = grid.origin(std::int32_t(i)*stride);
        return domain_->index(o[0] + local % e[0], o[1] + local/e[0] % e[1], o[2] + local/e[0]/e[1]);
    };
    Health result;
    result.minDensity = none.minDensity;
    result.maxDensity = none.maxDensity;
    for (std::size_t i = 0; i < n; ++i) {
        const TileHealth& t = tiles[i];
        if (t.maxSpeed > result.maxSpeed) {
            result.maxSpeed = t.maxSpeed;
            result.fastest = nodeOf(i, t.fastest);
        }
        result.nodes += t.nodes;
        result.excess += t.excess;
        result.minDensity = std::min(result.minDensity, t.minDensity);
        result.maxDensity = std::max(result.maxDensity, t.maxDensity);
        if (t.bad < 0) continue;
        const NodeIndex node = nodeOf(i, t.bad);
        if (result.bad < 0 || node < result.bad) result.bad = node;
    }
    return result;
}

} // namespace lbm
