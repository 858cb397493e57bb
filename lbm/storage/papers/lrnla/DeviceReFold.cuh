// DeviceReFold: ReFold on a CUDA device, by ConeTorre<8, NT>. All towers of a pass are one launch: a block, or a cluster of eight for
// the octants of a folded box, takes the next of them and waits for its three right neighbours. Same populations as ReFold's, to
// the bit where products and sums are not contracted. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/storage/papers/lrnla/DeviceClimb.cuh"
#include "lbm/storage/papers/lrnla/DeviceFill.cuh"

#include <functional>
#include <optional>

namespace lbm::lrnla {

template<class L, class S, bool folds>
class DeviceReFold {
    static constexpr int octants = folds ? 8 : 1, axisFolds = folds ? 2 : 1;
    static constexpr std::size_t linesChunks = std::size_t(chunksOf<L, S>) * slopeCells;

public:
    // solid: as ReFold. Throws std::invalid_argument where towers do not fill the (folded) box, cuda::Error where the device is too
    // small.
    DeviceReFold(const cuda::Device& device, const Place& size, int stepsAtOnce,
                 const std::function<bool(const Place&)>& solid = {}) :
        device_(device), folding_(checkedSize(size), axisFolds), most_(checkedSteps(size, stepsAtOnce))
    {
        const Grid grid(folding_.cells(), 1, most_); // none has more towers
        device.require(std::size_t(bytesFor(size, stepsAtOnce)), double(size[0]) * size[1] * size[2], "nodes");
        tiles_ = cuda::Array<S>(device, cells() * L::Q * octants);
        lines_ = cuda::Array<Chunk>(device, grid.lines() * std::size_t(most_ - 1) * linesChunks * octants + 1);
        done_ = cuda::Array<int>(device, grid.count() * octants);
        taken_ = cuda::Array<int>(device, 1);
        infinite_ = cuda::Array<int>(device, 1);
        if (solid) setWalls(size, solid);
    }

    static double bytesFor(const Place& size, int stepsAtOnce)
    {
        const Folding folding(checkedSize(size), axisFolds);
        const Grid grid(folding.cells(), 1, checkedSteps(size, stepsAtOnce));
        return double(size[0]) * size[1] * size[2] * L::Q * sizeof(S)
            + octants * (double(grid.lines()) * (stepsAtOnce - 1) * linesChunks * sizeof(Chunk) + 4.0 * grid.count())
            + 4.0 * grid.count();
    }

    double wallBytes() const { return double(blocked_.bytes() + kept_.bytes() + values_.bytes()); }

    // Populations that have arrived, as ReFold::arrived: of what was fetched last; set ones go to the device by send().
    void fetch()
    {
        host_.resize(tiles_.size());
        tiles_.download(host_.data(), host_.size());
        hostValues_.resize(values_.size());
        values_.download(hostValues_.data(), hostValues_.size());
    }
    void send()
    {
        tiles_.upload(host_.data(), host_.size());
        values_.upload(hostValues_.data(), hostValues_.size());
    }
    S arrived(const Place& x, int q) const { return *find(x, q); }
    void setArrived(const Place& x, int q, S value)
    {
        if (host_.empty()) fetch();
        *const_cast<S*>(find(x, q)) = value;
    }

    template<class Fill>
    void fill(const Fill& fill)
    {
        const Place& n = folding_.size();
        const std::size_t nodes = std::size_t(n[0]) * n[1] * n[2];
        fillTowers<L, S><<<unsigned((nodes + 127) / 128), 128>>>(folding_, steps_, tiles_.data(), walls(), fill);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
    }

    bool finite()
    {
        device_.fillZero(infinite_.data(), sizeof(int));
        countInfinite<<<1024, 256>>>(tiles_.data(), tiles_.size(), infinite_.data());
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        int count = 0;
        infinite_.download(&count, 1);
        return count == 0;
    }

    template<class Collide>
    void advance(std::int64_t steps, const Collide& relax)
    {
        const auto kernel = walls_ ? climbTowers<L, S, folds, true, Collide> : climbTowers<L, S, folds, false, Collide>;
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, TorreShared<L, S>::bytes));
        while (steps > 0) {
            const int now = int(std::min<std::int64_t>(steps, most_));
            launch(kernel, pass(now), relax);
            steps_ += now;
            steps -= now;
        }
        check(cudaDeviceSynchronize());
    }

