// CudaWallLaw: a wall law (lbm/api/WallLaw.hpp) on the CUDA device where its lattice lies. Nodes are sampled, the law is followed and
// links are told there; the host asks for stresses and velocities when somebody wants them. Formulas are the host's
// (LawLink.hpp). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/solver/CudaNodes.cuh"
#include "lbm/solver/LawTables.hpp"
#include "lbm/storage/nodes/CudaGeometry.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

struct LawView {
    const LawLink* links;
    LawState* states;
    const Vec3* wall; // null: at rest
    const LawRecord* records;
    double *taken, *sums, *ofPieces;
    std::uint8_t* clipped;
    Vec3* told;
    LawLeak* leaks; // of pieces
    const double* areas;
    const std::array<std::uint32_t, 8>* corners; // of blocks
    bool closes;
    int count, pieces;

    __device__ Vec3 wallAt(int i) const { return wall ? wall[i] : Vec3{0, 0, 0}; }
};

// terms: of a block's links from the first one on; the last term of each is its own node. nodes: their states; populations: [nodes][Q].
// T: the lattice's; each precision has kernels of its own.
template<class L, class T>
__global__ void __launch_bounds__(listThreads)
    followLaw(LawView view, spalding::Constants constants, double viscosity, bool incompressible, LawPace pace,
              GroupTerms terms, int first, int n, const Macroscopic* nodes, const double* populations)
{
    const int g = blockIdx.x * listThreads + threadIdx.x;
    if (g >= n) return;
    const int i = first + g;
    const std::size_t own = terms.begin[g + 1] - 1;
    Vec3 sampled{0, 0, 0};
    for (std::size_t t = terms.begin[g]; t < own; ++t) {
        const Vec3& u = nodes[terms.node(t)].velocity;
        const double weight = terms.weight(t);
        for (int a = 0; a < 3; ++a) sampled[a] = std::fma(weight, u[a], sampled[a]);
    }
    const LawNode sent =
        law::sentBy<L>(view.links[i], populations + std::size_t(terms.node(own)) * L::Q, incompressible);
    const Vec3 wall = view.wallAt(i);
    view.clipped[i] = law::follow(view.links[i], constants, viscosity, pace, law::sumOf(sampled, -1, wall),
                                  law::sumOf(sent.velocity, -1, wall), sent, view.states[i]);
    view.sums[i] = law::beyondBy(view.links[i], view.states[i], wall, sent);
}

// Of each piece behind each of the lags; what its links take beyond their slip is what it has been summed up to.
template<class T>
__global__ void __launch_bounds__(listThreads) followLawLeaks(LawView view, double lagged)
{
    const int piece = blockIdx.x * listThreads + threadIdx.x;
    if (piece < view.pieces) wallLags::follow(view.leaks[piece].behind, view.ofPieces[piece], lagged);
}

// What is left, of what links without an image take and of what is let through.
template<class T>
__global__ void __launch_bounds__(listThreads) findLawLeft(LawView view)
{
    const int piece = blockIdx.x * listThreads + threadIdx.x;
    if (piece < view.pieces)
        view.ofPieces[piece] =
            law::leftThrough(view.ofPieces[piece] + view.leaks[piece].behind[wallLags::count - 1], view.areas[piece]);
}

template<class T>
__global__ void __launch_bounds__(listThreads) takeSlip(LawView view)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= view.count) return;
    const double taken = law::slipOf(view.links[i], view.states[i], view.wallAt(i)).taken;
    view.taken[i] = taken;
    view.sums[i] = view.links[i].partner < 0 ? taken : 0;
}

// [runs][8]. begin: of runs.
template<class T>
__global__ void __launch_bounds__(listThreads)
    sumLawLinks(LawView view, const std::uint32_t* order, const std::uint32_t* begin, int runs, double* sums)
{
    const int i = blockIdx.x * listThreads + threadIdx.x, run = i / 8;
    if (run < runs) sums[i] = law::sumOfLinks(view.links, view.sums, order, begin[run], begin[run + 1], i % 8);
}

