// moments: one copy of the moments of each node in place of its populations, 10 (in two dimensions 6) values instead of Q.
// A sweep reads a tile's moments, turns them into populations that stay in cache, gathers what arrives, and puts the new
// moments where the old ones were. After the pattern of Gounley, Vardhan, Draeger, Valero-Lara, Moore & Randles 2022
// (section 3): populations for tiles to come are kept, those of tiles that have not been reached are made twice.
// Traffic per step: one read and one write, 2 M s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/KeptPopulations.hpp"
#include "lbm/storage/TiledStorage.hpp"
#include "lbm/storage/WindowPlan.hpp"
#include "lbm/storage/WindowSweep.hpp"

namespace lbm {

template<class L, class T, class TileT>
class MomentWindow : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Move;
    using Layout = WindowLayout<L, T, TileT>;
    using Sweep = WindowSweep<L, T, TileT>;
    static constexpr const char* name = "moments";
    static constexpr int copies = 1, count = MomentSet<L, T>::count, line = lineNodes<T>;
    static constexpr std::size_t tileSize = std::size_t(count)*TileT::N;

    MomentWindow(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads)
    :
        Base(domain, config, kernel), moments_(kernel.moments), plan_(this->geometry_.grid(), threads),
        data_((this->units() + 1)*tileSize), workers_(threads), kept_(this->units(), keptOf(this->geometry_))
    {
        std::size_t size = 0;
        for (const TileFace& f : plan_.ahead()) {
            aheadPlaces_.push_back(size);
            size += Layout::face[f.face].size;
        }
        aheadPlaces_.push_back(size);
        ahead_ = HostArray<T>(size);
        for (Worker& worker : workers_) worker.sweep = Sweep(plan_.reach());
        #pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int k = 0; k < threads; ++k)
            std::memset(tile(plan_.begin(k)), 0, (plan_.begin(k + 1) - plan_.begin(k))*tileSize*sizeof(T));
        for (std::size_t i = 0; i < this->geometry_.taps().size(); ++i) this->tapPlaces_.push_back(kept_.place(i));
        this->tapped_ = kept_.values(0);
    }

    std::size_t storedValues() const
    {
        return std::size_t(this->units() + 1)*tileSize + aheadPlaces_.back() + workers_.size()*Sweep::values(plan_.reach());
    }
    std::size_t tableBytes() const { return plan_.bytes() + aheadPlaces_.size()*sizeof(std::size_t); }

    void advance(std::int64_t steps)
    {
        const auto& first = plan_.ahead();
        #pragma omp parallel num_threads(int(workers_.size()))
        for (std::int64_t s = 0; s < steps; ++s) {
            #pragma omp for schedule(static)
            for (std::size_t i = 0; i < first.size(); ++i) make(first[i], ahead_.data() + aheadPlaces_[i]);
            #pragma omp for schedule(static, 1)
            for (int k = 0; k < plan_.ranges(); ++k) sweep(k);
            #pragma omp single
            {
                this->now_ ^= 1;
                this->tapped_ = kept_.values(this->now_);
            }
        }
    }

    // Populations that a node's moments stand for. g: [Q].
    void get(const TilePlace& place, double* g) const
    {
        double m[count];
        const T* at = data_.data() + place.tile*tileSize + node(place.local);
        for (int k = 0; k < count; ++k) m[k] = double(at[k*line]);
        moments_.node(m, g);
    }

    void set(const TilePlace& place, const double* g)
    {
        double own[L::Q];
        std::copy(g, g + L::Q, own);
        const auto m = momentsOf<L>(own);
        T* at = tile(place.tile) + node(place.local);
        for (int k = 0; k < count; ++k) at[k*line] = T(m.value[k]);
        get(place, own);
        Base::remember(place, own);
        kept_.remember(this->now_, place.tile, place.local, [&](int) { return own; });
    }

private:
    struct Worker {
        Sweep sweep;
        const T* soon[Layout::rows];    // rows that are fetched
        Buffer buffer;
    };

    static constexpr std::int32_t distance = 2;     // of the tile that is fetched

    static int node(int local) { return local/line*count*line + local % line; }
    T* tile(std::int32_t t) { return data_.data() + t*tileSize; }

    void make(const TileFace& of, T* target)
    {
        const auto& face = Layout::face[of.face];
        moments_.leaving[of.face]({tile(of.tile), face.row, face.n, face.places}, target);
    }

    void sweep(int k)
    {
        Worker& w = workers_[k];
        const std::int32_t first = plan_.begin(k), last = plan_.begin(k + 1);
        w.sweep.begin(first);
        if (first < last) prepare(w, first);
        for (std::int32_t t = first; t < last; ++t) {
            if (t + 1 < last) prepare(w, t + 1);
            update(w, t, k);
        }
    }

    // The populations of a tile, and around them those that arrive across y and z.
    void prepare(Worker& w, std::int32_t t)
    {
        Sweep& s = w.sweep;
        s.reached(t);
        for (const TileFace* f = plan_.made(t); f != plan_.made(t + 1); ++f) make(*f, s.face(f->tile, f->face));
        const Detail& d = this->detail(t);
        T* own = s.window(t);
        lookAhead(t, w.soon);
        moments_.all({tile(t), d.order, d.active, Layout::own.data()}, own, w.soon);
        for (int f = 2; f < faces; ++f)
            if (plan_.saves(t) >> f & 1) Layout::copy(Layout::leaving(f), own, s.face(t, f));
        for (int n = 1; n < 27; n += 3)
            if (n != 13) arrive(s, t, n, own);
    }

