// Shape: domains between surfaces that are given by functions, and flows in them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <functional>

namespace lbm::test {

// Positive in the fluid, zero on the surface.
using Level = std::function<double(const Vec3&)>;

// Every link of a fluid node that meets a level's zero, by bisection. Patch p is the surface of level p. Two-dimensional
// for size[2] == 1.
Domain shape(const Int3& size, const std::array<bool, 3>& periodic, const std::vector<Level>& levels);

struct Flow {
    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;

    // On D2Q9 or D3Q19.
    Flow(Domain, Config);

    Vec3 position(std::size_t i) const;

    void begin(const std::function<Vec3(const Vec3&)>& velocity);
    void advance(std::int64_t steps); // and samples

    // Relative L2 error of the velocity.
    double error(const std::function<Vec3(const Vec3&)>& exact) const;
};

// All fluid, without an end in any direction.
Domain periodicBox(const Int3& size);

// Taylor & Green's vortex, 2 pi wide, on n nodes.
Vec3 vortex(const Vec3& x, int n, double speed);

// Mean of the velocity's square.
double energy(const Flow&);

// Velocities of a patch's links, by crossing point.
std::vector<LinkValue> linkValues(const Domain&, int patch, BoundaryKind,
                                  const std::function<Vec3(const Vec3&)>& velocity);

} // namespace lbm::test
