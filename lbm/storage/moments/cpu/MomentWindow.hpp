// moments: one copy of the moments of each node in place of its populations, 10 (in two dimensions 6; of lattices WithThird 17) values
// instead of Q.
// A sweep reads a layer of a tile's moments, turns them into populations, which stay in the first cache, gathers what
// arrives at the layer before, and puts new moments where the old ones were. After the pattern of Gounley, Vardhan,
// Draeger, Valero-Lara, Moore & Randles 2022 (section 3), tiles being its blocks: populations for tiles to come are kept,
// those of tiles that have not been reached are made twice.
// Traffic per step: one read and one write, 2 M s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Storage.hpp"
#include "lbm/device/TeamBarrier.hpp"
#include "lbm/storage/moments/cpu/MomentState.hpp"
#include "lbm/storage/moments/cpu/VelocityLayers.hpp"

#include <optional>

namespace lbm {

template<class L, class T, class TileT>
class MomentWindow : public MomentState<L, T, TileT> {
public:
    using Base = MomentState<L, T, TileT>;
    using typename Base::Detail;
    using typename Base::Layout;
    using typename Base::Walls;
    using typename Base::Move;
    using Sweep = WindowSweep<L, T, TileT>;
    using Velocities = VelocityLayers<L, T, TileT>;
    using Base::line;
    static constexpr const char* name = "moments";
    static constexpr bool findsGradients = true; // in its step

    MomentWindow(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel, threads), found_(foundAround(config)), workers_(threads)
    {
        for (Worker& worker : workers_) worker.sweep = Sweep(arrays_.plan);
        listLinkedRows();
        if (!found_.any()) return;
        velocities_ = VelocityFaces<L, T, TileT>(this->geometry_, arrays_.plan);
        for (Worker& worker : workers_) worker.velocities.emplace(found_.strain && !this->geometry_.openings().empty());
    }

    std::size_t storedValues() const
    {
        const std::size_t own = Sweep::values(arrays_.plan) + (found_.any() ? Velocities::room() : 0);
        return arrays_.values() + workers_.size() * own + velocities_.values() + (blocks_ ? blocks_->values() : 0);
    }
    std::size_t tableBytes() const
    {
        return Base::tableBytes() + linkedRows_.size() * sizeof(linkedRows_[0]) + velocities_.bytes();
    }

    void advance(std::int64_t steps)
    {
        if constexpr (Base::mayHaveBlocks)
            if (blocks_) return blocks_->advance(steps, this->boundaryTable());
        this->prepare();
        arrays_.next = this->factors(this->parameters_.omega);
        const WindowPlan<L>& plan = arrays_.plan;
        TeamBarrier team;
#pragma omp parallel num_threads(int(workers_.size()))
        for (std::int64_t s = 0; s < steps; ++s) {
#pragma omp for schedule(static) nowait
            for (std::size_t i = 0; i < plan.ahead().size(); ++i) arrays_.makeAhead(i);
            if (found_.any()) keepVelocities();
            team.wait();
#pragma omp for schedule(static, 1) nowait
            for (int k = 0; k < plan.ranges(); ++k)
                for (std::int32_t t = plan.begin(k); t < plan.begin(k + 1); ++t) update(workers_[k], t);
            team.wait([&] {
                this->now_ ^= 1;
                arrays_.now = arrays_.next;
            });
        }
    }

private:
    using Base::arrays_;
    using Base::blocks_;
    using Base::borders_;
    using Base::moments_;
    using Base::walls_;

    struct Worker {
        Sweep sweep;
        LaneMask<T> sending[Move::rows];
        typename Walls::Room room;
        std::optional<Velocities> velocities; // where their gradient is asked for
    };

    // How many of a tile's rows, in order, are worked on.
    struct Progress {
        int plain, walled, curved, bordered, listed;
    };

