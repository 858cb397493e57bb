# Checkpoints that do not fit or are damaged are refused; what fits in another form goes on to the last bit.
# usage: checkpoints.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity base
setEntry base/system/controlDict startFrom latestTime
lbmDict base 'checkpoint all;'
cp -r base whole
"$lbmFoam" -case whole > log.whole 2>&1 || fail "the whole run"
cp -r whole half
rm -r half/0.3 half/0.4 half/0.5
file=half/0.2/uniform/lbmCheckpoint.h5
head -n 1 "$file" | grep -aq '^lbmFoam checkpoint 4, .* CRC-32' || fail "its first line"

# refused NAME CHANGE PATTERN...: in the folder bad
refused()
{
    name=$1 change=$2; shift 2
    rm -rf bad
    cp -r half bad
    (cd bad && eval "$change")
    status=0
    "$lbmFoam" -case bad > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$name: exit status $status"
    expect "log.$name" 'FOAM FATAL ERROR' '0.2/uniform/lbmCheckpoint.h5: ' 'remove the file to restart from U and p' "$@"
    [ "$(timesOf bad)" = "$(timesOf half)" ] || fail "$name: wrote $(timesOf bad)"
}
inBad=0.2/uniform/lbmCheckpoint.h5
refused oneBit "printf x | dd of=$inBad bs=1 seek=9000 conv=notrunc 2> /dev/null" 'does not match its CRC-32'
refused older "printf 2 | dd of=$inBad bs=1 seek=19 conv=notrunc 2> /dev/null" 'is a checkpoint of form 2, which another version of lbmFoam wrote'
refused cut "truncate -s 20000 $inBad" 'damaged: 20000 bytes long'
refused empty ": > $inBad" 'damaged, or no checkpoint'
refused otherFile "cp 0.2/U $inBad" 'damaged, or no checkpoint'
refused otherCellSize "echo 'cells 40;' >> system/lbmDict" 'its box is 20 x 20 x 1, that of the case 40 x 40 x 1|cell size'
# Built with LBM_KERNELS=checked or all
! "$lbmFoam" -listKernels | grep -q 'D2Q9 .*quasiCompressible' ||
    refused otherEquilibrium "echo 'equilibrium quasiCompressible;' >> system/lbmDict" 'equilibrium is incompressible'
refused otherGeometry "sed -i 's/movingWall/moving/' constant/polyMesh/boundary 0.2/U 0.2/p" 'its list of patches is movingWall .*, that of the case moving '

# same NAME ENTRIES: goes on with another kernel and is where the whole run was
same()
{
    rm -rf "$1"
    cp -r half "$1"
    lbmDict "$1" "checkpoint all; $2"
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 20 "log.$1" >&2; fail "$1"; }
    expect "log.$1" 'Start: checkpoint .*0.2/uniform/lbmCheckpoint.h5' 'Time = 0.205$'
    for time in 0.3 0.4 0.5; do
        for field in U p; do cmp "whole/$time/$field" "$1/$time/$field" || fail "$1: $time/$field"; done
    done
}
same threads 'threads 1;'
same ab 'storage ab;'
same t2c 'storage t2c;'

echo "moments: to write them changes nothing, they are what is stored, and others go on from them"
# often NAME INTERVAL STORAGE: a cavity of moments, written with all digits every so many time steps
often()
{
    rm -rf "$1"
    cp -r base "$1"
    lbmDict "$1" "checkpoint all; collision regularized; storage $3;"
    setEntry "$1/system/controlDict" writeInterval "$2"
    setEntry "$1/system/controlDict" writePrecision 17
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 20 "log.$1"; fail "$1"; }
}
often moments 20 moments
often seldom 100 moments
often populations 20 ab
for field in U p; do cmp "moments/0.5/$field" "seldom/0.5/$field" || fail "a checkpoint changes the run: $field"; done
sizeOf() { wc -c < "$1/0.2/uniform/lbmCheckpoint.h5"; }
# 400 nodes of 9 or 6 values of 8 bytes: 9600. HDF5's tables of names grow in steps of some kB, of which either file may have made one more
less=$(($(sizeOf populations) - $(sizeOf moments)))
[ $less -gt 4800 ] || fail "a checkpoint of moments has $less bytes less than one of populations"
# onwards FROM STORAGE LIMIT: with another storage; U and p differ by less than LIMIT of the largest, where both are written
onwards()
{
    rm -rf other
    cp -r "$1" other
    rm -r other/0.3 other/0.4 other/0.5
    lbmDict other "checkpoint all; collision regularized; storage $2;"
    "$lbmFoam" -case other > log.other 2>&1 || { tail -n 20 log.other >&2; fail "$1, then $2"; }
    expect log.other 'Start: checkpoint .*0.2/uniform/lbmCheckpoint.h5'
    for field in U p; do
        "$python" "$here/../adapters/openfoam/relativeL2.py" "$1/0.5/$field" "other/0.5/$field" "$3" || fail "$1, then $2: $field"
    done
}
onwards moments moments 0
onwards moments ab 1e-9
onwards populations moments 1e-9

