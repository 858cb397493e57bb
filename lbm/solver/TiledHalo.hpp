// TiledHalo: a Halo between two parts of one process on a CPU. What is handed over is copied in the storage's own precision
// from where the owner keeps it to where the ghost's part will look for it; rows of tiles that lie alike in both are one copy.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"
#include "lbm/solver/RowCopies.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace lbm {

template<class Storage>
class TiledHalo final : public Halo {
public:
    using L = typename Storage::Lattice;
    using T = typename Storage::Scalar;

    TiledHalo(Storage& to, const Storage& from, const Domain& domain, const Domain& owners, const HaloNodes& nodes,
              int threads) :
        to_(to), from_(from), threads_(threads)
    {
        const std::size_t n = nodes.ghosts.size();
        std::vector<Int3> directions;
        for (const auto& c : L::c) directions.push_back({c[0], c[1], c[2]});
        for (std::size_t i = 0; i < n; ++i) {
            const TilePlace place = to.geometry().grid().place(domain.coordinates(nodes.ghosts[i]));
            places_.push_back(place);
            owners_.push_back(from.geometry().grid().place(owners.coordinates(nodes.owners[i])));
            needed_.push_back(populationsForStep(domain, directions, nodes.ghosts[i], to.steps(place)));
        }
        listRemembered();
        listRows();
    }

    void take(Handover what) override
    {
        auto& listedBefore = copies_[what == Handover::whole][to_.phase()];
        if (!listedBefore) listedBefore = listed(what);
        const RowCopies& copies = *listedBefore;
        T* to = to_.values();
        const T* from = from_.values();
#pragma omp parallel num_threads(threads_)
        {
            copies.copyShare(from, to);
            if (!remembered_.empty() || !rows_.empty()) {
#pragma omp barrier
#pragma omp for schedule(static) nowait
                for (std::size_t i = 0; i < remembered_.size(); ++i) remember(remembered_[i]);
                if constexpr (keepsLanes) {
#pragma omp for schedule(static) nowait
                    for (std::size_t i = 0; i < rows_.size(); ++i) to_.keepLanes(rows_[i].tile, rows_[i].local);
                }
            }
        }
    }

    std::size_t bytes() const override
    {
        std::size_t sum = places_.size() * (2 * sizeof(TilePlace) + sizeof needed_[0])
            + (remembered_.size() + rows_.size()) * sizeof(TilePlace);
        for (const auto& phases : copies_)
            for (const auto& copies : phases) sum += copies ? copies->bytes() : 0;
        return sum;
    }

private:
    static constexpr bool keepsLanes = requires { Storage::rowsOfLanes; };
    static constexpr int count = [] {
        if constexpr (requires { Storage::handedOver; }) return Storage::handedOver;
        else return L::Q;
    }();
    static constexpr bool byDirection = count == L::Q;

    RowCopies listed(Handover what) const
    {
        std::vector<RowCopy> values;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (what == Handover::forStep && needed_[i] == 0) continue;
            for (int k = 0; k < count; ++k) {
                if (byDirection && what == Handover::forStep && !(needed_[i] >> k & 1)) continue;
                values.push_back({to_.slot(places_[i].tile, places_[i].local, k),
                                  from_.slot(owners_[i].tile, owners_[i].local, k), 1});
            }
        }
        return RowCopies(std::move(values));
    }

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
        if constexpr (byDirection) {
            double g[L::Q];
            for (int q = 0; q < L::Q; ++q) g[q] = double(to_.values()[to_.slot(place.tile, place.local, q)]);
            to_.remember(place, g);
        } else {
            to_.rememberNode(place);
        }
    }

    Storage& to_;
    const Storage& from_;
    int threads_;
    std::vector<TilePlace> places_, owners_;
    std::vector<std::uint32_t> needed_;
    std::vector<TilePlace> remembered_, rows_;
    std::optional<RowCopies> copies_[2][Storage::phases]; // by Handover and phase, made when they are first asked for
};

} // namespace lbm
