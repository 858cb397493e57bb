// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/TiledNodes.hpp"

#include <algorithm>
#include <utility>

namespace lbm {

namespace {

// Places of one node after the other: the next one along x is mostly in the same tile, and divisions take long.
class Walk {
public:
    Walk(const Domain& domain, const TileGrid& grid) : domain_(domain), grid_(grid), across_(grid.extents()[0]) {}

    const TilePlace& to(NodeIndex node)
    {
        ++left_;
        if (node != ++node_ || left_ >= 0) start(node);
        else ++place_.local;
        return place_;
    }

private:
    void start(NodeIndex node)
    {
        const Int3 x = domain_.coordinates(node);
        place_ = grid_.place(x);
        node_ = node;
        left_ = -std::min(across_ - place_.local % across_, domain_.size[0] - x[0]);
    }

    const Domain& domain_;
    const TileGrid& grid_;
    int across_, left_ = 0; // left_: minus the nodes from here on that lie in the tile's and the box's row
    NodeIndex node_ = -2;
    TilePlace place_{};
};

} // namespace

TiledNodes::TiledNodes(const SetOwner& owner, const Domain& domain, const TileGrid& grid, int threads,
                       NodeBlocks nodes) :
    OwnedSet(owner, std::move(nodes)),
    domain_(domain),
    grid_(grid),
    places_(blocks_.nodes.size()),
    threads_(threads),
    mostNodes_(blocks_.mostNodes())
{
    if (blocks_.ofBoxes()) return;
#pragma omp parallel num_threads(this->threads())
    {
        Walk walk(domain, grid);
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = walk.to(blocks_.nodes[i]);
    }
    if (!tellsStrain()) blocks_.nodes = {};
}

TiledNodes::Block TiledNodes::block(std::size_t b, Listed& listed) const
{
    const NodeBlocks::Begin &here = blocks_.blocks[b], &next = blocks_.blocks[b + 1];
    Block result{places_.data() + here.node,
                 here.node,
                 next.node - here.node,
                 here.group,
                 next.group - here.group,
                 {blocks_.begin.data() + here.group, blocks_.ordinals.data(), blocks_.weights.data(),
                  blocks_.directions.data()}};
    if (!blocks_.ofBoxes()) return result;
    list(b, listed);
    result.places = listed.places.data();
    result.terms.ordinals = nullptr;
    result.terms.weights = listed.weights.data();
    result.terms.first = here.node;
    return result;
}

void TiledNodes::list(std::size_t b, Listed& listed) const
{
    listed.places.clear();
    listed.weights.clear();
    Walk walk(domain_, grid_);
    for (std::size_t g = blocks_.blocks[b].group; g < blocks_.blocks[b + 1].group; ++g) {
        const NodeBox& box = blocks_.boxes[g];
        forFluid(domain_, box, [&](NodeIndex node, int x, int y, int z) {
            listed.places.push_back(walk.to(node));
            listed.weights.push_back(weightAt(box, x, y, z));
        });
    }
}

} // namespace lbm
