#!/bin/sh
# Programs on processors without the instructions that the kernels were built for end with a sentence, not by SIGILL.
# Skips where no emulator of processors is installed. Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

command -v qemu-x86_64 > /dev/null || { echo "skipped: no qemu-x86_64"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: extensions of x86-64 alone are known"; exit 77; }

# on CPU PROGRAM ARGUMENTS: with what the program would otherwise start itself again for, outside of the emulator
on()
{
    cpu=$1
    shift
    status=0
    OMP_WAIT_POLICY=passive WM_PROJECT_DIR=${WM_PROJECT_DIR:-/usr/share/openfoam} timeout 120 \
        qemu-x86_64 -cpu "$cpu" "$@" > found 2>&1 || status=$?
}

case $(sed -n 's/^LBM_NATIVE:BOOL=//p' "$build/CMakeCache.txt") in
    [Oo][Nn]) native=yes ;;
    *) native=no ;;
esac
for list in 'lbmBench --list' 'lbmFoam -listKernels'; do
    set -- $list
    [ -x "$build/bin/$1" ] || continue
    # Without any of the extensions
    on Conroe "$build/bin/$1" "$2"
    if [ $native = yes ]; then
        [ $status -eq 1 ] || [ $status -eq 2 ] || fail "$list: status $status: $(tail -n 5 found)"
        grep -q 'kernels of this build are for a processor with .*avx.*, which this one lacks: build on this machine, or with LBM_NATIVE=OFF' found ||
            fail "$list: $(tail -n 5 found)"
    else
        [ $status -eq 0 ] || fail "$list: status $status: $(tail -n 5 found)"
    fi
    echo "$list: $(grep -m 1 -E 'which this one lacks|D2Q9|D3Q19' found)"
done
