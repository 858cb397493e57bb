# Disks that are full, limited or read-only, signals while fields are written, runs that diverge: a message, a non-zero
# status, and every earlier time whole.
# usage: disk.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity whole
setEntry whole/system/controlDict writeInterval 10
lbmDict whole 'checkpoint all;'
cp -r whole base
"$lbmFoam" -case whole > log.whole 2>&1 || fail "the run that nothing disturbs"

# sound NAME: times under their names are what the whole run wrote, and nothing else is there
sound()
{
    ! ls -d "$1"/*.unfinished > /dev/null 2>&1 || fail "$1: an unfinished time is left"
    for time in $(timesOf "$1"); do
        for file in U p; do cmp "whole/$time/$file" "$1/$time/$file" || fail "$1: $time/$file"; done
        [ "$time" = 0 ] || cmp "whole/$time/uniform/lbmCheckpoint.h5" "$1/$time/uniform/lbmCheckpoint.h5" ||
            fail "$1: checkpoint of $time"
    done
}

# refused NAME PATTERN...: the last run ended with these words
refused()
{
    log=log.$1
    [ "$status" -eq 1 ] || { tail -n 20 "$log" >&2; fail "$1: exit status $status"; }
    shift
    expect "$log" 'FOAM FATAL ERROR' "$@"
}

echo "files that may not grow"
# U of 400 cells has about 20 kB as text, the checkpoint 40 kB: limits in blocks of 512 bytes that cut either
for limit in 8 60; do
    cp -r base limited$limit
    {
        code=0
        (ulimit -f $limit && exec "$lbmFoam" -case limited$limit 2>&1) || code=$?
        echo "status $code"
    } | cat > log.limited$limit
    status=$(sed -n 's/^status //p' log.limited$limit)
    refused limited$limit 'File too large' 'Earlier times are whole'
    sound limited$limit
done

# inMounted NAME SIZE COMMANDS: in a file system of its own, of that size; where the system grants one
inMounted()
{
    mkdir -p "$1"
    as=$([ "$(id -u)" = 0 ] || echo -r)
    unshare $as -m sh -c "mount -t tmpfs -o size=$2 tmpfs '$1' && $3"
}
if inMounted probe 100k true 2> /dev/null; then
    echo "a full disk"
    status=0
    inMounted full 400k "cp -r base/. full && { '$lbmFoam' -case full > log.full 2>&1; code=\$?; cp -r full kept; exit \$code; }" ||
        status=$?
    refused full 'No space left on device' 'Earlier times are whole'
    sound kept
    [ "$(timesOf kept | wc -w)" -gt 1 ] || fail "full: no time was written before the disk was full"

    echo "a read-only disk"
    status=0
    inMounted readOnly 400k "cp -r base/. readOnly && mount -o remount,ro readOnly && exec '$lbmFoam' -case readOnly > log.readOnly 2>&1" ||
        status=$?
    refused readOnly 'Read-only file system' 'Earlier times are whole'
else
    echo "full and read-only disks: left out, this system mounts nothing for us"
fi

echo "a folder where a file is to be"
cp -r base taken
: > taken/0.05
status=0
"$lbmFoam" -case taken > log.taken 2>&1 || status=$?
refused taken '0.05' 'Earlier times are whole'

echo "signals while it writes"
cp -r base signalled
setEntry signalled/system/controlDict writeInterval 1
setEntry signalled/system/controlDict endTime 500
"$lbmFoam" -case signalled > log.signalled 2>&1 &
pid=$!
# A folder under way: the signal comes while it is written
until ls -d signalled/*.unfinished > /dev/null 2>&1; do
    kill -0 $pid 2> /dev/null || fail "ended before the signal"
done
kill -TERM $pid
status=0; wait $pid || status=$?
[ "$status" -eq 0 ] || fail "SIGTERM: exit status $status"
expect log.signalled 'SIGTERM: stopping' 'state written' 'End'
for time in $(timesOf signalled | tr ' ' '\n' | grep -v '^0$'); do
    for file in U p uniform/time uniform/lbmCheckpoint.h5; do
        [ -s "signalled/$time/$file" ] || fail "SIGTERM: no $time/$file"
    done
done
! ls -d signalled/*.unfinished > /dev/null 2>&1 || fail "SIGTERM: an unfinished time is left"

echo "a flow that diverges"
cp -r base diverging
sed -i 's/^nu .*/nu 0.001;/' diverging/constant/transportProperties
sed -i 's/^writeInterval .*/writeInterval 1;/' diverging/system/controlDict
lbmDict diverging 'referenceSpeed 0.05; collision bgk; checkEvery 1;'
status=0
"$lbmFoam" -case diverging > log.diverging 2>&1 || status=$?
refused diverging 'The flow diverged' 'time .*, all was well at' 'position .*, node \(.*\), cell [0-9]+' \
    'nearest patch movingWall' 'tau  ' 'Ma  ' 'Advice for system/lbmDict' '    referenceSpeed 1;  \(about' \
    'the last good state on disk is time 0\.'
last=$(sed -nE 's/.*last good state on disk is time ([0-9.]+) in .*/\1/p' log.diverging)
! grep -Eiq '\bnan\b|\binf\b' diverging/"$last"/U || fail "diverging: fields without meaning were written"

echo passed
