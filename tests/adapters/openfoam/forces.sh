# Forces on walls by lbmForces: in the steady cavity those on lid and walls are in balance, and those on a block with what drives the flow.
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

echo "a block in a periodic channel, kEpsilon: what drives the flow is what block and walls take, edges and all"
mkdir -p block/system block/constant block/0
cat > block/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (0.88 0 0) (1.08 0 0) (2 0 0) (0 0.4 0) (0.88 0.4 0) (1.08 0.4 0) (2 0.4 0)
    (0 0.6 0) (0.88 0.6 0) (1.08 0.6 0) (2 0.6 0) (0 1 0) (0.88 1 0) (1.08 1 0) (2 1 0)
    (0 0 0.1) (0.88 0 0.1) (1.08 0 0.1) (2 0 0.1) (0 0.4 0.1) (0.88 0.4 0.1) (1.08 0.4 0.1) (2 0.4 0.1)
    (0 0.6 0.1) (0.88 0.6 0.1) (1.08 0.6 0.1) (2 0.6 0.1) (0 1 0.1) (0.88 1 0.1) (1.08 1 0.1) (2 1 0.1)
);
blocks
(
    hex (0 1 5 4 16 17 21 20) (22 10 1) simpleGrading (1 1 1) hex (1 2 6 5 17 18 22 21) (5 10 1) simpleGrading (1 1 1)
    hex (2 3 7 6 18 19 23 22) (23 10 1) simpleGrading (1 1 1) hex (4 5 9 8 20 21 25 24) (22 5 1) simpleGrading (1 1 1)
    hex (6 7 11 10 22 23 27 26) (23 5 1) simpleGrading (1 1 1) hex (8 9 13 12 24 25 29 28) (22 10 1) simpleGrading (1 1 1)
    hex (9 10 14 13 25 26 30 29) (5 10 1) simpleGrading (1 1 1) hex (10 11 15 14 26 27 31 30) (23 10 1) simpleGrading (1 1 1)
);
boundary
(
    block { type wall; faces ((5 6 22 21) (9 10 26 25) (5 9 25 21) (6 10 26 22)); }
    walls { type wall; faces ((0 1 17 16) (1 2 18 17) (2 3 19 18) (12 13 29 28) (13 14 30 29) (14 15 31 30)); }
    left { type cyclic; neighbourPatch right; faces ((0 4 20 16) (4 8 24 20) (8 12 28 24)); }
    right { type cyclic; neighbourPatch left; faces ((3 7 23 19) (7 11 27 23) (11 15 31 27)); }
    frontAndBack
    {
        type empty;
        faces
        (
            (0 1 5 4) (1 2 6 5) (2 3 7 6) (4 5 9 8) (6 7 11 10) (8 9 13 12) (9 10 14 13) (10 11 15 14)
            (16 17 21 20) (17 18 22 21) (18 19 23 22) (20 21 25 24) (22 23 27 26) (24 25 29 28) (25 26 30 29) (26 27 31 30)
        );
    }
);
END
# blockField NAME CLASS DIMENSIONS VALUE CONDITION
blockField()
{
    cat > "block/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions [$3 0 0 0 0];
internalField uniform $4;
boundaryField { "(block|walls)" { $5 } "(left|right)" { type cyclic; } frontAndBack { type empty; } }
END
}
blockField U volVectorField '0 1 -1' '(1 0 0)' 'type noSlip;'
blockField p volScalarField '0 2 -2' 0 'type zeroGradient;'
blockField k volScalarField '0 2 -2' 0.02 'type kqRWallFunction; value uniform 0.02;'
blockField epsilon volScalarField '0 2 -3' 0.02 'type epsilonWallFunction; value uniform 0.02;'
blockField nut volScalarField '0 2 -1' 0 'type nutkWallFunction; value uniform 0;'
header='FoamFile { version 2.0; format ascii; class dictionary; object settings; }'
echo "$header transportModel Newtonian; nu 1e-5;" > block/constant/transportProperties
echo "$header simulationType RAS; RAS { RASModel kEpsilon; turbulence on; }" > block/constant/turbulenceProperties
echo "$header drive { type meanVelocityForce; selectionMode all; fields (U); Ubar (1 0 0); relaxation 0.2; }" > block/constant/fvOptions
cat > block/system/fvSchemes <<END
$header
ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default bounded Gauss upwind; div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
END
cat > block/system/fvSolution <<END
$header
solvers { "(k|epsilon)" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-9; relTol 0.01; } }
SIMPLE { pRefCell 0; pRefValue 0; }
relaxationFactors { equations { ".*" 0.8; } }
END
{
    echo "$header"
    echo 'application simpleFoam; startFrom startTime; startTime 0; stopAt endTime; endTime 1000; deltaT 1;
        writeControl timeStep; writeInterval 1000; writeFormat ascii; functions {'
    for patch in block walls; do
        echo "$patch { type lbmForces; libs (lbmFunctionObjects); patches ($patch); rho rhoInf; rhoInf 1;
            CofR (0 0 0); writeControl timeStep; writeInterval 1; log no; }"
    done
    echo '}'
} > block/system/controlDict
runIn block blockMesh
"$lbmFoam" -case block > log.block 2>&1 || { tail -n 20 log.block; fail "run of the block"; }
# meanOf FILE: the second number of lines, the mean of the last 300
meanOf() { tail -n 300 "$1" | tr -d '()' | awk '{ sum += $2 } END { print sum/NR }'; }
sed -n 's/.*pressure gradient = /drive /p' log.block > drives
drive=$(meanOf drives) taken="$(meanOf block/postProcessing/block/0/force.dat) $(meanOf block/postProcessing/walls/0/force.dat)"
echo "driven by $drive m/s2, taken ($taken)"
# On the volume that the block leaves. By the pressure in the nodes beside it the block took a tenth less
echo "$drive $taken" | awk '{ given = $1*0.1*(2 - 0.04); exit !($2 > 0 && ($2 + $3 - given)^2 < (0.01*given)^2) }' \
    || fail "balance of the block"

echo "bad input"
withForces bad frontAndBack
"$lbmFoam" -case bad > log.bad 2>&1 || { tail -n 20 log.bad; fail "a run without forces on a patch that is no wall"; }
awk '/frontAndBack is no wall/ { told = 1 } /^Starting time loop/ { loop = 1 } /^Time = / { exit !(told && loop) }' log.bad || fail "told before the first step"
expect log.bad '^End'
withForces foreign movingWall
(
    . "$build/env.sh"
    ! icoFoam -case foreign > log.foreign 2>&1 || fail "icoFoam has no lattice"
)
expect log.foreign 'works in lbmFoam alone'
echo passed
