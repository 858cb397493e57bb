// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceTowers.hpp"
#include "lbm/bench/towers/ShellBox.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"

#include <optional>

namespace lbm::bench {

// In shells/, one source each
extern template class ShellBox<D3Q19, float>;
extern template class ShellBox<D3Q19, float, lrnla::HeteroReFold<D3Q19, float>>;
extern template class ShellBox<D3Q19, double>;
extern template class ShellBox<D3Q19, double, lrnla::HeteroReFold<D3Q19, double>>;
#ifdef LBM_ALL_SHELLS
extern template class ShellBox<lrnla::D3Q7, float>;
extern template class ShellBox<lrnla::D3Q7, float, lrnla::HeteroReFold<lrnla::D3Q7, float>>;
extern template class ShellBox<lrnla::D3Q7, double>;
extern template class ShellBox<lrnla::D3Q7, double, lrnla::HeteroReFold<lrnla::D3Q7, double>>;
extern template class ShellBox<lrnla::D3Q9, float>;
extern template class ShellBox<lrnla::D3Q9, float, lrnla::HeteroReFold<lrnla::D3Q9, float>>;
extern template class ShellBox<lrnla::D3Q9, double>;
extern template class ShellBox<lrnla::D3Q9, double, lrnla::HeteroReFold<lrnla::D3Q9, double>>;
extern template class ShellBox<lrnla::D3Q13, float>;
extern template class ShellBox<lrnla::D3Q13, float, lrnla::HeteroReFold<lrnla::D3Q13, float>>;
extern template class ShellBox<lrnla::D3Q13, double>;
extern template class ShellBox<lrnla::D3Q13, double, lrnla::HeteroReFold<lrnla::D3Q13, double>>;
extern template class ShellBox<D3Q15, float>;
extern template class ShellBox<D3Q15, float, lrnla::HeteroReFold<D3Q15, float>>;
extern template class ShellBox<D3Q15, double>;
extern template class ShellBox<D3Q15, double, lrnla::HeteroReFold<D3Q15, double>>;
extern template class ShellBox<lrnla::D3Q21, float>;
extern template class ShellBox<lrnla::D3Q21, float, lrnla::HeteroReFold<lrnla::D3Q21, float>>;
extern template class ShellBox<lrnla::D3Q21, double>;
extern template class ShellBox<lrnla::D3Q21, double, lrnla::HeteroReFold<lrnla::D3Q21, double>>;
extern template class ShellBox<D3Q27, float>;
extern template class ShellBox<D3Q27, float, lrnla::HeteroReFold<D3Q27, float>>;
extern template class ShellBox<D3Q27, double>;
extern template class ShellBox<D3Q27, double, lrnla::HeteroReFold<D3Q27, double>>;
#endif

namespace {

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
    lrnla::visitBuiltShells([&]<class L>() {
        if (c.shell != L::name) return;
        if (c.precision == "float") result = visit.template operator()<L, float>();
        else result = visit.template operator()<L, double>();
    });
    if (!result) unknown("lattice", c.shell);
    return std::move(*result);
}

} // namespace

Int3 TowerCase::box() const
{
    if (!domain) return {size, size, size};
    Int3 n = domain->size;
    const int whole = 2 * fold;
    for (int a = 0; a < 3; ++a)
        if (!domain->periodic[a]) n[a] = (n[a] + whole) / whole * whole;
    return n;
}

bool TowerCase::hasWalls() const { return domain && fluidNodes() < double(box()[0]) * box()[1] * box()[2]; }

bool TowerCase::isSolid(const Int3& x) const
{
    if (!domain) return false;
    for (int a = 0; a < 3; ++a)
        if (x[a] >= domain->size[a]) return true;
    return !domain->fluid[domain->index(x[0], x[1], x[2])];
}

std::function<bool(const Int3&)> TowerCase::solid() const
{
    if (!hasWalls()) return {};
    return [own = *this](const Int3& x) { return own.isSolid(x); };
}

double TowerCase::fluidNodes() const { return domain ? double(domain->fluidNodes()) : double(size) * size * size; }

std::vector<Shell> shells()
{
    std::vector<Shell> all;
    lrnla::visitBuiltShells([&]<class L>() { all.push_back({L::name, L::Q, lrnla::solvesNavierStokes<L>}); });
    return all;
}

double towerBytes(const TowerCase& c)
{
    return visitBox(c, [&]<class L, class S>() -> double {
        if (!c.onHost()) return deviceTowerBytes(c);
        return lrnla::ReFold<L, lrnla::Octants<S>>::bytesFor(c.box(), c.stepsAtOnce);
    });
}

double tierMlups(const TowerCase& c, int threads)
{
    return visitBox(c, [&]<class L, class S>() { return ShellBox<L, S>::tierMlups(c, threads); });
}

std::unique_ptr<TowerBox> makeTowers(const TowerCase& c)
{
    return visitBox(c, [&]<class L, class S>() -> std::unique_ptr<TowerBox> {
        if (!c.onHost()) return makeDeviceTowers(c);
        if (!c.together) return std::make_unique<ShellBox<L, S>>(c, c.stepsAtOnce);
        const auto makeInner = [c](const lrnla::SharedBox& box) { return makeInnerFolds(c, box); };
        return std::make_unique<TogetherBox<L, S>>(c, makeInner);
    });
}

} // namespace lbm::bench
