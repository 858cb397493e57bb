// What storages that keep moments give as their own (Solver::getStored), as populations.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Storage.hpp"
#include "lbm/lattice/named.hpp"
#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/solver/RegistryTypes.hpp"
#include "lbm/storage/moments/gpu/MomentCode.hpp"

namespace lbm {

namespace {

// All ten moments of a node from those that are stored: GPUs leave out the last one, which the trace of the stress tells; integers
// of 16 bits are deviations from equilibrium.
template<class L, class Eq>
MomentSet<L, double> momentsFrom(const double* stored, const StoredState& state)
{
    using M = MomentSet<L, double>;
    M m;
    const bool integers = state.valueBytes == int(sizeof(Short));
    for (int k = 0; k < state.values; ++k) m.value[k] = integers ? stored[k] / shortScale<L>(k) : stored[k];
    if (integers) {
        constexpr int last = M::pi(L::D - 1, L::D - 1);
        m.value[last] = 0;
        m.value[last] = -traceOf(m);
        addEquilibrium<Eq>(m, 1.0);
    } else if (state.values < M::count) {
        completeTrace<Eq>(m);
    }
    return m;
}

template<class L, class Eq>
void expand(const StoredState& state, const NodeOfMoments& node, double tau, const double* stored, std::size_t n,
            double* populations)
{
    const FourthFactors<double> factors = node.factors(1 / tau);
    const bool whole = state.values >= MomentSet<L, double>::count;
#pragma omp parallel for schedule(static) if (n > 1000)
    for (std::size_t i = 0; i < n; ++i) {
        const double* own = stored + i * state.values;
        if (whole) node.populations(own, factors, populations + i * L::Q);
        else node.populations(momentsFrom<L, Eq>(own, state).value, factors, populations + i * L::Q);
    }
}

} // namespace

void populationsOfStored(const KernelRow& row, const double* stored, std::size_t n, double* populations, double tau)
{
    if (storageOf(row).stored == Stored::populations) {
        std::copy(stored, stored + n * latticeDirections(row.lattice).size(), populations);
        return;
    }
    const NodeOfMoments node = nodeOfMoments(row);
    if (!node.populations)
        throw UnknownKernel("this build has no kernel of collision " + row.collision + ", equilibrium "
                            + row.equilibrium + " on lattice " + row.lattice
                            + ", which says what moments of it stand for");
    withLattice(row.lattice, [&](auto l) {
        using L = decltype(l);
        if (row.equilibrium == Incompressible::name)
            expand<L, Incompressible>(storedState(row), node, tau, stored, n, populations);
        else expand<L, QuasiCompressible>(storedState(row), node, tau, stored, n, populations);
    });
}

} // namespace lbm
