// BuiltShells: the velocity sets of Levchenko & Perepelkina 2022 that this build has towers of: D3Q19, or with LBM_ALL_SHELLS all
// of them. Each is minutes of a compiler's time for those who need none of them. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/Shells.hpp"

namespace lbm::lrnla {

// Calls visit.operator()<L>() for each, in order of Q.
template<class Visit>
void visitBuiltShells(Visit&& visit)
{
#ifdef LBM_ALL_SHELLS
    visitShells(visit);
#else
    visit.template operator()<D3Q19>();
#endif
}

} // namespace lbm::lrnla
