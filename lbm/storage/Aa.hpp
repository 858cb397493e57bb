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
        return data_.data() + (odd_ ? tile*tileSize + Move::node(opposite(q), local) : this->arrivalSlot(tile, local, q));
    }

private:
    void updateEven(std::int32_t tile, Buffer& buffer)
    {
        T* own = data_.data() + tile*tileSize;
        if (this->geometry_.uniform(tile)) {
            this->template collide<true>(this->kernel_.cached, own, own, TileT::N, own + tileSize);
            return;
        }
        const auto& d = this->geometry_.detail(tile);
        if (d.plain()) {
            // Walls at rest need nothing here, and solid lanes, which nobody reads, may keep step: they hold rest.
            for (int b = 0; b < TileT::N/Move::block; ++b) {
                const int first = b*Move::block*L::Q;
                if (Move::blockHasFluid(d, b))
                    this->template collide<true>(this->kernel_.cached, own + first, own + first, Move::block,
                                                 own + tileSize + first);
            }
            return;
        }
        for (int z = 0; z < TileT::TZ; ++z) {
            const auto rows = Move::rowsOf(d, z);
            if (rows.n == 0) continue;
            Move::pick(own, rows, d, buffer.values);
            this->work(d, rows, buffer, own + tileSize + z*Move::layer*L::Q);
            Move::template put<true, false>(own, rows, buffer.values);
        }
    }

    void updateOdd(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const T* fetch = data + this->ahead(tile)*tileSize;
        Move::template fetchLayers<true>(data, this->neighbours(this->ahead(tile)));
        const typename Move::template Around<const T> from(data, this->neighbours(tile));
        const typename Move::template Around<T> to(data, this->neighbours(tile));
        if (this->geometry_.uniform(tile)) {
            for (int z = 0; z < TileT::TZ; ++z) {
                Move::template gatherLayer<true>(from, z, buffer.values);
                this->collide(this->kernel_.cached, buffer.values, buffer.values, Move::layer,
                              fetch + z*Move::layer*L::Q);
                Move::scatterLayer(to, z, buffer.values);
            }
            return;
        }
        const auto& d = this->geometry_.detail(tile);
        for (int z = 0; z < TileT::TZ; ++z) {
            const auto rows = Move::rowsOf(d, z);
            if (rows.n == 0) continue;
            Move::template gather<true>(data, from, d, this->geometry_.remotes(), rows, buffer.values);
            this->work(d, rows, buffer, fetch + z*Move::layer*L::Q);
            Move::scatter(data, to, d, this->geometry_.remotes(), rows, buffer.values);
        }
    }

    HostArray<T> data_;
    bool odd_ = false;
};

} // namespace lbm
