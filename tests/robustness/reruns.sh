# A case that is run again: a time holds what the last run wrote and nothing older of the same fields; a checkpoint goes
# with its fields, and counts only for the time and the settings that it was written for, or says what has changed.
# usage: reruns.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# run CASE LOG
run() { "$lbmFoam" -case "$1" > "log.$2" 2>&1 || { tail -n 20 "log.$2" >&2; fail "$2"; }; }

# refuses NAME PATTERN...: the last command ended with these words
refuses()
{
    [ "$status" -eq 1 ] || { tail -n 20 "log.$1" >&2; fail "$1: exit status $status"; }
    name=$1; shift
    expect "log.$name" 'FOAM FATAL' "$@"
}

freshCavity base
setEntry base/system/controlDict endTime 0.02
setEntry base/system/controlDict writeInterval 2
lbmDict base 'checkpoint all;'
cp -r base first
run first first
faster() { sed -i 's/uniform (1 0 0)/uniform (2 0 0)/' "$1/0/U"; }

echo "another compression, another lid; a flux that belongs to the older U, and files that are the user's"
cp -r first packed
cp packed/0.02/p packed/0.02/phi
cp packed/0.02/p packed/0.02/T
mkdir -p packed/0.02/polyMesh
echo own > packed/0.02/polyMesh/notes
faster packed
setEntry packed/system/controlDict writeCompression on
lbmDict packed 'checkpoint none;'
run packed packed
[ "$(cd packed/0.02 && find . -type f ! -path '*functionObjects*' | sort | tr '\n' ' ')" = \
    "./T ./U.gz ./p.gz ./polyMesh/notes ./uniform/time " ] || fail "rerun: $(cd packed/0.02 && find . -type f)"
cp -r base fresh
faster fresh
lbmDict fresh 'checkpoint none;'
run fresh fresh
"$build/bin/lbmCompare" fresh packed > log.compare 2>&1 || { tail -n 20 log.compare >&2; fail "lbmCompare"; }
cmp fresh/0.02/U - <<END || fail "U.gz is not what a fresh run writes"
$(gunzip -c packed/0.02/U.gz)
END
cp first/0.02/U packed/0.02/U
status=0; "$build/bin/lbmCompare" fresh packed > log.two 2>&1 || status=$?
refuses two 'both .*0.02/U"? and U.gz'
setEntry packed/system/controlDict startFrom latestTime
status=0; "$lbmFoam" -case packed > log.two 2>&1 || status=$?
refuses two 'both .*0.02/U"? and U.gz'

