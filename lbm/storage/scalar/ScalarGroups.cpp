// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/scalar/ScalarGroups.hpp"

#include <algorithm>

namespace lbm {

ScalarGroups::ScalarGroups(const ScalarGeometry& geometry, int links) : count(geometry.nodes())
{
    constexpr std::int32_t unlisted = -1;
    const std::size_t groups = (std::size_t(count) + nodes - 1) / nodes;
    of.assign(groups, unlisted);
    // Runs of the whole of a group; those of a box differ in nothing but where they begin
    const std::array<std::int32_t, 7>* last = nullptr;
    for (const ScalarRun& run : geometry.runs()) {
        const std::int32_t first = (run.begin + nodes - 1) / nodes, behind = run.end / nodes;
        if (first >= behind) continue;
        if (!last || run.from != *last) offsets.insert(offsets.end(), run.from.begin(), run.from.begin() + links);
        last = &run.from;
        std::fill(of.begin() + first, of.begin() + behind, std::int32_t(offsets.size() / std::size_t(links)) - 1);
    }
    std::int32_t rows = 0;
    for (std::int32_t& group : of)
        if (group == unlisted) group = -1 - rows++;
    sources.assign(std::size_t(rows) * std::size_t(links) * nodes, 0);
    const auto list = [&](std::int32_t i, int q, std::int32_t from) {
        const std::int32_t group = of[std::size_t(i / nodes)];
        sources[(std::size_t(-1 - group) * std::size_t(links) + std::size_t(q)) * nodes + std::size_t(i % nodes)] =
            from;
    };
    for (const ScalarRun& run : geometry.runs())
        for (std::int32_t i = run.begin; i < run.end; ++i)
            for (int q = 0; q < links && of[std::size_t(i / nodes)] < 0; ++q) list(i, q, i + run.from[std::size_t(q)]);
    for (const ScalarEdge& edge : geometry.edges())
        for (int q = 0; q < links; ++q) list(edge.node, q, edge.from[std::size_t(q)]);
}

} // namespace lbm
