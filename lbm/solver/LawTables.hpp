// LawTables: what a wall law knows of its links once for all, and where it looks. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/WallLaw.hpp"
#include "lbm/physics/LawLink.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

// In which order the values of links are summed up side by side, the same everywhere.
struct LawSums {
    LawSums() = default;
    explicit LawSums(const std::vector<LawLink>&);

    std::vector<std::uint32_t> order; // links, side by side
    std::vector<std::vector<std::uint32_t>>
        levels; // where runs of the level before begin, and the last ends; of the last, one run a side
};

struct LawTables {
    // Throws as lbm::placeLaw.
    LawTables(const Solver&, const WallLawSetup&);

    spalding::Constants constants;
    std::vector<LawLink> links;
    std::vector<NodeIndex> nodes; // of the links
    NodeGroups sampled;           // velocities, a group a link
    bool incompressible;
    LawSums sums;
    std::vector<double> areas; // of each side, through it along normals, see SlipBalance
    double diagonal = 0;       // of the domain, in nodes

    LawPace pace(double steps, bool begun) const { return {steps, begun, wallLags::share(diagonal, steps)}; }
};

// What a side of a wall takes beyond what its slip does, behind each of the lags: mass per step, density 1.
struct LawLeak {
    double behind[wallLags::count] = {};
};

// All that a law takes from one update to the next, of WallLaw::state.
struct LawMemory {
    std::vector<LawState> states;
    std::vector<LawLeak> leaks; // of sides

    std::vector<double> values() const;
    static LawMemory of(const std::vector<double>& values, std::size_t links, std::size_t sides);
    void convert(double faster);
};
WallLaw::Report reportOf(const std::vector<LawLink>&, const std::vector<LawState>&,
                         const std::vector<std::uint8_t>& clipped, double viscosity);

// About what a set placed of such groups holds: so many, with so many terms in all.
std::size_t bytesOf(const NodeGroups&);
double sampledBytes(double groups, double terms);

// Where a link's value lies on a device, see CudaGeometry::toldOnDevice; -1: it has none such.
struct LawRecord {
    std::int32_t curved, gap, shadow;
};

// Of each link, besides what is sampled, its node and its wall's velocity.
constexpr std::size_t lawBytesOnHost = sizeof(LawLink) + sizeof(LawState) + sizeof(std::uint32_t) + sizeof(std::uint8_t)
    + sizeof(LinkValue) + std::size_t(valuesOf(Reading::flow)) * sizeof(double) + 2 * sizeof(double)
    + sizeof(std::uint32_t);
constexpr std::size_t lawBytesOnDevice = sizeof(LawLink) + sizeof(LawState) + sizeof(Vec3) + sizeof(LawRecord)
    + sizeof(std::uint8_t) + 2 * sizeof(double) + sizeof(std::uint32_t);

// A wall's velocities: none, or one a link.
void checkWall(const std::vector<Vec3>& velocities, std::size_t links);
void checkViscosity(double);

} // namespace lbm
