// LatticeData: a lattice as plain run-time tables, for code that is not fast. Populations in lattice order.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace lbm::reference {

struct LatticeData {
    std::string name;
    int dimensions = 0;
    std::vector<std::array<int, 3>> c;
    std::vector<double> w;
    std::vector<int> opposite; // found by search, not from the order of the links

    int size() const { return int(c.size()); }
};

// Throws std::invalid_argument for a name that is not a lattice.
LatticeData latticeData(const std::string& name);

} // namespace lbm::reference
