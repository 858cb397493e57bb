// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeCells.hpp"

#include "catalyst/lattice/voxel.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

bool holds(const LatticeCells::Boxes& boxes, const Int3& x)
{
    return std::any_of(boxes.begin(), boxes.end(), [&](const PartPlace& box) { return box.holds(x); });
}

// f(node, its coordinates): of fluid nodes in boxes, rising
template<class F>
void forNodes(const Domain& domain, const LatticeCells::Boxes& boxes, F&& f)
{
    for (int z = 0; z < domain.size[2]; ++z)
        for (int y = 0; y < domain.size[1]; ++y) {
            const NodeIndex row = domain.index(0, y, z);
            domain.fluid.forEachIn(row, domain.size[0], [&](std::int64_t x) {
                if (holds(boxes, {int(x), y, z})) f(row + x, Int3{int(x), y, z});
            });
        }
}

} // namespace

LatticeCells::LatticeCells(const Domain& domain, const Int3& caseAxis, double thickness) :
    LatticeCells(domain, caseAxis, thickness, {{{0, 0, 0}, domain.size}}, {})
{}

LatticeCells::LatticeCells(const Domain& domain, const Int3& caseAxis, double thickness, const Boxes& shown,
                           const Boxes& own) :
    caseAxis_(caseAxis), thickness_(domain.dimensions == 2 ? thickness : domain.spacing), shown_(shown)
{
    NodeIndex cells = 0;
    forNodes(domain, shown, [&](NodeIndex, const Int3&) { ++cells; });
    static_assert(most == std::numeric_limits<std::int32_t>::max() / corners);
    if (cells > most)
        throw std::length_error(std::to_string(cells) + " lattice cells: in situ at most " + std::to_string(most)
                                + " in one process; give the channel a box, or coarsen it");
    nodes_.reserve(cells);
    offsets_.reserve(cells + 1);
    connectivity_.reserve(corners * cells);
    offsets_.push_back(0);
    if (!own.empty()) ghosts_.reserve(cells + 1); // not null where there are no cells

    // Numbers of the corners below and above one layer of nodes
    const std::size_t row = domain.size[0] + 1, plane = row * (domain.size[1] + 1);
    std::vector<std::int32_t> below(plane, -1), above(plane, -1);
    int layer = 0;
    forNodes(domain, shown, [&](NodeIndex node, const Int3& x) {
        for (; layer < x[2]; ++layer) {
            below.swap(above);
            above.assign(plane, -1);
        }
        nodes_.push_back(node);
        if (!own.empty()) ghosts_.push_back(!holds(own, x));
        for (int corner = 0; corner < corners; ++corner) {
            // VTK counts corners along the axes of the case
            Int3 d;
            for (int a = 0; a < 3; ++a) d[a] = corner >> caseAxis_[a] & 1;
            std::int32_t& id = (d[2] ? above : below)[x[0] + d[0] + row * (x[1] + d[1])];
            if (id < 0) {
                id = std::int32_t(points_.size() / 3);
                addPoint(domain, {x[0] + d[0], x[1] + d[1], x[2] + d[2]});
            }
            connectivity_.push_back(id);
        }
        offsets_.push_back(std::int32_t(connectivity_.size()));
    });
    points_.shrink_to_fit();

    mesh_.version = 1;
    mesh_.points = {"points", LBM_FLOAT32, LBM_POINTS, 3, std::int64_t(points_.size() / 3), points_.data()};
    mesh_.cells = std::int64_t(nodes_.size());
    mesh_.uniformType = voxel;
    mesh_.offsets = offsets_.data();
    mesh_.connectivity = connectivity_.data();
    mesh_.ghosts = own.empty() ? nullptr : ghosts_.data();
}

std::vector<NodeIndex> LatticeCells::around(const Domain& domain) const
{
    std::vector<NodeIndex> found;
    for (const NodeIndex node : nodes_)
        for (int axis = 0; axis < domain.dimensions; ++axis)
            for (const int side : {-1, 1}) {
                Int3 c{0, 0, 0};
                c[axis] = side;
                const NodeIndex next = domain.neighbour(domain.coordinates(node), c);
                if (next >= 0 && domain.fluid[next] && !holds(shown_, domain.coordinates(next))) found.push_back(next);
            }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void LatticeCells::addPoint(const Domain& domain, const Int3& corner)
{
    float x[3];
    for (int a = 0; a < 3; ++a) {
        const double step = a < domain.dimensions ? domain.spacing : thickness_;
        x[caseAxis_[a]] = float(domain.origin[a] + (corner[a] - 0.5) * step);
    }
    points_.insert(points_.end(), x, x + 3);
}

std::size_t LatticeCells::bytes() const
{
    return ghosts_.capacity() + nodes_.capacity() * sizeof(NodeIndex) + points_.capacity() * sizeof(float)
        + (offsets_.capacity() + connectivity_.capacity()) * sizeof(std::int32_t);
}

} // namespace lbm
