// CurvedRows: interpolated walls of the rows that collisions move themselves. Before a tile is worked on, what waits for
// half-way reflection is replaced by what lbm/boundary/InterpolatedWall.hpp makes of it; the collision knows nothing of it.
// Linear walls mix two values with shares that add up to one: what the node sent to the wall with what arrives from the
// node behind ("near", the wall is nearer than half-way) or with what the node sent away ("far"). Where both lie is known
// beforehand, so that such a link takes twelve bytes and one sum. Others ("mixed") read their CurvedLink.
//
// Patterns that stream in place have one place both for what arrives along the outgoing direction and for what the node sends
// away: the node's own in an even step, its neighbour's in an odd one.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/rows/Propagate.hpp"

#include <array>

namespace lbm {

// Values are numbered within a tile.
struct CurvedMix {
    float reflected;          // share of `value`
    std::uint16_t value, own; // what waits for reflection; the node's own slot of the opposite link
    std::uint32_t around;     // slot that is reached along the link: tile around it << 16 | value
};

template<class L, class T, class TileT>
class CurvedRows {
public:
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;

    CurvedRows() = default;

    CurvedRows(const Geometry& geometry, Streaming kind) : kind_(kind)
    {
        if (!Move::wide || geometry.curvedLinkCount() == 0) return;
        const std::int32_t tiles = geometry.grid().tiles();
        parts_.reserve(tiles + 1);
        for (std::int32_t t = 0; t < tiles; ++t) addTile(geometry, t);
        parts_.push_back(partHere());
        if (kind == Streaming::inPlace) sent_.assign(parts_.back().away, T(0));
        noteMoves(geometry);
    }

    bool any(std::int32_t tile) const { return !parts_.empty() && parts_[tile].near != parts_[tile + 1].near; }

    // To be called when walls take other velocities.
    void noteMoves(const Geometry& geometry)
    {
        for (std::size_t t = 0; t + 1 < parts_.size(); ++t) {
            parts_[t].moving = false;
            for (std::uint32_t i = parts_[t].near; i < parts_[t].mixed; ++i)
                if (geometry.curvedLinks()[links_[i]].move != 0) parts_[t].moving = true;
        }
    }

    // g: [Q], the node's populations after its last collision.
    void remember(const Geometry& geometry, const TilePlace& place, const double* g)
    {
        if (sent_.empty()) return;
        const Part& part = parts_[place.tile];
        for (std::uint32_t i = part.far; i < parts_[place.tile + 1].near; ++i) {
            const CurvedLink<T>& link = geometry.curvedLinks()[links_[i]];
            if (link.local == place.local) sent_[part.away + i - part.far] = T(g[link.direction]);
        }
    }

    // Of patterns that stream in place. distantValue(i): the i-th of TileGeometry::distant. around: not needed in even steps.
    template<bool odd, class DistantValue>
    void replace(std::int32_t tile, const CurvedLink<T>* links, T* own, T* const* around,
                 DistantValue&& distantValue) const
    {
        mix(
            tile, links, own, own, [=](const CurvedMix& p) { return arrivedAt<odd>(p, own, around); },
            [=, this](const CurvedMix&, std::uint32_t away) { return sent_[away]; }, distantValue);
    }

    // After the collision, for the next step.
    template<bool odd>
    void keep(std::int32_t tile, T* own, T* const* around)
    {
        const Part& part = parts_[tile];
        const std::uint32_t n = parts_[tile + 1].near - part.far;
        for (std::uint32_t i = 0; i < n; ++i) sent_[part.away + i] = arrivedAt<odd>(places_[part.far + i], own, around);
    }

    // Pull. What takes the place of values that walls reflect goes to `target`, laid out as the tile: its neighbours may still
    // have to read the old ones. What other boundaries bring is there already (BorderRows): around[27] is the target.
    template<class DistantValue>
    void reflect(std::int32_t tile, const CurvedLink<T>* links, T* const* around, T* target,
                 DistantValue&& distantValue) const
    {
        const T* own = around[13];
        mix(
            tile, links, own, target, [=](const CurvedMix& p) { return arrivedAt<true>(p, own, around); },
            [=](const CurvedMix& p, std::uint32_t) { return own[p.own]; }, distantValue);
    }

    std::size_t bytes() const
    {
        return parts_.size() * sizeof(Part) + places_.size() * sizeof(CurvedMix) + links_.size() * sizeof(links_[0])
            + sent_.size() * sizeof(T);
    }

private:
    // Of a tile: the first link of each kind, and of what far and mixed ones sent away. The next tile's `near` ends it.
    struct Part {
        std::uint32_t near, far, mixed, away;
        bool moving; // not counting mixed ones
    };