private:
    // Towers of a pass: those whose cells come to lie in the box at one of its steps.
    struct Grid {
        int size[3], before;

        Grid(const Place& cells, int first, int steps) : before((first + steps - 1 + torreSide - 1) / torreSide)
        {
            for (int a = 0; a < 3; ++a) size[a] = cells[a] / torreSide + before;
        }
        std::size_t count() const { return std::size_t(size[0]) * size[1] * size[2]; }
        std::size_t lines() const
        {
            return std::size_t(size[0]) * size[1] + std::size_t(size[0]) * size[2] + std::size_t(size[1]) * size[2];
        }
    };

    static Place checkedSize(const Place& size)
    {
        for (int n : size)
            if (n < torreSide * axisFolds || n % (torreSide * axisFolds) != 0)
                throw std::invalid_argument("LRnLA: on a device an extent is a multiple of "
                                            + std::to_string(torreSide * axisFolds) + ", not " + std::to_string(n));
        return size;
    }
    static int checkedSteps(const Place& size, int steps)
    {
        if (steps < 1) throw std::invalid_argument("LRnLA: towers need at least one step");
        for (int n : size)
            if (n / axisFolds / torreSide + (steps + torreSide) / torreSide > 1023)
                throw std::invalid_argument("LRnLA: more than 1023 towers along an axis");
        return steps;
    }

    std::size_t cells() const
    {
        const Place& n = folding_.cells();
        return std::size_t(n[0]) * n[1] * n[2];
    }

    std::size_t plainOf(const Place& cell) const
    {
        const Place& n = folding_.cells();
        return (std::size_t(cell[2]) * n[1] + cell[1]) * n[0] + cell[0];
    }

    void setWalls(const Place& size, const std::function<bool(const Place&)>& solid)
    {
        walls_.emplace(size, folds ? Ends::folded : Ends::symmetric, solid,
                       [this](const Place& cell) { return plainOf(cell); });
        const WallLists lists = wallLists(*walls_, [this](const Place& cell) { return plainOf(cell); });
        blocked_ = cuda::Array<std::uint32_t>(device_, lists.blocked.data(), lists.blocked.size());
        kept_ = cuda::Array<KeptLinks>(device_, lists.kept.data(), lists.kept.size());
        values_ = cuda::Array<S>(device_, walls_->keptValues() * octants);
    }
    DeviceWalls<S> walls()
    {
        const Place& n = folding_.cells();
        return {blocked_.data(), kept_.data(), {values_.data(), octants}, {n[0], n[1], n[2]}};
    }

    const S* find(const Place& x, int q) const
    {
        if (walls_) {
            const Folding::Home home = folding_.home(x, steps_);
            const int link = mirroredLink<L>(q, home.i ^ home.octant);
            const std::size_t cell = plainOf(home.cell);
            if (walls_->blockedLanes(home.cell, home.i, link) >> home.octant & 1) {
                if (!goesByThird<L>(link)) return &host_[(std::size_t(home.octant) * L::Q + link) * cells() + cell];
                const std::size_t place = walls_->kept(cell).place(steps_ & 1 ? opposite(link) : link);
                return &hostValues_[place * octants + home.octant];
            }
        }
        const Folding::At at = folding_.find(x, steps_, [&](int i, int octant) { return keptAs<L>(q, i, octant); });
        return &host_[(std::size_t(at.octant) * L::Q + at.link) * cells() + plainOf(at.cell)];
    }

    // Kernels belong to the CUDA runtime that this is linked with, which need not be the library's.
    void check(cudaError_t status) const
    {
        if (status != cudaSuccess) throw cuda::Error(device_.name() + ", LRnLA towers: " + cudaGetErrorString(status));
    }

    // Diagonal fronts, from the right.
    void arrange(const Grid& grid)
    {
        std::vector<std::vector<std::uint32_t>> fronts(grid.size[0] + grid.size[1] + grid.size[2]);
        for (int z = 0; z < grid.size[2]; ++z)
            for (int y = 0; y < grid.size[1]; ++y)
                for (int x = 0; x < grid.size[0]; ++x)
                    fronts[x + y + z].push_back(std::uint32_t(x) | std::uint32_t(y) << 10 | std::uint32_t(z) << 20);
        std::vector<std::uint32_t> order;
        for (auto front = fronts.rbegin(); front != fronts.rend(); ++front)
            order.insert(order.end(), front->begin(), front->end());
        order_ = cuda::Array<std::uint32_t>(device_, order.data(), order.size());
        arranged_ = grid.before;
    }

    DevicePass<S> pass(int steps)
    {
        DevicePass<S> p{};
        p.first = int(steps_ & 1);
        const Grid grid(folding_.cells(), p.first, steps);
        if (arranged_ != grid.before) arrange(grid);
        for (int a = 0; a < 3; ++a) {
            p.cells[a] = p.extent[a] = folding_.cells()[a];
            p.towers[a] = grid.size[a];
        }
        p.before = grid.before;
        p.steps = steps;
        p.handed = steps - 1;
        p.within = -1;
        p.tiles = tiles_.data();
        p.lines = lines_.data();
        p.order = order_.data();
        p.done = done_.data();
        p.taken = taken_.data();
        p.number = ++passes_;
        p.linesOfOctant = grid.lines();
        p.towersOfOctant = grid.count();
        p.walls = walls();
        return p;
    }

    template<class Kernel, class Collide>
    void launch(Kernel kernel, const DevicePass<S>& pass, const Collide& relax)
    {
        device_.fillZero(taken_.data(), sizeof(int));
        cudaLaunchAttribute together;
        together.id = cudaLaunchAttributeClusterDimension;
        together.val.clusterDim = {octants, 1, 1};
        cudaLaunchConfig_t how{};
        how.gridDim = unsigned(pass.towersOfOctant * octants);
        how.blockDim = torreThreads;
        how.dynamicSmemBytes = TorreShared<L, S>::bytes;
        how.attrs = &together;
        how.numAttrs = folds ? 1 : 0;
        check(cudaLaunchKernelEx(&how, kernel, pass, relax));
    }

    const cuda::Device& device_;
    Folding folding_;
    int most_, passes_ = 0, arranged_ = -1;
    cuda::Array<S> tiles_;
    cuda::Array<Chunk> lines_;
    cuda::Array<std::uint32_t> order_;
    cuda::Array<int> done_, taken_, infinite_;
    std::optional<WallCells<L>> walls_;
    cuda::Array<std::uint32_t> blocked_; // as DeviceWalls
    cuda::Array<KeptLinks> kept_;
    cuda::Array<S> values_;
    std::vector<S> host_, hostValues_;
    std::int64_t steps_ = 0;
};

} // namespace lbm::lrnla
