#!/bin/sh
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

cmake --install "$build" --prefix "$work/first" > install.txt
# Nothing may lead back to where it was built or installed
mv first moved
for program in lbmFoam lbmVoxelize lbmCompare; do
    runsWithoutEnvironment "$work/moved/bin/$program"
    env -i ldd "moved/bin/$program" > libraries.txt
    ! grep -q 'not found' libraries.txt || fail "$program misses a library: $(grep 'not found' libraries.txt)"
    # This folder lies in the build tree itself, so it is the library folder that tells
    ! grep -qF "=> $build/lib/" libraries.txt ||
        fail "$program uses the build tree: $(grep -F "=> $build/lib/" libraries.txt)"
done
ldd moved/bin/lbmFoam | grep -qF "moved/bin/../lib/liblbmCore.so" || fail "lbmFoam does not use the installed core"
env -i moved/bin/lbmBench --list > kernels.txt || fail "installed lbmBench --list"
grep -q D3Q19 kernels.txt || fail "installed lbmBench lists no D3Q19 kernel"

# env.sh names the prefix that was asked for
cmake --install "$build" --prefix "$work/second" > install.txt
found=$(env -i sh -c '. "$1/env.sh"; command -v lbmFoam' sh "$work/second") || true
[ "$found" = "$work/second/bin/lbmFoam" ] || fail "after . env.sh lbmFoam is '$found'"
