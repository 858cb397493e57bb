// ReflectedLines: rows of a tile with interpolated walls or boundary nodes, for patterns that pull: a collision reads what
// such a row reflects from a copy, in which CurvedRows and BorderRows put what belongs there. What half-way walls at rest
// reflect goes there first, a line of nodes at a time.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/rows/Propagate.hpp"

namespace lbm {

template<class L, class T, class TileT>
class ReflectedLines {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;

    ReflectedLines() = default;

    explicit ReflectedLines(const Geometry& geometry)
    {
        static_assert(Move::rows <= 64);
        if (!Move::wide || geometry.curvedLinkCount() + geometry.boundaryNodeCount() == 0) return;
        for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t) {
            parts_.push_back({0, std::uint32_t(lines_.size())});
            if (!geometry.uniform(t)) addTile(geometry, geometry.detail(t));
        }
        parts_.push_back({0, std::uint32_t(lines_.size())});
    }

    // Returns the rows, a bit each.
    std::uint64_t copy(std::int32_t tile, const T* own, T* target) const
    {
        for (std::uint32_t i = parts_[tile].lines; i < parts_[tile + 1].lines; ++i)
            std::memcpy(target + lines_[i], own + lines_[i], Move::block * sizeof(T));
        return parts_[tile].rows;
    }

    std::size_t bytes() const { return parts_.size() * sizeof(Part) + lines_.size() * sizeof(lines_[0]); }

private:
    // Of a tile; the next one's lines end its.
    struct Part {
        std::uint64_t rows;
        std::uint32_t lines;
    };

    void addTile(const Geometry& geometry, const Detail& d)
    {
        const std::vector<std::uint32_t> others = listedDirections(geometry, d, linksOfNodes | curvedLinks);
        for (int k = d.walled; k < d.bordered; ++k) {
            const int row = d.order[k];
            parts_.back().rows |= std::uint64_t(1) << row;
            for (int q = 1; q < L::Q; ++q) {
                bool reflects = false;
                for (int local = row * Move::RX; local < (row + 1) * Move::RX; ++local)
                    reflects = reflects || (d.isFluid(local) && !d.arrivesAt(local, q) && !(others[local] >> q & 1));
                if (reflects) lines_.push_back(std::uint16_t(Move::at(opposite(q), row)));
            }
        }
    }

    std::vector<Part> parts_;
    std::vector<std::uint16_t> lines_; // values within a tile
};

} // namespace lbm
