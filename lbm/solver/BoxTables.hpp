// BoxTables: what kernels find the fluid nodes of boxes by (BoxNodes.cuh), made on a host: of boxes that are not all fluid a bit a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/NodeBlocks.hpp"

namespace lbm {

struct BoxTables {
    std::vector<std::size_t> firstWords; // of each box, and one more
    std::vector<std::uint32_t> words;

    // blocks: of boxes of the Domain.
    BoxTables(const Domain& domain, const NodeBlocks& blocks) : firstWords(blocks.boxes.size() + 1)
    {
        const std::vector<NodeBox>& boxes = blocks.boxes;
        const auto isWhole = [&](std::size_t g) {
            return std::int64_t(blocks.begin[g + 1] - blocks.begin[g]) == nodesIn(boxes[g]);
        };
        for (std::size_t g = 0; g < boxes.size(); ++g)
            firstWords[g + 1] = firstWords[g] + (isWhole(g) ? 0 : std::size_t(nodesIn(boxes[g]) + 31) / 32);
        words.resize(firstWords.back());
#pragma omp parallel for schedule(dynamic, 1024)
        for (std::size_t g = 0; g < boxes.size(); ++g) {
            if (isWhole(g)) continue;
            const NodeBox& box = boxes[g];
            forFluid(domain, box, [&](NodeIndex, int x, int y, int z) {
                const std::size_t i = std::size_t(x - box.low[0])
                    + std::size_t(box.size[0])
                        * (std::size_t(y - box.low[1]) + std::size_t(box.size[1]) * std::size_t(z - box.low[2]));
                words[firstWords[g] + i / 32] |= std::uint32_t(1) << i % 32;
            });
        }
    }
};

} // namespace lbm
