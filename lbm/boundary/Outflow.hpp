// Outflow: zero gradient of everything; what comes in is what the donor sent the same way before.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Outflow {
    template<class L, class T>
    static T incoming(const BoundaryNode<L, T>&, const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        return donor.after(link.direction);
    }
};

} // namespace lbm
