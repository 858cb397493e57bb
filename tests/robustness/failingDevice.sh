# A device that is missing, or fails within the run: an error that names it, and what was written before is whole.
# usage: failingDevice.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity case
lbmDict case 'cells 20;'
setEntry case/system/controlDict writeInterval 10
cp -r case whole
"$lbmFoam" -case whole > log.whole 2>&1 || fail "the run without a failure"

# failing STEPS [EXCEPTION]: exit status 1, not a signal
failing()
{
    status=0
    LD_PRELOAD=$build/tests/lib/libfailingDevice.so LBM_FAIL_AFTER=$1 LBM_FAIL_BY=${2:-} "$lbmFoam" -case case \
        > "log.$1${2:-}" 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 20 "log.$1${2:-}" >&2; fail "after $1 steps: exit status $status"; }
}

failing -1
expect log.-1 'FOAM FATAL IO ERROR' 'no CUDA device is present' 'Entry device' 'lbmDict'
[ "$(timesOf case)" = "0 " ] || fail "without a device: wrote $(timesOf case)"

# In the middle of the run's 1800 lattice steps
steps=1000
failing $steps
expect "log.$steps" 'FOAM FATAL ERROR' 'kernel D2Q9 .* on cuda:0 .*unspecified launch failure' 'times written before are whole'
checked=0
for time in $(timesOf case | tr ' ' '\n'); do
    [ "$time" != 0 ] || continue
    for file in U p; do cmp "whole/$time/$file" "case/$time/$file" >&2 || fail "time $time is not whole"; done
    checked=$((checked + 1))
done
[ $checked -ge 3 ] && [ "$(timesOf case)" != "$(timesOf whole)" ] || fail "times $(timesOf case)"

# Whatever is thrown, wherever: a sentence
failing -1 bad_alloc
expect log.-1bad_alloc 'FOAM FATAL IO ERROR' 'Not enough memory for 400 nodes: choose a larger cell size' 'lbmDict'
failing -1 invalid_argument
expect log.-1invalid_argument 'FOAM FATAL IO ERROR' 'no CUDA device is present' 'lbmDict'
failing -1 int
expect log.-1int 'FOAM FATAL ERROR' 'Ended by an unknown exception' 'Times written before are whole'
failing 10 bad_alloc
expect log.10bad_alloc 'FOAM FATAL ERROR' 'Not enough memory' 'times written before are whole'
failing 10 invalid_argument
expect log.10invalid_argument 'FOAM FATAL ERROR' 'unspecified launch failure' 'times written before are whole'
failing 10 int
expect log.10int 'FOAM FATAL ERROR' 'Ended by an unknown exception' 'Times written before are whole'
echo "$checked times written before the failure are whole"
