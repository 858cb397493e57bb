// RimPassing: how a step of a part hands over what parts on other devices have as ghosts, without kernels and events of its own. A block
// that is done with a run of the rim stores the run's nodes straight into the ghosts of other parts, and the last of these blocks tells them
// how many steps the rim has made. Of a step, blocks of the rim alone wait until other parts have told them of as many. So a device has one
// part only: blocks that wait would keep the places of those that they wait for. Parts of other processes: SharedRim.cuh.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaShared.hpp"
#include "lbm/storage/moments/gpu/MomentNodes.cuh"

#include <stdexcept>
#include <vector>

namespace lbm {

// A node of the rim, the ghost that it is of another part, and which of those that take the part is.
struct PassedNode {
    NodePlace owner, ghost;
    std::int32_t taker;
};

template<class Tiles>
struct RimTaker {
    Tiles copies[2];   // of states, by the parity of `steps`
    unsigned* arrived; // the giver's `steps`, where the taker looks for them
};

// The last block of a step's rim changes `finished` and `steps`, others read them.
template<class Tiles>
struct RimTables {
    const PassedNode* nodes;     // by run
    const std::int32_t* firstOf; // [runs + 1]
    const RimTaker<Tiles>* takers;
    const unsigned* arrived; // [givers]
    int takerCount, giverCount;
    unsigned finished; // runs of this step, or blocks of this pass
    unsigned steps;    // of the rim, from copy to copy: a pass of several counts as one
};

// What a step is given, whose first runs are the rim's. No runs: it neither waits nor hands over.
template<class Tiles>
struct RimPassing {
    RimTables<Tiles>* tables;
    int runs;

    LBM_HD bool isRim(int run) const { return run < runs; }
};

#ifdef __CUDACC__

inline __device__ unsigned readAcquired(const unsigned* word)
{
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

inline __device__ void writeReleased(unsigned* word, unsigned value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
}

// By a warp, in front of a barrier of all who read ghosts.
template<class Tiles>
__device__ void awaitGhosts(const RimTables<Tiles>& tables)
{
    const unsigned steps = *static_cast<const volatile unsigned*>(&tables.steps);
    for (int i = threadIdx.x % 32; i < tables.giverCount; i += 32)
        while (int(readAcquired(tables.arrived + i) - steps) < 0) {}
    __threadfence_system();
}

template<class Tiles>
__device__ void awaitGhosts(const RimPassing<Tiles>& rim)
{
    awaitGhosts(*rim.tables);
}

// Ghosts are read by copies in bulk, too, which come behind this.
inline __device__ void letBulkCopiesFollow()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.global;" : : : "memory");
#endif
}

// By all threads of a block that has handed over what it has to, of so many blocks. The last one tells that the rim has made so many steps.
template<class Tiles>
__device__ void tellTakers(RimTables<Tiles>& tables, unsigned blocks, unsigned steps)
{
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (atomicAdd(&tables.finished, 1u) + 1 < blocks) return;
    tables.finished = 0;
    tables.steps = steps;
    __threadfence_system();
    for (int i = 0; i < tables.takerCount; ++i) writeReleased(tables.takers[i].arrived, steps);
}

// By all threads of a block whose run of the rim is done. to: the state after the step.
template<class Collision, class Eq, class Tiles>
__device__ void passRim(const RimPassing<Tiles>& rim, int run, const Tiles& to)
{
    using Code = typename Tiles::Code;
    RimTables<Tiles>& tables = *rim.tables;
    const unsigned steps = *static_cast<const volatile unsigned*>(&tables.steps) + 1;
    const int last = tables.firstOf[run + 1];
    for (int i = tables.firstOf[run] + int(threadIdx.x); i < last; i += blockDim.x) {
        const auto [owner, ghost, taker] = tables.nodes[i];
        const Tiles& there = tables.takers[taker].copies[steps & 1];
        double values[Code::count];
        Code::template getStored<Tiles::stride>(to.at(owner.tile, owner.local), owner.local % Tiles::stride, values);
        Code::template putStored<Tiles::stride>(there.at(ghost.tile, ghost.local), ghost.local % Tiles::stride, values);
        renewFace<Collision, Eq>(there, ghost, to.template load<Eq>(owner.tile, owner.local));
    }
    tellTakers(tables, unsigned(rim.runs), steps);
}

// For what reads ghosts beside steps.
template<class Tiles>
__global__ void __launch_bounds__(32) awaitGhostsOfRim(RimPassing<Tiles> rim)
{
    awaitGhosts(rim);
}

// So many steps that no step waits for others any more.
constexpr int unboundedByte = 0x3f;

#endif

// Of a part, on the host: from when it has takers or givers.
template<class Tiles>
class RimHandover {
public:
    // Where a part that gives to this one tells of its steps.
    unsigned* addGiver(const cuda::Device& device)
    {
        if (!takesMore()) throw std::logic_error("parts: more give to one than are expected");
        if (arrived_.bytes() == 0) arrived_ = {device, mostGivers * sizeof(unsigned)};
        return arrived() + givers_++;
    }
    bool takesMore() const { return givers_ < mostGivers; }
    // Of all givers' words, and which of them the last one's is.
    std::string nameOfArrived() const { return arrived_.name(); }
    int lastGiver() const { return givers_ - 1; }

