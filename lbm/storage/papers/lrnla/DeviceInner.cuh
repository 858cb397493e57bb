// DeviceInner: the inner TorreFolds of a box in the host's memory on a CUDA device, which holds slopes and a few bases, not the box
// (Levchenko & Perepelkina 2022, section 2.6): bases come and go while others are climbed. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/storage/papers/lrnla/DeviceClimb.cuh"
#include "lbm/storage/papers/lrnla/DeviceRim.cuh"
#include "lbm/storage/papers/lrnla/InnerPlan.hpp"

#include <chrono>
#include <memory>
#include <thread>

namespace lbm::lrnla {

// A tower a block, all octants of one after the other: as climbTowers, but that no end of the box is near.
template<class L, class S, class Collide>
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
    DeviceTorre<L, S, false, false, Collide>(pass, relax, octant, shared, lines)
        .climb(base, pass.tiles + (std::size_t(tower.fold) * octantsOfCell + octant) * tile);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        release(pass.done + number(tower.x, tower.y, tower.z), pass.number);
    }
}

template<class L, class S, class Collide>
class DeviceInner : public InnerFolds {
    static constexpr int sets = 3; // of bases: that come, that are climbed, that go
    static constexpr std::size_t lineChunks = std::size_t(chunksOf<L, S>) * slopeCells;

public:
    // Throws std::invalid_argument where towers do not fill TorreFolds, cuda::Error where the device is too small or the host's memory
    // cannot be pinned.
    DeviceInner(const cuda::Device& device, const SharedBox& box, const Collide& relax) :
        device_(device),
        box_(box),
        relax_(relax),
        zOrder_(box.cells, box.n),
        plan_(box.cells, box.n, foldsOfBatch(box), LineOf{FarshOrder(box.cells, box.n)}),
        in_(device_, cuda::Stream::Urgency::urgent),
        compute_(device_),
        out_(device_, cuda::Stream::Urgency::urgent)
    {
        std::size_t most = 0;
        for (const InnerBatch& batch : plan_.batches) most = std::max(most, batch.blocks.size());
        const std::size_t perSet = most * blockValues(), slopes = octantsOfCell * linesOfOctant() * box.n * lineChunks;
        device_.require(2 * sets * perSet * sizeof(S) + slopes * sizeof(Chunk),
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
        check(cudaFuncSetAttribute(climbInner<L, S, Collide>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   TorreShared<L, S>::bytes));
        pin();
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
            return {order(begin), std::uint32_t(lineOf(towers, tower[0], tower[1], tower[2])), std::uint32_t(within)};
        }
    };

    struct Unpin {
        void operator()(void* memory) const { static_cast<void>(cudaHostUnregister(memory)); }
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

    void pin()
    {
        const auto one = [this](void* memory, std::size_t bytes) {
            const cudaError_t status = cudaHostRegister(memory, bytes, cudaHostRegisterMapped);
            if (status != cudaSuccess)
                throw cuda::Error(std::to_string(bytes / 1000000000.0)
                                  + " GB of the host's memory cannot be pinned for " + device_.name() + ": "
                                  + cudaGetErrorString(status));
            pinned_.emplace_back(memory);
        };
        one(box_.tiles, box_.tileBytes);
        one(box_.lines, box_.lineBytes);
        check(cudaHostGetDevicePointer(&linesOfBox_, box_.lines, 0));
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
        return p;
    }

    void begin(const InnerBatch& batch, int set, TorreFolds& folds)
    {
        const RimCopy<L, S> rim{static_cast<uint4*>(linesOfBox_), lines_.data(), linesOfOctant(), box_.n};
        const std::size_t bytes = blockValues() * sizeof(S);
        in_.waitFor(gone_[set]);
        for (std::size_t i = 0; i < batch.blocks.size(); ++i)
            in_.toDevice(blocks_[set].data() + i * blockValues(), inBox(batch.blocks[i]), bytes);
        if (batch.arriving.size())
            takeLines<L, S><<<unsigned(batch.arriving.size()), rim.threads, 0, in_.handle()>>>(
                rim, arriving_.data() + batch.arriving.first);
        in_.record(arrived_[set]);

        compute_.waitFor(arrived_[set]);
        climbBatch(batch, set);
        compute_.record(climbed_[set]);

        out_.waitFor(climbed_[set]);
        if (batch.leaving.size())
            giveLines<L, S><<<unsigned(batch.leaving.size()), rim.threads, 0, out_.handle()>>>(
                rim, leaving_.data() + batch.leaving.first);
        for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
            const Place& b = batch.blocks[i];
            out_.toHost(inBox({b[0] + 1, b[1] + 1, b[2] + 1}), blocks_[set].data() + i * blockValues(), bytes);
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
        climbInner<L, S, Collide>
            <<<unsigned(batch.towers.size() * octantsOfCell), torreThreads, TorreShared<L, S>::bytes, stream>>>(
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
    std::vector<std::unique_ptr<void, Unpin>> pinned_;
    void* linesOfBox_ = nullptr;
    int passes_ = 0;
};

} // namespace lbm::lrnla
