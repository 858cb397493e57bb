// MomentBlocks: moments of a box, several steps in one pass over memory (see BlockSweep.hpp). An executor of storage `moments`: it gives
// what steps one by one give, to rounding. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/boundary/BoundaryNode.hpp"
#include "lbm/lattice/Lattice.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lbm {

// Lattices that have blocks.
template<class L>
constexpr bool hasBlocks = std::is_same_v<L, D2Q9> || std::is_same_v<L, D3Q19>;

// Units: lattice. Moments of a node as MomentSet has them: [6] in two dimensions, [10] in three, after its collision.
template<class L, class T>
class MomentBlocks {
public:
    virtual ~MomentBlocks() = default;

    virtual void advance(std::int64_t steps, const BoundaryTable<L, T>&) = 0;
    virtual void get(const Int3& node, double* moments) const = 0;
    virtual void set(const Int3& node, const double* moments) = 0;

    // Of links of a wall at rest or moving, or of an opening with a velocity. False: these blocks cannot have it.
    virtual bool setWall(int patch, const LinkValue* values, std::size_t n) = 0;

    virtual std::size_t values() const = 0; // that it stores
    virtual std::size_t tableBytes() const = 0;
    virtual int stepsOfPass() const = 0;
};

} // namespace lbm
