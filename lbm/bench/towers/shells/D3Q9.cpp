// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/ShellBox.hpp"
#include "lbm/storage/papers/lrnla/Shells.hpp"

namespace lbm::bench {
template class ShellBox<lrnla::D3Q9, float>;
template class ShellBox<lrnla::D3Q9, float, lrnla::HeteroReFold<lrnla::D3Q9, float>>;
template class ShellBox<lrnla::D3Q9, double>;
template class ShellBox<lrnla::D3Q9, double, lrnla::HeteroReFold<lrnla::D3Q9, double>>;
} // namespace lbm::bench
