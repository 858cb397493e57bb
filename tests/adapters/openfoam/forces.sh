# Forces on walls by lbmForces: in the steady cavity those on lid and walls are in balance.
# usage: forces.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# withForces CASE PATCH...: the cavity with one function object a patch
withForces()
{
    case=$1
    freshCavity "$case"
    shift
    {
        echo 'functions {'
        for patch in "$@"; do
            echo "$patch { type lbmForces; libs (lbmFunctionObjects); patches ($patch); rho rhoInf; rhoInf 2;
                CofR (0 0 0); writeControl timeStep; writeInterval 1; log no; }"
        done
        echo '}'
    } >> "$case/system/controlDict"
}

# lastForce CASE PATCH: total force on it, three numbers
lastForce() { tail -n 1 "$1/postProcessing/$2/0/force.dat" | tr -d '()' | awk '{ print $2, $3, $4 }'; }

withForces case movingWall fixedWalls
env -i "$lbmFoam" -case case > log.case 2>&1 || { tail -n 20 log.case; fail "run"; }
lid=$(lastForce case movingWall) walls=$(lastForce case fixedWalls)
echo "lid ($lid), walls ($walls)"
# Drag on the lid: against its motion, and as large as that on the walls; a density counts
echo "$lid $walls" | awk '{ exit !($1 < 0 && ($1 + $4)^2 < 1e-6*$1^2 && ($2 + $5)^2 < 1e-6*$1^2) }' || fail "balance"
[ -s case/postProcessing/movingWall/0/moment.dat ] || fail "no moments"

sed 's/rhoInf 2/rhoInf 1/' case/system/controlDict > controlDict
withForces light movingWall
cp controlDict light/system/controlDict
env -i "$lbmFoam" -case light > log.light 2>&1 || fail "run of half the density"
echo "$lid $(lastForce light movingWall)" | awk '{ exit !(($1 - 2*$4)^2 < 1e-12*$1^2) }' || fail "density"

echo "a lid that slows down: its velocity at the links is not the one of before"
withForces slower movingWall fixedWalls
setEntry slower/0/U boundaryField/movingWall \
    '{ type uniformFixedValue; uniformValue table ((0 (1 0 0)) (0.2 (1 0 0)) (0.21 (0.5 0 0)) (1 (0.5 0 0))); }'
env -i "$lbmFoam" -case slower > log.slower 2>&1 || { tail -n 20 log.slower; fail "run of a lid that slows down"; }
lid=$(lastForce slower movingWall) walls=$(lastForce slower fixedWalls)
echo "lid ($lid), walls ($walls)"
echo "$lid $walls" | awk '{ exit !($1 < 0 && ($1 + $4)^2 < 1e-4*$1^2) }' || fail "balance of a lid that slows down"

echo "a sphere of cells in the middle of a periodic cube: no moment, and words on its steps"
. "$here/../../robustness/advice/cases.sh"
sphereBox sphere 12
control sphere 0.2 0.02
sourceTerm sphere 1
echo 'functions { sphere { type lbmForces; libs (lbmFunctionObjects); patches (sphere); rho rhoInf; rhoInf 1;
    CofR (0.5 0.5 0.5); writeControl timeStep; writeInterval 1; log no; } }' >> sphere/system/controlDict
"$lbmFoam" -case sphere > log.sphere 2>&1 || { tail -n 20 log.sphere; fail "run of the sphere"; }
expect log.sphere 'sphere of steps: the mesh has steps of cells where a surface may be smooth'
moment=$(tail -n 1 sphere/postProcessing/sphere/0/moment.dat | tr -d '()' | awk '{ print $2, $3, $4 }')
echo "force ($(lastForce sphere sphere)), moment ($moment)"
# Of the force at the arm of a cell
echo "$(lastForce sphere sphere) $moment" | awk '{ arm = $1/12
    exit !($1 > 0 && $2^2 + $3^2 < 1e-16*$1^2 && $4^2 + $5^2 + $6^2 < 1e-16*arm^2) }' || fail "symmetry"
echo "level of the pressure: on a patch that is open it makes a force, the same as by OpenFOAM's forces"
# level NAME PREF ENTRIES: p is 3 m2/s2 in the first cell; drag of the bottom and the two sides by both
level()
{
    withForces "$1" fixedWalls
    setEntry "$1/system/fvSolution" PISO/pRefValue 3
    setEntry "$1/system/controlDict" functions/fixedWalls/pRef "$2"
    setEntry "$1/system/controlDict" functions/finiteVolume \
        '{ type forces; libs (forces); patches (fixedWalls); rho rhoInf; rhoInf 2; CofR (0 0 0); log no; }'
    setEntry "$1/system/controlDict" functions/finiteVolume/pRef "$2"
    [ -z "$3" ] || setEntry "$1/system/controlDict" functions/fixedWalls/average yes
    env -i "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 20 "log.$1"; fail "$1"; }
    lattice=$(lastForce "$1" fixedWalls) volumes=$(lastForce "$1" finiteVolume)
    echo "$1: lattice ($lattice), finite volumes ($volumes)"
    # 2 kg/m3 of 3 m2/s2 less pRef on 0.001 m2; what the flow does besides is much less
    echo "$lattice $volumes $2" | awk '{ level = -0.001*(6 - $7); off = $2 - $5
        exit !(off^2 < (0.02*level)^2 && ($2 - level)^2 < (0.2*level)^2) }' || fail "$1"
}
level floating 0 ''
level floatingAbove 2 ''
level floatingMean 0 average

echo "bad input"
withForces bad frontAndBack
! "$lbmFoam" -case bad > log.bad 2>&1 || fail "a patch that is no wall"
expect log.bad 'frontAndBack is no wall'
withForces foreign movingWall
(
    . "$build/env.sh"
    ! icoFoam -case foreign > log.foreign 2>&1 || fail "icoFoam has no lattice"
)
expect log.foreign 'works in lbmFoam alone'
echo passed
