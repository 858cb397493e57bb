// PlainCompact: the compact update of a periodic box, groups one after another, one time step after another. It keeps the
// populations once and reads and writes each of them once a step. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Group.hpp"
#include "lbm/storage/papers/lrnla/ZOrder.hpp"

namespace lbm::lrnla {

template<class L, class S>
class PlainCompact {
public:
    // Throws std::invalid_argument where groups do not fill the box.
    explicit PlainCompact(const Place& size) : size_(size)
    {
        for (int n : size)
            if (n < 2 || n % 2 != 0) throw std::invalid_argument("Compact update: extents must be even, at least 2");
        cells_.resize(std::size_t(size[0]) * size[1] * size[2]);
    }

    // Population q that has arrived at node x, as the next collision will find it.
    S arrived(const Place& x, int q) const
    {
        const At at = find(x, q);
        return cells_[at.cell].f[at.link];
    }
    void setArrived(const Place& x, int q, S value)
    {
        const At at = find(x, q);
        cells_[at.cell].f[at.link] = value;
    }

    template<class Collide>
    void advance(int steps, const Collide& relax)
    {
        for (int s = 0; s < steps; ++s, ++steps_) {
            const int shift = steps_ & 1;
            for (int z = shift; z < size_[2] + shift; z += 2)
                for (int y = shift; y < size_[1] + shift; y += 2)
                    for (int x = shift; x < size_[0] + shift; x += 2) update({x, y, z}, relax);
        }
    }

private:
    struct At {
        std::size_t cell;
        int link;
    };

    At find(const Place& x, int q) const
    {
        int i = 0;
        for (int a = 0; a < 3; ++a) i |= int((x[a] + steps_) & 1) << a;
        const Kept kept = keptAs<L>(q, i, 0);
        Place y = x;
        for (int a = 0; a < 3; ++a)
            if ((i ^ kept.cell) >> a & 1) y[a] += i >> a & 1 ? -1 : 1;
        return {place(y), kept.link};
    }

    std::size_t place(const Place& x) const
    {
        std::size_t i = 0;
        for (int a = 2; a >= 0; --a) i = i * size_[a] + (x[a] + size_[a]) % size_[a];
        return i;
    }

    template<class Collide>
    void update(const Place& first, const Collide& relax)
    {
        Group<L, S> before;
        Cell<L, S>* cells[8];
        for (int i = 0; i < 8; ++i) {
            cells[i] = &cells_[place({first[0] + (i & 1), first[1] + (i >> 1 & 1), first[2] + (i >> 2)})];
            before.cell[i] = *cells[i];
        }
        fusedTier(before, relax, cells);
    }

    Place size_;
    std::vector<Cell<L, S>> cells_;
    std::int64_t steps_ = 0;
};

} // namespace lbm::lrnla
