// setScalarEnds: what a link was told, in the numbers that a step needs. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/scalar/ScalarPull.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

// Of the links of a patch, to where their slots are. Throws std::invalid_argument for another number of values than the patch has
// links (slots: theirs, -1: diagonal), or one that is none; then nothing is changed.
template<class R>
void setScalarEnds(const std::string& patch, const std::vector<std::int32_t>& slots, const std::vector<ScalarSlot>& all,
                   const ScalarLinkValue* values, std::size_t n, std::vector<ScalarEnd<R>>& ends)
{
    if (n != slots.size()) throw std::invalid_argument("a scalar's lattice: links of a patch");
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(values[i].value) || !std::isfinite(values[i].conductance) || values[i].conductance < 0)
            throw std::invalid_argument("a scalar's lattice: a value at patch " + patch
                                        + " is not finite, or a conductance below 0");
    for (std::size_t i = 0; i < n; ++i) {
        if (slots[i] < 0) continue;
        const std::size_t slot = std::size_t(slots[i]);
        R factor = 0;
        if (values[i].kind == ScalarKind::transfer) factor = R(values[i].conductance);
        else if (values[i].interpolated) factor = scalarShare(R(all[slot].fraction));
        ends[slot] = {values[i].kind, R(values[i].value), factor};
    }
}

} // namespace lbm
