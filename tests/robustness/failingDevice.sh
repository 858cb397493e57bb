# A device that is missing, or fails within the run: an error that names it, and what was written before is whole.
# usage: failingDevice.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity case
lbmDict case 'cells 20;'
setEntry case/system/controlDict writeInterval 10
cp -r case whole
"$lbmFoam" -case whole > log.whole 2>&1 || fail "the run without a failure"

# failing STEPS: exit status 1, not a signal
failing()
{
    status=0
    LD_PRELOAD=$build/tests/lib/libfailingDevice.so LBM_FAIL_AFTER=$1 "$lbmFoam" -case case > "log.$1" 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 20 "log.$1" >&2; fail "after $1 steps: exit status $status"; }
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
echo "$checked times written before the failure are whole"
