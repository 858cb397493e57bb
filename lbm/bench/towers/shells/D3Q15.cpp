// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/ShellBox.hpp"
#include "lbm/storage/papers/lrnla/Shells.hpp"

namespace lbm::bench {
template class ShellBox<D3Q15, float>;
template class ShellBox<D3Q15, float, lrnla::HeteroReFold<D3Q15, float>>;
template class ShellBox<D3Q15, double>;
template class ShellBox<D3Q15, double, lrnla::HeteroReFold<D3Q15, double>>;
} // namespace lbm::bench