    // runOf: of tiles. needed: of ghosts, 0: no step looks at it.
    void addTaker(const RimTaker<Tiles>& taker, const std::vector<std::int32_t>& runOf,
                  const std::vector<NodePlace>& owners, const std::vector<NodePlace>& ghosts,
                  const std::vector<std::uint32_t>& needed)
    {
        for (std::size_t i = 0; i < owners.size(); ++i) {
            if (needed[i] == 0) continue;
            const std::int32_t run = runOf[std::size_t(owners[i].tile)];
            if (run < 0) throw std::logic_error("parts: a node that others look at is not of the rim");
            if (nodes_.size() <= std::size_t(run)) nodes_.resize(std::size_t(run) + 1);
            nodes_[std::size_t(run)].push_back({owners[i], ghosts[i], std::int32_t(takers_.size())});
        }
        takers_.push_back(taker);
    }

    // When all are there.
    void begin(const cuda::Device& device, int rims)
    {
        std::vector<PassedNode> nodes;
        std::vector<std::int32_t> firstOf{0};
        nodes_.resize(std::size_t(rims));
        for (const auto& its : nodes_) {
            nodes.insert(nodes.end(), its.begin(), its.end());
            firstOf.push_back(std::int32_t(nodes.size()));
        }
        nodes_ = {};
        onDevice_.nodes = {device, nodes.data(), nodes.size()};
        onDevice_.firstOf = {device, firstOf.data(), firstOf.size()};
        onDevice_.takers = {device, takers_.data(), takers_.size()};
        const RimTables<Tiles> tables{onDevice_.nodes.data(),
                                      onDevice_.firstOf.data(),
                                      onDevice_.takers.data(),
                                      arrived(),
                                      int(takers_.size()),
                                      givers_,
                                      0,
                                      0};
        onDevice_.tables = {device, &tables, 1};
        view_ = {onDevice_.tables.data(), rims};
    }

    bool begun() const { return view_.runs > 0; }
    int takers() const { return int(takers_.size()); }
    const RimPassing<Tiles>& view() const { return view_; }

    std::size_t bytes() const
    {
        return onDevice_.nodes.bytes() + onDevice_.firstOf.bytes() + onDevice_.takers.bytes() + onDevice_.tables.bytes()
            + arrived_.bytes();
    }

    // Of a device whose others have failed: blocks that wait go on. stream: of no order with others.
    void letGo(cudaStream_t stream) const
    {
        static_cast<void>(cudaMemsetAsync(arrived(), unboundedByte, arrived_.bytes(), stream));
    }

private:
    static constexpr int mostGivers = 64;
    unsigned* arrived() const { return reinterpret_cast<unsigned*>(const_cast<char*>(arrived_.data())); }

    std::vector<std::vector<PassedNode>> nodes_; // by run, until they are on the device
    std::vector<RimTaker<Tiles>> takers_;
    int givers_ = 0;
    cuda::SharedMemory arrived_; // [mostGivers], zero at first
    struct {
        cuda::Array<PassedNode> nodes;
        cuda::Array<std::int32_t> firstOf;
        cuda::Array<RimTaker<Tiles>> takers;
        cuda::Array<RimTables<Tiles>> tables;
    } onDevice_;
    RimPassing<Tiles> view_{nullptr, 0};
};

} // namespace lbm
