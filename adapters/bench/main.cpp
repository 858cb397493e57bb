// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceDomain.hpp"
#include "lbm/bench/benchMain.hpp"

int main(int argc, char** argv) { return lbm::bench::benchMain(argc, argv, {{"stl", lbm::surfaceDomain}}); }
