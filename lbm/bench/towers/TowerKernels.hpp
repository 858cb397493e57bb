// TowerKernels: boxes that LRnLA towers advance (lbm/storage/papers/lrnla), behind words and numbers: periodic, or a geometry whose
// walls are at rest. Quasi-compressible. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <cstdint>
#include <functional>
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
    std::string device = "cpu"; // another: a word for cuda::Device; of both together, or for devicesIn
    bool together = false;      // the box is in the host's memory, and its ends are its threads'
    std::shared_ptr<const Domain> domain = nullptr; // none: a periodic box of fluid

    bool onHost() const { return device == "cpu" || together; }

    // Of what towers advance, which is periodic: where the domain is not, at least one layer of solid nodes closes it.
    Int3 box() const;
    bool hasWalls() const;
    bool isSolid(const Int3& node) const;           // of the box
    std::function<bool(const Int3&)> solid() const; // the same; empty without walls
    double fluidNodes() const;
};

class TowerBox {
public:
    virtual ~TowerBox() = default;
    virtual void advance(std::int64_t steps, int threads) = 0;
    virtual bool finite() const = 0;
    virtual double wallBytes() const { return 0; } // that walls take
};

// Bytes that its populations take, before they are asked for.
double towerBytes(const TowerCase&);

// With a flow that is nowhere the same. Throws std::invalid_argument for unknown words and for what does not fit together.
std::unique_ptr<TowerBox> makeTowers(const TowerCase&);

// Millions of nodes a second that cores compute where no data moves: each thread's tiers of one group that stays in its first cache.
double tierMlups(const TowerCase&, int threads);

} // namespace lbm::bench