template<class T>
__global__ void __launch_bounds__(listThreads)
    sumLawSums(const double* values, const std::uint32_t* begin, int runs, double* sums)
{
    const int i = blockIdx.x * listThreads + threadIdx.x, run = i / 8;
    if (run < runs) sums[i] = law::sumOfSums(values, begin[run], begin[run + 1], i % 8);
}

template<class T>
__global__ void __launch_bounds__(listThreads)
    sumLawPieces(LawView view, const double* sums, const std::uint32_t* terms, const std::uint32_t* begin)
{
    const int piece = blockIdx.x * listThreads + threadIdx.x;
    if (piece < view.pieces) view.ofPieces[piece] = law::sumOfPiece(sums, terms, begin[piece], begin[piece + 1]);
}

template<class T>
__global__ void __launch_bounds__(listThreads) tellLawLinks(LawView view, ToldOnDevice<T> told)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= view.count) return;
    const LawLink& link = view.links[i];
    const auto* corners = reinterpret_cast<const std::uint32_t*>(view.corners + link.piece.block);
    const Vec3 u = law::toldBy(link, view.states[i], view.wallAt(i), view.closes ? view.taken : nullptr, std::size_t(i),
                               view.closes ? law::fromPieces(link.piece, corners, view.ofPieces) : 0);
    view.told[i] = u;
    const LawRecord at = view.records[i];
    if (at.curved < 0) return;
    // See TileGeometry::assignCurved: of the population that comes back
    const double speed = -link.weight * law::product(link.along(), u);
    if (at.gap >= 0) told.gaps[at.gap].speed = speed;
    else told.curved[at.curved].move = T(link.shares.moved * speed);
    if (at.shadow < 0) return;
    for (int a = 0; a < 3; ++a) told.links[at.shadow].velocity[a] = T(u[a]);
}

// Between two walls both speeds count for either link; who tells both stores the same twice.
template<class T>
__global__ void __launch_bounds__(listThreads) tellLawGaps(LawView view, ToldOnDevice<T> told)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= view.count || view.records[i].gap < 0) return;
    const WallGap& own = told.gaps[view.records[i].gap];
    const WallGap* other = nullptr;
    if (own.other >= 0) other = &told.gaps[told.gapOf(own.other)];
    told.curved[own.link].move = T(own.own * own.speed + own.across * (other ? other->speed : 0));
    if (other) told.curved[other->link].move = T(other->own * other->speed + other->across * own.speed);
}

template<class SolverT>
class CudaWallLaw final : public WallLaw {
public:
    using L = typename SolverT::L;
    using T = typename SolverT::T;

    CudaWallLaw(SolverT& solver, const WallLawSetup& setup) :
        solver_(solver),
        device_(solver.device()),
        patch_(setup.patch),
        tables_(solver, setup),
        sampledBytes_(bytesOf(withOwnNodes())),
        sampled_(solver.placedNow(withOwnNodes())),
        links_(device(), tables_.links.data(), size()),
        states_(device(), size()),
        leaks_(device(), pieces()),
        areas_(device(), tables_.areas.data(), pieces()),
        corners_(device(), tables_.corners.data(), tables_.corners.size()),
        order_(device(), tables_.sums.order.data(), size()),
        pieceBegin_(device(), tables_.sums.begin.data(), tables_.sums.begin.size()),
        pieceTerms_(device(), tables_.sums.terms.data(), tables_.sums.terms.size()),
        told_(device(), size()),
        records_(recordsOf()),
        clipped_(device(), size()),
        taken_(device(), size()),
        sums_(device(), size()),
        ofPieces_(device(), pieces()),
        ofRuns_{cuda::Array<double>(device(), 8 * tables_.sums.levels[0].size()),
                cuda::Array<double>(device(), 8 * tables_.sums.levels[0].size())}
    {
        for (const std::vector<std::uint32_t>& level : tables_.sums.levels)
            levels_.emplace_back(device(), level.data(), level.size());
        tables_.sums = {};
        tables_.corners = {};
        tables_.sampled = NodeGroups();
        tables_.nodes = {};
        tell();
        solver_.laws_.push_back(this);
    }

