// ab: two lattices, push: values are read at their own node and written to the neighbours, through the
// caches. The plain pattern that the others are held against.
// Traffic per step: one read, one write and the write's allocation, 3 Q s bytes a node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class Ab : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Buffer;
    using typename Base::Move;
    using Base::N;
    using Base::tileSize;
    static constexpr const char* name = "ab";
    static constexpr int copies = 2;

    Ab(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads)
    :
        Base(domain, config, kernel), current_(this->allocate(threads)), next_(this->allocate(threads))
    {}

    void update(std::int32_t tile, Buffer& buffer)
    {
        const auto& nb = this->neighbours(tile);
        const T* own = current_.data() + tile*tileSize;
        T* to = next_.data();
        if (this->geometry_.uniform(tile)) {
            const T* source[L::Q];
            T* target[L::Q];
            for (int q = 0; q < L::Q; ++q) {
                source[q] = own + q*N;
                target[q] = buffer.column(q);
            }
            this->kernel_.cached(source, target, N, this->parameters_, 0);
            Move::scatterUniform(to, nb, buffer.values);
            return;
        }
        const auto& d = this->geometry_.detail(tile);
        const auto rows = Move::rowsOf(d);
        Move::pick(own, rows, d, buffer.values);
        this->work(d, rows, buffer);
        Move::scatter(to, tile, nb, d, this->geometry_.remotes(), rows, buffer.values);
    }

    void finishStep() { current_.swap(next_); }

    T* slot(std::int32_t tile, int local, int q) { return current_.data() + this->arrivalSlot(tile, local, q); }

private:
    HostArray<T> current_, next_;
};

} // namespace lbm
