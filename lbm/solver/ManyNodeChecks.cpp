// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/ManyNodeChecks.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

// One thread is as fast as several.
constexpr std::size_t checkedByOneThread = 10000;

// The first of n that is bad, or n.
template<class Bad>
std::size_t firstBad(std::size_t n, const Bad& bad)
{
    std::size_t first = n;
#pragma omp parallel for schedule(static) reduction(min : first) if (n > checkedByOneThread)
    for (std::size_t i = 0; i < n; ++i)
        if (bad(i)) first = std::min(first, i);
    return first;
}

} // namespace

void checkNodeTaus(const Domain& domain, const std::vector<NodeIndex>& nodes, const double* tau, bool single)
{
    const std::size_t first = firstBad(nodes.size(), [&](std::size_t i) {
        return !std::isfinite(tau[i]) || !(tau[i] > 0.5) || (single && !(float(tau[i]) > 0.5f));
    });
    if (first < nodes.size()) checkNodeTau(tau[first], single, domain.coordinates(nodes[first]));
}

void checkNodeForces(const Domain& domain, const std::vector<NodeIndex>& nodes, const double* forces)
{
    const std::size_t first = firstBad(nodes.size(), [&](std::size_t i) {
        for (int a = 0; a < 3; ++a)
            if (!std::isfinite(forces[3 * i + std::size_t(a)])) return true;
        return false;
    });
    if (first < nodes.size()) checkNodeForce(forces + 3 * first, domain.coordinates(nodes[first]));
}

} // namespace lbm
