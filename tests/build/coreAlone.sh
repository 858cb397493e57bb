#!/bin/sh
# lbm/ needs nothing else of the repository: alone it is configured, and all that its sources include is found. What is made of it links
# nothing of OpenFOAM. (That it links by itself the test `exact` shows, which builds it so.)
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

mkdir tree
cp -R "$source/lbm" "$source/cmake" "$source/CMakeLists.txt" "$source/CMakePresets.json" tree
# One kernel is enough for the question and keeps the test short
row=$(awk '$1 == "D3Q19" && $2 == "cpu" { sub(/,.*/, "", $5); sub(/,.*/, "", $6); print; exit }' "$source/lbm/kernels.list")
printf '%s\n' 'equilibria D3Q19 incompressible' "$row" > tree/lbm/kernels.list
(cd tree && cmake --preset core -DBUILD_TESTING=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON) > log.cmake 2>&1 || { cat log.cmake; fail "configuring"; }
sed -nE 's/^ *"command": "(.*)",?$/\1/p' tree/build-core/compile_commands.json | sed 's/\\"/"/g' > commands
[ "$(wc -l < commands)" -gt 20 ] || fail "only $(wc -l < commands) sources: $(cat commands)"
sed -E 's/ -o [^ ]+ / -E -o \/dev\/null /' commands > preprocess
! grep -v ' -E -o /dev/null ' preprocess || fail "commands of another form"
cd tree/build-core
tr '\n' '\0' < ../../preprocess | xargs -0 -P 2 -I {} sh -c '{}' || fail "lbm/ includes what is not its own"

ldd "$build/bin/lbmBench" | awk '{ print $1 }' > libraries.txt
grep -q '^liblbmCore' libraries.txt || fail "lbmBench does not link the core"
# MPI comes with lbmRanks, where it is: lbmBench --ranks
! grep -iE 'openfoam|pstream|vtk' libraries.txt || fail "lbmBench links what it must not know"
ldd "$build/lib/liblbmCore.so" | awk '{ print $1 }' > libraries.txt
! grep -iE 'openfoam|pstream|mpi[.]|vtk|embree|boost' libraries.txt || fail "the core links what it must not know"
echo "$(wc -l < ../../commands) sources"
