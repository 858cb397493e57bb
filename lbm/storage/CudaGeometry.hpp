// CudaGeometry: TileGeometry in the form that kernels with a thread a node read, in device memory.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/storage/Exchange.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <tuple>
#include <vector>

namespace lbm {

template<class L, class T, class TileT>
class CudaGeometry {
public:
    using Geometry = TileGeometry<L, T, TileT>;

    // packed: tiles store fluid nodes only.
    CudaGeometry(const Domain& domain, const Config& config, bool packed) : host_(domain, config)
    {
        describe(packed);
        storedNodes_ = std::size_t(grid().tiles())*TileT::N;
        if (packed) pack();
    }

    // Nodes that populations are stored for.
    std::size_t storedNodes() const { return storedNodes_; }

    const Geometry& host() const { return host_; }
    const std::vector<NodePlace>& places() const { return places_; }            // of boundary nodes
    const std::vector<RemotePair>& pairs() const { return pairs_; }
    const std::vector<std::int32_t>& curvedTiles() const { return curvedTiles_; }   // of curved links
    const TileGrid& grid() const { return host_.grid(); }

    // Of device memory.
    std::size_t bytes() const
    {
        const std::size_t tiles = grid().tiles();
        return tiles*(27 + 1)*sizeof(std::int32_t) + linkWords_.size()*sizeof(linkWords_[0])
            + packed_.size()*sizeof(PackedTile) + blocks_.size()*sizeof(std::int32_t) + pairs_.size()*sizeof(RemotePair)
            + places_.size()*(sizeof(NodePlace) + sizeof(BoundaryState<L, T>))
            + host_.boundaryLinkCount()*sizeof(BoundaryLink<T>)
            + host_.curvedLinkCount()*(sizeof(CurvedLink<T>) + sizeof(std::int32_t));
    }

    void copyTo(const cuda::Device& device)
    {
        const std::size_t tiles = grid().tiles();
        onDevice_.neighbours = {device, grid().neighbours(0).data(), tiles*27};
        onDevice_.detailOf = {device, detailOf_.data(), tiles};
        onDevice_.linkWords = {device, linkWords_.data(), linkWords_.size()};
        onDevice_.packed = {device, packed_.data(), packed_.size()};
        onDevice_.blocks = {device, blocks_.data(), blocks_.size()};
        onDevice_.places = {device, places_.data(), places_.size()};
        onDevice_.states = {device, host_.boundaryNodes(), host_.boundaryNodeCount()};
        onDevice_.pairs = {device, pairs_.data(), pairs_.size()};
        onDevice_.curved = {device, host_.curvedLinks(), host_.curvedLinkCount()};
        onDevice_.curvedTiles = {device, curvedTiles_.data(), curvedTiles_.size()};
        onDevice_.links = {device, host_.boundaryLinks(), host_.boundaryLinkCount()};
    }

    TilesView view() const
    {
        return {grid().tiles(), onDevice_.neighbours.data(), onDevice_.detailOf.data(), onDevice_.linkWords.data(),
                onDevice_.packed.data(), onDevice_.blocks.data(), std::int32_t(blocks_.empty() ? 0 : blocks_.size() - 1)};
    }

    BoundaryView<L, T> boundary(bool incompressible)
    {
        return {onDevice_.states.data(), onDevice_.places.data(), onDevice_.links.data(), int(places_.size()),
                onDevice_.pairs.data(), int(pairs_.size()), onDevice_.curved.data(), onDevice_.curvedTiles.data(),
                int(curvedTiles_.size()), incompressible};
    }

    void setBoundary(int patch, const LinkValue* values, std::size_t n)
    {
        host_.setBoundary(patch, values, n);
        if (host_.curved(patch)) onDevice_.curved.upload(host_.curvedLinks(), host_.curvedLinkCount());
        else onDevice_.links.upload(host_.boundaryLinks(), host_.boundaryLinkCount());
    }

private:
    void describe(bool packed)
    {
        const std::int32_t tiles = grid().tiles();
        detailOf_.assign(tiles, plainTile);
        std::int32_t details = 0;
        for (std::int32_t t = 0; t < tiles; ++t) {
            if (host_.uniform(t)) continue;
            list(t);
            detailOf_[t] = !packed || hasHiddenWall(t) ? details++ : wordlessTile;
        }
        linkWords_.resize(std::size_t(details)*TileT::N);
        #pragma omp parallel for schedule(static)
        for (std::int32_t t = 0; t < tiles; ++t)
            if (detailOf_[t] >= 0)
                for (int local = 0; local < TileT::N; ++local)
                    linkWords_[std::size_t(detailOf_[t])*TileT::N + local] = linkWord(host_.detail(t), local);
    }

