// t2c: tiles with two copies; values are gathered from the neighbours' last state and stored at their own
// node, past the caches. Section 3 of Tomczak & Szafran 2019.
// Traffic per step: one read and one write of a tile, 2 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/rows/ReflectedLines.hpp"
#include "lbm/storage/rows/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class T2c : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Lines;
    using typename Base::Move;
    static constexpr const char* name = "t2c";
    static constexpr int copies = 2;

    T2c(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel), current_(this->allocate(threads)), next_(this->allocate(threads))
    {
        this->curvedRows_ = {this->geometry_, Streaming::pull};
        this->borderRows_ = {Streaming::pull, this->incompressible_};
        reflectedLines_ = ReflectedLines<L, T, TileT>(this->geometry_);
        this->placeDistant([](const DistantPopulation& distant) {
            return Move::start(distant.tile) + Move::node(distant.q, distant.local);
        });
        this->distantValues_ = current_.data();
    }

    void prepare()
    {
        this->listBorders([&](std::int32_t tile, int local, int q) { return current_.data()[slot(tile, local, q)]; });
    }

    void update(std::int32_t tile, Buffer& buffer)
    {
        T* from = current_.data();
        T* own = next_.data() + Move::start(tile);
        const Detail& d = this->detail(tile);
        TileView<T> here = this->view(tile, from);
        reflect(tile, here, buffer.values);
        if (here.n) this->kernel_.pull(here, this->viewAhead(tile, from), own, this->parameters_, this->fields(tile));
        if (here.readAgain)
            this->borderRows_.keep(tile, this->geometry_, 1 - this->now_, own,
                                   [&](int local, auto q) { return own[Move::node(q, local)]; });
        const auto rows = this->otherRows(d);
        if (rows.n == 0) return;
        Move::template gather<false>(from, here, d, this->geometry_.remotes(), rows, buffer.values);
        this->work(tile, d, rows, buffer, here.n ? Lines() : this->linesAhead(tile, from));
        Move::template put<false, true>(own, rows, buffer.values);
    }

    void finishStep()
    {
        current_.swap(next_);
        this->distantValues_ = current_.data();
        this->now_ ^= 1;
    }

    std::size_t tableBytes() const { return Base::tableBytes() + reflectedLines_.bytes(); }

    T* values() { return current_.data(); }
    const T* values() const { return current_.data(); }
    LBM_INLINE std::size_t slot(std::int32_t tile, int local, int q) const
    {
        return Move::start(tile) + Move::node(q, local);
    }

private:
    // What rows reflect that have other links than to fluid and to resting walls.
    void reflect(std::int32_t tile, TileView<T>& here, T* target)
    {
        const bool curved = this->curvedRows_.any(tile), border = this->borderRows_.any(tile);
        if (!curved && !border) return;
        here.reflects = target;
        here.replaced = reflectedLines_.copy(tile, here.tile[13], target);
        T* around[28];
        std::copy(here.tile, here.tile + 27, around);
        around[27] = target;
        if (border) {
            here.readAgain = this->borderRows_.readAgain(tile, this->geometry_);
            this->borderRows_.reflect(tile, this->boundaryTable(), around, target);
        }
        if (curved)
            this->curvedRows_.reflect(tile, this->geometry_.curvedLinks(), around, target,
                                      [&](std::int32_t distant) { return this->distantValue(distant); });
    }

    HostArray<T> current_, next_;
    ReflectedLines<L, T, TileT> reflectedLines_;
};

} // namespace lbm
