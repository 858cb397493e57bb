// TiledStorage: what the tiled patterns share: memory, collision of a tile's buffer with its boundary
// nodes, and the canonical state (populations after collision, at their own node). A pattern adds where
// populations are read and written: load/store of a tile per phase, and slot(), the inverse for get/set: in values().
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/device/Memory.hpp"
#include "lbm/storage/rows/BorderRows.hpp"
#include "lbm/storage/rows/Collide.hpp"
#include "lbm/storage/rows/CurvedRows.hpp"

namespace lbm {

template<class L, class T, class TileT>
class TiledStorage {
public:
    using Lattice = L;
    using Scalar = T;
    using Geometry = TileGeometry<L, T, TileT>;
    using Move = Propagate<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    static constexpr int N = TileT::N, RX = Move::RX;
    static constexpr int passes = 1;

    // Places of populations take turns; which turn it is.
    static constexpr int phases = 1;
    int phase() const { return 0; }

    // Buffer of one tile in cache.
    struct alignas(64) Buffer {
        Buffer()
        {
            for (int q = 0; q < L::Q; ++q) std::fill_n(values + Move::node(q, 0), N, T(0));
        }

        T values[Move::groupSize];
    };

    // Tiles in rows: parts of one process step one after the other, and a rim by itself would be one more time to wait for all
    // threads.
    TiledStorage(const Domain& domain, const Config& config, const CollideKernel<T>& kernel) :
        geometry_(domain, config, TileOrder::rows), kernel_(kernel), incompressible_(isIncompressible(config))
    {
        geometry_.holdPopulations(2);
    }

    Geometry& geometry() { return geometry_; }
    const Geometry& geometry() const { return geometry_; }
    Parameters<T>& parameters() { return parameters_; }
    TileRange range(PartOfTiles part) const { return geometry_.grid().range(part); }
    bool steps(const TilePlace& place) const { return place.tile < geometry_.grid().stepped(); }
    std::int32_t tiles() const { return geometry_.grid().tiles(); }
    std::size_t storedValues() const { return groups() * Move::groupSize; } // of one copy
    std::size_t tableBytes() const { return curvedRows_.bytes() + borderRows_.bytes(); }
    const Parameters<T>& parameters() const { return parameters_; }

    void setBoundary(int patch, const LinkValue* values, std::size_t n)
    {
        geometry_.setBoundary(patch, values, n);
        if (geometry_.curved(patch)) curvedRows_.noteMoves(geometry_);
        else listed_ = false;
    }

