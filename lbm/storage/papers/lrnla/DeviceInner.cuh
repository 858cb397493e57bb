// DeviceInner: inner TorreFolds of a box in the host's memory on a CUDA device, which holds slopes and a few bases, not the box
// (Levchenko & Perepelkina 2022, section 2.6): bases come and go while others are climbed. Of walls it has what InnerWalls has.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/storage/papers/lrnla/DeviceClimb.cuh"
#include "lbm/storage/papers/lrnla/DeviceRim.cuh"
#include "lbm/storage/papers/lrnla/InnerPlan.hpp"
#include "lbm/storage/papers/lrnla/InnerWalls.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace lbm::lrnla {

// A tower a block, all octants of one after the other: as climbTowers, but that no end of the box is near.
template<class L, class S, bool walls, class Collide>
__global__ void __launch_bounds__(torreThreads, TorreShared<L, S>::blocks)
    climbInner(const __grid_constant__ DevicePass<S> pass, const InnerTower* order,
               const __grid_constant__ Collide relax)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ Chunk* lines[8];
    __shared__ int taken, base[3];
    if (threadIdx.x == 0) taken = atomicAdd(pass.taken, 1);
    __syncthreads();
    const int octant = taken % octantsOfCell;
    const InnerTower tower = order[taken / octantsOfCell];
    const auto number = [&](int x, int y, int z) {
        return octant * pass.towersOfOctant + (std::size_t(z) * pass.towers[1] + y) * pass.towers[0] + x;
    };
    if (threadIdx.x == 0) {
        base[0] = tower.x * torreSide;
        base[1] = tower.y * torreSide;
        base[2] = tower.z * torreSide;
    }
    if (threadIdx.x < 8) {
        const int t = threadIdx.x;
        const int x = tower.x + (t & 1), y = tower.y + (t >> 1 & 1), z = tower.z + (t >> 2);
        const bool inner = x + 1 < pass.towers[0] && y + 1 < pass.towers[1] && z + 1 < pass.towers[2];
        lines[t] = pass.lines
            + (octant * pass.linesOfOctant + lineOf(pass.towers, x, y, z)) * std::size_t(pass.handed)
                * (chunksOf<L, S> * slopeCells);
        if (inner && (t == 1 || t == 2 || t == 4))
            while (acquired(pass.done + number(x, y, z)) != pass.number) __nanosleep(50);
    }
    __syncthreads();
    const std::size_t tile = std::size_t(pass.extent[0]) * pass.extent[1] * pass.extent[2] * L::Q;
    DeviceTorre<L, S, false, walls, Collide>(pass, relax, octant, shared, lines)
        .climb(base, pass.tiles + (std::size_t(tower.fold) * octantsOfCell + octant) * tile);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        release(pass.done + number(tower.x, tower.y, tower.z), pass.number);
    }
}

// A box's memory, which devices read and write: for all of them, once.
class PinnedBox {
public:
    // Throws cuda::Error.
    void pin(const cuda::Device& device, const SharedBox& box)
    {
        if (!pinned_.empty()) return;
        one(device, box.tiles, box.tileBytes);
        one(device, box.lines, box.lineBytes);
        if (box.walls.valueBytes) one(device, box.walls.values, box.walls.valueBytes);
    }

private:
    struct Unpin {
        void operator()(void* memory) const { static_cast<void>(cudaHostUnregister(memory)); }
    };

    void one(const cuda::Device& device, void* memory, std::size_t bytes)
    {
        const cudaError_t status = cudaHostRegister(memory, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable);
        if (status != cudaSuccess)
            throw cuda::Error(std::to_string(bytes / 1000000000.0) + " GB of the host's memory cannot be pinned for "
                              + device.name() + ": " + cudaGetErrorString(status));
        pinned_.emplace_back(memory);
    }

    std::vector<std::unique_ptr<void, Unpin>> pinned_;
};

