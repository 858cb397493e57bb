# A few kernels, built as a preset says, held against each other and the reference. Sourced with a test's arguments (see
# common.sh).
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

# preset NAME LATTICES [ARGUMENT]...: the default rows of the CPU in double precision, with two collisions; of cmake
preset()
{
    name=$1 lattices=$2
    shift 2
    {
        echo 'equilibria incompressible'
        echo 'closures D2Q9 cpu double smagorinsky,shearRate trt,regularized'
        awk -v lattices="^($lattices)\$" '$1 ~ lattices && $2 == "cpu" && $3 == "double" {
            $6 = $5 ~ /moments/ ? "regularized" : "trt,regularized"; print }' "$source/lbm/kernels.list"
    } > few.list
    launcher=$(sed -n 's/^CMAKE_CXX_COMPILER_LAUNCHER:[^=]*=//p' "$build/CMakeCache.txt")
    cmake --preset "$name" -S "$source" -B build -DLBM_OPENFOAM=OFF -DLBM_KERNEL_LIST="$PWD/few.list" \
        ${launcher:+"-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"} "$@"
    cmake --build build --parallel 2 --target lbmEquivalenceTests
    OMP_WAIT_POLICY=passive build/tests/bin/lbmEquivalenceTests --gtest_brief=1 | tee found || fail "$name"
    grep -q 'PASSED' found || fail "no test ran"
}
