// LatticeCells: the fluid nodes of a Domain as cells to look at: each node is the middle of a cube of the lattice's
// spacing. Corners are shared, nodes that are not fluid have no cell, and nothing is kept for the box. C++17.
//
// Memory: 4 bytes x (8 + 1) of connectivity, 8 of node numbers and 12 for each corner, of which there are little
// more than nodes: about 60 bytes a node.
//
// Of a lattice that processes share each has its own nodes and, as ghosts, the layer around them, so that what is derived from
// neighbours is the same on both sides of a border.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"
#include "lbm/api/PartWork.hpp"

#include <limits>
#include <vector>

namespace lbm {

class LatticeCells {
public:
    // What 32-bit numbers of corners can name
    static constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 8;

    // caseAxis[a]: which axis of the case lattice axis a is. thickness [m]: of the cells of a two-dimensional domain.
    // Throws std::length_error for more cells than `most`.
    LatticeCells(const Domain&, const Int3& caseAxis, double thickness);

    // Of the nodes in boxes alone, those outside the boxes `own` as ghosts. Boxes may overlap.
    using Boxes = std::vector<PartPlace>;
    LatticeCells(const Domain&, const Int3& caseAxis, double thickness, const Boxes& shown, const Boxes& own);

    // In the order of cells, which is that of node numbers
    const std::vector<NodeIndex>& nodes() const { return nodes_; }

    // Fluid nodes beside those of cells that are none of them, rising; none where all of the domain is shown
    std::vector<NodeIndex> around(const Domain&) const;

    // Lives as long as this
    const lbmInsituMesh& mesh() const { return mesh_; }

    std::size_t bytes() const;

private:
    void addPoint(const Domain&, const Int3& corner);

    Int3 caseAxis_;
    double thickness_;
    Boxes shown_;
    std::vector<NodeIndex> nodes_;
    std::vector<float> points_;
    std::vector<std::int32_t> offsets_, connectivity_;
    std::vector<std::uint8_t> ghosts_; // empty: none is
    lbmInsituMesh mesh_{};
};

} // namespace lbm
