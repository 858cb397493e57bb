// LatticePiece: what one process shows of a lattice that processes share: the cells of the nodes that it has, with a layer of those of
// others as ghosts, and their fields, made here of its own nodes' states. The first process has all make theirs (LatticePieces). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeFields.hpp"
#include "catalyst/lattice/PartReader.hpp"

#include <map>
#include <memory>

namespace lbm {

class LatticePiece {
public:
    // What it is told when it is made, with the first part that it has, and answers; then its other parts; and what it is told each
    // time (LatticePieces)
    LatticePiece(const Solver& part, Message& told);
    Message facts() const;
    void add(const Solver& part) { reader_->add(part); }
    void tell(Message& told);

    const lbmInsituMesh& mesh() const { return cells_->mesh(); }

    // Without their values. Throws std::out_of_range for an unknown name.
    std::vector<lbmInsituArray> fields(const std::vector<std::string>& names) const;

    const lbmInsituSource* source() const { return &source_; }

    // Those of this process, by number. Throws std::out_of_range where there is none.
    static LatticePiece& find(int number);
    static std::map<int, std::unique_ptr<LatticePiece>>& all();

    // Names of works of parts (lbm/api/PartWork.hpp)
    static const std::string placing, telling;

private:
    static int sample(void* self, const char* const* names, int n, const std::int64_t* cells, std::int64_t count,
                      void* const* values);

    Domain domain_;
    std::unique_ptr<PartReader> reader_;
    std::unique_ptr<LatticeCells> cells_;
    std::unique_ptr<LatticeFields> fields_;
    std::vector<NodeIndex> atWalls_;
    LatticeScales scales_;
    lbmInsituSource source_;
};

} // namespace lbm
