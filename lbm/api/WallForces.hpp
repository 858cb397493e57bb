// WallForces: momentum that the links of a wall patch hand to it in one step, by momentum exchange in the frame
// of the wall (Wen, Zhang, Tu, Wang & Fang 2014): F = (c - u) f_out - (-c - u) f_in, c along the link to the wall,
// f_out what the node sent, f_in what the wall sends back in the coming step. Populations count as deviation
// from rest at density 1, so that F is relative to that pressure. Half-way and interpolated walls, at rest or moving,
// any storage and device. Units: lattice (force per step, density 1). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <vector>

namespace lbm {

class WallForces {
public:
    // Throws std::invalid_argument unless the Config's patch is a wall of some kind.
    WallForces(const Domain&, const Config&, int patch);
    ~WallForces();
    WallForces(WallForces&&) noexcept;
    WallForces& operator=(WallForces&&) noexcept;

    std::size_t links() const { return links_; }

    // forces: one a link of the patch, in the order of Domain::links; 0 for links that the lattice lacks.
    // velocities: the wall's, one a link, or null for a wall at rest. Not by several threads at once.
    void compute(const Solver&, const Vec3* velocities, Vec3* forces) const;

private:
    struct WallLink;

    template<class L> void collect(const Domain&, const Config&, int patch);

    int threads_;                       // 0: as OpenMP would
    std::size_t links_ = 0;
    std::size_t directions_ = 0;
    std::vector<NodeIndex> nodes_;
    std::vector<WallLink> wallLinks_;
    mutable std::vector<double> populations_;       // of nodes_, kept from call to call
};

} // namespace lbm
