// PlainCompact: the compact update of a periodic box, groups one after another, one time step after another. It keeps the
// populations once and reads and writes each of them once a step. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/WallTier.hpp"

#include <functional>
#include <optional>

namespace lbm::lrnla {

template<class L, class S>
class PlainCompact {
public:
    // solid: nodes that are no fluid, if there are any, with walls at rest half-way to them. Throws std::invalid_argument where
    // groups do not fill the box.
    explicit PlainCompact(const Place& size, const std::function<bool(const Place&)>& solid = {}) : size_(size)
    {
        for (int n : size)
            if (n < 2 || n % 2 != 0) throw std::invalid_argument("Compact update: extents must be even, at least 2");
        cells_.resize(std::size_t(size[0]) * size[1] * size[2]);
        if (!solid) return;
        walls_.emplace(size, Ends::periodic, solid, [this](const Place& x) { return place(x); });
        turned_.resize(walls_->keptValues());
    }

    // Population q that has arrived at fluid node x, as the next collision will find it. Solid nodes have none.
    S arrived(const Place& x, int q) const { return *find(x, q); }
    void setArrived(const Place& x, int q, S value) { *const_cast<S*>(find(x, q)) = value; }

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
    const S* find(const Place& x, int q) const
    {
        int i = 0;
        for (int a = 0; a < 3; ++a) i |= int((x[a] + steps_) & 1) << a;
        const Kept kept = keptAs<L>(q, i, 0);
        if (walls_ && walls_->blockedLanes(x, i, kept.link)) {
            if (!goesByThird<L>(kept.link)) return &cells_[place(x)].f[kept.link];
            return &turned_[walls_->kept(place(x)).place(steps_ & 1 ? opposite(kept.link) : kept.link)];
        }
        Place y = x;
        for (int a = 0; a < 3; ++a)
            if ((i ^ kept.cell) >> a & 1) y[a] += i >> a & 1 ? -1 : 1;
        return &cells_[place(y)].f[kept.link];
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
        if (const WallRecord* met = walls_ ? walls_->at(walls_->number(first)) : nullptr)
            wallTier(*walls_, *met, before, relax, cells, turned_.data());
        else fusedTier(before, relax, cells);
    }

    Place size_;
    std::vector<Cell<L, S>> cells_;
    std::optional<GroupWalls<L>> walls_;
    std::vector<S> turned_; // what GroupWalls keeps beside the cells
    std::int64_t steps_ = 0;
};

} // namespace lbm::lrnla
