# Two lbmFoam in one case: the second is told of the first; what a killed one left is told from one that runs.
# usage: twoRuns.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity case
setEntry case/system/controlDict endTime 1000
"$lbmFoam" -case case > log.first 2>&1 &
first=$!
trap 'kill -9 $first 2> /dev/null || true' EXIT
until grep -q '^Time = ' log.first; do kill -0 $first || fail "the first run ended"; sleep 0.1; done

# Whoever lets it run finds no end
status=0; timeout 30 "$lbmFoam" -case case > log.second 2>&1 || status=$?
[ "$status" -eq 1 ] || { kill -9 $first; fail "the second run: exit status $status"; }
expect log.second 'FOAM FATAL ERROR' "Another lbmFoam runs in this case: process $first on host $(hostname)" 'lbmFoam.lock'
"$lbmFoam" -case case -dry-run > log.plan 2>&1 || fail "the plan, which writes nothing, beside the run"
status=0; (cd case && "$build/bin/lbmVoxelize" > ../log.voxelize 2>&1) || status=$?
[ "$status" -eq 1 ] && grep -q 'Another lbmFoam runs in this case' log.voxelize || fail "a new mesh beside the run"
kill -0 $first || fail "the first run ended"
[ -e case/lbmFoam.lock ] || fail "the second removed the lock"

kill -9 $first
wait $first 2> /dev/null || true
[ -e case/lbmFoam.lock ] || fail "no lock was left"
latest=$(timesOf case | awk '{ print $NF + 0.01 }')
setEntry case/system/controlDict endTime "$latest"
setEntry case/system/controlDict startFrom latestTime
"$lbmFoam" -case case > log.third 2>&1 || { tail -n 20 log.third >&2; fail "after the kill"; }
expect log.third "Taking over .*lbmFoam.lock, left by process $first, which has ended" '^End'
[ ! -e case/lbmFoam.lock ] || fail "the lock is left"

echo "a refusal leaves no lock"
cp -r case refused
lbmDict refused 'collision nonsense;'
! "$lbmFoam" -case refused > log.refused 2>&1 || fail "nonsense was accepted"
[ ! -e refused/lbmFoam.lock ] || fail "the lock is left by a refusal"

# refuses NAME PATTERN...
refuses()
{
    status=0; "$lbmFoam" -case case > "log.$1" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$1: exit status $status"
    name=$1; shift
    expect "log.$name" 'FOAM FATAL ERROR' lbmFoam.lock "$@"
}
echo 'lbmFoam runs here: process 1 on host elsewhere, since yesterday' > case/lbmFoam.lock
refuses elsewhere 'process 1 on host elsewhere' 'if it has ended, remove the file'
echo 'my own words' > case/lbmFoam.lock
refuses strange 'is not a file of lbmFoam'
[ "$(cat case/lbmFoam.lock)" = 'my own words' ] || fail "a file of that name was changed"
rm case/lbmFoam.lock
echo precious > precious
ln -s ../precious case/lbmFoam.lock
refuses link 'lbmFoam.lock'
[ "$(cat precious)" = precious ] || fail "the lock was written through a link"
echo passed