echo "openings: what they remember, and the flux that conditions look at; and a lattice that keeps moments"
for kind in non-reflecting gradient; do
case $kind in
non-reflecting) dict='openings { inlet { type nonReflecting; lInf 1; } }' ;;
gradient) dict='collision regularized; storage moments; openings { inlet { type velocityGradient; } }' ;;
esac
rm -rf wholeOpen open
channelMesh wholeOpen
lbmDict wholeOpen "cells 80; referenceSpeed 1.5; checkpoint all; $dict"
channelField wholeOpen U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type advective;' 'type noSlip;'
channelField wholeOpen p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type waveTransmissive; gamma 1; fieldInf 0; lInf 1; value uniform 0;' 'type zeroGradient;'
setEntry wholeOpen/system/controlDict startFrom latestTime
setEntry wholeOpen/system/controlDict endTime 0.4
setEntry wholeOpen/system/controlDict writeInterval 4
"$lbmFoam" -case wholeOpen > log.wholeOpen 2>&1 || { tail -n 20 log.wholeOpen >&2; fail "openings"; }
cp -r wholeOpen open
rm -r open/0.4
"$lbmFoam" -case open > log.open 2>&1 || { tail -n 20 log.open >&2; fail "openings, resumed"; }
expect log.open 'Start: checkpoint .*0.2/uniform/lbmCheckpoint.h5' "inlet +velocity, $kind" 'outlet +pressure, non-reflecting'
for file in U p uniform/lbmCheckpoint.h5; do cmp "wholeOpen/0.4/$file" "open/0.4/$file" || fail "openings: $file"; done
done

echo "the watch of steady flows goes on from what it saw last"
cp -r base steady
lbmDict steady 'checkpoint all; steadyTolerance 1e-9;'
"$lbmFoam" -case steady > log.steady 2>&1 || { tail -n 20 log.steady >&2; fail "steady"; }
cp -r steady steadyHalf
rm -r steadyHalf/0.3 steadyHalf/0.4 steadyHalf/0.5
"$lbmFoam" -case steadyHalf > log.steadyHalf 2>&1 || { tail -n 20 log.steadyHalf >&2; fail "steady, resumed"; }
# changesOf LOG: after the checkpoint's time
changesOf() { sed -n '/^Time = 0.205$/,$p' "$1" | grep '^change of U'; }
changesOf log.steady > changes || fail "no change of U is told"
changesOf log.steadyHalf | cmp changes - || fail "changes of U after a restart"

echo "from U and p where there is none"
rm -rf none; cp -r half none
rm none/0.2/uniform/lbmCheckpoint.h5
"$lbmFoam" -case none > log.none 2>&1 || fail "without a checkpoint"
expect log.none 'Start: U and p of time 0.2; it has no checkpoint, the restart is not exact' 'End'

echo "latest: one is kept; none: none is written"
for which in latest none; do
    rm -rf $which
    cp -r base $which
    lbmDict $which "checkpoint $which;"
    "$lbmFoam" -case $which > log.$which 2>&1 || fail "$which"
done
[ "$(ls latest/*/uniform/lbmCheckpoint.h5)" = latest/0.5/uniform/lbmCheckpoint.h5 ] || fail "latest"
! ls none/*/uniform/lbmCheckpoint.h5 > /dev/null 2>&1 || fail "none"

echo "changed conditions and viscosity count"
rm -rf changed; cp -r half changed
sed -i 's/uniform (1 0 0)/uniform (0.5 0 0)/' changed/0.2/U
sed -i 's/^nu .*/nu 0.02;/' changed/constant/transportProperties
"$lbmFoam" -case changed > log.changed 2>&1 || { tail -n 20 log.changed >&2; fail "changed"; }
expect log.changed 'not bit for bit' 'conditions of U were changed since: those of the file count' 'nu was 0.01, is 0.02' 'tau = '
grep -q 'uniform (0.5 0 0)' changed/0.5/U || fail "the changed lid"
echo passed
