// Outflow: zero gradient of everything; what comes in is what the node itself sent the same way before.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Outflow {
    template<class L, class T>
    static T incoming(BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        return node.after(link.direction);
    }
};

} // namespace lbm
