// TowerHetero: towers on a CPU and a device together over their balance, n, beside what each may reach by itself (Levchenko &
// Perepelkina 2022, section 3.5, Figures 10 and 12). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <iosfwd>

namespace lbm::bench {

class Bandwidth;

// All threads of OpenMP; the options' precisions, repeats, scale and device.
void printHetero(std::ostream&, const Options&, Bandwidth&);

} // namespace lbm::bench
