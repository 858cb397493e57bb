// Part: a Solver that may be one of several that share a larger domain (PartedSolver): steps that are begun one after the
// other, and the halo, which is handed over as it is stored. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <vector>

namespace lbm {

class Part : public Solver {
public:
    // As advance, but may return before the steps are done; whatever is called next waits for them where it has to.
    virtual void begin(std::int64_t steps) { advance(steps); }
    virtual void wait() {}

    // Takes over what `from` stores of the nodes of `theirs` for those of `own`, one by one. Both of the same row.
    virtual void takeStored(const NodeSet& own, const Part& from, const NodeSet& theirs)
    {
        halo_.resize(own.size() * std::size_t(storedState(row()).values));
        from.getStored(theirs, halo_.data());
        setStored(own, halo_.data());
    }

    // What nodes were told one by one: [nodes], where the closure takes relaxation times by node, and [nodes][3], where there are
    // forces by node; null: not asked for.
    virtual void getFields(const NodeSet&, double* tau, double* forces) const = 0;

protected:
    std::vector<double> halo_; // kept from call to call
};

} // namespace lbm
