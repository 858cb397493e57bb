// t2c: tiles with two copies; values are gathered from the neighbours' last state and stored at their own
// node, past the caches. Section 3 of Tomczak & Szafran 2019.
// Traffic per step: one read and one write of a tile, 2 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class T2c : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Detail;
    using typename Base::Move;
    using Base::tileSize;
    static constexpr const char* name = "t2c";
    static constexpr int copies = 2;

    T2c(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads)
    :
        Base(domain, config, kernel), current_(this->allocate(threads)), next_(this->allocate(threads))
    {}

    void update(std::int32_t tile, Buffer& buffer)
    {
        T* from = current_.data();
        T* own = next_.data() + tile*tileSize;
        const Detail& d = this->detail(tile);
        if (this->byPacks(d)) {
            typename Move::PackLists lists, soon;
            auto here = this->view(tile, from, lists);
            if (!this->geometry_.uniform(tile)) Move::listWalls(d, lists, here);
            this->kernel_.pull(here, this->ahead(tile, from, soon), own, this->parameters_);
            return;
        }
        typename Move::PackLists lists;
        const auto around = this->view(tile, from, lists);
        for (int z = 0; z < TileT::TZ; ++z) {
            const auto rows = Move::rowsOf(d, z);
            if (rows.n == 0) continue;
            Move::template gather<false>(from, around, d, this->geometry_.remotes(), rows, buffer.values);
            this->work(d, rows, buffer);
            Move::template put<false, true>(own, rows, buffer.values);
        }
    }

    void finishStep()
    {
        current_.swap(next_);
        this->now_ ^= 1;
    }

    T* slot(std::int32_t tile, int local, int q) { return current_.data() + tile*tileSize + Move::node(q, local); }

private:
    HostArray<T> current_, next_;
};

} // namespace lbm