template<class L, class S, class Collide>
class DeviceInner : public InnerFolds {
    static constexpr int sets = 3; // of bases: that come, that are climbed, that go
    static constexpr std::size_t lineChunks = std::size_t(chunksOf<L, S>) * slopeCells;

public:
    // range: of inner blocks, the device's share; pinned: shared with those who have the others. Throws std::invalid_argument where towers
    // do not fill TorreFolds, cuda::Error where the device is too small or the host's memory cannot be pinned.
    DeviceInner(const cuda::Device& device, const SharedBox& box, const BlockRange& range,
                const std::shared_ptr<PinnedBox>& pinned, const Collide& relax) :
        device_(device),
        box_(box),
        relax_(relax),
        zOrder_(box.cells, box.n),
        plan_(range, box.n, foldsOfBatch(box), LineOf{FarshOrder(box.cells, box.n)}),
        in_(device_, cuda::Stream::Urgency::urgent),
        compute_(device_),
        out_(device_, cuda::Stream::Urgency::urgent),
        pinned_(pinned)
    {
        if (box.walls.lists) walls_.emplace(box, range);
        box_.walls.lists = nullptr; // lives no longer
        std::size_t most = 0;
        for (const InnerBatch& batch : plan_.batches) most = std::max(most, batch.blocks.size());
        const std::size_t perSet = most * blockValues(), slopes = octantsOfCell * linesOfOctant() * box.n * lineChunks;
        device_.require(2 * sets * perSet * sizeof(S) + slopes * sizeof(Chunk) + wallBytes(),
                        octantsOfCell * double(box.cells[0]) * box.cells[1] * box.cells[2], "nodes");
        for (int i = 0; i < sets; ++i) {
            blocks_.emplace_back(device_, perSet);
            tiles_.emplace_back(device_, perSet);
            arrived_.emplace_back(device_);
            climbed_.emplace_back(device_);
            gone_.emplace_back(device_);
        }
        lines_ = cuda::Array<Chunk>(device_, slopes);
        done_ = cuda::Array<int>(device_, octantsOfCell * towersOfOctant());
        taken_ = cuda::Array<int>(device_, 1);
        order_ = cuda::Array<InnerTower>(device_, plan_.order.data(), plan_.order.size());
        arriving_ = cuda::Array<RimLine>(device_, plan_.arriving.data(), plan_.arriving.size());
        leaving_ = cuda::Array<RimLine>(device_, plan_.leaving.data(), plan_.leaving.size());
        for (const auto kernel : {climbInner<L, S, false, Collide>, climbInner<L, S, true, Collide>})
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, TorreShared<L, S>::bytes));
        pinned_->pin(device_, box_);
        check(cudaHostGetDevicePointer(&linesOfBox_, box_.lines, 0));
        if (walls_) setWalls();
    }

    ~DeviceInner() override
    {
        device_.use();
        static_cast<void>(cudaDeviceSynchronize());
    }

    void climb(TorreFolds& folds) override
    {
        try {
            device_.use();
            ++passes_;
            finishing_.clear();
            finishing_.reserve(plan_.batches.size());
            for (std::size_t i = 0; i < plan_.batches.size(); ++i) {
                const InnerBatch& batch = plan_.batches[i];
                for (const Place& block : batch.blocks) awaitRight(folds, block);
                begin(batch, int(i % sets), folds);
            }
            check(cudaStreamSynchronize(out_.handle()));
        } catch (...) {
            static_cast<void>(cudaDeviceSynchronize()); // what would finish them has ended, too
            for (const InnerBatch& batch : plan_.batches)
                for (const Place& block : batch.blocks) folds.finish(block);
            throw;
        }
    }

