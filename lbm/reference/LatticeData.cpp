// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/LatticeData.hpp"

#include "lbm/lattice/Lattice.hpp"

#include <stdexcept>

namespace lbm::reference {
namespace {

template<class L>
LatticeData tables()
{
    LatticeData data;
    data.name = L::name;
    data.dimensions = L::D;
    for (int q = 0; q < L::Q; ++q) {
        data.c.push_back({L::c[q][0], L::c[q][1], L::c[q][2]});
        data.w.push_back(L::w[q]);
    }
    for (const auto& c : data.c)
        for (int q = 0; q < L::Q; ++q)
            if (data.c[q] == std::array<int, 3>{-c[0], -c[1], -c[2]}) data.opposite.push_back(q);
    return data;
}

} // namespace

LatticeData latticeData(const std::string& name)
{
    if (name == D2Q9::name) return tables<D2Q9>();
    if (name == D3Q15::name) return tables<D3Q15>();
    if (name == D3Q19::name) return tables<D3Q19>();
    if (name == D3Q27::name) return tables<D3Q27>();
    throw std::invalid_argument("lattice " + name + " is unknown to the reference");
}

} // namespace lbm::reference
