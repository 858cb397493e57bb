# What is not a program's own is not deleted: links, and what they lead to, folders and files of the user, devices.
# usage: deletion.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

mkdir precious
echo precious > precious/file
untouched() { [ "$(cat precious/file)" = precious ] && [ "$(ls precious)" = file ] || fail "$1: what a link leads to"; }

echo "lbmFoam: links and folders called unfinished"
freshCavity case
setEntry case/system/controlDict endTime 0.02
setEntry case/system/controlDict writeInterval 2
ln -s ../precious case/foo.unfinished
mkdir case/notes.unfinished
echo kept > case/notes.unfinished/file
"$lbmFoam" -case case > log.case 2>&1 || { tail -n 20 log.case >&2; fail "the run"; }
untouched foo.unfinished
[ -L case/foo.unfinished ] || fail "the link itself"
[ "$(cat case/notes.unfinished/file)" = kept ] || fail "a folder of the user"

echo "... where it would write"
for kind in link folder; do
    rm -rf taken; cp -r case taken
    case $kind in
        link) ln -s ../precious taken/0.02.unfinished ;;
        folder) mkdir taken/0.02.unfinished; echo kept > taken/0.02.unfinished/file ;;
    esac
    status=0; "$lbmFoam" -case taken > log.taken 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "0.02.unfinished, a $kind: exit status $status"
    expect log.taken '0.02.unfinished"? is not lbmFoam'
    untouched 0.02.unfinished
    for file in U p; do cmp "case/0.02/$file" "taken/0.02/$file" || fail "0.02/$file"; done
done
[ "$(cat taken/0.02.unfinished/file)" = kept ] || fail "a folder of the user"

echo "... a time that is a link"
rm -rf linked; cp -r case linked
mv linked/0.02 elsewhere
cp -r elsewhere before
ln -s ../elsewhere linked/0.02
sed -i 's/uniform (1 0 0)/uniform (2 0 0)/' linked/0/U
"$lbmFoam" -case linked > log.linked 2>&1 || { tail -n 20 log.linked >&2; fail "a time that is a link"; }
diff -r elsewhere before || fail "what the time leads to"
! cmp -s case/0.02/U linked/0.02/U || fail "the time that is a link was not written"

echo "lbmVoxelize: constant/polyMesh is a link to another case's mesh"
mkdir -p voxels/system voxels/constant/triSurface
gunzip -c "$tutorials/resources/geometry/flange.stl.gz" > voxels/constant/triSurface/body.stl
cp "$tutorials"/incompressible/icoFoam/cavity/cavity/system/controlDict voxels/system/
cat > voxels/system/lbmVoxelizeDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.stl" );
cells 20;
END
cp -r case/constant/polyMesh shared
cp -r shared sharedBefore
ln -s ../../shared voxels/constant/polyMesh
ln -s ../precious voxels/lbmVoxelize.part
voxelize() { (cd voxels && exec "$build/bin/lbmVoxelize") > log.voxelize 2>&1; }
voxelize || { tail -n 20 log.voxelize >&2; fail "lbmVoxelize"; }
diff -r shared sharedBefore || fail "the shared mesh"
untouched lbmVoxelize.part
[ -d voxels/constant/polyMesh ] && [ ! -L voxels/constant/polyMesh ] || fail "no mesh of its own"
expect log.voxelize 'polyMesh"? was a link to .*shared"?, which stays as it is' 'Wrote'

echo "... files that belong to no mesh stay, those of the older mesh go"
echo kept > voxels/constant/polyMesh/blockMeshDict
mkdir voxels/constant/polyMesh/sets
: > voxels/constant/polyMesh/sets/old
: > voxels/constant/polyMesh/cellZones
gzip voxels/constant/polyMesh/points
voxelize || { tail -n 20 log.voxelize >&2; fail "lbmVoxelize again"; }
[ "$(ls voxels/constant/polyMesh | tr '\n' ' ')" = 'blockMeshDict boundary faces neighbour owner points ' ] ||
    fail "constant/polyMesh: $(ls voxels/constant/polyMesh)"
[ "$(ls voxels/constant)" = "polyMesh
triSurface" ] || fail "left: $(ls voxels/constant)"

echo "... a folder of the user where it would write"
mkdir voxels/constant/polyMesh.unfinished
echo kept > voxels/constant/polyMesh.unfinished/file
! voxelize || fail "wrote into another's folder"
[ "$(cat voxels/constant/polyMesh.unfinished/file)" = kept ] || fail "another's folder"
rm -r voxels/constant/polyMesh.unfinished

echo "lbmBench: links, pipes, devices, and files that have its former name for a part"
bench() { "$build/bin/lbmBench" --size 8 --steps 1 --repeats 1 --threads 1 --json "$1" > log.bench 2>&1; }
echo old > target
ln -s target link.json
bench link.json || { cat log.bench >&2; fail "a link"; }
[ -L link.json ] && grep -q lbmBench target || fail "the link was replaced"
for name in /dev/stdout both both.link; do
    rm -f both both.link; ln -s both both.link
    "$build/bin/lbmBench" --size 8 --steps 1 --repeats 1 --threads 1 --json $name > both 2> log.bench || fail "$name, redirected"
    grep -q '^geometry .*fluid nodes' both || fail "$name: what was printed before is gone"
    sed -n '/^{$/,$p' both | python3 -m json.tool > /dev/null || fail "$name: no whole JSON at its end"
done
echo kept > plain.json.part
bench plain.json || fail "a plain file"
[ "$(cat plain.json.part)" = kept ] || fail "plain.json.part"
[ "$(ls plain.json*)" = "plain.json
plain.json.part" ] || fail "left: $(ls plain.json*)"
mkfifo pipe
cat pipe > fromPipe &
bench pipe || fail "a pipe"
wait $!
[ -p pipe ] && grep -q lbmBench fromPipe || fail "the pipe was replaced"
if mknod full c 1 7 2> /dev/null && { : > full; } 2> /dev/null; then
    status=0; bench full || status=$?
    [ "$status" -eq 1 ] && [ -c full ] || fail "a device: exit status $status, $(ls -l full)"
    expect log.bench 'cannot write full: No space left on device'
else
    echo "devices: left out, this system lets us make none"
fi
echo passed
