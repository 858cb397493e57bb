// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/RaySearch.hpp"

#include "adapters/surface/TriangleBlocks.hpp"

namespace lbm::exact {

int RaySearch::begin(int begin, int end, int threads)
{
    if (!crossings_) return end;
    crossings_->setSearchBlocks(searchBlockLists(triangles_, rays_.unit, box_.size, begin, end,
                                                 crossings_->mostSearchBlocks(), crossings_->mostEntries(), threads));
    return end;
}

void RaySearch::askDevice(const std::vector<Int3>& nodes, FoundCrossings& found) const
{
    std::vector<Int3> own;
    for (const Int3& node : nodes)
        if (isForDevice(node)) own.push_back(node);
    if (own.empty()) return;
    crossings_->search(own, found);
    nodesOnDevice_ += std::int64_t(own.size());
}

void RaySearch::read(const FoundCrossings& found, std::size_t i, std::vector<Hit>& hits) const
{
    hits.assign(std::size_t(rays_.count), Hit());
    std::size_t at = found.first[i];
    for (std::uint32_t mask = found.masks[i]; mask; mask &= mask - 1, ++at) {
        Hit& hit = hits[std::size_t(__builtin_ctz(mask))];
        hit.fraction = double(found.hits[at].fraction);
        hit.region = found.hits[at].region;
    }
}

} // namespace lbm::exact
