// Compiled for this machine's registers, as kernels are. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/TowerKernels.hpp"

#include "lbm/storage/papers/lrnla/ReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "lbm/storage/papers/lrnla/Shells.hpp"

#include <cmath>
#include <optional>

namespace lbm::bench {
namespace {

constexpr double magic = 3.0 / 16;

// Those of table 1, or what flows are computed with.
template<class Visit>
void visitBuilt(Visit&& visit)
{
#ifdef LBM_ALL_SHELLS
    lrnla::visitShells(visit);
#else
    visit.template operator()<D3Q19>();
#endif
}

template<class L, class S>
class Box : public TowerBox {
    using Relax = lrnla::Relaxation<L, QuasiCompressible, S>;

public:
    explicit Box(const TowerCase& c) :
        size_(c.size),
        refold_({c.size, c.size, c.size}, c.fold, c.stepsAtOnce),
        relax_(c.collision == "bgk" ? Relax::bgk(c.tau) : Relax::trt(c.tau, magic))
    {
#pragma omp parallel for schedule(static)
        for (int z = 0; z < size_; ++z)
            for (int y = 0; y < size_; ++y)
                for (int x = 0; x < size_; ++x) stir({x, y, z});
    }

    void advance(std::int64_t steps, int threads) override
    {
        refold_.advance(steps, relax_, lrnla::OpenMpTeam{threads});
    }

    // What is not finite spreads by a node a step.
    bool finite() const override
    {
        for (int z = 0; z < size_; z += 2)
            for (int y = 0; y < size_; y += 2)
                for (int x = 0; x < size_; x += 2)
                    if (!std::isfinite(refold_.arrived({x, y, z}, 0))) return false;
        return true;
    }

private:
    void stir(const lrnla::Place& x)
    {
        const double wave = 6.283185307179586 / size_;
        const double u[3] = {0.02 * std::sin(wave * x[1] + 1), 0.015 * std::sin(wave * x[0] + 2),
                             0.01 * std::cos(wave * (x[0] + x[1]))};
        const double r = 0.001 * std::cos(wave * (x[0] + 2 * x[1] + x[2]));
        double g[L::Q];
        equilibrium<L, QuasiCompressible>(r, u, g);
        for (int q = 0; q < L::Q; ++q) refold_.setArrived(x, q, S(g[q]));
    }

    int size_;
    lrnla::ReFold<L, lrnla::Octants<S>> refold_;
    Relax relax_;
};

// visit.operator()<L, S>() for what the case names.
template<class Visit>
auto visitBox(const TowerCase& c, Visit&& visit)
{
    const auto unknown = [](const std::string& what, const std::string& word) {
        throw std::invalid_argument("LRnLA: " + what + " '" + word + "' is not among its own");
    };
    if (c.collision != "bgk" && c.collision != "trt") unknown("collision", c.collision);
    if (c.precision != "float" && c.precision != "double") unknown("precision", c.precision);
    std::optional<decltype(visit.template operator()<D3Q19, double>())> result;
    visitBuilt([&]<class L>() {
        if (c.shell != L::name) return;
        if (c.precision == "float") result = visit.template operator()<L, float>();
        else result = visit.template operator()<L, double>();
    });
    if (!result) unknown("lattice", c.shell);
    return std::move(*result);
}

} // namespace

std::vector<Shell> shells()
{
    std::vector<Shell> all;
    visitBuilt([&]<class L>() { all.push_back({L::name, L::Q, lrnla::solvesNavierStokes<L>}); });
    return all;
}

double towerBytes(const TowerCase& c)
{
    return visitBox(c, [&]<class L, class S>() {
        return lrnla::ReFold<L, lrnla::Octants<S>>::bytesFor({c.size, c.size, c.size}, c.stepsAtOnce);
    });
}

std::unique_ptr<TowerBox> makeTowers(const TowerCase& c)
{
    return visitBox(c, [&]<class L, class S>() -> std::unique_ptr<TowerBox> { return std::make_unique<Box<L, S>>(c); });
}

} // namespace lbm::bench
