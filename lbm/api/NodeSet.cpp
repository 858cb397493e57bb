// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/NodeSet.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/api/UnsetVector.hpp"

#include <algorithm>
#include <type_traits>

namespace lbm {

namespace {

// Bounds what a piece of a long list takes where the lattice is.
constexpr std::size_t pieceSize = std::size_t(1) << 20;

// f(set, first) for one piece after the other, once all are known to be fluid.
template<class F>
void inPieces(const Solver& solver, const NodeIndex* nodes, std::size_t n, F&& f)
{
    if (n > pieceSize) requireFluid(solver.domain(), nodes, n);
    for (std::size_t first = 0; first < n; first += pieceSize)
        f(*solver.place(nodes + first, std::min(pieceSize, n - first)), first);
}

} // namespace

void requireFluid(const Domain& domain, const NodeIndex* nodes, std::size_t n)
{
    bool bad = false;
#pragma omp parallel for schedule(static) reduction(|| : bad) if (n > 100000)
    for (std::size_t i = 0; i < n; ++i)
        bad = bad || nodes[i] < 0 || nodes[i] >= domain.nodes() || !domain.fluid[nodes[i]];
    if (bad) throw std::out_of_range("solver: a node that was asked for is not fluid");
}

void Solver::tellBoundary(int patch, std::size_t n, const TellLinks& tell)
{
    UnsetVector<LinkValue> values(n);
    if (n > 0) tell(0, n, values.data());
    setBoundary(patch, values.data(), n);
}

void Solver::initialise(const NodeIndex* nodes, std::size_t n, const Macroscopic* states)
{
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) { initialise(set, states + first); });
}

void Solver::sample(const NodeIndex* nodes, std::size_t n, Macroscopic* states) const
{
    static_assert(
        std::is_standard_layout_v<Macroscopic> && sizeof(Macroscopic) == valuesOf(Reading::state) * sizeof(double));
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) {
        sample(set, Reading::state, reinterpret_cast<double*>(states + first));
    });
}

void Solver::getPopulations(const NodeIndex* nodes, std::size_t n, double* populations) const
{
    inPieces(*this, nodes, n,
             [&](const NodeSet& set, std::size_t first) { getPopulations(set, populations + first * directions()); });
}

void Solver::setPopulations(const NodeIndex* nodes, std::size_t n, const double* populations)
{
    inPieces(*this, nodes, n,
             [&](const NodeSet& set, std::size_t first) { setPopulations(set, populations + first * directions()); });
}

void Solver::setRelaxationTimes(const NodeIndex* nodes, std::size_t n, const double* tau)
{
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) { setRelaxationTimes(set, tau + first); });
}

void Solver::setForces(const NodeIndex* nodes, std::size_t n, const double* forces)
{
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) { setForces(set, forces + 3 * first); });
}

void Solver::getStored(const NodeIndex* nodes, std::size_t n, double* values) const
{
    const std::size_t width = std::size_t(storedState(row()).values);
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) { getStored(set, values + first * width); });
}

void Solver::setStored(const NodeIndex* nodes, std::size_t n, const double* values)
{
    const std::size_t width = std::size_t(storedState(row()).values);
    inPieces(*this, nodes, n, [&](const NodeSet& set, std::size_t first) { setStored(set, values + first * width); });
}

} // namespace lbm
