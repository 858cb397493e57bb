// A lattice by its name: the one place where a word becomes a type. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"

#include <string_view>

namespace lbm {

// Calls use(L()) with the lattice of that name; false: there is none.
template<class Use>
bool withLattice(std::string_view name, Use&& use)
{
    const auto offer = [&](auto lattice) {
        if (name != decltype(lattice)::name) return false;
        use(lattice);
        return true;
    };
    return offer(D2Q9()) || offer(D3Q15()) || offer(D3Q19()) || offer(D3Q27());
}

} // namespace lbm
