// WindingSide: the side of a surface on which places lie, for surfaces that are not closed, overlap, or
// repeat themselves; and the test whether a surface is of that kind.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"
#include "adapters/surface/Topology.hpp"
#include "adapters/surface/WindingScan.hpp"

namespace lbm::exact {

// Why the parity of crossings cannot tell the inside of this surface, or nothing if it can.
std::string whyNotParity(const TriangleMesh& mesh, const Topology& topology, const LatticeBox& box);

class WindingSide {
public:
    // Places are in node spacings from node (0,0,0) of the box.
    WindingSide(TriangleMesh mesh, const Topology& topology, const LatticeBox& box, int threads);
    WindingSide(const WindingSide&) = delete;
    WindingSide& operator=(const WindingSide&) = delete;

    bool inside(const Vec3& place) const { return tree_.inside(place); }
    const WindingTree& tree() const { return tree_; }

    // See WindingScan. device: of this tree, or null.
    KnownNodes nearSides(const DeviceWinding* device, const std::vector<Slab>& slabs, int threads,
                         std::int64_t& near) const;
    BitSet scan(KnownNodes near, const std::vector<Slab>& slabs, int threads, ScanCounts& counts) const;

    // Size of the winding number at each place, to a hundredth.
    std::vector<double> numbers(const std::vector<Vec3>& places) const;

    // Share of the way from a place with number a to one with number b at which it passes one half.
    static double crossing(double a, double b);

    // Whether a number is that of a place in a body, beyond doubt.
    static bool clearlyInside(double number);

    // Whether a wall between two places inside, with numbers a and b, lies between a body and its overlap
    // with another one, and so within the union of both.
    static bool united(double a, double b);

private:
    TriangleMesh mesh_;
    Surface surface_;
    WindingTree tree_;
};

} // namespace lbm::exact
