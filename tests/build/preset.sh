# A few kernels, built as a preset says, and tests of them. Sourced with a test's arguments (see common.sh).
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

# Programs of the folder build take its own libraries, whatever the shell is set up for
unset LD_LIBRARY_PATH

# preset NAME [ARGUMENT]...: configures the folder build with the kernels of few.list; arguments are cmake's. Tests of all
# other rows skip.
preset()
{
    name=$1
    shift
    sed -nE 's/^[+*]//; s/[+*]/,/g; s/^D[23]Q/+&/p' "$source/lbm/kernels.list" >> few.list
    launcher=$(sed -n 's/^CMAKE_CXX_COMPILER_LAUNCHER:[^=]*=//p' "$build/CMakeCache.txt")
    cmake --preset "$name" -S "$source" -B build -DLBM_KERNEL_LIST="$PWD/few.list" \
        ${launcher:+"-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"} "$@"
}

# sharded PROGRAM [ARGUMENT]...: a program of the folder build in as many processes as there are cores
sharded()
{
    program=$1
    shift
    shards=$(nproc)
    pids=
    for i in $(seq 0 $((shards - 1))); do
        OMP_WAIT_POLICY=passive GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i "build/tests/bin/$program" \
            --gtest_brief=1 "$@" > "$program.$i" 2>&1 &
        pids="$pids $!"
    done
    status=0
    for pid in $pids; do wait "$pid" || status=1; done
    cat "$program".[0-9]*
    [ $status -eq 0 ] || fail "$program"
    grep -q 'PASSED  . [1-9]' "$program".[0-9]* || fail "$program: no test ran"
}
