// Sponge: nodes whose flow goes towards its own running mean in between steps, as before openings through which eddies leave:
//   rho -> rho - s (rho - <rho>),   j -> j - s (j - <j>),   s = 1 - exp(-most share),
// populations by the difference of the two equilibria, so that stresses stay what they are. Density and momentum alike, so that a wave
// of sound keeps its form and gets smaller alone (a layer that is matched: Bodony, J. Comput. Phys. 212, 2006, section 2). Means take
// `newest` of the flow at each time, before it goes towards them.
//
// A solver of one part on a GPU relaxes nodes there, where means lie in the precision of the lattice; all others, and where that
// memory is full, read and write populations by the host's threads. The same formulas, lbm/physics/SpongeNode.hpp.
//
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lbm {

class Sponge {
public:
    virtual ~Sponge() = default;

    static constexpr int meanValues = 4; // of a node: density - 1, momentum

    virtual std::size_t size() const = 0; // nodes
    virtual bool onDevice() const = 0;
    virtual std::string whyOnHost() const = 0; // beside a solver on a device; else empty

    // threads: of a host; 0: as OpenMP would. Returns what was seen while populations were read.
    virtual Extremes apply(double newest, double most, int threads) = 0;

    // Steps are so many times as long.
    virtual void convert(double longer) = 0;

    // Of n nodes from `first` on, and of all: [n][meanValues]; at first 0. Who is given them goes on bit for bit.
    virtual void means(std::size_t first, std::size_t n, double* values) const = 0;
    virtual void setMeans(const double* values) = 0;
};

// What a Solver is, too, that has sponges of its own way.
class HasSponges {
public:
    virtual ~HasSponges() = default;

    // Null: it has no room for this, and the host does it; why: the reason.
    virtual std::unique_ptr<Sponge> placeSponge(const std::vector<NodeIndex>& nodes, const std::vector<double>& shares,
                                                std::string& why) = 0;
};

// Sponges are not used once their solver is gone, but may be destroyed then. Throws std::invalid_argument unless there is one share,
// from 0 to 1, for each node; std::out_of_range for a node that is not fluid.
std::unique_ptr<Sponge> placeSponge(Solver&, const std::vector<NodeIndex>& nodes, const std::vector<double>& shares);

} // namespace lbm
