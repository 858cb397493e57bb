// LatticeReader: what is looked at of a lattice: its nodes and links, and states of nodes. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

namespace lbm {

class LatticeReader {
public:
    virtual ~LatticeReader() = default;

    virtual const Domain& domain() const = 0;
    virtual const KernelRow& row() const = 0;

    // The number of each node's tile, -1: not known here
    virtual std::vector<std::int32_t> tiles(const std::vector<NodeIndex>&) const = 0;

    // As of a Solver
    virtual std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const = 0;
    virtual void sample(const NodeSet&, Reading, double* values) const = 0;
};

// All of a solver, which lives longer than this
class SolverReader final : public LatticeReader {
public:
    explicit SolverReader(const Solver& solver) : solver_(solver) {}

    const Domain& domain() const override { return solver_.domain(); }
    const KernelRow& row() const override { return solver_.row(); }
    std::vector<std::int32_t> tiles(const std::vector<NodeIndex>& nodes) const override
    {
        return tileNumbers(solver_.domain(), solver_.row().tile, nodes);
    }
    std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const override
    {
        return solver_.place(nodes, n);
    }
    void sample(const NodeSet& set, Reading reading, double* values) const override
    {
        solver_.sample(set, reading, values);
    }

private:
    const Solver& solver_;
};

} // namespace lbm
