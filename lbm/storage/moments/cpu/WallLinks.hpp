// WallLinks: what storage `moments` does about interpolated walls of a layer before it is collected
// (lbm/boundary/InterpolatedWall.hpp). What the row sent to the wall and away from it lies in the window (WindowSweep::own),
// and so does what arrives from the node behind. Linear walls mix two of them with shares that add up to one; where those
// lie is known beforehand, so that such a link takes eight bytes and one sum. Others ("mixed") read their CurvedLink, and so
// do those whose opposite link brings something else than a resting wall would: they are done when that is known.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/InterpolatedWall.hpp"
#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/moments/cpu/WindowSweep.hpp"

namespace lbm {

template<class L, class T, class TileT>
class WallLinks {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Layout = WindowLayout<L, T, TileT>;
    using Sweep = WindowSweep<L, T, TileT>;
    static constexpr int line = lineNodes<T>, layers = Layout::layers;

    // What mixed links of a layer need and make.
    struct Sent {
        T out, away;
    };
    using Room = std::vector<Sent>;

    WallLinks() = default;

    explicit WallLinks(const Geometry& geometry)
    {
        if (geometry.curvedLinkCount() == 0) return;
        for (std::int32_t t = 0; t < geometry.grid().stepped(); ++t) addTile(geometry, t);
        parts_.push_back(partHere());
        noteMoves(geometry);
    }

    bool any() const { return !parts_.empty(); }

    // To be called when walls take other velocities.
    void noteMoves(const Geometry& geometry)
    {
        for (std::size_t k = 0; k + 1 < parts_.size(); ++k) {
            parts_[k].moving = false;
            for (std::uint32_t i = parts_[k].linear; i < parts_[k + 1].linear; ++i)
                if (geometry.curvedLinks()[links_[i]].move != 0) parts_[k].moving = true;
        }
    }

    // Linear ones, before anything else takes the place of what rows sent; and what mixed ones need of that.
    void replace(std::int32_t tile, int layer, const CurvedLink<T>* links, T* window, Room& room) const
    {
        const Part &part = parts_[std::size_t(tile) * layers + layer], &next = (&part)[1];
        for (std::uint32_t i = part.linear; i < next.linear; ++i) {
            const Linear& p = places_[i];
            window[p.value] = T(p.reflected) * window[p.value] + (1 - T(p.reflected)) * window[p.other];
        }
        if (part.moving)
            for (std::uint32_t i = part.linear; i < next.linear; ++i) window[places_[i].value] += links[links_[i]].move;
        room.clear();
        for (std::uint32_t i = part.mixed; i < next.mixed; ++i)
            room.push_back({window[mixed_[i].value], window[mixed_[i].away]});
    }

    // Mixed ones. distantValue(i): the i-th of TileGeometry::distant.
    template<class DistantValue>
    void mix(std::int32_t tile, int layer, const CurvedLink<T>* links, T* window, Room& room,
             DistantValue&& distantValue) const
    {
        const Mixed* const first = mixed_.data() + parts_[std::size_t(tile) * layers + layer].mixed;
        for (std::size_t i = 0; i < room.size(); ++i) {
            const CurvedLink<T>& link = links[first[i].link];
            T& value = room[i].out;
            value = interpolated(T(link.reflected), T(link.arriving), link.kept(), value, window[first[i].arriving],
                                 room[i].away, link.move);
            if (link.distant >= 0) value += T(link.further) * distantValue(link.distant);
        }
        for (std::size_t i = 0; i < room.size(); ++i) window[first[i].value] = room[i].out;
    }

    std::size_t bytes() const
    {
        return parts_.size() * sizeof(Part) + places_.size() * (sizeof(Linear) + sizeof(links_[0]))
            + mixed_.size() * sizeof(Mixed);
    }

private:
    // Of a layer: the first of each list. The next layer's ends it.
    struct Part {
        std::uint32_t linear, mixed;
        bool moving; // of linear ones
    };

    // value: what the row sent to the wall, which is replaced; other: what arrives from behind, or what was sent away.
    struct Linear {
        float reflected; // share of `value`
        std::uint16_t value, other;
    };
    struct Mixed {
        std::uint16_t value, away, arriving;
        std::int32_t link;
    };

    Part partHere() const { return {std::uint32_t(places_.size()), std::uint32_t(mixed_.size()), false}; }

    void addTile(const Geometry& geometry, std::int32_t tile)
    {
        std::vector<std::pair<Linear, std::int32_t>> linear[layers];
        std::vector<Mixed> mixed[layers];
        if (!geometry.uniform(tile)) {
            const auto& d = geometry.detail(tile);
            // Over these comes something else than from a fluid node or a resting wall
            const std::vector<std::uint32_t> replaced =
                listedDirections(geometry, d, linksOfNodes | curvedLinks | remoteLinks);
            for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
                const CurvedLink<T>& link = geometry.curvedLinks()[i];
                const int q = link.direction, back = opposite(q), row = link.local / line, lane = link.local % line;
                const auto value = std::uint16_t(Sweep::ownAt(row, back) + lane),
                           away = std::uint16_t(Sweep::ownAt(row, q) + lane);
                const bool comes = d.arrivesAt(link.local, back);
                const auto arriving = comes ? std::uint16_t(Sweep::arrivalAt(row, back) + lane) : away;
                const bool two = link.further == 0 && (link.kept() == 0 || link.arriving == 0);
                if (two && !(replaced[link.local] >> back & 1))
                    linear[row / Layout::rows].push_back(
                        {{link.reflected, value, link.arriving == 0 ? away : arriving}, std::int32_t(i)});
                else mixed[row / Layout::rows].push_back({value, away, arriving, std::int32_t(i)});
            }
        }
        for (int s = 0; s < layers; ++s) {
            parts_.push_back(partHere());
            for (const auto& [place, link] : linear[s]) {
                places_.push_back(place);
                links_.push_back(link);
            }
            mixed_.insert(mixed_.end(), mixed[s].begin(), mixed[s].end());
        }
    }

    std::vector<Part> parts_; // by layer of each tile
    std::vector<Linear> places_;
    std::vector<std::int32_t> links_; // of each, its CurvedLink
    std::vector<Mixed> mixed_;
};

} // namespace lbm
