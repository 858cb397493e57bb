// Parameters of a collision, in lattice units, already turned into the rates that a node's update needs.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstddef>
#include <cstdint>

namespace lbm {

enum class RateKind : unsigned char { constant, smagorinsky, shearRate, node, wale, vreman, qr };

// Rates that storages find from the velocities around nodes (EddyViscosity.hpp).
LBM_HD constexpr bool isOfGradient(RateKind kind)
{
    return kind == RateKind::wale || kind == RateKind::vreman || kind == RateKind::qr;
}

// What nodes have been given from outside, where the step runs; null: nothing. Boundary nodes have theirs once more, as
// BoundaryTable numbers them, in front of those of the tiles: kernels are passed as few words as will do, for a GPU's
// registers depend on them.
template<class S>
struct NodeFields {
    const S* tau = nullptr;   // [tile][node]
    const S* force = nullptr; // [tile][component][node], see placeOfForce

    // What a storage finds of the velocities around nodes: [tile][component][node], components as placeOfStrain has them
    const S* strain = nullptr;

    static LBM_HD constexpr std::ptrdiff_t boundaryTau(std::int64_t i) { return -1 - i; }
    static LBM_HD constexpr std::ptrdiff_t boundaryForce(std::int64_t i) { return -3 * (i + 1); } // three components
};

// Where component a of a node's force lies, on a lattice of D dimensions.
template<int D>
LBM_HD constexpr std::size_t placeOfForce(std::size_t tile, int a, int local, int tileNodes)
{
    return (tile * D + a) * tileNodes + local;
}

// Components of a strain rate: xx, xy, (xz,) yy, (yz, zz), as of second moments.
template<int D>
constexpr int strainComponents = D*(D + 1) / 2;

template<int D>
LBM_HD constexpr std::size_t placeOfStrain(std::size_t tile, int k, int local, int tileNodes)
{
    return (tile * strainComponents<D> + k) * tileNodes + local;
}

// What a closure needs to know besides the node's own stress (see Closures.hpp).
template<class S>
struct ClosureData {
    RateKind kind = RateKind::constant;
    S tau = 1; // without the closure's share
    S magic = S(0.1875);
    S square = 0;                           // smagorinsky: Cs^2; of a gradient: EddyViscosity's constant
    S half = 0, halfSquare = 0, growth = 0; // ready for use: tau/2, its square, 9/sqrt(2) Cs^2
    S least = 0, most = 0;                  // shearRate: bounds of tau; eddies: least (tau - 1/2)/speed
    const S* ofStress = nullptr;            // shearRate: tables of tau (see RateTable.hpp), where the step runs
    const S* ofStrain = nullptr;
    S differences = 0; // share of the stress by differences of velocities (HybridRegularized.hpp)
    NodeFields<S> fields;
};

// S: what a value is stored as. W: what rates and forces are kept as, for one node or for as many as W has lanes.
template<class S, class W = S>
struct Parameters {
    using Rate = W;

    W omega{1};    // 1/tau: relaxes the shear stress, and everything even in TRT
    W omegaOdd{1}; // TRT and MRT: rate of the odd moments, from the magic parameter
    W force[3] = {W(0), W(0), W(0)};
    bool forced = false;
    ClosureData<S> closure;
};

// (1/omega+ - 1/2)(1/omega- - 1/2) = magic. Ginzburg, Verhaeghe & d'Humieres 2008.
template<class S>
Parameters<S> parameters(double tau, double magic, const double (&force)[3])
{
    Parameters<S> p;
    p.omega = S(1 / tau);
    p.omegaOdd = S(1 / (magic / (tau - 0.5) + 0.5));
    p.closure.tau = S(tau);
    p.closure.magic = S(magic);
    for (int a = 0; a < 3; ++a) {
        p.force[a] = S(force[a]);
        p.forced = p.forced || force[a] != 0;
    }
    return p;
}

} // namespace lbm
