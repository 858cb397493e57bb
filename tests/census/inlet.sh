# A given velocity stays what it is: turbineSiting, an atmospheric boundary layer over terrain, whose inlet let sound out
# and sped up beside the ground (33 m/s after 50 iterations, 52 after 100). usage: inlet.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$1/env.sh"
fail() { echo "FAILED: $*"; exit 1; }
export OMP_WAIT_POLICY=passive
rm -rf "$3"; mkdir -p "${3%/*}"
cp -r "$2/incompressible/simpleFoam/turbineSiting" "$3" && cd "$3" || exit 1
find . -name '*.gz' ! -path '*/triSurface/*' -exec gunzip -f {} +
sed -i 's/^endTime .*/endTime 50;/' system/controlDict
blockMesh > log.blockMesh && snappyHexMesh -overwrite > log.snappyHexMesh || fail "mesh"
find . -iname '*level*' -type f -delete
cp -r 0.orig 0
topoSet > log.topoSet || fail "topoSet"
lbmFoam > log.lbmFoam 2>&1 || fail "$(grep -A2 FATAL log.lbmFoam)"
grep -q '^ *inlet *velocity  ' log.lbmFoam || fail "kind of the inlet: $(grep '^ *inlet ' log.lbmFoam)"
grep -q '^ *outlet *pressure, non-reflecting' log.lbmFoam || fail "kind of the outlet"
# With the last time, which is written, all nodes are looked at
fastest=$(sed -n 's/.*max|U| = \([0-9.]*\) .*/\1/p' log.lbmFoam | tail -n 1)
awk -v u="$fastest" 'BEGIN { exit !(u > 15 && u < 22) }' || fail "$fastest m/s where 16 flow in"
echo "after 50 iterations the fastest flow is $fastest m/s"