    // Each thread of a team its share.
    void keepVelocities()
    {
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < velocities_.ahead().size(); ++i)
            Velocities::keepAhead(arrays_, velocities_, velocities_.ahead()[i], this->incompressible_);
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < velocities_.distant().size(); ++i)
            Velocities::keepDistant(arrays_, velocities_, i, this->incompressible_);
    }

    // Which rows of each layer have other links than to fluid and to resting walls, a bit each.
    void listLinkedRows()
    {
        static_assert(Layout::rows <= 32);
        linkedRows_.assign(std::size_t(this->geometry_.grid().stepped()) * Layout::layers, 0);
        for (std::int32_t t = 0; t < this->geometry_.grid().stepped(); ++t) {
            const Detail& d = this->detail(t);
            for (int k = d.walled; k < d.active; ++k)
                linkedRows_[linkedAt(t, d.order[k] / Layout::rows)] |= 1u << d.order[k] % Layout::rows;
        }
    }
    static std::size_t linkedAt(std::int32_t t, int layer) { return std::size_t(t) * Layout::layers + layer; }

    // Rows of a tile that send something, be it that it comes in from a row beside and leaves the tile at once.
    const LaneMask<T>* sendingRows(Worker& w, std::int32_t t, const Detail& d) const
    {
        if (this->geometry_.uniform(t)) return d.fluid;
        std::copy(std::begin(d.fluid), std::end(d.fluid), w.sending);
        for (const int n : {12, 14}) {
            const std::int32_t u = this->neighbours(t)[n];
            if (u == this->tiles()) continue;
            const Detail& beside = this->detail(u);
            for (int row = 0; row < Move::rows; ++row)
                w.sending[row] |= beside.fluid[row] >> (n == 12 ? line - 1 : 0) & 1;
        }
        return w.sending;
    }

    void update(Worker& w, std::int32_t t)
    {
        Sweep& s = w.sweep;
        const WindowPlan<L>& plan = arrays_.plan;
        s.lookAhead(arrays_, std::min(t + 1, plan.begin(plan.ranges()) - 1));
        for (const TileFace* f = plan.made(t); f != plan.made(t + 1); ++f) arrays_.make(*f, s.face(f->tile, f->face));
        const Detail& d = this->detail(t);
        const auto a = s.around(arrays_, this->neighbours(t), t);
        const LaneMask<T>* const sending = sendingRows(w, t, d);
        Progress done{0, d.plain, d.walled, d.curved, d.bordered};
        s.template fillLayer<true>(a.below, a.belowBefore, a.belowBehind);
        if (found_.any()) w.velocities->begin(arrays_, velocities_, this->neighbours(t), t, this->incompressible_);
        for (int layer = 0; layer < Layout::layers; ++layer) {
            expand(s, t, sending, a, layer);
            if (found_.any()) w.velocities->fill(layer);
            s.fillRim(layer, a.before, a.behind);
            if (L::D == 3 && plan.saves(t) >> 3 & 1) s.saveRim(layer, s.face(t, 3));
            if (layer > 0) collect(w, t, d, layer - 1, done);
        }
        if (plan.saves(t) >> Layout::above & 1) s.saveLayer(s.face(t, Layout::above));
        s.template fillLayer<false>(a.above, a.aboveBefore, a.aboveBehind);
        if (found_.any()) w.velocities->fillAbove();
        collect(w, t, d, Layout::layers - 1, done);
        if (!this->geometry_.openings().empty())
            this->imposeOpenings(t, d, found_.tau ? w.velocities->tau() : nullptr,
                                 found_.strain ? w.velocities->strain(0) : nullptr);
    }

    // Rows are fetched two layers or more before.
    static constexpr int layersAhead = std::max(2, 16 / Layout::rows);
    const T* layerAhead(std::int32_t t, int layer) const
    {
        const int n = layer + layersAhead;
        return arrays_.tile(t + n / Layout::layers) + n % Layout::layers * Layout::rows * line;
    }

    void expand(Sweep& s, std::int32_t t, const LaneMask<T>* sending, const typename Sweep::Around& a, int layer)
    {
        const int first = layer * Layout::rows;
        const auto& others = s.others();
        const int from = int(others.size()) * layer / Layout::layers,
                  to = int(others.size()) * (layer + 1) / Layout::layers;
        moments_.expand({arrays_.tile(t) + first * line,
                         sending + first,
                         first,
                         Layout::rows,
                         a.left,
                         a.right,
                         s.sent(t),
                         {s.layer(0, layer), s.layer(1, layer), s.layer(2, layer)},
                         layerAhead(t, layer),
                         others.data() + from,
                         to - from,
                         s.own(layer),
                         linkedRows_[linkedAt(t, layer)],
                         arrays_.now});
    }

    void collect(Worker& w, std::int32_t t, const Detail& d, int layer, Progress& done)
    {
        Sweep& s = w.sweep;
        const int first = layer * Layout::rows;
        LayerTarget<T> here{{s.layer(0, layer + 1), s.layer(1, layer), s.layer(2, layer - 1)},
                            arrays_.tile(t) + first * line,
                            first,
                            nullptr,
                            0,
                            d.fluid,
                            d.arrives[0],
                            s.own(layer),
                            arrays_.now};
        FieldRows<T> fields = this->fields(t);
        if (found_.tau) {
            w.velocities->rate(layer, d, this->parameters_.closure);
            fields.tau = w.velocities->tau();
        }
        if (found_.strain) {
            for (int k = 0; k < 3; ++k) here.velocity[k] = w.velocities->layer(layer + k - 1);
            for (int side = 0; side < 2; ++side) here.beside[side] = w.velocities->beside(layer, side);
            fields.strain = w.velocities->strain(layer) - first * line;
            fields.strainNodes = Velocities::layerNodes;
        }
        // The next rows of the order that are in this layer.
        const auto take = [&](int& from, int end) {
            here.row = d.order + from;
            here.n = 0;
            while (from < end && d.order[from] < first + Layout::rows) ++from, ++here.n;
            return here.n > 0;
        };
        const auto takeOthers = [&](int& from, int end) {
            if (!take(from, end)) return false;
            if (found_.strain) w.velocities->findStrain(layer, d, here.row, here.n);
            return true;
        };
        if (take(done.plain, d.plain)) moments_.collect(here, this->parameters_, fields);
        if (takeOthers(done.walled, d.walled)) moments_.collectWalled(here, this->parameters_, fields);
        if (linkedRows_[linkedAt(t, layer)] != 0) {
            bringLinks(w, t, layer);
            const auto collectLinked = [&](int& from, int end) {
                if (takeOthers(from, end)) moments_.collectLinked(here, this->parameters_, fields);
            };
            collectLinked(done.curved, d.curved);
            collectLinked(done.bordered, d.bordered);
            collectLinked(done.listed, d.active);
        }
        arrays_.keepLanes(t, first, first + Layout::rows, d.fluid);
        this->keep(1 - this->now_, t, layer, arrays_.next);
    }

    // What comes over links of a layer that lead to no fluid node and no resting wall.
    void bringLinks(Worker& w, std::int32_t t, int layer)
    {
        const CurvedLink<T>* const links = this->geometry_.curvedLinks();
        T* const window = w.sweep.window();
        const T* const values = borders_.kept().values(this->now_);
        if (walls_.any()) walls_.replace(t, layer, links, window, w.room);
        if (borders_.any()) borders_.replace(t, layer, this->boundaryTable(), values, arrays_.tile(t), window);
        if (!w.room.empty())
            walls_.mix(t, layer, links, window, w.room,
                       [&](std::int32_t distant) { return values[borders_.placeOfDistant(distant)]; });
    }

    FoundAround found_;
    std::vector<Worker> workers_;
    VelocityFaces<L, T, TileT> velocities_; // empty: nothing asks for them
    std::vector<std::uint32_t> linkedRows_; // by layer of each tile
};

} // namespace lbm
