// LatticeFields: fields on LatticeCells, computed when they are asked for. SI units, axes of the case; float where the
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
#include "lbm/solver/Solver.hpp"

#include <map>
#include <string>

namespace lbm {

// How lattice quantities become those of the case
struct LatticeScales {
    Int3 caseAxis{0, 1, 2};
    double dx = 1, dt = 1;          // m, s
    double viscosity = 0;           // m2/s
    double pressureOffset = 0;      // m2/s2 at density 1
};

class LatticeFields {
public:
    // Both live longer than this. walls: one a patch of the domain.
    LatticeFields(const Solver&, const LatticeCells&, std::vector<bool> walls);

    static const std::vector<std::string>& names();

    // Values stay until the next call. Throws std::out_of_range for an unknown name.
    std::vector<lbmInsituArray> compute(const std::vector<std::string>& names, const LatticeScales&);

private:
    struct Field {
        int components = 1;
        lbmInsituType type = LBM_FLOAT64;
        std::vector<float> single;
        std::vector<double> full;
        std::vector<std::int32_t> number;

        void resize(std::size_t cells);
        void set(std::size_t i, double value) { type == LBM_FLOAT32 ? void(single[i] = float(value)) : void(full[i] = value); }
        const void* values() const;
    };

    Field* find(const std::string& name);
    void sampleStates(const LatticeScales&);
    void wallStress(const LatticeScales&);
    void setState(std::size_t cell, const Macroscopic&, const LatticeScales&);
    void setWallStress(std::size_t cell, const Macroscopic&, const LatticeScales&);
    void setGradient(std::size_t cell, const LatticeScales&);
    void countLinks();
    void findTiles();

    // Neighbour that no wall separates from the cell, or -1
    std::ptrdiff_t neighbour(std::size_t cell, int axis, int side) const;

    const Solver& solver_;
    const Domain& domain_;
    const LatticeCells& cells_;
    std::vector<bool> walls_;
    lbmInsituType real_;
    std::map<std::string, Field> fields_;       // of the last call
    std::vector<Vec3> velocities_;              // lattice units; where gradients are wanted
};

} // namespace lbm