private:
    // About a million cells: the device has enough towers that wait for no other.
    static constexpr std::size_t batchCells = std::size_t(1) << 20;

    struct LineOf {
        FarshOrder order;

        RimLine operator()(const int (&towers)[3], const Place& tower, const Place& begin, const Place& local) const
        {
            const int within = local[2] == 0 ? local[1] * torreSide + local[0]
                : local[1] == 0              ? 64 + local[2] * torreSide + local[0]
                                             : 128 + local[2] * torreSide + local[1];
            RimLine line{
                order(begin), std::uint32_t(lineOf(towers, tower[0], tower[1], tower[2])), std::uint16_t(within), {}};
            for (int a = 0; a < 3; ++a) line.cell[a] = std::uint16_t(tower[a] * torreSide + local[a]);
            return line;
        }
    };

    struct Finishing {
        TorreFolds* folds;
        const InnerBatch* batch;

        static void run(void* self)
        {
            const Finishing& f = *static_cast<Finishing*>(self);
            for (const Place& block : f.batch->blocks) f.folds->finish(block);
        }
    };

    static int foldsOfBatch(const SharedBox& box)
    {
        const std::size_t cells = std::size_t(box.n) * box.n * box.n;
        return int(std::clamp<std::size_t>(batchCells / cells, 1, 65535));
    }

    std::size_t blockValues() const { return std::size_t(box_.n) * box_.n * box_.n * octantsOfCell * L::Q; }
    std::size_t linesOfOctant() const
    {
        const std::size_t x = plan_.towers[0], y = plan_.towers[1], z = plan_.towers[2];
        return x * y + x * z + y * z;
    }
    std::size_t towersOfOctant() const { return std::size_t(plan_.towers[0]) * plan_.towers[1] * plan_.towers[2]; }

    void check(cudaError_t status) const
    {
        if (status != cudaSuccess) throw cuda::Error(device_.name() + ", LRnLA towers: " + cudaGetErrorString(status));
    }

    std::size_t wallBytes() const
    {
        if (!walls_) return 0;
        return walls_->lists.blocked.size() * sizeof(std::uint32_t) + walls_->lists.kept.size() * sizeof(KeptLinks)
            + walls_->values * octantsOfCell * sizeof(S);
    }

    void setWalls()
    {
        blocked_ = cuda::Array<std::uint32_t>(device_, walls_->lists.blocked.data(), walls_->lists.blocked.size());
        kept_ = cuda::Array<KeptLinks>(device_, walls_->lists.kept.data(), walls_->lists.kept.size());
        std::vector<std::uint32_t> toOwn;
        for (const InnerWalls::Values& block : walls_->ofBlock) toOwn.push_back(block.own - block.inBox);
        toOwn_ = cuda::Array<std::uint32_t>(device_, toOwn.data(), toOwn.size());
        values_ = cuda::Array<S>(device_, walls_->values * octantsOfCell);
        if (box_.walls.valueBytes) check(cudaHostGetDevicePointer(&valuesOfBox_, box_.walls.values, 0));
        walls_->lists = {}; // the device has them
    }

    // Only others' are waited for: the device's own come before in its streams.
    void awaitRight(const TorreFolds& folds, const Place& block) const
    {
        for (int a = 0; a < 3; ++a) {
            Place right = block;
            ++right[a];
            if (plan_.blocks.holds(right)) continue;
            for (int naps = 0; !folds.isDone(right); ++naps) {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                if (naps % 1024 != 1023) continue;
                // Threads would wait for a device that fails
                const cudaError_t status = cudaStreamQuery(out_.handle());
                if (status != cudaErrorNotReady) check(status);
            }
        }
    }

    char* inBox(const Place& block) const
    {
        const Place corner{block[0] * box_.n, block[1] * box_.n, block[2] * box_.n};
        return static_cast<char*>(box_.tiles) + zOrder_(corner) * octantsOfCell * L::Q * sizeof(S);
    }

    DevicePass<S> pass(int set)
    {
        DevicePass<S> p{};
        for (int a = 0; a < 3; ++a) {
            p.cells[a] = 1 << 30; // no end is near
            p.extent[a] = box_.n;
            p.towers[a] = plan_.towers[a];
        }
        p.steps = p.handed = box_.n;
        p.tiles = tiles_[set].data();
        p.within = box_.n - 1;
        p.lines = lines_.data();
        p.done = done_.data();
        p.taken = taken_.data();
        p.number = passes_;
        p.linesOfOctant = linesOfOctant();
        p.towersOfOctant = towersOfOctant();
        if (walls_) {
            const Place& n = walls_->cells;
            p.walls = {blocked_.data(), kept_.data(), {values_.data(), octantsOfCell}, {n[0], n[1], n[2]}};
        }
        return p;
    }

    RimValues<S> rimValues()
    {
        const Place &n = walls_->cells, &m = walls_->blocks;
        return {static_cast<S*>(valuesOfBox_),
                values_.data(),
                kept_.data(),
                toOwn_.data(),
                {n[0], n[1], n[2]},
                {m[0], m[1], m[2]},
                box_.n};
    }

    // What is kept beside a block's cells: copy(own, inBox, bytes), if there is anything.
    template<class Copy>
    void eachValuesOf(const Place& block, const Copy& copy)
    {
        if (!walls_) return;
        const InnerWalls::Values& v = walls_->of(block);
        if (v.count == 0) return;
        copy(values_.data() + std::size_t(v.own) * octantsOfCell,
             static_cast<S*>(box_.walls.values) + std::size_t(v.inBox) * octantsOfCell,
             std::size_t(v.count) * octantsOfCell * sizeof(S));
    }

    void begin(const InnerBatch& batch, int set, TorreFolds& folds)
    {
        const RimCopy<L, S> rim{static_cast<uint4*>(linesOfBox_), lines_.data(), linesOfOctant(), box_.n};
        const std::size_t bytes = blockValues() * sizeof(S);
        in_.waitFor(gone_[set]);
        for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
            in_.toDevice(blocks_[set].data() + i * blockValues(), inBox(batch.blocks[i]), bytes);
            eachValuesOf(batch.blocks[i], [&](S* own, S* there, std::size_t n) { in_.toDevice(own, there, n); });
        }
        if (const unsigned lines = unsigned(batch.arriving.size())) {
            const RimLine* first = arriving_.data() + batch.arriving.first;
            takeLines<L, S><<<lines, rim.threads, 0, in_.handle()>>>(rim, first);
            if (walls_) moveValues<S, true><<<lines, RimValues<S>::threads, 0, in_.handle()>>>(rimValues(), first);
        }
        in_.record(arrived_[set]);

        compute_.waitFor(arrived_[set]);
        climbBatch(batch, set);
        compute_.record(climbed_[set]);

        out_.waitFor(climbed_[set]);
        if (const unsigned lines = unsigned(batch.leaving.size())) {
            const RimLine* first = leaving_.data() + batch.leaving.first;
            giveLines<L, S><<<lines, rim.threads, 0, out_.handle()>>>(rim, first);
            if (walls_) moveValues<S, false><<<lines, RimValues<S>::threads, 0, out_.handle()>>>(rimValues(), first);
        }
        for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
            const Place& b = batch.blocks[i];
            const Place next{b[0] + 1, b[1] + 1, b[2] + 1};
            out_.toHost(inBox(next), blocks_[set].data() + i * blockValues(), bytes);
            eachValuesOf(next, [&](S* own, S* there, std::size_t n) { out_.toHost(there, own, n); });
        }
        out_.record(gone_[set]);
        finishing_.push_back({&folds, &batch});
        check(cudaLaunchHostFunc(out_.handle(), Finishing::run, &finishing_.back()));
        check(cudaGetLastError());
    }

    void climbBatch(const InnerBatch& batch, int set)
    {
        const cudaStream_t stream = compute_.handle();
        const dim3 grid(unsigned(std::size_t(box_.n) * box_.n * box_.n / unfoldedCells), unsigned(batch.blocks.size()));
        turnBlocks<L, S, true><<<grid, unfoldThreads, 0, stream>>>(box_.n, blocks_[set].data(), tiles_[set].data());
        check(cudaMemsetAsync(taken_.data(), 0, sizeof(int), stream));
        const auto climbing = walls_ ? climbInner<L, S, true, Collide> : climbInner<L, S, false, Collide>;
        climbing<<<unsigned(batch.towers.size() * octantsOfCell), torreThreads, TorreShared<L, S>::bytes, stream>>>(
            pass(set), order_.data() + batch.towers.first, relax_);
        turnBlocks<L, S, false><<<grid, unfoldThreads, 0, stream>>>(box_.n, blocks_[set].data(), tiles_[set].data());
    }

    const cuda::Device device_;
    SharedBox box_;
    Collide relax_;
    ZOrder zOrder_;
    InnerPlan<RimLine> plan_;
    cuda::Stream in_, compute_, out_;
    std::vector<cuda::Event> arrived_, climbed_, gone_;
    std::vector<cuda::Array<S>> blocks_, tiles_;
    cuda::Array<Chunk> lines_;
    cuda::Array<int> done_, taken_;
    cuda::Array<InnerTower> order_;
    cuda::Array<RimLine> arriving_, leaving_;
    std::vector<Finishing> finishing_;
    std::shared_ptr<PinnedBox> pinned_;
    void *linesOfBox_ = nullptr, *valuesOfBox_ = nullptr;
    std::optional<InnerWalls> walls_;
    cuda::Array<std::uint32_t> blocked_, toOwn_; // of walls_
    cuda::Array<KeptLinks> kept_;
    cuda::Array<S> values_;
    int passes_ = 0;
};

// All inner TorreFolds of a box, on so many devices; one may be named more than once. Throws as InnerPlan and DeviceInner.
template<class L, class S, class Collide>
std::unique_ptr<InnerFolds> innerOnDevices(const std::vector<std::string>& words, const SharedBox& box,
                                           const Collide& relax)
{
    const std::vector<BlockRange> ranges = layersOf(innerBlocks(box.cells, box.n), int(words.size()));
    const auto pinned = std::make_shared<PinnedBox>();
    std::vector<std::unique_ptr<InnerFolds>> shares;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const cuda::Device device(words[i]);
        device.use();
        shares.push_back(std::make_unique<DeviceInner<L, S, Collide>>(device, box, ranges[i], pinned, relax));
    }
    if (shares.size() == 1) return std::move(shares.front());
    return std::make_unique<SharedInnerFolds>(std::move(shares));
}

} // namespace lbm::lrnla
