// WallForces: momentum that the links of a wall patch hand to it in one step, by momentum exchange in the frame
// of the wall (Wen, Zhang, Tu, Wang & Fang 2014): F = (c - u) f_out - (-c - u) f_in, c along the link to the wall,
// f_out what the node sent, f_in what the wall sends back in the coming step. Populations count as deviation
// from rest at density 1, so that F is relative to that pressure. Half-way and interpolated walls, at rest or moving,
// any storage and device. Where a wall stands on a plane of symmetry, links that cross the plane in front of the wall's image are the
// plane's, but send back what the wall does: their images count for the wall. Units: lattice (force per step, density 1). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/LinkRuns.hpp"
#include "lbm/api/Solver.hpp"

#include <map>
#include <memory>
#include <vector>

namespace lbm {

class DirectionNumbers;

class WallForces {
public:
    // config: what the solver was made from. Throws std::invalid_argument unless its patch is a wall of some kind.
    WallForces(const Solver& solver, const Config& config, int patch) :
        WallForces(solver, config, patch, LinkRuns(solver.domain()))
    {}
    // runs: of the solver's Domain, for those who ask for several patches; need not outlive this.
    WallForces(const Solver&, const Config&, int patch, const LinkRuns& runs);

    std::size_t links() const { return links_.size() - imageOf_.size(); }

    // Velocities of walls by patch, one a link in the order of Domain::links; null or missing: at rest.
    using Velocities = std::map<int, const Vec3*>;

    // Whose velocities count: the patch's own, and those of walls across gaps of one node.
    const std::vector<int>& patches() const { return patches_; }

    // forces: one a link of the patch, in the order of Domain::links; 0 for links that the lattice lacks. Of the solver that
    // this was made with, or one that reads it. Not by several threads at once.
    void compute(const Solver&, const Velocities&, Vec3* forces) const;

private:
    struct WallLink {
        NodeIndex node;
        std::int8_t c[3]; // to the wall; 0: the lattice lacks it
        std::uint8_t out; // population along it, of an image along the link itself; 0: none
        double moved;     // how much less comes back, over c.u
    };

    // A wall on the node's other side has its share in what comes back.
    struct Across {
        std::size_t link; // of the patch
        int patch;        // of the other wall
        std::size_t other;
        double moved; // as WallLink's, with the same c
    };

    void listImages(const Domain&, const Config&, const std::vector<std::size_t>& numbers, const DirectionNumbers&,
                    const std::vector<double>& weights);
    static double along(const WallLink&, const Vec3& u);
    static Vec3 forceOf(const WallLink&, double exchanged, double sent, const Vec3& u);
    void listAcross(const Domain&, const LinkRuns&, const std::vector<double>& shares);
    void takeMovingWalls(const Solver&, const Velocities&) const;

    int patch_;
    std::vector<int> patches_;
    std::vector<Across> across_;
    int threads_;                                 // 0: as OpenMP would
    std::vector<WallLink> links_;                 // of the patch, then images
    std::vector<std::size_t> imageOf_;            // of which link of the patch an image is
    std::shared_ptr<const NodeSet> exchanged_;    // f_out + f_in of each link at rest
    mutable std::shared_ptr<const NodeSet> sent_; // f_out of each link, for walls that move
    mutable std::vector<double> sums_, sentSums_; // of both, kept from call to call
};

} // namespace lbm
