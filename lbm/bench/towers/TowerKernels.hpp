// TowerKernels: boxes that LRnLA towers advance (lbm/storage/papers/lrnla), behind words and numbers. Periodic, without walls,
// quasi-compressible. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lbm::bench {

struct Shell {
    std::string name;
    int values; // of a node
    bool solvesNavierStokes;
};

// Of this build; LBM_KERNELS=all has those of table 1 of Levchenko & Perepelkina 2022. In order of their values.
std::vector<Shell> shells();

constexpr int deviceFold = 8; // n of towers on a device

struct TowerCase {
    std::string shell, precision, collision; // float or double, bgk or trt
    int size, fold, stepsAtOnce;             // nodes a side; n and NT of the paper
    double tau;
    std::string device = "cpu"; // another: a word for cuda::Device
    bool together = false;      // the box is in the host's memory, and its ends are its threads'

    bool onHost() const { return device == "cpu" || together; }
};

class TowerBox {
public:
    virtual ~TowerBox() = default;
    virtual void advance(std::int64_t steps, int threads) = 0;
    virtual bool finite() const = 0;
};

// Bytes that its populations take, before they are asked for.
double towerBytes(const TowerCase&);

// With a flow that is nowhere the same. Throws std::invalid_argument for unknown words and for what does not fit together.
std::unique_ptr<TowerBox> makeTowers(const TowerCase&);

// Millions of nodes a second that cores compute where no data moves: each thread's tiers of one group that stays in its first cache.
double tierMlups(const TowerCase&, int threads);

} // namespace lbm::bench
