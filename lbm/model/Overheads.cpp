// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/Overheads.hpp"

namespace lbm::model {
namespace {

int nodes(const Int3& tile) { return tile[0] * tile[1] * tile[2]; }

// a of a tile of n nodes: what a cube of the same ratio of nodes to face has. Ghost buffers of a lattice are as many
// across each axis, so that their mean counts.
double edge(const SparseCase& c)
{
    double sum = 0;
    for (int a = 0; a < c.lattice.dimensions; ++a) sum += 1.0 / c.tile[a];
    return c.lattice.dimensions / sum;
}

double nodesWithHalo(const SparseCase& c)
{
    double n = 1;
    for (int a = 0; a < c.lattice.dimensions; ++a) n *= c.tile[a] + 2;
    return n;
}

double tileMemory(const SparseCase& c) { return nodes(c.tile) * c.tilePorosity * nodeMemory(c); }   // (18)
double tileTraffic(const SparseCase& c) { return nodes(c.tile) * c.tilePorosity * nodeTraffic(c); } // (19)

} // namespace

LatticeCounts countDirections(const std::vector<Int3>& directions)
{
    LatticeCounts n{2, int(directions.size()), 0, 0, 0};
    for (const Int3& c : directions) {
        const int crossed = (c[0] != 0) + (c[1] != 0) + (c[2] != 0);
        n.one += crossed == 1;
        n.two += crossed == 2;
        n.three += crossed == 3;
        if (c[2] != 0) n.dimensions = 3;
    }
    return n;
}

SparseCase sparseCase(const Tiling& tiling, const std::vector<Int3>& directions, const Sizes& sizes)
{
    return {countDirections(directions), tiling.extents,        sizes,         tiling.porosity(),
            tiling.tilePorosity(),       tiling.allOverFluid(), tiling.alphaM, tiling.alphaB};
}

double nodeMemory(const SparseCase& c) { return c.lattice.q * c.sizes.value; }
double nodeTraffic(const SparseCase& c) { return 2 * c.lattice.q * c.sizes.value; }

MemoryOverhead memoryOverhead(Method method, const SparseCase& c)
{
    const double node = nodeMemory(c), tile = tileMemory(c);
    const bool tiled = method == Method::twoCopies || method == Method::ghostBuffers;
    MemoryOverhead o;
    if (tiled) {
        o.solid = 1 / c.tilePorosity - 1;
        o.nodeTypes = c.sizes.nodeType / node / c.tilePorosity;
    }
    switch (method) {
        case Method::twoCopies:
            o.races = 1 / c.tilePorosity;
            o.addresses = c.allOverFluid * c.sizes.tileIndex / tile;
            break;
        case Method::ghostBuffers:
            o.races = c.lattice.ghostBuffersPerValue() * 2 * c.alphaM / (edge(c) * c.tilePorosity);
            o.addresses = c.lattice.ghostIndices() * c.sizes.ghostIndex / tile;
            break;
        case Method::fluidIndex: o.races = 1; [[fallthrough]];
        case Method::idealFluidIndex: o.addresses = c.sizes.nodeIndex / (c.porosity * node); break;
        case Method::connectivity: o.races = 1; [[fallthrough]];
        case Method::idealConnectivity: o.addresses = (c.lattice.q - 1) * c.sizes.nodeIndex / node; break;
        case Method::dense:
            o.solid = 1 / c.porosity - 1;
            o.races = 1 / c.porosity;
            break;
    }
    return o;
}

TrafficOverhead trafficOverhead(Method method, const SparseCase& c)
{
    const double node = nodeTraffic(c), tile = tileTraffic(c);
    const LatticeCounts& l = c.lattice;
    const bool tiled = method == Method::twoCopies || method == Method::ghostBuffers;
    TrafficOverhead o;
    if (tiled) {
        o.nodeTypes = nodesWithHalo(c) * c.sizes.nodeType / tile;
        o.solid = 1 / c.tilePorosity - 1;
    }
    switch (method) {
        case Method::twoCopies: o.addresses = (l.q - 1) * c.sizes.tileIndex / tile; break;
        case Method::ghostBuffers: {
            o.addresses = l.ghostIndices() * c.sizes.ghostIndex / tile;
            const double buffers = (l.ghostIndices() - l.corners()) * nodes(c.tile) / edge(c) * c.sizes.value;
            o.ghostBuffers = (buffers + l.corners() * c.sizes.transaction) / tile * c.alphaB;
            break;
        }
        case Method::fluidIndex: o.twice = 1; [[fallthrough]];
        case Method::idealFluidIndex: o.addresses = c.sizes.nodeIndex / (c.porosity * node); break;
        case Method::connectivity:
        case Method::idealConnectivity: o.addresses = (l.q - 1) * c.sizes.nodeIndex / node; break;
        case Method::dense: o.solid = 1 / c.porosity - 1; break;
    }
    return o;
}

double utilisation(double mlups, double bytesPerNode, double bandwidth)
{
    return 1e6 * mlups * bytesPerNode / bandwidth;
}

} // namespace lbm::model