    ~CudaWallLaw() override
    {
        if (solverIsThere_) std::erase(solver_.laws_, this);
    }
    void leaveSolver() { solverIsThere_ = false; } // which is destroyed before

    std::size_t size() const override { return tables_.links.size(); }
    std::size_t pieces() const override { return tables_.areas.size(); }
    bool onDevice() const override { return true; }

    // Links of a plane are sampled at nodes that are others', too: places are fewer than this counts.
    std::size_t bytes() const override
    {
        return size() * lawBytesOnDevice + wall_.size() * sizeof(Vec3) + sampledBytes_;
    }

    void setWall(const std::vector<Vec3>& velocities) override
    {
        checkWall(velocities, size());
        if (velocities.empty() && wall_.size() == 0) return;
        wall_ = {device(), velocities.data(), velocities.size()};
        tell();
    }

    void update(double viscosity, double steps) override
    {
        checkViscosity(viscosity);
        const LawView view = this->view();
        const LawPace pace = tables_.pace(steps, begun_);
        solver_.readBlocks(*sampled_,
                           [&](const CudaNodes::Block& b, const Macroscopic* nodes, const double* populations) {
                               if (b.groups == 0) return;
                               followLaw<L, T><<<blocksFor(b.groups, listThreads), listThreads>>>(
                                   view, tables_.constants, viscosity, tables_.incompressible, pace, b.terms,
                                   int(b.group), int(b.groups), nodes, populations);
                               device().check("kernel of a wall law");
                           });
        if (size() > 0) {
            device().use();
            sumUp(view);
            followLawLeaks<T><<<blocksFor(pieces(), listThreads), listThreads>>>(view, pace.lagged);
            device().check("kernel of a wall law");
        }
        begun_ = true;
        tell();
    }

    std::vector<double> state() const override { return begun_ ? memory().values() : std::vector<double>(); }

    void setState(const std::vector<double>& values) override
    {
        put(LawMemory::of(values, size(), pieces()));
        begun_ = true;
        tell();
    }

    void convert(double faster) override
    {
        LawMemory memory = this->memory();
        memory.convert(faster);
        put(memory);
    }

    std::vector<Vec3> told() const override { return onHost(told_); }

    Report report(double viscosity) const override
    {
        return reportOf(tables_.links, onHost(states_), onHost(clipped_), viscosity);
    }

    // For who finds strain rates by differences, on the host.
    void tellStrainRates()
    {
        if (!anew_) return;
        std::vector<LinkValue> values(size());
        const std::vector<Vec3> velocities = told();
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i].kind = BoundaryKind::interpolatedWall;
            values[i].velocity = velocities[i];
        }
        solver_.strainRates_.setBoundary(patch_, values.data(), values.size());
        anew_ = false;
    }

