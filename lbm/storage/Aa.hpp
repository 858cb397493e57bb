// aa: one lattice, in place. The even step reads and writes a node's own slots, leaving each population
// in the slot of the opposite link; the odd step reads and writes the neighbours' slots, leaving each
// where it arrives. A node writes the slots that it has read and no others, so that tiles need no order.
// Bailey, Myre, Walsh, Lilja & Saar 2009. Traffic per step: one read and one write, 2 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class Aa : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Lines;
    using typename Base::Move;
    using Base::tileSize;
    static constexpr const char* name = "aa";
    static constexpr int copies = 1;

    Aa(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads)
    :
        Base(domain, config, kernel), data_(this->allocate(threads))
    {}

    void update(std::int32_t tile, Buffer& buffer) { odd_ ? updateOdd(tile, buffer) : updateEven(tile, buffer); }

    void finishStep()
    {
        odd_ = !odd_;
        this->now_ ^= 1;
    }

    T* slot(std::int32_t tile, int local, int q)
    {
        const std::size_t own = tile*tileSize + Move::node(opposite(q), local);
        return data_.data() + (odd_ ? own : this->arrivalSlot(tile, local, q));
    }

private:
    void updateEven(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const Detail& d = this->detail(tile);
        const Lines soon = this->linesAhead(tile, data);
        // Walls need nothing here, and solid lanes, which nobody reads, may keep step: they hold rest.
        const int moved = this->movedByCollision(d);
        if (moved) this->template collide<true>(this->lines(tile, data, moved), soon);
        const auto rows = this->otherRows(d);
        if (rows.n == 0) return;
        T* own = data + tile*tileSize;
        Move::pick(own, rows, d, buffer.values);
        this->work(d, rows, buffer, moved ? Lines() : soon);
        Move::template put<true, false>(own, rows, buffer.values);
    }

    void updateOdd(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const Detail& d = this->detail(tile);
        const TileView<T> here = this->view(tile, data);
        if (here.n) this->kernel_.exchange(here, this->viewAhead(tile, data), nullptr, this->parameters_);
        const auto rows = this->otherRows(d);
        if (rows.n == 0) return;
        Move::template gather<true>(data, here, d, this->geometry_.remotes(), rows, buffer.values);
        this->work(d, rows, buffer, here.n ? Lines() : this->linesAhead(tile, data));
        Move::scatter(data, here, d, this->geometry_.remotes(), rows, buffer.values);
    }

    HostArray<T> data_;
    bool odd_ = false;
};

} // namespace lbm