    void arrive(Sweep& s, std::int32_t t, int n, T* target)
    {
        const std::int32_t u = this->neighbours(t)[n];
        if (!sends<L>(n) || u == this->units()) return;
        const std::int32_t number = plan_.numberAhead(t, n);
        const T* face = number >= 0 ? ahead_.data() + aheadPlaces_[number] : s.face(u, faceShown(n));
        Layout::copy(Layout::arriving(n), face, target);
    }

    // The window of the neighbour across x.
    T* beside(Sweep& s, std::int32_t t, int k, int dx)
    {
        if (dx < 0 ? t > plan_.begin(k) && plan_.followed(t - 1, k) : plan_.followed(t, k)) return s.window(t + dx);
        T* side = s.side(dx);
        for (int n = 1 + dx; n < 27; n += 3) arrive(s, t, n, side);
        return side;
    }

    void update(Worker& w, std::int32_t t, int k)
    {
        const Detail& d = this->detail(t);
        TileView<T> here;
        for (T*& any : here.tile) any = nullptr;
        here.tile[12] = beside(w.sweep, t, k, -1);
        here.tile[13] = w.sweep.window(t);
        here.tile[14] = beside(w.sweep, t, k, 1);
        here.reflects = here.tile[13];
        here.places = Layout::around.data();
        here.order = d.order;
        here.plain = d.plain;
        here.n = d.walled;
        here.fluid = d.fluid;
        here.arrives = d.arrives[0];
        moments_.collect(here, tile(t), w.soon, this->parameters_);
        if (d.active > d.walled) updateExceptions(w.buffer, t, d, here);
        remember(t, d);
    }

    // Rows that will be asked for soon: each where it is first needed, in a face that is made, or with its tile.
    void lookAhead(std::int32_t t, const T* (&rows)[Layout::rows])
    {
        const std::int32_t next = std::min(t + distance, this->units() - 1);
        for (int row = 0; row < Layout::rows; ++row) rows[row] = tile(next) + row*count*line;
        for (const TileFace* f = plan_.made(next); f != plan_.made(next + 1); ++f) {
            const auto& face = Layout::face[f->face];
            for (int i = 0; i < face.n; ++i) rows[face.row[i]] = tile(f->tile) + face.row[i]*count*line;
        }
    }

    // Rows with boundary nodes, curved or remote links take the way of the populations.
    void updateExceptions(Buffer& buffer, std::int32_t t, const Detail& d, const TileView<T>& here)
    {
        const typename Move::Rows rows{d.order + d.walled, d.active - d.walled};
        gather(here, rows, buffer.values);
        int position[Move::rows];
        Move::invert(rows, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = this->geometry_.remotes()[i];
            buffer.values[Move::at(r.q, position[r.local/line]) + r.local % line] = kept_.values(this->now_)[kept_.place(this->geometry_.taps().size() + i)];
        }
        this->work(d, rows, buffer, {});
        for (int i = 0; i < rows.n; ++i) {
            using Traits = PackTraits<Pack<T>>;
            for (int first = 0; first < line; first += Traits::width) {
                Pack<T> g[L::Q];
                for (int q = 0; q < L::Q; ++q) g[q] = Traits::load(buffer.values + Move::at(q, i) + first);
                const auto m = momentsOf<L>(g);
                for (int j = 0; j < count; ++j)
                    Traits::store(tile(t) + rows.row[i]*count*line + j*line + first, m.value[j]);
            }
        }
    }

    static void gather(const TileView<T>& here, const typename Move::Rows& rows, T* buffer)
    {
        using Traits = PackTraits<Pack<T>>;
        using Around = Surroundings<L, Exchange::pull, T>;
        for (int i = 0; i < rows.n; ++i) {
            const int row = rows.row[i];
            Around around;
            around.look(here, row);
            for (int first = 0; first < line; first += Traits::width)
                unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                    const unsigned fluid = here.fluid[row] >> first & Around::all;
                    const unsigned mask = here.arrives[row*L::Q + q] >> first & Around::all;
                    Traits::store(buffer + Move::at(q, i) + first,
                                  Traits::fromLanes(around.template arriving<q, true>(first, fluid, mask)));
                });
        }
    }

    // Populations of a tile that the next step will draw on when its moments may be gone; as they follow from the
    // moments, so that who sets these finds the same.
    void remember(std::int32_t t, const Detail& d)
    {
        double g[L::Q];
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            BoundaryState<L, T>& state = this->geometry_.boundaryNodes()[i];
            get({t, state.local}, g);
            for (int q = 0; q < L::Q; ++q) state.after[1 - this->now_][q] = T(g[q]);
        }
        for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
            CurvedLink<T>& link = this->geometry_.curvedLinks()[i];
            get({t, link.local}, g);
            link.sentAway = T(g[link.direction]);
        }
        kept_.remember(1 - this->now_, t, -1, [&](int local) {
            get({t, local}, g);
            return g;
        });
    }

    // What curved links tap, then what remote ones bring.
    static std::vector<Tap> keptOf(const typename Base::Geometry& geometry)
    {
        std::vector<Tap> all(geometry.taps());
        for (std::size_t i = 0; i < geometry.remoteCount(); ++i) {
            const RemoteLink& r = geometry.remotes()[i];
            all.push_back({r.source, std::int16_t(r.sourceLocal), std::uint8_t(r.q)});
        }
        return all;
    }

    MomentKernel<T> moments_;
    WindowPlan<L> plan_;
    HostArray<T> data_, ahead_;
    std::vector<std::size_t> aheadPlaces_;
    std::vector<Worker> workers_;
    KeptPopulations<T> kept_;
};

} // namespace lbm
