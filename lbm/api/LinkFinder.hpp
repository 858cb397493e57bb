// LinkFinder: links by their node, found in the node's row along x: among all of a large lattice each search would wait for memory
// twenty times. Made by all threads. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <utility>

namespace lbm {

class LinkFinder {
public:
    // Of that Domain, which must outlive this and keep its links.
    explicit LinkFinder(const Domain&);

    // Of a node, by direction: numbers in Domain::links of the first one and of that behind the last.
    std::pair<std::size_t, std::size_t> of(NodeIndex node) const;

    // The same of a node that has no link before that one.
    std::pair<std::size_t, std::size_t> from(std::size_t first, NodeIndex node) const
    {
        std::size_t last = first;
        while (last < domain_->links.size() && domain_->links[last].node == node) ++last;
        return {first, last};
    }

    // The number of a node's link along c; -1: it has none.
    std::int64_t find(NodeIndex node, const Int3& c) const;

private:
    const Domain* domain_;
    std::vector<std::size_t> first_; // of each row, and one more
};

} // namespace lbm
