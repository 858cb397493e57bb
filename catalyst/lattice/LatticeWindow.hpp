// LatticeWindow: a box of a lattice's nodes as cells to look at, one by one or coarsened, and fields in them: what a picture or a
// file wants of a lattice that is far larger. Means are made where the lattice lives (NodeBoxes), so that four values a cell leave a
// device and what is kept goes with the cells. Fields: SI units, axes of the case, float.
//
//   U p density      as LatticeFields; of several nodes their means, of those that are fluid
//   vorticity Q      of the gradient between cells: central where both neighbours have fluid (nodes beyond the window too), else
//                    one-sided. Coarsened: what the cells resolve
//   fluid            the share of a cell's nodes that are
//   nut [m2/s]       what eddies add to the viscosity on the lattice, by the same gradient: not coarsened
//
// Memory: of a cell that is a node 24 bytes here and 8 where the lattice is, of others some 140 and 72 (less 72 on a CPU); with
// gradients 13 more for each cell in the box and around it. While cells are placed, 56 (a NodeBox) for each that has fluid and 4 for
// each in the box besides. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeFields.hpp"
#include "lbm/api/NodeBoxes.hpp"

#include <string>
#include <vector>

namespace lbm {

struct WindowBox {
    enum class Values { means, nodes };

    Int3 first{0, 0, 0}, cells{0, 0, 0}; // lowest node; number of cells
    int coarsen = 1;                     // nodes along each side of a cell, fewer where the domain's box ends
    Values values = Values::means;       // or those of the node in each cell's middle: much less is read
};

class LatticeWindow {
public:
    // The solver lives longer than this. Throws std::out_of_range unless every cell begins inside the domain's box.
    LatticeWindow(const Solver&, const WindowBox&);

    // Cells as nodes: those with fluid, where they are. No links.
    const Domain& domain() const { return domain_; }

    // By number of the cells that have fluid: which cells they are. They rise.
    const std::vector<NodeIndex>& cells() const { return cells_; }

    struct Field {
        const char* name;
        int components;
    };
    static const std::vector<Field>& fields();

    // Throws std::out_of_range for an unknown name.
    static const Field& find(const std::string& name);

    // values[f]: [cells().size()][components] of names[f]. Throws std::out_of_range for an unknown name, std::invalid_argument
    // for nut of coarsened cells and where scales have no eddyViscosity.
    void read(const std::vector<std::string>& names, const LatticeScales&, float* const* values);

private:
    using Sets = std::vector<std::shared_ptr<const NodeSet>>;

    bool single() const { return box_.coarsen == 1 || box_.values == WindowBox::Values::nodes; }
    NodeBox nodesOf(const Int3& cell) const;
    double shareOf(const NodeBox&) const;
    Sets place(const std::vector<NodeBox>&) const;
    void findCells();
    void findAround();
    NodeIndex around(const Int3& cell) const;
    template<class F>
    void sample(const Sets&, F&& f);
    std::array<Vec3, 3> gradient(NodeIndex k) const;

    const Solver& solver_;
    WindowBox box_;
    Domain domain_;
    std::vector<NodeIndex> cells_;
    std::vector<float> shares_;
    Sets own_;

    // What gradients need: cells in a box with one more layer at each side, for which velocities are kept
    bool looksAround_ = false;
    std::vector<std::array<float, 3>> velocity_; // lattice units
    std::vector<NodeIndex> beyond_;              // those of the layer that have fluid
    Sets ofBeyond_;
    std::vector<std::uint8_t>
        links_; // by number: a bit for each neighbour with fluid, 2*axis, and the next one for above

    std::vector<double> read_;
};

} // namespace lbm
