// CutNumbers: into how many pieces a domain is cut along each axis, for who wants to say so; as OpenFOAM's decomposition methods
// hierarchical and simple do. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm {

struct CutNumbers {
    Int3 pieces{0, 0, 0}; // along x, y and z, 1 or more; zeros: cuts lie where they cost least
    Int3 order{0, 1, 2};  // of axes: pieces of the first one are cut along the second, each where its own nodes say ...
    bool straight = false; // ... or, whatever the order, by planes through the whole domain

    bool any() const { return pieces != Int3{0, 0, 0}; }
    std::int64_t count() const { return std::int64_t(pieces[0]) * pieces[1] * pieces[2]; }
};

} // namespace lbm
