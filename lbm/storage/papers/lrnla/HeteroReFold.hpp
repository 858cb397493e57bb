// HeteroReFold: ReFold whose inner TorreFolds<n, n> somebody else climbs, while threads climb those at the ends, eight octants in a
// register: one pass, one order of fronts for both (Levchenko & Perepelkina 2022, section 2.6, where one waits for the other).
// Passes are of n steps; remainders, and all after an odd number of steps, are the threads' alone. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/InnerFolds.hpp"
#include "lbm/storage/papers/lrnla/ReFold.hpp"

#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

namespace lbm::lrnla {

template<class L, class S>
class HeteroReFold : public ReFold<L, Octants<S>> {
    using Base = ReFold<L, Octants<S>>;

public:
    // Throws std::invalid_argument where no TorreFold of n cells a side is an inner one.
    HeteroReFold(const Place& size, int n,
                 const std::function<std::unique_ptr<InnerFolds>(const SharedBox&)>& makeInner,
                 const std::function<bool(const Place&)>& solid = {}) :
        Base(size, n, n, solid), n_(n), blocks_(innerBlocks(this->cells(), n))
    {
        SharedBox box{this->cells(),
                      n,
                      this->tiles(),
                      this->farsh().data(),
                      this->tileCells() * sizeof(Cell<L, Octants<S>>),
                      this->farsh().size() * sizeof(Cell<L, Octants<S>>)};
        WallLists lists;
        if (this->walls()) {
            lists = wallLists(*this->walls(), this->order());
            box.walls = {&lists, this->turned(), this->walls()->keptValues() * sizeof(Octants<S>)};
            touch(box.walls.values, box.walls.valueBytes);
        }
        touch(box.tiles, box.tileBytes);
        touch(box.lines, box.lineBytes);
        inner_ = makeInner(box);
    }

    template<class Collide, class Team>
    void advance(std::int64_t steps, const Collide& relax, const Team& team)
    {
        for (; steps >= n_ && this->steps() % 2 == 0; steps -= n_) pass(relax, team);
        Base::advance(steps, relax, team);
    }

private:
    // By all threads: that decides where pages lie.
    static void touch(void* memory, std::size_t bytes)
    {
        constexpr std::size_t page = std::size_t(2) << 20;
#pragma omp parallel for schedule(static)
        for (std::size_t at = 0; at < bytes; at += page)
            std::memset(static_cast<char*>(memory) + at, 0, std::min(page, bytes - at));
    }

    template<class Collide, class Team>
    void pass(const Collide& relax, const Team& team)
    {
        TorreFolds folds(this->cells(), n_, 0, n_, team.threads, blocks_);
        std::exception_ptr fault;
        std::thread others([&] {
            try {
                inner_->climb(folds);
            } catch (...) {
                fault = std::current_exception();
            }
        });
        Base::climb(folds, n_, relax, team);
        others.join();
        if (fault) std::rethrow_exception(fault);
    }

    int n_;
    BlockRange blocks_;
    std::unique_ptr<InnerFolds> inner_;
};

} // namespace lbm::lrnla
