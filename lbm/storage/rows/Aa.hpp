// aa: one lattice, in place. The even step reads and writes a node's own slots, leaving each population
// in the slot of the opposite link; the odd step reads and writes the neighbours' slots, leaving each
// where it arrives. A node writes the slots that it has read and no others, so that tiles need no order.
// Bailey, Myre, Walsh, Lilja & Saar 2009. Traffic per step: one read and one write, 2 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/rows/PopulationBlocks.hpp"
#include "lbm/storage/rows/TiledStorage.hpp"

#include <numeric>

namespace lbm {

template<class L, class T, class TileT>
class Aa : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Lines;
    using typename Base::Move;
    static constexpr const char* name = "aa";
    static constexpr int copies = 1;

    Aa(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel),
        blocks_(PopulationBlocks<L, T>::make(domain, config, kernel.rows, threads, this->geometry_)),
        threads_(threads)
    {
        if (!blocks_) data_ = this->allocate(threads);
        this->curvedRows_ = {this->geometry_, Streaming::inPlace};
        this->borderRows_ = {Streaming::inPlace, this->incompressible_};
        listDistant();
    }

    // Several steps a pass (PopulationBlocks.hpp); false: they have to be made one by one.
    bool advanceBlocks(std::int64_t steps)
    {
        if (!blocks_) return false;
        blocks_->advance(steps, this->boundaryTable());
        if (steps & 1) finishStep();
        return true;
    }

    int stepsOfPass() const { return blocks_ ? blocks_->stepsOfPass() : 1; }
    std::size_t storedValues() const { return blocks_ ? blocks_->rows().values() : Base::storedValues(); }
    std::size_t tableBytes() const { return Base::tableBytes() + (blocks_ ? blocks_->tableBytes() : 0); }

    void setBoundary(int patch, const LinkValue* values, std::size_t n)
    {
        Base::setBoundary(patch, values, n); // throws what cannot be
        if (n > 0 && blocks_ && !blocks_->setPatch(patch, values, n)) leaveBlocks();
    }

    void prepare()
    {
        this->listBorders([&](std::int32_t tile, int local, int q) { return data_.data()[slot(tile, local, q)]; });
    }

    void update(std::int32_t tile, Buffer& buffer)
    {
        odd_ ? updateOdd(tile, buffer) : updateEven(tile, buffer);
        keepDistant(tile);
    }

    void finishStep()
    {
        odd_ = !odd_;
        this->now_ ^= 1; // as odd_
        this->distantValues_ = kept_[this->now_].data();
    }

    void remember(const TilePlace& place, const double* g)
    {
        Base::remember(place, g);
        if (firstDistant_.empty()) return;
        for (std::uint32_t i = firstDistant_[place.tile]; i < firstDistant_[place.tile + 1]; ++i) {
            if (int((slots_[i].own - Move::start(place.tile)) % Move::stride) == place.local)
                kept_[this->now_][i] = data_.data()[odd_ ? slots_[i].own : slots_[i].arrival];
        }
    }

    T* values() { return blocks_ ? blocks_->rows().data() : data_.data(); }
    const T* values() const { return blocks_ ? blocks_->rows().data() : data_.data(); }
    static constexpr int phases = 2;
    int phase() const { return odd_; }
    LBM_INLINE std::size_t slot(std::int32_t tile, int local, int q) const
    {
        if (blocks_) return blocks_->rows().slot(this->geometry_.coordinates({tile, local}), q, odd_);
        return odd_ ? Move::start(tile) + Move::node(opposite(q), local) : this->arrivalSlot(tile, local, q);
    }

    // A node's populations: [Q].
    void get(const TilePlace& place, double* g) const
    {
        if (blocks_)
            for (int q = 0; q < L::Q; ++q) g[q] = double(values()[slot(place.tile, place.local, q)]);
        else if (odd_) {
            const T* own = data_.data() + Move::start(place.tile) + place.local;
            for (int q = 0; q < L::Q; ++q) g[q] = double(own[Move::node(opposite(q), 0)]);
        } else this->getArrivals(place, data_.data(), g);
    }

private:
    // Steps one by one from here on.
    void leaveBlocks()
    {
        const std::unique_ptr<PopulationBlocks<L, T>> blocks = std::move(blocks_);
        data_ = this->allocate(threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < this->tiles(); ++t)
            for (int local = 0; local < TileT::N; ++local) {
                if (!this->detail(t).isFluid(local)) continue;
                double g[L::Q];
                const Int3 x = this->geometry_.coordinates({t, local});
                for (int q = 0; q < L::Q; ++q) {
                    const T value = blocks->rows().data()[blocks->rows().slot(x, q, odd_)];
                    data_.data()[slot(t, local, q)] = value;
                    g[q] = double(value);
                }
                remember({t, local}, g);
            }
    }

