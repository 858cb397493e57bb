// What a GPU does node by node, done by the host (see NodesOnHost.hpp): moments, the papers' storages, and nodes with rates of their own.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/papers/Dense.hpp"
#include "lbm/storage/papers/FluidLists.hpp"
#include "tests/equivalence/NodesOnHost.hpp"

namespace lbm::test {
namespace {

template<class L, class T, class Square, class Run>
void compareBaselines()
{
    compare<TgbPhases, L, T, Square>();
    compare<ConnectivityPhases, L, T, Run>();
    compare<FluidIndexPhases, L, T, Run>();
    compare<DenseAosPhases, L, T, Run>();
    compare<DenseFullPhases, L, T, Run>();
    compare<DenseTiledPhases, L, T, Square>();
}

} // namespace

// In double precision kernels of the CPU are built upon the same addresses.
TEST(Nodes, ofBaselines) { compareBaselines<D2Q9, float, Tile<16, 16, 1>, Tile<128, 1, 1>>(); }
TEST(Nodes, ofGhostsBeyondCorners) { compare<TgbPhases, D3Q27, double, Tile<4, 4, 4>>(); }
TEST(Nodes, ofMomentsInTwoDimensions)
{
    compareWith<MomentsByNode<D2Q9, double, Tile<32, 8, 1>, Regularized>, D2Q9, double>("regularized", 5e-16);
}
TEST(Nodes, ofMomentsInThreeDimensions)
{
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Regularized>, D3Q19, double>("regularized", 5e-16);
}
// Relaxation times by the velocities around nodes: roots and ratios of differences
TEST(Nodes, ofVelocityGradients)
{
    compareWith<MomentsByGradient<D2Q9, double, Tile<32, 8, 1>, Regularized>, D2Q9, double>("regularized", 5e-15);
    compareWith<MomentsByGradient<D3Q19, double, Tile<16, 8, 4>, Regularized>, D3Q19, double>("regularized", 5e-15);
}
// Strain rates likewise; and both
TEST(Nodes, ofStrainRates)
{
    using Hybrid = HybridRegularized;
    compareWith<MomentsByNode<D2Q9, double, Tile<32, 8, 1>, Hybrid>, D2Q9, double>("hybridRegularized", 1e-15);
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Hybrid>, D3Q19, double>("hybridRegularized", 1e-15);
    compareWith<MomentsByGradient<D3Q19, double, Tile<16, 8, 4>, Hybrid>, D3Q19, double>("hybridRegularized", 5e-15);
}
// Relaxation times and forces that nodes are told one by one
TEST(Nodes, ofTheirOwnRates)
{
    using Field = Closed<Trt, NodeField>;
    compare<AaPhases, D3Q19, double, Tile<32, 2, 2>, Field>();
    compare<PackedPhases, D2Q9, double, Tile<8, 8, 1>, Field>();
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Closed<Regularized, NodeField>>, D3Q19, double>(
        "regularized", 5e-16);
}

} // namespace lbm::test
