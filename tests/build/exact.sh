#!/bin/sh
# Where products and sums are kept apart, kernels agree bit for bit, and ranks with one part that is not cut: default rows of the CPU in
# double precision, with two collisions.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

{
    echo 'equilibria D2Q9,D3Q15,D3Q19,D3Q27 incompressible'
    echo 'closures D2Q9 cpu double smagorinsky,shearRate trt,regularized'
    awk '($1 == "D2Q9" || $1 == "D3Q19") && $2 == "cpu" && $3 == "double" {
        $6 = $5 ~ /moments/ ? "regularized" : "trt,regularized"; print }' "$source/lbm/kernels.list"
} > few.list
preset exact -DLBM_OPENFOAM=OFF
targets=lbmEquivalenceTests
if cmake --build build --target help | grep -qw lbmRankTests; then targets="$targets lbmRankTests"; fi
cmake --build build --parallel 2 --target $targets
# Those that ask for equal bits in this build alone; of others the release build has these rows, too
sharded lbmEquivalenceTests '--gtest_filter=*Kernel.agreesWithScalarAb/*:*Kernel.agreesInParts/*:*ScalarKernel.*'

[ "$targets" != lbmEquivalenceTests ] || { echo "ranks: not run, this build has no MPI"; exit; }
# A container's user is often root, and has few processors
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive
# Three are parts of one process, above, and ranks as these in the release build
for ranks in 2 4; do
    mpirun --oversubscribe -n $ranks build/tests/bin/lbmRankTests --gtest_brief=1 --gtest_color=no \
        --gtest_filter='*agreesOnRanks*' > ranks.$ranks 2>&1 \
        || { cat ranks.$ranks; fail "$ranks ranks"; }
    grep -q 'PASSED  . [1-9]' ranks.$ranks || fail "$ranks ranks: no test ran"
done
