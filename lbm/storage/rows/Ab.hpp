// ab: two lattices, push: values are read at their own node and written to the neighbours, through the
// caches. The plain pattern that the others are held against.
// Traffic per step: one read, one write and the write's allocation, 3 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/rows/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class Ab : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Move;
    static constexpr const char* name = "ab";
    static constexpr int copies = 2;

    Ab(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel), current_(this->allocate(threads)), next_(this->allocate(threads))
    {
        this->placeDistant([&](const DistantPopulation& distant) {
            return this->arrivalSlot(distant.tile, distant.local, distant.q);
        });
        this->distantValues_ = current_.data();
    }

    void update(std::int32_t tile, Buffer& buffer)
    {
        const Detail& d = this->detail(tile);
        const typename Move::Rows rows{d.order, d.active};
        Move::pick(current_.data() + Move::start(tile), rows, d, buffer.values);
        this->work(tile, d, rows, buffer, this->linesAhead(tile, current_.data()));
        Move::scatter(next_.data(), this->view(tile, next_.data()), d, this->geometry_.remotes(), rows, buffer.values);
    }

    void finishStep()
    {
        current_.swap(next_);
        this->distantValues_ = current_.data();
        this->now_ ^= 1;
    }

    T* values() { return current_.data(); }
    const T* values() const { return current_.data(); }
    LBM_INLINE std::size_t slot(std::int32_t tile, int local, int q) const { return this->arrivalSlot(tile, local, q); }
    void get(const TilePlace& place, double* g) const { this->getArrivals(place, current_.data(), g); }

private:
    HostArray<T> current_, next_;
};

} // namespace lbm