    void updateEven(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const Detail& d = this->detail(tile);
        const Lines ahead = this->linesAhead(tile, data);
        // Walls need nothing here, and solid lanes, which nobody reads, may keep step: they hold rest.
        const int moved = this->movedByCollision(d);
        T* own = data + Move::start(tile);
        const bool curved = this->curvedRows_.any(tile), border = this->borderRows_.any(tile);
        if (border) this->borderRows_.replace(tile, this->boundaryTable(), own);
        if (curved) interpolate<false>(tile, own, nullptr);
        if (moved) this->template collide<true>(this->lines(tile, data, moved), ahead, this->fieldsOfLines(tile, d));
        if (curved) this->curvedRows_.template keep<false>(tile, own, nullptr);
        const auto rows = this->otherRows(d);
        if (rows.n != 0) {
            Move::pick(own, rows, d, buffer.values);
            this->work(tile, d, rows, buffer, moved ? Lines() : ahead);
            Move::template put<true, false>(own, rows, buffer.values);
        }
        if (border)
            this->borderRows_.keep(tile, this->geometry_, 1 - this->now_, own,
                                   [&](int local, auto q) { return own[Move::node(opposite(q), local)]; });
    }

    void updateOdd(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const Detail& d = this->detail(tile);
        const TileView<T> here = this->view(tile, data);
        const bool curved = this->curvedRows_.any(tile), border = this->borderRows_.any(tile);
        if (border) this->borderRows_.replace(tile, this->boundaryTable(), here.tile[13]);
        if (curved) interpolate<true>(tile, here.tile[13], here.tile);
        if (here.n)
            this->kernel_.inPlace(here, this->viewAhead(tile, data), nullptr, this->parameters_, this->fields(tile));
        if (curved) this->curvedRows_.template keep<true>(tile, here.tile[13], here.tile);
        const auto rows = this->otherRows(d);
        if (rows.n != 0) {
            Move::template gather<true>(data, here, d, this->geometry_.remotes(), rows, buffer.values);
            this->work(tile, d, rows, buffer, here.n ? Lines() : this->linesAhead(tile, data));
            Move::scatter(data, here, d, this->geometry_.remotes(), rows, buffer.values);
        }
        if (border)
            this->borderRows_.keep(tile, this->geometry_, 1 - this->now_, here.tile[13],
                                   [&](int local, auto q) { return sent(d, here.tile, local, q); });
    }

    // Where a node's population lies after an odd step; not over remote links.
    template<class Q>
    static LBM_INLINE T sent(const Detail& d, T* const* around, int local, Q q)
    {
        constexpr int back = opposite(Q::value);
        if (q != 0 && !d.arrivesAt(local, back)) return around[13][Move::node(back, local)];
        const auto to = Base::ways[local][q];
        return around[to.tile][to.value];
    }

    template<bool odd>
    void interpolate(std::int32_t tile, T* own, T* const* around) const
    {
        this->curvedRows_.template replace<odd>(tile, this->geometry_.curvedLinks(), own, around,
                                                [&](std::int32_t distant) { return this->distantValue(distant); });
    }

    // Populations that curved links of other nodes draw on are overwritten by the time these are worked on: copies of
    // them, two as of boundary nodes' states, are kept in the order of the tiles that they come from.
    struct DistantSlots {
        std::size_t own, arrival; // after an even and after an odd step
    };

    void listDistant()
    {
        const auto& distant = this->geometry_.distant();
        if (distant.empty()) return;
        firstDistant_.assign(this->geometry_.grid().tiles() + 1, 0);
        for (const DistantPopulation& one : distant) ++firstDistant_[one.tile + 1];
        std::partial_sum(firstDistant_.begin(), firstDistant_.end(), firstDistant_.begin());
        slots_.resize(distant.size());
        std::vector<std::uint32_t> next(firstDistant_.begin(), firstDistant_.end() - 1);
        this->placeDistant([&](const DistantPopulation& one) {
            const std::size_t place = next[one.tile]++;
            slots_[place] = {Move::start(one.tile) + Move::node(opposite(one.q), one.local),
                             this->arrivalSlot(one.tile, one.local, one.q)};
            return place;
        });
        for (auto& copy : kept_) copy.assign(distant.size(), T(0));
        this->distantValues_ = kept_[0].data();
    }

    // Of a tile that this step has updated.
    void keepDistant(std::int32_t tile)
    {
        if (firstDistant_.empty()) return;
        const T* data = data_.data();
        T* kept = kept_[1 - this->now_].data();
        for (std::uint32_t i = firstDistant_[tile]; i < firstDistant_[tile + 1]; ++i)
            kept[i] = data[odd_ ? slots_[i].arrival : slots_[i].own];
    }

    std::unique_ptr<PopulationBlocks<L, T>> blocks_; // has the populations, if there is one
    int threads_;
    HostArray<T> data_;
    bool odd_ = false;
    std::vector<std::uint32_t> firstDistant_; // by tile; empty: no link draws on any
    std::vector<DistantSlots> slots_;
    std::vector<T> kept_[2];
};

} // namespace lbm
