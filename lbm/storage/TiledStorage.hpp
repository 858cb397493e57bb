// TiledStorage: what the tiled patterns share: memory, collision of a tile's buffer with its boundary
// nodes, and the canonical state (populations after collision, at their own node). A pattern adds where
// populations are read and written: load/store of a tile per phase, and slot(), the inverse for get/set.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/device/Memory.hpp"
#include "lbm/physics/Collide.hpp"
#include "lbm/storage/Propagate.hpp"

namespace lbm {

template<class L, class T, class TileT>
class TiledStorage {
public:
    using Lattice = L;
    using Scalar = T;
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    static constexpr int N = TileT::N, TX = TileT::TX;
    static constexpr int block = Move::block;
    static constexpr std::size_t tileSize = Move::tileSize;

    // Buffer of one tile in cache.
    struct alignas(64) Buffer { T values[tileSize] = {}; };

    TiledStorage(const Domain& domain, const Config& config, const CollideKernel<T>& kernel)
    :
        geometry_(domain, config), kernel_(kernel), incompressible_(config.equilibrium == "incompressible")
    {}

    Geometry& geometry() { return geometry_; }
    const Geometry& geometry() const { return geometry_; }
    Parameters<T>& parameters() { return parameters_; }
    const Parameters<T>& parameters() const { return parameters_; }

    // What boundaries remember of a node's previous collision. g: [Q].
    void remember(const TilePlace& place, const double* g)
    {
        const std::int32_t node = geometry_.boundaryNode(place);
        if (node >= 0)
            for (int q = 0; q < L::Q; ++q) geometry_.boundaryNodes()[node].after[now_][q] = T(g[q]);
        if (geometry_.uniform(place.tile)) return;
        const Detail& d = geometry_.detail(place.tile);
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (link.local == place.local) link.sentAway = T(g[link.direction]);
        }
    }

protected:
    // Zero is the rest state. Each thread touches the tiles that it will work on.
    HostArray<T> allocate(int threads) const
    {
        const std::int64_t tiles = geometry_.grid().tiles();
        HostArray<T> data((tiles + 1)*tileSize);
        T* p = data.data();
        #pragma omp parallel for schedule(static) num_threads(threads)
        for (std::int64_t t = 0; t < tiles; ++t) std::memset(p + t*tileSize, 0, tileSize*sizeof(T));
        std::memset(p + tiles*tileSize, 0, tileSize*sizeof(T));
        return data;
    }

    // Rows in the buffer: complete the missing populations of boundary nodes, collide, remember the new state.
    void work(const Detail& d, const typename Move::Rows& rows, Buffer& buffer)
    {
        int position[TileT::rows];
        if (!d.plain()) Move::invert(rows, position);
        auto here = [&](const auto& item) { return position[item.local/TX] >= 0; };
        auto at = [&](const auto& item, int q) -> T& {
            return buffer.values[Move::at(q, position[item.local/TX], item.local % TX)];
        };
        const BoundaryTable<L, T> table{geometry_.boundaryNodes(), geometry_.boundaryLinks(), now_, parameters_,
                                        incompressible_};
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState<L, T>& state = table.nodes[i];
            if (!here(state) || state.firstLink == state.lastLink) continue;
            const BoundaryNode<L, T> node(table, std::int32_t(i));
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const BoundaryLink<T>& link = table.links[k];
                at(state, link.direction) = incoming(node, link);
            }
        }
        // The buffer holds what half-way walls would send back.
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            const CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (!here(link)) continue;
            T& value = at(link, link.direction);
            value = interpolated(T(link.reflected), T(link.arriving), value, at(link, opposite(link.direction)),
                                 link.sentAway, link.move);
        }
        collide(buffer, rows.n*TX);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            BoundaryState<L, T>& state = geometry_.boundaryNodes()[i];
            if (!here(state)) continue;
            for (int q = 0; q < L::Q; ++q) state.after[1 - now_][q] = at(state, q);
        }
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (here(link)) link.sentAway = at(link, link.direction);
        }
    }

    const Detail& detail(std::int32_t tile) const
    {
        return geometry_.uniform(tile) ? Move::wholeTile() : geometry_.detail(tile);
    }

    // The collision moves the populations itself: resting walls are masks, but anything else takes the rows' way.
    static bool byPacks(const Detail& d)
    {
        return Move::packsFitRows && d.plain() && d.firstRemote == d.lastRemote;
    }

    // A tile of a lattice and its packs; of a tile with walls they are listed in `lists`.
    TileView<T> view(std::int32_t tile, T* data, typename Move::PackLists& lists) const
    {
        TileView<T> v;
        for (int n = 0; n < 27; ++n) v.tile[n] = data + neighbours(tile)[n]*tileSize;
        if (geometry_.uniform(tile)) {
            v.n = Move::packs;
            v.pack = Move::everyPack.data();
        } else {
            Move::listPacks(geometry_.detail(tile), lists, v);
        }
        return v;
    }

    // The tile that is fetched while this one is worked on: two on, for this one's side lanes are the next's.
    TileView<T> ahead(std::int32_t tile, T* data, typename Move::PackLists& lists) const
    {
        return view(std::min(tile + 2, geometry_.grid().tiles() - 1), data, lists);
    }

    static constexpr std::array<int, L::Q> columns(bool swapped)
    {
        std::array<int, L::Q> c{};
        for (int q = 0; q < L::Q; ++q) c[q] = swapped ? opposite(q) : q;
        return c;
    }

    void collide(Buffer& buffer, int nodes) const
    {
        static constexpr auto same = columns(false);
        TileView<T> v;
        v.tile[13] = buffer.values;
        v.n = (nodes + Move::W - 1)/Move::W;
        v.pack = Move::everyPack.data();
        kernel_.own(v, TileView<T>(), same.data(), parameters_);
    }

    const std::array<std::int32_t, 27>& neighbours(std::int32_t tile) const { return geometry_.grid().neighbours(tile); }

    // Where the population that leaves a node along q lies in layouts that store arrivals (push, and the
    // one-lattice pattern before its even step): the neighbour's slot q, or the node's own opposite slot.
    std::size_t arrivalSlot(std::int32_t tile, int local, int q) const
    {
        const int back = opposite(q);
        if (q == 0) return tile*tileSize + Move::node(0, local);
        const int lane = local % TX, row = local/TX;
        if (!geometry_.uniform(tile)) {
            const Detail& d = geometry_.detail(tile);
            if (!(d.shifted[back][row] >> lane & 1)) {
                for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
                    const RemoteLink& r = geometry_.remotes()[i];
                    if (r.local == local && r.q == back) return r.source*tileSize + Move::node(q, r.sourceLocal);
                }
                return tile*tileSize + Move::node(back, local);
            }
        }
        const auto to = TileT::rowAt(row % TileT::TY, row/TileT::TY, L::c[q][1], L::c[q][2]);
        int x = lane + L::c[q][0], dx = 0;
        if (x < 0) { dx = -1; x += TX; } else if (x >= TX) { dx = 1; x -= TX; }
        return neighbours(tile)[13 + to.tile + dx]*tileSize + Move::at(q, to.row, x);
    }

    Geometry geometry_;
    CollideKernel<T> kernel_;
    Parameters<T> parameters_;
    bool incompressible_;
    int now_ = 0;               // see BoundaryTable
};

} // namespace lbm
