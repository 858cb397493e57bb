// LatticeFields: fields on LatticeCells, computed where they are asked for. SI units, axes of the case; float where the
// kernel stores float, else double. C++17.
//
//   U           [m/s]    velocity
//   p           [m2/s2]  kinematic pressure
//   density     [-]      of the lattice, near 1
//   vorticity   [1/s]    curl U
//   Q           [1/s2]   (|rotation|^2 - |strain rate|^2)/2
//   wallShearStress [m2/s2]  kinematic, in nodes with a link into a wall, 0 elsewhere; against the flow, as OpenFOAM's.
//                        The sum of such links gives the direction of the wall
//   nodeKind    -        number of links that leave the fluid
//   tileID      -        tile of the node
//   patchID     -        patch of the node's first link, -1: none
//
// Velocity gradients are differences between neighbours, central where both are fluid, else one-sided.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeCells.hpp"
#include "catalyst/lattice/NodeReader.hpp"

#include <functional>
#include <memory>
#include <string>

namespace lbm {

// How lattice quantities become those of the case
struct LatticeScales {
    Int3 caseAxis{0, 1, 2};
    double dx = 1, dt = 1;                           // m, s
    std::function<double(double, double)> viscosity; // m2/s at a shear rate of 1/s and a speed of m/s
    double pressureOffset = 0;                       // m2/s2 at density 1

    // m2/s of eddies on the lattice, at a gradient (d u_j/d x_i [1/s], axes of the case) and a speed of m/s; empty: none are
    std::function<double(const std::array<Vec3, 3>&, double)> eddyViscosity;
};

class LatticeFields {
public:
    // nodes: of the cells, rising; around: those beside them (LatticeCells::around). What is referred to lives longer than this.
    // walls: one a patch of the domain.
    LatticeFields(const LatticeReader&, const std::vector<NodeIndex>& nodes, std::vector<NodeIndex> around,
                  std::vector<bool> walls);

    static const std::vector<std::string>& names();

    // A field without its values. Throws std::out_of_range for an unknown name.
    lbmInsituArray describe(const std::string& name) const;

    // values[f]: room for names[f] in n cells; cells: their numbers, or null for all of them. Throws std::out_of_range
    // for an unknown name. By one thread at a time.
    void compute(const std::vector<std::string>& names, const LatticeScales&, const std::int64_t* cells, std::size_t n,
                 void* const* values) const;

    // Those of the nodes that have a wall on one side, where wallShearStress is not 0
    std::vector<NodeIndex> nodesAtWalls() const;

    // What wallShearStress is from now on in these nodes, [3] each, in place of what is read: of who cannot read it.
    void tellWallShearStress(std::vector<NodeIndex> nodes, std::vector<double> values);

    struct ToldStress {
        std::vector<NodeIndex> nodes; // rising
        std::vector<double> values;
    };

private:
    const LatticeReader& lattice_;
    const std::vector<NodeIndex>& nodes_;
    std::vector<NodeIndex> around_;
    std::vector<bool> walls_;
    std::unique_ptr<ToldStress> told_;
    lbmInsituType real_;
    mutable NodeReader reader_;
};

} // namespace lbm
