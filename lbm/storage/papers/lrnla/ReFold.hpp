// ReFold: a box that advances NT steps a pass by towers. With R = Octants<S> it is periodic and folded along each axis; with
// R = S its ends are planes of symmetry. Any number of steps: the last pass of them is as short as it has to be, and after an
// odd number groups begin at the other cells. Levchenko & Perepelkina 2022. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/ConeTorre.hpp"
#include "lbm/storage/papers/lrnla/Folding.hpp"
#include "lbm/storage/papers/lrnla/TorreFolds.hpp"

#include <functional>
#include <optional>

namespace lbm::lrnla {

// Threads of one pass. Others may be given to ReFold::advance: work is to be called once by each.
struct OpenMpTeam {
    int threads;

    template<class F>
    void operator()(F&& work) const
    {
#pragma omp parallel num_threads(threads)
        work();
    }
};

struct AloneTeam {
    static constexpr int threads = 1;

    template<class F>
    void operator()(F&& work) const
    {
        work();
    }
};

template<class L, class R>
class ReFold {
public:
    using Traits = OctantTraits<R>;
    using S = typename Traits::Scalar;
    static constexpr int folds = Traits::folds ? 2 : 1;

    // n: cells a side of a TorreFold; stepsAtOnce: NT; solid: nodes that are no fluid, if there are any, with walls at rest half-way
    // to them. Throws std::invalid_argument where blocks do not fill the (folded) box.
    ReFold(const Place& size, int n, int stepsAtOnce, const std::function<bool(const Place&)>& solid = {}) :
        folding_(size, folds),
        cells_(folding_.cells()),
        n_(n),
        most_(checked(stepsAtOnce)),
        order_(cells_, n),
        tiles_(order_.cells()),
        farsh_(cells_, n, most_)
    {
        if (!solid) return;
        walls_.emplace(size, Traits::folds ? Ends::folded : Ends::symmetric, solid, order_);
        turned_ = HostArray<R>(walls_->keptValues());
    }

    // Of tiles and Farsh; walls take what wallBytes() says once they are there.
    static double bytesFor(const Place& size, int stepsAtOnce)
    {
        const double x = double(size[0]) / folds, y = double(size[1]) / folds, z = double(size[2]) / folds;
        return (x * y * z + (x * y + x * z + y * z) * stepsAtOnce) * sizeof(Cell<L, R>);
    }

    double wallBytes() const { return walls_ ? double(walls_->bytes()) + double(walls_->keptValues()) * sizeof(R) : 0; }

    // Population q that has arrived at fluid node x, as the next collision will find it. Solid nodes have none.
    S arrived(const Place& x, int q) const
    {
        const At at = find(x, q);
        return Traits::lane(*at.value, at.lane);
    }
    void setArrived(const Place& x, int q, S value)
    {
        const At at = find(x, q);
        Traits::setLane(*const_cast<R*>(at.value), at.lane, value);
    }

    template<class Collide, class Team = AloneTeam>
    void advance(std::int64_t steps, const Collide& relax, const Team& team = {})
    {
        while (steps > 0) {
            const int now = int(std::min<std::int64_t>(steps, most_));
            TorreFolds folds(cells_, n_, int(steps_ & 1), now, team.threads);
            climb(folds, now, relax, team);
            steps -= now;
        }
    }

protected:
    // A pass of `now` steps, or the share of it that folds leave to this.
    template<class Collide, class Team>
    void climb(TorreFolds& folds, int now, const Collide& relax, const Team& team)
    {
        const Pass<L, R> pass{cells_, now, order_, tiles_.data(), farsh_, walls(), turned_.data()};
        team([&] {
            ConeTorre<L, R, Collide> torre(pass, relax);
            folds.work([&](const Place& base) { torre.climb(base); });
        });
        steps_ += now;
    }

    const Place& cells() const { return cells_; }
    std::int64_t steps() const { return steps_; }
    Cell<L, R>* tiles() { return tiles_.data(); }
    std::size_t tileCells() const { return order_.cells(); }
    Farsh<Cell<L, R>>& farsh() { return farsh_; }
    const ZOrder& order() const { return order_; }
    const GroupWalls<L>* walls() const { return walls_ ? &*walls_ : nullptr; }
    R* turned() { return turned_.data(); }

private:
    struct At {
        const R* value;
        int lane;
    };

    static int checked(int steps)
    {
        if (steps < 1) throw std::invalid_argument("LRnLA: towers need at least one step");
        return steps;
    }

    At find(const Place& x, int q) const
    {
        if (walls_)
            if (const R* value = turnedAt(folding_.home(x, steps_), q)) return {value, folding_.home(x, steps_).octant};
        const Folding::At at = folding_.find(x, steps_, [&](int i, int octant) { return keptAs<L>(q, i, octant); });
        return {&tiles_.data()[order_(at.cell)].f[at.link], at.octant};
    }

    // Where a wall has it kept that turns it round; null where none does.
    const R* turnedAt(const Folding::Home& h, int q) const
    {
        const int link = mirroredLink<L>(q, h.i ^ h.octant);
        if (!(walls_->blockedLanes(h.cell, h.i, link) >> h.octant & 1)) return nullptr;
        const std::size_t order = order_(h.cell);
        if (!goesByThird<L>(link)) return &tiles_.data()[order].f[link];
        return turned_.data() + walls_->kept(order).place(steps_ & 1 ? opposite(link) : link);
    }

    Folding folding_;
    Place cells_;
    int n_, most_;
    ZOrder order_;
    HostArray<Cell<L, R>> tiles_;
    Farsh<Cell<L, R>> farsh_;
    std::optional<GroupWalls<L>> walls_;
    HostArray<R> turned_; // what GroupWalls keeps beside the cells
    std::int64_t steps_ = 0;
};

} // namespace lbm::lrnla
