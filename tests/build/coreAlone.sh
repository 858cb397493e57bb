#!/bin/sh
# lbm/ builds with nothing else of the repository beside it, and links nothing of OpenFOAM.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

mkdir tree
cp -R "$source/lbm" "$source/cmake" "$source/CMakeLists.txt" "$source/CMakePresets.json" tree
# One line of kernels is enough for the question and keeps the test short
grep -m 1 '^D3Q19 ' "$source/lbm/kernels.list" > tree/lbm/kernels.list
cd tree
cmake --preset core -DBUILD_TESTING=OFF
cmake --build --preset core --parallel 2

bench=build-core/bin/lbmBench
"$bench" --list | grep -q D3Q19 || fail "lbmBench lists no D3Q19 kernel"
"$bench" --geometry cavity3D --size 16 --steps 4 --repeats 1 --threads 1
ldd "$bench" > libraries.txt
! grep -iE 'foam|mpi|vtk|embree|boost' libraries.txt || fail "the core links what it must not know"