    // A reflecting link between two fluid nodes, which masks of fluid nodes do not show.
    bool hasHiddenWall(std::int32_t tile) const
    {
        const auto& neighbours = grid().neighbours(tile);
        for (int local = 0; local < TileT::N; ++local) {
            const std::uint32_t word = linkWord(host_.detail(tile), local);
            if (word & solidNode) continue;
            const int x[3] = {local % TileT::TX, local/TileT::TX % TileT::TY, local/(TileT::TX*TileT::TY)};
            bool hidden = false;
            unroll<L::Q - 1>([&](auto i) {
                constexpr int q = i + 1;
                const TileStep there = nodeAcross<L, TileT, q, -1>(x);
                if (word >> q & 1) hidden = hidden || isFluid(neighbours[there.tile], there.node);
            });
            if (hidden) return true;
        }
        return false;
    }

    bool isFluid(std::int32_t tile, int local) const
    {
        if (tile == grid().tiles()) return false;
        return host_.uniform(tile) || host_.detail(tile).isFluid(local);
    }

    bool amongFullTiles(std::int32_t tile) const
    {
        const int layer = L::D == 2 ? 9 : 0;        // in two dimensions there is nothing above and below
        for (int n = layer; n < 27 - layer; ++n)
            if (__builtin_popcountll(packed_[grid().neighbours(tile)[n]].fluid) != TileT::N) return false;
        return true;
    }

    // Slots begin at multiples of 32 bytes, the unit of memory traffic. The last tile stands for missing ones.
    void pack()
    {
        constexpr std::uint32_t unit = 32/sizeof(T);
        const std::int32_t tiles = grid().tiles();
        packed_.resize(std::size_t(tiles) + 1, PackedTile{0, 0, 0});
        #pragma omp parallel for schedule(static)
        for (std::int32_t t = 0; t < tiles; ++t) {
            for (int local = 0; local < TileT::N; ++local)
                packed_[t].fluid |= std::uint64_t(isFluid(t, local)) << local;
            packed_[t].stride = (__builtin_popcountll(packed_[t].fluid) + unit - 1)/unit*unit;
        }
        #pragma omp parallel for schedule(static)
        for (std::int32_t t = 0; t < tiles; ++t)
            if (detailOf_[t] == plainTile && !amongFullTiles(t)) detailOf_[t] = wordlessTile;
        std::size_t first = 0;
        for (std::int32_t t = 0; t < tiles; ++t) {
            packed_[t].first = std::uint32_t(first);
            first += packed_[t].stride;
        }
        if (first > UINT32_MAX) throw std::invalid_argument("packed: more than 2^32 nodes");
        storedNodes_ = first;

        for (std::int32_t t = 0, begin = 0; t < tiles; ++t) {
            const bool fits = !blocks_.empty() && t - begin < mostTilesOfBlock
                && packed_[t].first + packed_[t].stride - packed_[begin].first <= std::uint32_t(packedBlock);
            if (!fits) blocks_.push_back(begin = t);
        }
        blocks_.push_back(tiles);
    }

    static std::uint32_t linkWord(const typename Geometry::TileDetail& d, int local)
    {
        if (!d.isFluid(local)) return solidNode;
        std::uint32_t word = 0;
        for (int q = 1; q < L::Q; ++q)
            if (!d.arrivesAt(local, q)) word |= std::uint32_t(1) << q;
        return word;
    }

    // The exceptions of one tile. A remote link is listed by both of its ends: one of them makes the pair.
    void list(std::int32_t tile)
    {
        const auto& d = host_.detail(tile);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) places_.push_back({tile, host_.boundaryNodes()[i].local});
        curvedTiles_.insert(curvedTiles_.end(), d.lastCurved - d.firstCurved, tile);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = host_.remotes()[i];
            const int q = r.q, local = r.local;
            if (std::tuple(tile, local, q) < std::tuple(r.source, r.sourceLocal, opposite(q)))
                pairs_.push_back({{tile, local}, {r.source, r.sourceLocal}, q});
        }
    }

    Geometry host_;
    std::vector<std::int32_t> detailOf_;
    std::vector<std::uint32_t> linkWords_;
    std::vector<PackedTile> packed_;
    std::vector<std::int32_t> blocks_;
    std::size_t storedNodes_ = 0;
    std::vector<NodePlace> places_;         // of boundary nodes, in the order of TileGeometry's
    std::vector<RemotePair> pairs_;
    std::vector<std::int32_t> curvedTiles_;

    struct {
        cuda::Array<std::int32_t> neighbours, detailOf;
        cuda::Array<std::uint32_t> linkWords;
        cuda::Array<PackedTile> packed;
        cuda::Array<std::int32_t> blocks;
        cuda::Array<NodePlace> places;
        cuda::Array<BoundaryState<L, T>> states;
        cuda::Array<RemotePair> pairs;
        cuda::Array<BoundaryLink<T>> links;
        cuda::Array<CurvedLink<T>> curved;
        cuda::Array<std::int32_t> curvedTiles;
    } onDevice_;
};

} // namespace lbm
