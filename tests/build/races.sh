#!/bin/sh
# Blocks of steps and towers, whose threads wait for each other no oftener than they must, and what parts and ranks hand over, under
# clang's sanitizer of threads; the library archer tells it where OpenMP's threads meet.
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
ranks=
if grep -q '^MPIEXEC_EXECUTABLE:FILEPATH=/' build/CMakeCache.txt; then ranks=lbmRankTests; fi
cmake --build build --parallel 2 --target lbmBlockTests lbmEquivalenceTests lbmLrnlaTests $ranks
# What OpenMP's own library frees and locks is none of ours
printf 'race:___kmp_free\ncalled_from_lib:libomp.so\nrace:libomp.so\n' > known
export OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1 suppressions=$PWD/known"
sharded lbmBlockTests '--gtest_filter=PopulationBlocks.*:MomentBlocks.haveOpenings:MomentBlocks.haveInterpolatedWalls:MomentBlocks.haveThinWalls'
# Of populations with obstacles, openings and walls of all kinds
sharded lbmEquivalenceTests '--gtest_filter=Boxes.takeScenariosInBlocksOfPopulations'
sharded lbmLrnlaTests '--gtest_filter=*threadsAreExact:*openMpTeamIsExact'
sharded lbmEquivalenceTests '--gtest_filter=*threadsHandOver/*'
# Two ranks of two threads each, who wait for each other at work: some kernels. What MPI's libraries do among themselves is none of ours
[ -n "$ranks" ] || { echo "no MPI: ranks are left out"; exit 0; }
export LBM_THREADS_OF_A_RANK=2 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive GTEST_COLOR=no
timeout 1800 mpirun --oversubscribe -n 2 build/tests/bin/lbmRankTests --gtest_brief=1 '--gtest_filter=*agreesOnRanks/D2Q9_*simd*' > ranks.log 2>&1 ||
    { cat ranks.log; fail "ranks"; }
grep -q 'PASSED  . [1-9]' ranks.log || fail "ranks: no test ran"
