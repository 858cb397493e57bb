// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeCells.hpp"

#include "catalyst/lattice/voxel.hpp"

#include <stdexcept>
#include <string>

namespace lbm {

LatticeCells::LatticeCells(const Domain& domain, const Int3& caseAxis, double thickness) :
    caseAxis_(caseAxis), thickness_(domain.dimensions == 2 ? thickness : domain.spacing)
{
    const NodeIndex cells = domain.fluidNodes();
    static_assert(most == std::numeric_limits<std::int32_t>::max() / corners);
    if (cells > most)
        throw std::length_error(std::to_string(cells) + " lattice cells: in situ at most " + std::to_string(most)
                                + " in one process; give the channel a box, or coarsen it");
    nodes_.reserve(cells);
    offsets_.reserve(cells + 1);
    connectivity_.reserve(corners * cells);
    offsets_.push_back(0);

    // Numbers of the corners below and above one layer of nodes
    const std::size_t row = domain.size[0] + 1, plane = row * (domain.size[1] + 1);
    std::vector<std::int32_t> below(plane, -1), above(plane, -1);
    for (int z = 0; z < domain.size[2]; ++z) {
        below.swap(above);
        above.assign(plane, -1);
        for (int y = 0; y < domain.size[1]; ++y) {
            for (int x = 0; x < domain.size[0]; ++x) {
                const NodeIndex node = domain.index(x, y, z);
                if (!domain.fluid[node]) continue;
                nodes_.push_back(node);
                for (int corner = 0; corner < corners; ++corner) {
                    // VTK counts corners along the axes of the case
                    Int3 d;
                    for (int a = 0; a < 3; ++a) d[a] = corner >> caseAxis_[a] & 1;
                    std::int32_t& id = (d[2] ? above : below)[x + d[0] + row * (y + d[1])];
                    if (id < 0) {
                        id = std::int32_t(points_.size() / 3);
                        addPoint(domain, {x + d[0], y + d[1], z + d[2]});
                    }
                    connectivity_.push_back(id);
                }
                offsets_.push_back(std::int32_t(connectivity_.size()));
            }
        }
    }
    points_.shrink_to_fit();

    mesh_.version = 1;
    mesh_.points = {"points", LBM_FLOAT32, LBM_POINTS, 3, std::int64_t(points_.size() / 3), points_.data()};
    mesh_.cells = std::int64_t(nodes_.size());
    mesh_.uniformType = voxel;
    mesh_.offsets = offsets_.data();
    mesh_.connectivity = connectivity_.data();
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
    return nodes_.capacity() * sizeof(NodeIndex) + points_.capacity() * sizeof(float)
        + (offsets_.capacity() + connectivity_.capacity()) * sizeof(std::int32_t);
}

} // namespace lbm
