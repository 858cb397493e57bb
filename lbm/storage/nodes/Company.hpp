// Company: which boundary nodes look at others or are looked at. All others complete their links by themselves, from what they
// have in hand. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/LinkKinds.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

// Of boundary states: whether links of others, or openings, look at them, or their own links at others. What a patch begins
// as decides, see Config::patches.
template<class L, class T, class TileT>
std::vector<std::uint8_t> statesInCompany(const TileGeometry<L, T, TileT>& geometry)
{
    std::vector<std::uint8_t> company(geometry.boundaryNodeCount(), 0);
    const auto isLookedAt = [&](std::int32_t state) {
        if (state >= 0) __atomic_store_n(&company[std::size_t(state)], std::uint8_t(1), __ATOMIC_RELAXED);
    };
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < geometry.boundaryShareCount(); ++i) isLookedAt(geometry.boundaryShares()[i].node);
    for (const OpeningNode& opening : geometry.openings()) {
        isLookedAt(opening.state);
        eachLookedAt(opening, isLookedAt);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < company.size(); ++i) {
        const BoundaryState& state = geometry.boundaryNodes()[i];
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
            if (needsDonor(BoundaryKind(geometry.boundaryLinks().made[k].kind))) company[i] = 1;
    }
    return company;
}

} // namespace lbm
