# A steady case with an oblique wall whose cells are thousands of times thinner than nodes are apart comes to rest: bump2D, in which
# the stress on its wall changed between two values, five times as large the one as the other, with every solution of
# the model until its 10000 iterations were over. Nothing diverges on the way, and the friction of its bump is simpleFoam's, 21.4 m4/s2
# (at rest after 1966 iterations). Its bump is drawn here, for OpenFOAM compiles no code for an administrator.
# usage: thinLayers.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$1/env.sh"
fail() { echo "FAILED: $*"; exit 1; }
export OMP_WAIT_POLICY=passive
rm -rf "$3"; mkdir -p "${3%/*}"
cp -r "$2/incompressible/simpleFoam/bump2D" "$3" && cd "$3" || exit 1
find . -name '*.gz' -exec gunzip -f {} +
spline()
{
    awk -v edge="$1" -v z="$2" 'BEGIN {
        print "spline " edge " ("
        for (i = 0; i < 100; ++i) { x = 0.3 + 0.9*i/99; print "(" x, 0.05*sin(3.14159265*(x/0.9 - 1/3))^4, z ")" }
        print ")" }'
}
{
    sed '/^edges/,$d' system/blockMeshDict
    echo 'edges ('; spline "2 3" 1; spline "14 15" -1; echo ');'
    sed -n '/^boundary/,$p' system/blockMeshDict
} > drawn
mv drawn system/blockMeshDict
sed 's/RAS_MODEL/kOmegaSST/' constant/turbulenceProperties.template > constant/turbulenceProperties
sed -i 's/^endTime .*/endTime 400;/; /^functions/,$d' system/controlDict
blockMesh > log.blockMesh || fail "$(tail -n 3 log.blockMesh)"
lbmFoam > log.lbmFoam 2>&1 || fail "$(grep -A2 FATAL log.lbmFoam)"
# Steady cases with a model march with twice the Mach number of all others
grep -Eq '^ *Ma +0\.(19|2)' log.lbmFoam || fail "Mach number: $(grep '^ *Ma ' log.lbmFoam)"
last=$(sed -n 's/^Time = //p' log.lbmFoam | tail -n 1)
[ "$last" -lt 400 ] || fail "not at rest: $(grep '^change of U' log.lbmFoam | tail -n 3)"
grep -q 'The flow diverged' log.lbmFoam && fail "diverged on the way: $(grep 'The flow diverged' log.lbmFoam)"
echo 'type forces; libs (forces); patches (bump); rho rhoInf; rhoInf 1; CofR (0 0 0);' > system/friction
simpleFoam -postProcess -latestTime -func friction > log.friction 2>&1 || fail "$(tail -n 3 log.friction)"
friction=$(awk '/Sum of forces/ { force = 1 } force && /Viscous/ { gsub(/[()]/, ""); print $3; exit }' log.friction)
awk -v found="$friction" 'BEGIN { exit !(found > 16 && found < 27) }' || fail "friction $friction"
echo "at rest after $last iterations, friction $friction"
