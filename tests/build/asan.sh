#!/bin/sh
# The boundary engine (walls, openings, slip), parts, checkpoints and readers of dictionaries under the sanitizers of
# addresses and undefined behaviour, with a few kernels. Guards around what collisions keep in registers, and checks of
# their references, take the compiler minutes a source; both are left out: arrays of known length are checked by their
# bounds, all others by the heap's guards.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

cat > few.list <<'END'
equilibria D2Q9,D3Q15,D3Q19,D3Q27 incompressible+quasiCompressible
closures D2Q9 cpu double shearRate,nodeField trt
closures D2Q9 cpu double nodeField,smagorinsky regularized,hybridRegularized
closures D3Q19 cpu double nodeField trt
D2Q9   cpu  double  16x16x1  ab,aa,t2c  trt,regularized
D2Q9   cpu  double  8x32x1   moments    regularized,hybridRegularized
D3Q19  cpu  double  8x4x4    aa,t2c     trt
END
# Adapters need OpenFOAM; of ParaView nothing is tested here
foam=OFF targets=lbmBoundaryTests
if [ -x "$build/bin/lbmFoam" ]; then
    foam=ON targets="$targets lbmCheckpointTests lbmDictionaryTests"
fi
preset asan -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -fsanitize=address,undefined --param asan-stack=0 \
-fno-sanitize=null,alignment,object-size -fno-sanitize-recover=undefined -fno-omit-frame-pointer" \
    -DLBM_OPENFOAM=$foam -DCMAKE_DISABLE_FIND_PACKAGE_ParaView=ON \
    "-DOPENFOAM_SRC=$(sed -n 's/^OPENFOAM_SRC:PATH=//p' "$build/CMakeCache.txt")"
cmake --build build --parallel 2 --target $targets
# Without those whose size or many steps show nothing new of memory, and those of the reference in three dimensions
sharded lbmBoundaryTests "--gtest_filter=-*nothingDrifts*:*poiseuilleThrough*:*soundLeaves*:*streamThatTurns*:*pipesOfAny*:\
*SecondOrder*:*massDrifts*:*memoryGoesOn*:PartTiles.takeLittle*:PartTiles.leaveGhosts*:TileTables.*:*/BoundaryTest.*/D3*:\
*/ObliqueSlip.*/moments:*ObliqueSlip.isStable*:*takeTheirFriction*:*OpeningModes.*/1:*OpeningModes.*/2"
if [ $foam = ON ]; then
    sharded lbmCheckpointTests
    # OpenFOAM's own tables live as long as the process, and its lists delete links as the base that they have
    ASAN_OPTIONS=detect_leaks=0:new_delete_type_mismatch=0 sharded lbmDictionaryTests
fi
