// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/benchMain.hpp"

int main(int argc, char** argv) { return lbm::bench::benchMain(argc, argv); }
