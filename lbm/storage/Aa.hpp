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
        static constexpr auto opposites = Base::columns(true);
        const Detail& d = this->detail(tile);
        if (d.plain()) {
            // Walls need nothing here, and solid lanes, which nobody reads, may keep step: they hold rest.
            typename Move::PackLists here, soon;
            this->kernel_.own(this->view(tile, data_.data(), here), this->ahead(tile, data_.data(), soon),
                              opposites.data(), this->parameters_);
            return;
        }
        T* own = data_.data() + tile*tileSize;
        for (int z = 0; z < TileT::TZ; ++z) {
            const auto rows = Move::rowsOf(d, z);
            if (rows.n == 0) continue;
            Move::pick(own, rows, d, buffer.values);
            this->work(d, rows, buffer);
            Move::template put<true, false>(own, rows, buffer.values);
        }
    }

    void updateOdd(std::int32_t tile, Buffer& buffer)
    {
        T* data = data_.data();
        const Detail& d = this->detail(tile);
        if (this->byPacks(d)) {
            typename Move::PackLists lists, soon;
            auto here = this->view(tile, data, lists);
            if (!this->geometry_.uniform(tile)) Move::listWalls(d, lists, here);
            this->kernel_.exchange(here, this->ahead(tile, data, soon), nullptr, this->parameters_);
            return;
        }
        typename Move::PackLists lists;
        const auto around = this->view(tile, data, lists);
        for (int z = 0; z < TileT::TZ; ++z) {
            const auto rows = Move::rowsOf(d, z);
            if (rows.n == 0) continue;
            Move::template gather<true>(data, around, d, this->geometry_.remotes(), rows, buffer.values);
            this->work(d, rows, buffer);
            Move::scatter(data, around, d, this->geometry_.remotes(), rows, buffer.values);
        }
    }

    HostArray<T> data_;
    bool odd_ = false;
};

} // namespace lbm
