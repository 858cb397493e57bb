// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/scalar/ScalarSteps.hpp"

namespace lbm {

namespace {

constexpr int valuesOfFlow = 4;

// act(node, populations that arrive) of nodes that are no part of a run
template<int D, class R, class Act>
void edgeNode(const ScalarEdge& edge, const R* sent, const R* arrives, std::int32_t nodes, const Act& act)
{
    R g[1 + 2 * D];
    for (int q = 0; q < 1 + 2 * D; ++q) g[q] = cameFrom(edge.from[q], q, sent, arrives, nodes);
    act(edge.node, g);
}

template<int D, class R>
LBM_INLINE void collideAt(R (&g)[1 + 2 * D], const double* flow, const ScalarRates<R>& rates, R* next,
                          std::int32_t nodes, std::int32_t i)
{
    const double* velocity = flow + std::size_t(valuesOfFlow) * i + 1;
    collideAndSend<D>(g, velocity, rates, next, nodes, i);
}

} // namespace

template<int D, class R>
void ScalarSteps<D, R>::arrive(const std::vector<R>& sent, ScalarEnds<R>& ends, std::vector<double>& scalar) const
{
    const auto& runs = geometry.runs();
    const auto& edges = geometry.edges();
    const auto& slots = geometry.slots();
    const std::int32_t n = geometry.nodes();
    const R* from = sent.data();
    double* to = scalar.data();
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (std::size_t s = 0; s < slots.size(); ++s) ends.arrives[s] = broughtBy<D>(slots[s], ends.ends[s], from, n);
#pragma omp for schedule(static) nowait
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const ScalarRun run = runs[r];
#pragma omp simd
            for (std::int32_t i = run.begin; i < run.end; ++i) {
                R sum = from[i];
                for (int q = 1; q < Q; ++q) sum += from[std::size_t(q) * n + i + run.from[q]];
                to[i] = double(sum);
            }
        }
#pragma omp for schedule(static)
        for (std::size_t e = 0; e < edges.size(); ++e)
            edgeNode<D>(edges[e], from, ends.arrives.data(), n, [&](std::int32_t i, const R(&g)[Q]) {
                R sum = g[0];
                for (int q = 1; q < Q; ++q) sum += g[q];
                to[i] = double(sum);
            });
    }
}

template<int D, class R>
void ScalarSteps<D, R>::stream(const std::vector<R>& sent, const ScalarEnds<R>& ends, std::vector<R>& next) const
{
    const std::int32_t n = geometry.nodes();
    for (const ScalarRun& run : geometry.runs())
        for (int q = 0; q < Q; ++q)
            for (std::int32_t i = run.begin; i < run.end; ++i)
                next[std::size_t(q) * n + i] = sent[std::size_t(q) * n + i + run.from[q]];
    for (const ScalarEdge& edge : geometry.edges())
        edgeNode<D>(edge, sent.data(), ends.arrives.data(), n, [&](std::int32_t i, const R(&g)[Q]) {
            for (int q = 0; q < Q; ++q) next[std::size_t(q) * n + i] = g[q];
        });
}

template<int D, class R>
void ScalarSteps<D, R>::collide(const std::vector<R>& sent, const ScalarEnds<R>& ends, const double* flow,
                                const ScalarRatesOfNodes<R>& rates, std::vector<R>& next) const
{
    // Loops with one pair of rates for all nodes ask for none of a node's
    if (rates.diffusivity)
        collideWith(
            sent, ends, flow, [&](std::int32_t i) { return rates.at(i); }, next);
    else
        collideWith(
            sent, ends, flow, [all = rates.all](std::int32_t) { return all; }, next);
}

template<int D, class R>
template<class RatesAt>
void ScalarSteps<D, R>::collideWith(const std::vector<R>& sent, const ScalarEnds<R>& ends, const double* flow,
                                    const RatesAt& ratesAt, std::vector<R>& next) const
{
    const auto& runs = geometry.runs();
    const auto& edges = geometry.edges();
    const std::int32_t n = geometry.nodes();
    const R* from = sent.data();
    R* to = next.data();
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static) nowait
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const ScalarRun run = runs[r];
#pragma omp simd
            for (std::int32_t i = run.begin; i < run.end; ++i) {
                R g[Q];
                for (int q = 0; q < Q; ++q) g[q] = from[std::size_t(q) * n + i + run.from[q]];
                collideAt<D>(g, flow, ratesAt(i), to, n, i);
            }
        }
#pragma omp for schedule(static)
        for (std::size_t e = 0; e < edges.size(); ++e)
            edgeNode<D>(edges[e], from, ends.arrives.data(), n,
                        [&](std::int32_t i, R(&g)[Q]) { collideAt<D>(g, flow, ratesAt(i), to, n, i); });
    }
}

template struct ScalarSteps<2, double>;
template struct ScalarSteps<2, float>;
template struct ScalarSteps<3, double>;
template struct ScalarSteps<3, float>;

} // namespace lbm
