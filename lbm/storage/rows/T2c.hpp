// t2c: tiles with two copies; values are gathered from the neighbours' last state and stored at their own
// node, past the caches. Section 3 of Tomczak & Szafran 2019.
// Traffic per step: one read and one write of a tile, 2 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

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
    using Base::tileSize;
    static constexpr const char* name = "t2c";
    static constexpr int copies = 2;

    T2c(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel), current_(this->allocate(threads)), next_(this->allocate(threads))
    {
        this->curvedRows_ = {this->geometry_, Streaming::pull};
        this->placeDistant([](const DistantPopulation& distant) {
            return distant.tile * tileSize + Move::node(distant.q, distant.local);
        });
        this->distantValues_ = current_.data();
    }

    void update(std::int32_t tile, Buffer& buffer)
    {
        T* from = current_.data();
        T* own = next_.data() + tile * tileSize;
        const Detail& d = this->detail(tile);
        TileView<T> here = this->view(tile, from);
        if (this->curvedRows_.any(tile)) {
            here.reflects = buffer.values;
            this->curvedRows_.reflect(tile, this->geometry_.curvedLinks(), here.tile, buffer.values,
                                      [&](std::int32_t distant) { return this->distantValue(distant); });
        }
        if (here.n) this->kernel_.pull(here, this->viewAhead(tile, from), own, this->parameters_, this->fields(tile));
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

    T* values() { return current_.data(); }
    const T* values() const { return current_.data(); }
    LBM_INLINE std::size_t slot(std::int32_t tile, int local, int q) const
    {
        return tile * tileSize + Move::node(q, local);
    }

private:
    HostArray<T> current_, next_;
};

} // namespace lbm