    template<bool odd>
    static LBM_INLINE T arrivedAt(const CurvedMix& p, const T* own, T* const* around)
    {
        return odd ? around[p.around >> 16][p.around & 0xffff] : own[p.own];
    }

    template<class Arriving, class Away, class DistantValue>
    LBM_INLINE void mix(std::int32_t tile, const CurvedLink<T>* links, const T* own, T* target, Arriving&& arriving,
                        Away&& away, DistantValue&& distantValue) const
    {
        const Part& part = parts_[tile];
        const CurvedMix* places = places_.data();
        for (std::uint32_t i = part.near; i < part.far; ++i) {
            const T a = places[i].reflected;
            target[places[i].value] = a * own[places[i].value] + (1 - a) * arriving(places[i]);
        }
        for (std::uint32_t i = part.far; i < part.mixed; ++i) {
            const T a = places[i].reflected;
            target[places[i].value] = a * own[places[i].value] + (1 - a) * away(places[i], part.away + i - part.far);
        }
        for (std::uint32_t i = part.mixed; i < parts_[tile + 1].near; ++i) {
            const CurvedLink<T>& link = links[links_[i]];
            T& value = target[places[i].value];
            value = interpolated(T(link.reflected), T(link.arriving), link.kept(), own[places[i].value],
                                 arriving(places[i]), away(places[i], part.away + i - part.far), link.move);
            if (link.distant >= 0) value += T(link.further) * distantValue(link.distant);
        }
        if (!part.moving) return;
        for (std::uint32_t i = part.near; i < part.mixed; ++i) target[places[i].value] += links[links_[i]].move;
    }

    Part partHere() const
    {
        const auto here = std::uint32_t(places_.size());
        return {here, here, here, parts_.empty() ? 0 : parts_.back().away + here - parts_.back().far, false};
    }

    void addTile(const Geometry& geometry, std::int32_t tile)
    {
        parts_.push_back(partHere());
        if (geometry.uniform(tile)) return;
        const Detail& d = geometry.detail(tile);
        enum Kind { near, far, mixed, kinds };
        constexpr std::uint32_t Part::*first[kinds] = {&Part::near, &Part::far, &Part::mixed};
        std::vector<std::pair<CurvedMix, std::int32_t>> found[kinds];
        std::array<bool, Move::rows> moved{};
        for (int k = d.plain; k < d.bordered; ++k) moved[d.order[k]] = true;
        const std::vector<std::uint32_t> brought = listedDirections(geometry, d, linksOfNodes);
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            const CurvedLink<T>& link = geometry.curvedLinks()[i];
            if (!moved[link.local / Move::RX]) continue;
            const bool two = link.further == 0 && (link.kept() == 0 || link.arriving == 0);
            const Kind kind = !two ? mixed : link.arriving == 0 ? far : near;
            found[kind].push_back({placeOf(d, link, brought[link.local]), std::int32_t(i)});
        }
        for (int kind = near; kind < kinds; ++kind) {
            parts_.back().*first[kind] = std::uint32_t(places_.size());
            for (const auto& [place, link] : found[kind]) {
                places_.push_back(place);
                links_.push_back(link);
            }
        }
    }

    // brought: the node's links of boundaries.
    CurvedMix placeOf(const Detail& d, const CurvedLink<T>& link, std::uint32_t brought) const
    {
        const int q = link.direction, local = link.local;
        const int slot = kind_ == Streaming::inPlace ? q : opposite(q), across = opposite(slot);
        const auto own = std::uint16_t(Move::node(across, local));
        std::uint32_t around = 13u << 16 | own;
        if (d.arrivesAt(local, opposite(q))) {
            const auto to =
                TileT::template rowAt<1>(local % TileT::TX + L::c[q][0], local / TileT::TX % TileT::TY + L::c[q][1],
                                         local / TileT::TX / TileT::TY + L::c[q][2]);
            around = std::uint32_t(to.tile) << 16 | std::uint32_t(Move::node(slot, to.row));
        } else if (kind_ == Streaming::pull && brought >> opposite(q) & 1) {
            around = 27u << 16 | own;
        }
        return {link.reflected, std::uint16_t(Move::node(slot, local)), own, around};
    }

    Streaming kind_ = Streaming::inPlace;
    std::vector<Part> parts_;
    std::vector<CurvedMix> places_;   // by tile and kind
    std::vector<std::int32_t> links_; // the CurvedLink of each
    std::vector<T> sent_;             // by far and mixed ones; of patterns that stream in place
};

} // namespace lbm
