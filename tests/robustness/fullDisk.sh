# Disks of many sizes: whatever is being written when they are full, by lbmFoam, its function objects or lbmVoxelize, the
# message says so and what is lost, earlier times are whole, and nothing unfinished is left.
# usage: fullDisk.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
export OMP_NUM_THREADS=1

freshCavity base
setEntry base/system/controlDict endTime 0.015
setEntry base/system/controlDict writeInterval 1
cat >> base/system/controlDict <<'END'
functions
{
    speed { type mag; libs ("libfieldFunctionObjects.so"); field U; executeControl writeTime; writeControl writeTime; }
}
END
cp -r base whole
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 20 log.whole >&2; fail "the run on a roomy disk"; }
[ -s 'whole/0.005/mag(U)' ] || fail "the function object wrote nothing"

mkdir -p voxels/system voxels/constant/triSurface
gunzip -c "$tutorials/resources/geometry/flange.stl.gz" > voxels/constant/triSurface/body.stl
cp "$tutorials"/incompressible/icoFoam/cavity/cavity/system/controlDict voxels/system/
cat > voxels/system/lbmVoxelizeDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.stl" );
cells 20;
END

# toldWell NAME PATTERN: the log of a run with this status that met the end of the disk
toldWell()
{
    [ "$status" -eq 1 ] || { tail -n 20 "log.$1" >&2; fail "$1: exit status $status"; }
    expect "log.$1" 'FOAM FATAL (IO )?ERROR' "$2"
    ! find "$1" -name '*.unfinished' -o -name lbmFoam.lock -o -name probe | grep -q . || fail "$1: $(ls -R "$1")"
}

# soundTimes NAME: what stands under a time's name is what the whole run wrote
soundTimes()
{
    for time in $(timesOf "$1" | sed 's/^0 //'); do
        for file in U p; do cmp "whole/$time/$file" "$1/$time/$file" || fail "$1: $time/$file"; done
        [ ! -e "$1/$time/mag(U)" ] || cmp "whole/$time/mag(U)" "$1/$time/mag(U)" || fail "$1: $time/mag(U)"
    done
}

echo "files that may not grow"
cp -r voxels limited
status=0
(cd limited && ulimit -f 16 && exec "$build/bin/lbmVoxelize" > ../limited.log 2>&1) || status=$?
mv limited.log log.limited
toldWell limited 'File too large'
expect log.limited 'No mesh was written'
[ ! -e limited/constant/polyMesh ] || fail "a mesh was left"

# inMounted NAME SIZE COMMANDS: in a file system of its own, of that size; where the system grants one
inMounted()
{
    mkdir -p "$1"
    as=$([ "$(id -u)" = 0 ] || echo -r)
    unshare $as -m sh -c "mount -t tmpfs -o size=$2 tmpfs '$1' && $3"
}
if ! inMounted probe 100k true 2> /dev/null; then
    echo "full disks: left out, this system mounts nothing for us"
    exit 0
fi

# Room for the case and more and more pages of 4 kB, up to what a whole run takes
pages=$(du -s --apparent-size -B4096 base | cut -f1)
entries=$(find base | wc -l)
full=0
for more in 2 4 5 6 7 8 10 14 17 20 25 30 37; do
    name=full$more
    status=0
    inMounted $name "$((4*(pages + entries + more)))k" \
        "cp -r base/. $name && { '$lbmFoam' -case $name > log.$name 2>&1; code=\$?; cp -r $name kept$more; exit \$code; }" || status=$?
    [ $status -ne 0 ] || continue
    full=$((full + 1))
    rm -rf $name; mv kept$more $name
    toldWell $name 'No space left on device'
    expect log.$name 'Earlier times are whole'
    soundTimes $name
done
[ $full -ge 5 ] || fail "only $full disks were full"

echo "... no room for names"
for more in 1 2 3 5 8; do
    name=names$more
    status=0
    inMounted $name "4m,nr_inodes=$((entries + more))" \
        "cp -r base/. $name && { '$lbmFoam' -case $name > log.$name 2>&1; code=\$?; cp -r $name kept$more; exit \$code; }" || status=$?
    rm -rf $name; mv kept$more $name
    toldWell $name 'No space left on device'
    soundTimes $name
done

echo "... with no time to write, only a table of a function object"
rm -rf table
cp -r base table
setEntry table/system/controlDict writeInterval 100
sed -i '/^functions/,$d' table/system/controlDict
cat >> table/system/controlDict <<'END'
functions
{
    least { type fieldMinMax; libs ("libfieldFunctionObjects.so"); fields (U); writeControl timeStep; writeInterval 1; }
}
END
# All but the page of the lock is taken
status=0
inMounted tableFull 1m "cp -r table/. tableFull && { dd if=/dev/zero of=tableFull/fill bs=4096 2> /dev/null || true
    truncate -s -4096 tableFull/fill; '$lbmFoam' -case tableFull > log.tableFull 2>&1; code=\$?; cp -r tableFull kept; exit \$code; }" || status=$?
rm -rf tableFull; mv kept tableFull
toldWell tableFull 'No space left on device'
expect log.tableFull 'Tables in postProcessing may lack their ends'

pages=$(du -s --apparent-size -B4096 voxels | cut -f1)
for more in 4 14 34; do
    name=mesh$more
    status=0
    inMounted $name "$((4*(pages + 10 + more)))k" "cp -r voxels/. $name && { (cd $name && exec '$build/bin/lbmVoxelize') > log.$name 2>&1
        code=\$?; cp -r $name kept$more; exit \$code; }" || status=$?
    rm -rf $name; mv kept$more $name
    toldWell $name 'No space left on device'
    [ ! -e $name/constant/polyMesh ] || fail "$name: a mesh was left"
done
echo "$full full disks, and 3 of lbmVoxelize"
