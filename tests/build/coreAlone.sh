#!/bin/sh
# lbm/ builds with nothing else of the repository beside it, and links nothing of OpenFOAM.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

mkdir tree
cp -R "$source/lbm" "$source/cmake" "$source/CMakeLists.txt" "$source/CMakePresets.json" tree
# One kernel is enough for the question and keeps the test short
row=$(awk '$1 == "D3Q19" && $2 == "cpu" { sub(/,.*/, "", $5); sub(/,.*/, "", $6); print; exit }' "$source/lbm/kernels.list")
printf '%s\n' 'equilibria D3Q19 incompressible' "$row" > tree/lbm/kernels.list
set -- $row
lattice=$1 precision=$3 storage=$5 collision=$6
cd tree
cmake --preset core -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug
cmake --build --preset core --parallel 2

bench=build-core/bin/lbmBench
"$bench" --list | grep -q D3Q19 || fail "lbmBench lists no D3Q19 kernel"
"$bench" --geometry cavity3D --size 16 --steps 4 --repeats 1 --threads 1 --lattice "$lattice" \
    --precision "$precision" --storage "$storage" --collision "$collision"
ldd "$bench" | awk '{ print $1 }' > libraries.txt
grep -q '^liblbmCore' libraries.txt || fail "lbmBench does not link the core"
# MPI comes with lbmRanks, where it is: lbmBench --ranks
! grep -iE 'openfoam|pstream|vtk|embree' libraries.txt || fail "lbmBench of the core alone links what it must not know"
ldd build-core/lib/liblbmCore.so | awk '{ print $1 }' > libraries.txt
! grep -iE 'openfoam|pstream|mpi[.]|vtk|embree|boost' libraries.txt || fail "the core links what it must not know"
