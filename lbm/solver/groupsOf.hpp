// Groups of nodes made by all threads. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeSet.hpp"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lbm {

// add(i, groups): puts the terms of item i, whose group ends then. In the order of items, however many threads there are.
template<class Add>
NodeGroups groupsOf(NodeSet::Kind kind, std::size_t items, Add&& add)
{
    constexpr std::size_t atOnce = 1024;
    const std::size_t shares = (items + atOnce - 1) / atOnce;
    std::vector<NodeGroups> made(shares, NodeGroups{kind});
    inParallel(shares, [&](std::size_t share) {
        for (std::size_t i = share * atOnce; i < std::min((share + 1) * atOnce, items); ++i) {
            add(i, made[share]);
            made[share].endGroup();
        }
    });

    NodeGroups all{kind};
    std::size_t terms = 0;
    for (const NodeGroups& of : made) terms += of.nodes.size();
    all.nodes.reserve(terms);
    all.weights.reserve(terms);
    all.begin.reserve(items + 1);
    for (NodeGroups& of : made) {
        const std::size_t before = all.nodes.size();
        all.nodes.insert(all.nodes.end(), of.nodes.begin(), of.nodes.end());
        all.weights.insert(all.weights.end(), of.weights.begin(), of.weights.end());
        all.directions.insert(all.directions.end(), of.directions.begin(), of.directions.end());
        for (std::size_t g = 1; g < of.begin.size(); ++g) all.begin.push_back(before + of.begin[g]);
        of = NodeGroups{kind};
    }
    return all;
}

} // namespace lbm
