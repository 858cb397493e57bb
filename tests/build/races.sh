#!/bin/sh
# Blocks of steps and towers, whose threads wait for each other no oftener than they must, under clang's sanitizer of threads; the library
# archer tells it where OpenMP's threads meet.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

command -v clang++ > /dev/null || { echo "no clang++"; exit 77; }
archer=$(clang++ -print-resource-dir)/../../libarcher.so
[ -f "$archer" ] || { echo "no libarcher.so beside clang++"; exit 77; }

cat > few.list <<'END'
equilibria D2Q9,D3Q15,D3Q19,D3Q27 incompressible+quasiCompressible
D2Q9   cpu  double  16x16x1  ab,aa   trt,regularized
D2Q9   cpu  double  8x32x1   moments regularized
D3Q19  cpu  double  8x4x4    ab,aa   trt,regularized
D3Q19  cpu  double  8x8x16   moments regularized
END
preset tsan -DLBM_OPENFOAM=OFF
cmake --build build --parallel 2 --target lbmBlockTests lbmEquivalenceTests lbmLrnlaTests
# What OpenMP's own library frees and locks is none of ours
printf 'race:___kmp_free\ncalled_from_lib:libomp.so\nrace:libomp.so\n' > known
export OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1 suppressions=$PWD/known"
sharded lbmBlockTests '--gtest_filter=PopulationBlocks.*:MomentBlocks.haveOpenings:MomentBlocks.haveInterpolatedWalls:MomentBlocks.haveThinWalls'
# Of populations with obstacles, openings and walls of all kinds
sharded lbmEquivalenceTests '--gtest_filter=Boxes.takeScenariosInBlocksOfPopulations'
sharded lbmLrnlaTests '--gtest_filter=*threadsAreExact:*openMpTeamIsExact'