    // What boundaries remember of a node's previous collision. g: [Q].
    void remember(const TilePlace& place, const double* g)
    {
        const std::int32_t node = geometry_.boundaryNode(place);
        if (node >= 0)
            for (int q = 0; q < L::Q; ++q) geometry_.sent(now_)[node].of[q] = T(g[q]);
        if (geometry_.uniform(place.tile)) return;
        const Detail& d = geometry_.detail(place.tile);
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (link.local == place.local) link.sentAway = T(g[link.direction]);
        }
        curvedRows_.remember(geometry_, place, g);
        borderRows_.remember(place, now_, g);
    }

protected:
    // Zero is the rest state. Each thread touches the tiles that it will work on.
    HostArray<T> allocate(int threads) const
    {
        HostArray<T> data(storedValues());
        T* p = data.data();
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t g = 0; g < groups(); ++g) std::memset(p + g * Move::groupSize, 0, Move::groupSize * sizeof(T));
        return data;
    }

    // One tile more than there are: where the tiles at the rim have no neighbour.
    std::size_t groups() const { return std::size_t(tiles()) / Move::groupTiles + 1; }

    // Lines of population 0 of a tile's rows: where the collision that needs no neighbours finds them.
    struct Lines {
        int n = 0;
        T* line[N / Move::block];
    };

    // Rows in the buffer, at `position`: the missing populations of boundary nodes, and all of those at openings that impose
    // it.
    void complete(const Detail& d, const int (&position)[Move::rows], Buffer& buffer)
    {
        auto here = [&](const auto& item) { return position[item.local / RX] >= 0; };
        auto at = [&](const auto& item, int q) -> T& {
            return buffer.values[Move::at(q, position[item.local / RX]) + item.local % RX];
        };
        const BoundaryTable<L, T> table = boundaryTable();
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState& state = table.nodes[i];
            if (!here(state) || state.firstLink == state.lastLink) continue;
            bool others = false;
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const BoundaryLink<T> link = table.links[k];
                if (Slip::isMirror(link)) at(state, link.direction) = Slip::seenInMirror<L>(table, link);
                else others = true;
            }
            if (!others) continue;
            const BoundaryNode<L, T> node(table, std::int32_t(i));
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
                if (!Slip::isMirror(table.links.made[k])) at(state, table.links.made[k].direction) = incoming(node, k);
        }
        // The buffer holds what half-way walls would send back.
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            const CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (!here(link)) continue;
            T& value = at(link, link.direction);
            value = interpolated(T(link.reflected), T(link.arriving), link.kept(), value,
                                 at(link, opposite(link.direction)), link.sentAway, link.move);
            if (link.distant >= 0) value += T(link.further) * distantValue(link.distant);
        }
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState& state = table.nodes[i];
            if (!here(state) || state.opening < 0) continue;
            T g[L::Q], r, j[3];
            for (int q = 0; q < L::Q; ++q) g[q] = at(state, q);
            densityAndMomentum<L>(g, r, j);
            const VelocityGradient<L, T> gradient(table, geometry_.openings()[state.opening]);
            const OpeningState<T> whole = gradient.state(r, j);
            if (!whole.imposed) continue;
            gradient.populations(whole, g);
            for (int q = 0; q < L::Q; ++q) at(state, q) = g[q];
        }
    }

    // Rows in the buffer: complete them, collide, remember the new state.
    void work(std::int32_t tile, const Detail& d, const typename Move::Rows& rows, Buffer& buffer, const Lines& ahead)
    {
        int position[Move::rows];
        Move::invert(rows, position);
        auto here = [&](const auto& item) { return position[item.local / RX] >= 0; };
        auto at = [&](const auto& item, int q) -> T& {
            return buffer.values[Move::at(q, position[item.local / RX]) + item.local % RX];
        };
        complete(d, position, buffer);
        Lines lines;
        for (; lines.n * Move::block < rows.n * RX; ++lines.n)
            lines.line[lines.n] = buffer.values + lines.n * Move::block;
        collideBuffer(tile, rows, lines, ahead);
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState& state = geometry_.boundaryNodes()[i];
            if (!here(state)) continue;
            for (int q = 0; q < L::Q; ++q) geometry_.sent(1 - now_)[i].of[q] = at(state, q);
        }
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            CurvedLink<T>& link = geometry_.curvedLinks()[i];
            if (here(link)) link.sentAway = at(link, link.direction);
        }
    }

    BoundaryTable<L, T> boundaryTable()
    {
        return {geometry_.boundaryNodes(),
                {geometry_.sent(0), geometry_.sent(1)},
                geometry_.boundaryLinks(),
                geometry_.boundaryShares(),
                geometry_.openingMemory().data(),
                now_,
                parameters_,
                incompressible_};
    }

    // Before the first step, and the first one after boundaries were changed. sent(tile, local, q): what a node has sent.
    template<class Sent>
    void listBorders(Sent&& sent)
    {
        if (!listed_) borderRows_.list(geometry_, now_, sent);
        listed_ = true;
    }

    const Detail& detail(std::int32_t tile) const
    {
        return geometry_.uniform(tile) ? Move::whole : geometry_.detail(tile);
    }

    // Rows that collisions move themselves come first in a tile's order: walls are masks, and so are interpolated ones and
    // boundary nodes once curvedRows_ and borderRows_ have been at them. The others take the way through the buffer.
    static int movedByCollision(const Detail& d) { return Move::wide ? d.bordered : 0; }
    typename Move::Rows otherRows(const Detail& d) const
    {
        const int first = movedByCollision(d);
        return {d.order + first, d.active - first};
    }

    TileView<T> view(std::int32_t tile, T* data) const
    {
        const Detail& d = detail(tile);
        TileView<T> v;
        for (int n = 0; n < 27; ++n) v.tile[n] = data + Move::start(neighbours(tile)[n]);
        v.reflects = nullptr;
        v.replaced = v.readAgain = 0;
        v.places = Move::places.data();
        v.order = d.order;
        v.plain = std::min<int>(d.plain, movedByCollision(d));
        v.n = movedByCollision(d);
        v.fluid = d.fluid;
        v.arrives = d.arrives[0];
        return v;
    }

    // The tile that is fetched while this one is worked on: two on, for this one's side lanes are the next's.
    std::int32_t ahead(std::int32_t tile) const { return std::min(tile + 2, geometry_.grid().tiles() - 1); }

    TileView<T> viewAhead(std::int32_t tile, T* data) const
    {
        TileView<T> v = view(ahead(tile), data);
        v.n = detail(ahead(tile)).active;
        return v;
    }

    Lines lines(std::int32_t tile, T* data, int rows) const
    {
        T* own = data + Move::start(tile);
        Lines l;
        if (Move::wide)
            for (; l.n < rows; ++l.n) l.line[l.n] = own + Move::at(0, detail(tile).order[l.n]);
        else
            for (; l.n < N / Move::block; ++l.n) l.line[l.n] = own + l.n * Move::block;
        return l;
    }

    Lines linesAhead(std::int32_t tile, T* data) const { return lines(ahead(tile), data, detail(ahead(tile)).active); }

    // swapped: results go to the slot of the opposite link.
    template<bool swapped>
    void collide(const Lines& here, const Lines& ahead, const FieldRows<T>& fields) const
    {
        static constexpr auto columns = [] {
            std::array<int, L::Q> c{};
            for (int q = 0; q < L::Q; ++q) c[q] = swapped ? opposite(q) : q;
            return c;
        }();
        kernel_.own(here.line, here.n, ahead.line, ahead.n, columns.data(), parameters_, fields);
    }

    // rows: of lines, where they are not all of the tile in order.
    FieldRows<T> fields(std::int32_t tile, const std::uint8_t* rows = nullptr) const
    {
        const NodeFields<T>& f = parameters_.closure.fields;
        const std::size_t first = std::size_t(tile) * N;
        return {f.tau ? f.tau + first : nullptr,
                f.force ? f.force + L::D * first : nullptr,
                N,
                f.strain ? f.strain + strainComponents<L::D> * first : nullptr,
                N,
                rows};
    }

    // For lines(): of wide tiles they are in the tile's order.
    FieldRows<T> fieldsOfLines(std::int32_t tile, const Detail& d) const
    {
        return fields(tile, Move::wide ? d.order : nullptr);
    }

    // Rows of a narrow tile share lines in the buffer, and so does what is loaded for them.
    void collideBuffer(std::int32_t tile, const typename Move::Rows& rows, const Lines& lines, const Lines& ahead) const
    {
        if (Move::wide) return collide<false>(lines, ahead, fields(tile, rows.row));
        FieldRows<T> own = fields(tile);
        if (!own.tau && !own.force && !own.strain) return collide<false>(lines, ahead, own);
        alignas(64) T packed[(1 + L::D + strainComponents<L::D>)*N] = {};
        T* to = packed;
        const auto pack = [&](const T*& from, int components) {
            for (int a = 0; from && a < components; ++a)
                for (int k = 0; k < rows.n; ++k) std::copy_n(from + a * N + rows.row[k] * RX, RX, to + a * N + k * RX);
            if (from) from = to;
            to += components * N;
        };
        pack(own.tau, 1);
        pack(own.force, L::D);
        pack(own.strain, strainComponents<L::D>);
        collide<false>(lines, ahead, own);
    }

    const std::array<std::int32_t, 27>& neighbours(std::int32_t tile) const
    {
        return geometry_.grid().neighbours(tile);
    }

    // From each node of a tile along each link: into which tile around it, and population q there. A table, for whole
    // lattices are read that way.
    struct Way {
        std::uint16_t tile, value;
    };
    static constexpr auto ways = [] {
        std::array<std::array<Way, L::Q>, N> table{};
        for (int local = 0; local < N; ++local)
            for (int q = 0; q < L::Q; ++q) {
                const auto to =
                    TileT::template rowAt<1>(local % TileT::TX + L::c[q][0], local / TileT::TX % TileT::TY + L::c[q][1],
                                             local / TileT::TX / TileT::TY + L::c[q][2]);
                table[local][q] = {std::uint16_t(to.tile), std::uint16_t(Move::node(q, to.row))};
            }
        return table;
    }();

    // Where the population that leaves a node along q lies in layouts that store arrivals (push, and the
    // one-lattice pattern before its even step): the neighbour's slot q, or the node's own opposite slot.
    LBM_INLINE std::size_t arrivalSlot(std::int32_t tile, int local, int q) const
    {
        const int back = opposite(q);
        if (q == 0) return Move::start(tile) + Move::node(0, local);
        if (!geometry_.uniform(tile) && !geometry_.detail(tile).arrivesAt(local, back)) {
            const Detail& d = geometry_.detail(tile);
            for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
                const RemoteLink& r = geometry_.remotes()[i];
                if (r.local == local && r.q == back) return Move::start(r.source) + Move::node(q, r.sourceLocal);
            }
            return Move::start(tile) + Move::node(back, local);
        }
        const Way to = ways[local][q];
        return Move::start(neighbours(tile)[to.tile]) + to.value;
    }

    // What arrivalSlot() tells of all of a node's: [Q].
    void getArrivals(const TilePlace& place, const T* data, double* g) const
    {
        const std::array<std::int32_t, 27>& around = neighbours(place.tile);
        const std::array<Way, L::Q>& way = ways[place.local];
        const Detail& d = detail(place.tile);
        const auto& arrives = d.arrives[place.local / RX];
        const unsigned lane = unsigned(place.local) % RX;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            const std::size_t slot = q == 0 || (arrives[opposite(q)] >> lane & 1)
                ? Move::start(around[way[q].tile]) + way[q].value
                : arrivalSlot(place.tile, place.local, q);
            g[q] = double(data[slot]);
        });
    }

    // place(distant): where its population lies, behind distantValues_, in the state that a step begins with.
    template<class Place>
    void placeDistant(Place&& place)
    {
        for (const DistantPopulation& distant : geometry_.distant()) distantPlaces_.push_back(place(distant));
    }

    T distantValue(std::int32_t distant) const { return distantValues_[distantPlaces_[distant]]; }

    Geometry geometry_;
    CurvedRows<L, T, TileT> curvedRows_; // of patterns whose collisions move rows
    BorderRows<L, T, TileT> borderRows_; // of such
    bool listed_ = false;                // links are known as they are: borderRows_ or, of moments, BorderLinks
    CollideKernel<T> kernel_;
    Parameters<T> parameters_;
    bool incompressible_;
    int now_ = 0; // see BoundaryTable
    const T* distantValues_ = nullptr;
    std::vector<std::size_t> distantPlaces_;
};

} // namespace lbm
