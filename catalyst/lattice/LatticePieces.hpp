// LatticePieces: the pieces of a lattice that processes show, each its own (LatticePiece), as the first one leads them. Of states no
// more goes through it than those of nodes around a piece, two layers of them, and of walls their stress. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticePiece.hpp"
#include "lbm/api/RankTeam.hpp"

#include <functional>

namespace lbm {

class LatticePieces {
public:
    struct Frame {
        Int3 caseAxis{0, 1, 2};
        double thickness = 1;    // m: of the cells of a two-dimensional domain
        std::vector<bool> walls; // one a patch
        bool ghosts = true;      // each piece has a layer of others' cells
    };

    // Of this solver, which lives longer. Throws std::length_error where a piece has too many cells, and what works of parts do.
    LatticePieces(Solver&, const Frame&);
    ~LatticePieces();
    LatticePieces(const LatticePieces&) = delete;
    LatticePieces& operator=(const LatticePieces&) = delete;

    // The state now, for these fields of LatticeFields. Ends as readings do where it is none that a flow has (CheckedReadings).
    void tell(const std::vector<std::string>& names, const LatticeScales&);

    // By which each process finds its own
    int number() const { return number_; }

    std::int64_t cells() const;     // without ghosts
    std::int64_t mostCells() const; // of a piece, with ghosts
    std::size_t mostBytes() const;  // of what describes its cells

private:
    struct Of {
        std::size_t firstPart;
        std::int64_t cells = 0, ghosts = 0;
        std::size_t bytes = 0;
        std::shared_ptr<const NodeSet> around; // null: none are
        std::vector<NodeIndex> atWalls;        // in the order that the piece has them in
        std::unique_ptr<LatticeFields> stress;
    };

    void place();
    Message whatIs(const std::vector<PartPlace>& own) const;
    std::vector<double> stressOf(const Of&, const LatticeScales&) const;

    // To each part: of a piece its first one is told, others that there is nothing
    std::vector<Message> toParts() const;

    Solver& solver_;
    SolverReader reader_;
    Frame frame_;
    int number_;
    RankTeam team_; // drops pieces of others
    std::size_t parts_ = 0;
    std::vector<Of> pieces_;
};

} // namespace lbm
