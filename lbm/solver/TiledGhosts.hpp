// TiledGhosts: ghosts of a part on a CPU, where they are kept, and what its boundaries have to learn of them when they are taken
// over. Values of one handover, and where they are copied to by phase of the storage. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"
#include "lbm/solver/RowCopies.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace lbm {

// Values that one handover of a node is made of.
template<class Storage>
struct HandedOver {
    static constexpr int count = [] {
        if constexpr (requires { Storage::handedOver; }) return Storage::handedOver;
        else return Storage::Lattice::Q;
    }();
    static constexpr bool byDirection = count == Storage::Lattice::Q;

    // f(node, value) of nodes first .. end - 1, in an order that both sides know.
    template<class F>
    static void forValues(Handover what, const std::vector<std::uint32_t>& needed, std::size_t first, std::size_t end,
                          F&& f)
    {
        for (int k = 0; k < count; ++k)
            for (std::size_t i = first; i < end; ++i) {
                if (what == Handover::forStep && (byDirection ? !(needed[i] >> k & 1) : needed[i] == 0)) continue;
                f(i, k);
            }
    }
    template<class F>
    static void forValues(Handover what, const std::vector<std::uint32_t>& needed, F&& f)
    {
        forValues(what, needed, 0, needed.size(), f);
    }
};

// Ghosts of a part, and what its boundaries have to learn of them.
template<class Storage>
class TiledGhosts {
public:
    using L = typename Storage::Lattice;

    TiledGhosts(Storage& to, const Domain& domain, const std::vector<NodeIndex>& ghosts) :
        to_(to), places_(ghosts.size()), needed_(ghosts.size())
    {
        std::vector<Int3> directions;
        for (const auto& c : L::c) directions.push_back({c[0], c[1], c[2]});
        const PopulationsForStep forStep(domain, std::move(directions));
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < ghosts.size(); ++i) {
            places_[i] = to.geometry().grid().place(domain.coordinates(ghosts[i]));
            needed_[i] = forStep(ghosts[i], to.steps(places_[i]));
        }
        listRemembered();
        listRows();
    }

    Storage& storage() const { return to_; }
    const std::vector<std::uint32_t>& needed() const { return needed_; }
    std::vector<std::uint32_t> takeNeeded() { return std::move(needed_); } // the caller's from then on
    std::size_t slot(std::size_t i, int k) const { return to_.slot(places_[i].tile, places_[i].local, k); }

    // By all threads of a team that have the values, each some of them.
    void rememberShare()
    {
        if (remembered_.empty() && rows_.empty()) return;
#pragma omp barrier
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < remembered_.size(); ++i) remember(remembered_[i]);
        if constexpr (keepsLanes) {
#pragma omp for schedule(static) nowait
            for (std::size_t i = 0; i < rows_.size(); ++i) to_.keepLanes(rows_[i].tile, rows_[i].local);
        }
    }

    std::size_t bytes() const
    {
        return places_.size() * (sizeof(TilePlace) + sizeof needed_[0])
            + (remembered_.size() + rows_.size()) * sizeof(TilePlace);
    }

private:
    static constexpr bool keepsLanes = requires { Storage::rowsOfLanes; };

    // Ghosts that boundaries, curved links or links from afar look at: what these remember of a node is not where populations are.
    void listRemembered()
    {
        const auto& geometry = to_.geometry();
        std::vector<TilePlace> lookedAt;
        for (const DistantPopulation& distant : geometry.distant()) lookedAt.push_back({distant.tile, distant.local});
        for (std::size_t i = 0; i < geometry.remoteCount(); ++i)
            lookedAt.push_back({geometry.remotes()[i].source, geometry.remotes()[i].sourceLocal});
        std::sort(lookedAt.begin(), lookedAt.end(), before);
        for (const TilePlace& place : places_)
            if (geometry.boundaryNode(place) >= 0 || hasCurved(place)
                || std::binary_search(lookedAt.begin(), lookedAt.end(), place, before))
                remembered_.push_back(place);
    }

    bool hasCurved(const TilePlace& place) const
    {
        const auto& geometry = to_.geometry();
        if (geometry.uniform(place.tile)) return false;
        const auto& detail = geometry.detail(place.tile);
        return std::any_of(geometry.curvedLinks() + detail.firstCurved, geometry.curvedLinks() + detail.lastCurved,
                           [&](const auto& link) { return link.local == place.local; });
    }

    // Rows of ghosts, as many at once as lanes are kept of: by the first.
    void listRows()
    {
        if constexpr (keepsLanes) {
            for (const TilePlace& place : places_)
                rows_.push_back(
                    {place.tile, place.local / Storage::line / Storage::rowsOfLanes * Storage::rowsOfLanes});
            std::sort(rows_.begin(), rows_.end(), before);
            rows_.erase(
                std::unique(rows_.begin(), rows_.end(),
                            [](const TilePlace& a, const TilePlace& b) { return !before(a, b) && !before(b, a); }),
                rows_.end());
        }
    }

    static bool before(const TilePlace& a, const TilePlace& b)
    {
        return a.tile < b.tile || (a.tile == b.tile && a.local < b.local);
    }

    void remember(const TilePlace& place)
    {
        if constexpr (HandedOver<Storage>::byDirection) {
            double g[L::Q];
            for (int q = 0; q < L::Q; ++q) g[q] = double(to_.values()[to_.slot(place.tile, place.local, q)]);
            to_.remember(place, g);
        } else {
            to_.rememberNode(place);
        }
    }

    Storage& to_;
    std::vector<TilePlace> places_;
    std::vector<std::uint32_t> needed_;
    std::vector<TilePlace> remembered_, rows_;
};

// Lists of copies by Handover, phase and piece of it, each made when it is first asked for.
template<class Storage>
class PhasedCopies {
public:
    // list(copies): adds all of them
    template<class List>
    const RowCopies& operator()(Handover what, int phase, List&& list, std::size_t piece = 0)
    {
        auto& pieces = copies_[what == Handover::whole][phase];
        if (pieces.size() <= piece) pieces.resize(piece + 1);
        auto& before = pieces[piece];
        if (!before) {
            // Kept once it is whole, for memory may be out on the way
            RowCopies made;
            list(made);
            made.finish();
            before = std::move(made);
        }
        return *before;
    }

    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const auto& phases : copies_)
            for (const auto& pieces : phases)
                for (const auto& copies : pieces) sum += copies ? copies->bytes() : 0;
        return sum;
    }

private:
    std::vector<std::optional<RowCopies>> copies_[2][Storage::phases]; // by piece
};

} // namespace lbm