echo "a checkpoint goes when the fields beside it are replaced"
cp -r first replaced
faster replaced
lbmDict replaced 'checkpoint none;'
run replaced replaced
! ls replaced/*/uniform/lbmCheckpoint.h5 > /dev/null 2>&1 || fail "checkpoints of the first run are left"

echo "fields that were changed beside a checkpoint"
cp -r first half
rm -r half/0.02
setEntry half/system/controlDict startFrom latestTime
cat > half/system/setFieldsDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object setFieldsDict; }
regions ( boxToCell { box (0 0 -1) (0.05 0.05 1); fieldValues ( volVectorFieldValue U (0.1 0 0) ); } );
END
run half resumed
expect log.resumed 'Start: checkpoint .*0.01/uniform/lbmCheckpoint.h5' 'no setting has changed since: continues bit for bit'
rm -r half/0.02
cp -r half set
runIn set setFields
cp -r set setFields
for restart in '' 'restart checkpoint;' 'restart fields;'; do
    rm -rf set; cp -r setFields set
    lbmDict set "checkpoint all; $restart"
    run set set
    ! cmp -s first/0.02/U set/0.02/U && counted=fields || counted=checkpoint
    case $restart in
        '') expect log.set 'Start: U and p of time 0.01, not its checkpoint: the internal field of U was changed'
            [ $counted = fields ] || fail "the changed fields do not count" ;;
        *checkpoint*) expect log.set 'internal fields .*U.* were changed after it was written, and are left'
            [ $counted = checkpoint ] || fail "the checkpoint does not count" ;;
        *) expect log.set 'entry restart is fields'; [ $counted = fields ] || fail "fields do not count" ;;
    esac
done
echo "... but not by another format, or more digits"
rm -rf set; cp -r half set
gzip set/0.01/U
setEntry set/system/controlDict writePrecision 12
run set set
expect log.set 'Start: checkpoint' 'continues bit for bit'
rm -rf set; cp -r half set
rm set/0.01/uniform/lbmCheckpoint.h5
lbmDict set 'restart checkpoint;'
status=0; "$lbmFoam" -case set > log.none 2>&1 || status=$?
refuses none 'restart is checkpoint, but there is no .*0.01/uniform/lbmCheckpoint.h5' 'lbmDict'

echo "settings that have changed are named"
# changed ENTRIES WORDS
changed()
{
    rm -rf set; cp -r half set
    lbmDict set "checkpoint all; $1"
    run set set
    expect log.set 'Start: checkpoint' 'not bit for bit' "$2"
    ! grep -q ': continues bit for bit' log.set || fail "$1: bit for bit"
}
# Built with LBM_KERNELS=checked or all
! "$lbmFoam" -listKernels | grep -q 'D2Q9 trt .* float ' ||
    changed 'precision float;' 'precision was double, is float'
changed 'collision bgk;' 'collision was trt, is bgk'
changed 'magic 0.25;' 'magic was 0.1875, is 0.25'
rm -rf set; cp -r half set
setEntry set/constant/transportProperties nu 0.02
run set set
expect log.set 'not bit for bit' 'nu was 0.01, is 0.02'

rm -rf set; cp -r half set
lbmDict set 'wall { movingWall interpolated; }'
status=0; "$lbmFoam" -case set > log.wall 2>&1 || status=$?
refuses wall 'its openings and walls remember' 'patch movingWall was a half-way wall, is an interpolated wall, linear'

echo "a checkpoint of another time"
cp -r first moved
rm -r moved/0.02/uniform/lbmCheckpoint.h5
cp moved/0.01/uniform/lbmCheckpoint.h5 moved/0.02/uniform/
setEntry moved/system/controlDict startFrom latestTime
setEntry moved/system/controlDict endTime 0.03
status=0; "$lbmFoam" -case moved > log.moved 2>&1 || status=$?
refuses moved '0.02/uniform/lbmCheckpoint.h5: was written for time 0.01, but lies in 0.02'
echo "a start from a folder whose name another timeFormat wrote"
freshCavity plain
setEntry plain/system/controlDict startFrom latestTime
setEntry plain/system/controlDict endTime 0.3
cp -r plain formats
run plain plain
# goOn TO FORMAT
goOn()
{
    setEntry formats/system/controlDict endTime "$1"
    setEntry formats/system/controlDict timeFormat "$2"
    run formats "$2"
}
goOn 0.1 scientific
expect log.scientific '^Start: U and p of time 0$'
goOn 0.2 fixed
expect log.fixed '^Start: checkpoint .*/1.000000e-01/' 'continues bit for bit'
setEntry formats/system/controlDict startFrom startTime
setEntry formats/system/controlDict startTime 0.2
goOn 0.3 general
expect log.general '^Start: checkpoint .*/0.200000/' 'continues bit for bit'
[ "$(timesOf formats)" = '0 1.000000e-01 0.200000 0.3 ' ] || fail "times $(timesOf formats)"
for file in U p; do cmp "plain/0.3/$file" "formats/0.3/$file" || fail "formats: $file"; done
# The newest checkpoint alone stays
[ "$(ls formats/*/uniform/lbmCheckpoint.h5)" = formats/0.3/uniform/lbmCheckpoint.h5 ] || fail "formats: checkpoints"
rm formats/0.200000/U
refuses=0; "$lbmFoam" -case formats > log.lacking 2>&1 || refuses=$?
[ "$refuses" -eq 1 ] || fail "a time without U: exit status $refuses"
expect log.lacking 'Entries startFrom and startTime choose time 0.200000, which has no U'
echo passed
