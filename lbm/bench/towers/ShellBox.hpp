// ShellBox: a box of one velocity set behind TowerBox. Who includes this compiles towers, minutes for all sets: shells/ has a source
// for each, and the others take what those have. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/inParallel.hpp"
#include "lbm/bench/towers/Stirred.hpp"
#include "lbm/bench/towers/TowerKernels.hpp"
#include "lbm/storage/papers/lrnla/HeteroReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace lbm::bench {

// Towers: ReFold, or HeteroReFold, whose constructor's last argument is `more`.
template<class L, class S, class Towers = lrnla::ReFold<L, lrnla::Octants<S>>>
class ShellBox : public TowerBox {
    using R = lrnla::Octants<S>;
    using Relax = lrnla::Relaxation<L, QuasiCompressible, S>;
    static constexpr double magic = 3.0 / 16;

    static Relax relaxation(const TowerCase& c)
    {
        return c.collision == "bgk" ? Relax::bgk(c.tau) : Relax::trt(c.tau, magic);
    }

public:
    template<class More>
    ShellBox(const TowerCase& c, const More& more) :
        case_(c), refold_(c.box(), c.fold, more, c.solid()), relax_(relaxation(c))
    {
#pragma omp parallel for schedule(static)
        for (int z = 0; z < c.box()[2]; ++z)
            for (int y = 0; y < c.box()[1]; ++y)
                for (int x = 0; x < c.box()[0]; ++x) stir({x, y, z});
    }

    void advance(std::int64_t steps, int threads) override
    {
        refold_.advance(steps, relax_, lrnla::OpenMpTeam{threads});
    }

    // What is not finite spreads by a node a step.
    bool finite() const override
    {
        const Int3 box = case_.box();
        for (int z = 0; z < box[2]; z += 2)
            for (int y = 0; y < box[1]; y += 2)
                for (int x = 0; x < box[0]; x += 2)
                    if (!case_.isSolid({x, y, z}) && !std::isfinite(refold_.arrived({x, y, z}, 0))) return false;
        return true;
    }

    double wallBytes() const override { return refold_.wallBytes(); }

    static double tierMlups(const TowerCase& c, int threads)
    {
        constexpr int tiers = 20000;
        const Relax relax = relaxation(c);
        double best = 0;
        TeamFault fault;
        for (int repeat = 0; repeat < 5; ++repeat) {
            const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads)
            fault.keep([&] { climbAlone(relax, tiers); });
            fault.rethrow();
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            best = std::max(best, 1e-6 * 64 * tiers * threads / seconds); // eight cells of eight octants
        }
        return best;
    }

private:
    // A group whose ends are planes of symmetry.
    static void climbAlone(const Relax& relax, int tiers)
    {
        lrnla::Group<L, R> group[2];
        for (int i = 0; i < 8; ++i)
            for (int q = 0; q < L::Q; ++q) group[0].cell[i].f[q] = R(S(0.001 * L::w[q] * (i + 1)));
        for (int tier = 0; tier < tiers; ++tier) {
            lrnla::Cell<L, R>* after[8];
            for (int i = 0; i < 8; ++i) after[i] = &group[~tier & 1].cell[i];
            lrnla::fusedTier(group[tier & 1], relax, after);
        }
        if (!std::isfinite(S(group[0].cell[0].f[0][0])))
            throw std::logic_error("LRnLA: a group by itself is not finite");
    }

    void stir(const lrnla::Place& x)
    {
        if (case_.isSolid(x)) return;
        S f[L::Q];
        Stirred<L, S>{case_.size}(x, f);
        for (int q = 0; q < L::Q; ++q) refold_.setArrived(x, q, f[q]);
    }

    TowerCase case_;
    Towers refold_;
    Relax relax_;
};

// A CPU and a device
template<class L, class S>
using TogetherBox = ShellBox<L, S, lrnla::HeteroReFold<L, S>>;

} // namespace lbm::bench
