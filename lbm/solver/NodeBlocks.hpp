// NodeBlocks: nodes and groups of a NodeSet in blocks, each of which is worked on as a whole: what its groups draw on is read
// once and lies in one place. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"

namespace lbm {

struct NodeBlocks {
    // Where a block begins; the last entry of `blocks` is where all end.
    struct Begin {
        std::size_t node, group;
    };

    // most: nodes of a block, but for those of a group with more terms. Throws std::out_of_range for a node that is not fluid.
    NodeBlocks(const Domain&, const NodeIndex* nodes, std::size_t n, std::size_t most);

    // Also std::invalid_argument for groups whose arrays do not fit together, or a direction of `directions` or more.
    NodeBlocks(const Domain&, const NodeGroups&, int directions, std::size_t most);

    // Of boxes: blocks are of their fluid nodes, which are listed when a block is worked on. Throws as requireInside.
    NodeBlocks(const Domain&, const NodeBoxes&, std::size_t most);

    std::size_t mostNodes() const;
    bool ofBoxes() const { return !boxes.empty(); }

    // The nodes of all blocks, of boxes, too.
    std::vector<NodeIndex> listNodes(const Domain& domain) const
    {
        if (!ofBoxes()) return nodes;
        std::vector<NodeIndex> all;
        all.reserve(blocks.back().node);
        for (const NodeBox& box : boxes)
            forFluid(domain, box, [&](NodeIndex node, int, int, int) { all.push_back(node); });
        return all;
    }

    // f(group, which of listNodes, weight) for one term of a block's groups after the other, in the order in which they are summed.
    template<class F>
    void forTerms(const Domain& domain, std::size_t block, F&& f) const
    {
        for (std::size_t g = blocks[block].group; g < blocks[block + 1].group; ++g) {
            std::size_t number = begin[g];
            if (ofBoxes())
                forFluid(domain, boxes[g],
                         [&](NodeIndex, int x, int y, int z) { f(g, number++, weightAt(boxes[g], x, y, z)); });
            else
                for (std::size_t i = begin[g]; i < begin[g + 1]; ++i)
                    f(g, blocks[block].node + ordinals[i], weights[i]);
        }
    }

    NodeSet::Kind kind;
    std::vector<Begin> blocks;
    std::vector<NodeIndex> nodes;        // of one block after the other; of groups: each once a block, rising
    std::vector<NodeBox> boxes;          // in place of nodes, ordinals and weights
    std::vector<std::size_t> begin;      // of groups: the first term of each, and one more
    std::vector<std::uint32_t> ordinals; // of terms: which node of the block
    std::vector<double> weights;
    std::vector<std::uint8_t> directions;
};

} // namespace lbm