private:
    const cuda::Device& device() const { return device_; }

    // Behind what is sampled each link's own node, in one group: states of both are found together.
    NodeGroups withOwnNodes() const
    {
        const NodeGroups& from = tables_.sampled;
        NodeGroups groups(from.kind);
        for (std::size_t g = 0; g < from.size(); ++g) {
            for (std::size_t t = from.begin[g]; t < from.begin[g + 1]; ++t) groups.add(from.nodes[t], from.weights[t]);
            groups.add(tables_.nodes[g], 1);
            groups.endGroup();
        }
        return groups;
    }

    cuda::Array<LawRecord> recordsOf() const
    {
        const auto& host = solver_.storage_.geometry().host();
        const std::vector<std::int32_t>& curved = host.recordsOfLinks(patch_);
        const auto& gaps = host.gaps();
        const auto& shadows = host.shadows();
        if (!host.curved(patch_) || curved.size() != size())
            throw std::invalid_argument("wall law: patch " + std::to_string(patch_)
                                        + " is no interpolated wall of the solver, or has other links");
        std::vector<LawRecord> records(size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i] = {curved[i], -1, -1};
            if (curved[i] < 0) continue;
            const auto gap = std::lower_bound(gaps.begin(), gaps.end(), curved[i],
                                              [](const WallGap& g, std::int32_t k) { return g.link < k; });
            if (gap != gaps.end() && gap->link == curved[i]) records[i].gap = std::int32_t(gap - gaps.begin());
            const auto shadow = std::lower_bound(shadows.begin(), shadows.end(), curved[i],
                                                 [](const WallShadow& s, std::int32_t k) { return s.curved < k; });
            if (shadow != shadows.end() && shadow->curved == curved[i]) records[i].shadow = shadow->link;
        }
        return {device(), records.data(), records.size()};
    }

    LawView view()
    {
        return {links_.data(),    states_.data(),  wall_.size() ? wall_.data() : nullptr,
                records_.data(),  taken_.data(),   sums_.data(),
                ofPieces_.data(), clipped_.data(), told_.data(),
                leaks_.data(),    areas_.data(),   corners_.data(),
                tables_.area > 0, int(size()),     int(pieces())};
    }

    void tell()
    {
        anew_ = true;
        if (size() == 0) return;
        device().use();
        const LawView view = this->view();
        const int blocks = blocksFor(size(), listThreads);
        takeSlip<T><<<blocks, listThreads>>>(view);
        sumUp(view);
        findLawLeft<T><<<blocksFor(pieces(), listThreads), listThreads>>>(view);
        const ToldOnDevice<T> told = solver_.storage_.geometry().toldOnDevice(device());
        tellLawLinks<T><<<blocks, listThreads>>>(view, told);
        if (told.gapCount > 0) tellLawGaps<T><<<blocks, listThreads>>>(view, told);
        device().check("kernel of a wall law");
    }

    // Of sums_ those of pieces, in the host's order (LawSums).
    void sumUp(const LawView& view)
    {
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            const std::uint32_t* begin = levels_[level].data();
            const int runs = int(levels_[level].size()) - 1, blocks = blocksFor(8 * std::size_t(runs), listThreads);
            double* sums = ofRuns_[level % 2].data();
            if (level == 0) sumLawLinks<T><<<blocks, listThreads>>>(view, order_.data(), begin, runs, sums);
            else sumLawSums<T><<<blocks, listThreads>>>(ofRuns_[1 - level % 2].data(), begin, runs, sums);
        }
        sumLawPieces<T><<<blocksFor(pieces(), listThreads), listThreads>>>(
            view, ofRuns_[(levels_.size() - 1) % 2].data(), pieceTerms_.data(), pieceBegin_.data());
    }

    LawMemory memory() const { return {onHost(states_), onHost(leaks_)}; }

    void put(const LawMemory& memory)
    {
        device().use();
        states_.upload(memory.states.data(), memory.states.size());
        leaks_.upload(memory.leaks.data(), memory.leaks.size());
    }

    template<class Value>
    std::vector<Value> onHost(const cuda::Array<Value>& array) const
    {
        std::vector<Value> values(array.size());
        array.download(values.data(), values.size());
        return values;
    }

    SolverT& solver_;
    cuda::Device device_; // which the arrays refer to, whether or not the solver is still there
    int patch_;
    LawTables tables_;
    std::size_t sampledBytes_;
    std::shared_ptr<const CudaNodes> sampled_;
    cuda::Array<LawLink> links_;
    cuda::Array<LawState> states_;
    cuda::Array<LawLeak> leaks_; // see LawMemory
    cuda::Array<double> areas_;
    cuda::Array<std::array<std::uint32_t, 8>> corners_;
    cuda::Array<std::uint32_t> order_, pieceBegin_, pieceTerms_; // see LawSums
    std::vector<cuda::Array<std::uint32_t>> levels_;
    cuda::Array<Vec3> wall_, told_;
    cuda::Array<LawRecord> records_;
    cuda::Array<std::uint8_t> clipped_;
    cuda::Array<double> taken_, sums_, ofPieces_, ofRuns_[2]; // of runs: of one level, and of the next
    bool solverIsThere_ = true, begun_ = false,
         anew_ = true; // anew_: what links are told is not what strainRates_ know
};

} // namespace lbm
