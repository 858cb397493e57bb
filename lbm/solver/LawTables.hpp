// LawTables: what a wall law knows of its links once for all, and where it looks. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/WallLaw.hpp"
#include "lbm/physics/LawLink.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace lbm {

// In which order the values of links are summed up by pieces of the wall, on hosts and devices.
struct LawSums {
    LawSums() = default;
    LawSums(const WallPieces&, std::size_t links);

    std::vector<std::uint32_t> order; // links, block by block
    // Where runs of links begin, and the last ends; then of such runs, the last time one a block
    std::vector<std::vector<std::uint32_t>> levels;
    std::vector<std::uint32_t> begin, terms; // of pieces, see law::sumOfPiece
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
    std::vector<std::array<std::uint32_t, 8>> corners; // of blocks, see WallPieces
    std::vector<double> areas;                         // of pieces, through the wall along normals, see SlipBalance
    double area = 0;                                   // of all
    double diagonal = 0;                               // of the domain, in nodes

    LawPace pace(double steps, bool begun) const { return {steps, begun, wallLags::share(diagonal, steps)}; }
};

// What a piece of a wall takes beyond what its slip does, behind each of the lags: mass per step, density 1.
struct LawLeak {
    double behind[wallLags::count] = {};
};

// All that a law takes from one update to the next, of WallLaw::state.
struct LawMemory {
    std::vector<LawState> states;
    std::vector<LawLeak> leaks; // of pieces

    std::vector<double> values() const;
    static LawMemory of(const std::vector<double>& values, std::size_t links, std::size_t pieces);
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

// Of each link, besides what is sampled, its node and its wall's velocity; eight sums of a run are counted as one of each link of it.
constexpr std::size_t lawBytesOnHost = sizeof(LawLink) + sizeof(LawState) + sizeof(std::uint32_t) + sizeof(std::uint8_t)
    + sizeof(LinkValue) + std::size_t(valuesOf(Reading::flow)) * sizeof(double) + 3 * sizeof(double)
    + sizeof(std::uint32_t);
constexpr std::size_t lawBytesOnDevice = sizeof(LawLink) + sizeof(LawState) + sizeof(Vec3) + sizeof(LawRecord)
    + sizeof(std::uint8_t) + 3 * sizeof(double) + sizeof(std::uint32_t);

// A wall's velocities: none, or one a link.
void checkWall(const std::vector<Vec3>& velocities, std::size_t links);
void checkViscosity(double);

} // namespace lbm
