# Input that lbmFoam has to refuse: message, exit status, and nothing written.
# usage: badInput.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

freshCavity good
n=0

# refuse NAME COMMAND PATTERN...: runs COMMAND in a copy of the good case, then lbmFoam
refuse()
{
    name=$1 change=$2; shift 2
    rm -rf bad
    cp -r good bad
    ( cd bad && eval "$change" )
    status=0
    "$lbmFoam" -case bad > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$name: exit status $status"
    expect "log.$name" 'FOAM FATAL (IO )?ERROR' "$@"
    [ "$(timesOf bad)" = "0 " ] || fail "$name: wrote $(timesOf bad)"
    n=$((n + 1))
}

# -- lbmDict
refuse noDict 'rm system/lbmDict' 'system/lbmDict'
refuse brokenDict 'echo "collision { bgk;" >> system/lbmDict' 'system/lbmDict'
refuse unknownEntry 'echo "cellsize 1;" >> system/lbmDict' 'Unknown entry cellsize' 'cellSize' 'system/lbmDict'
for entry in lattice collision equilibrium storage precision device arithmetic; do
    refuse "unknown-$entry" "echo '$entry nonsense;' >> system/lbmDict" 'nonsense' "$entry" 'system/lbmDict'
done
refuse latticeOfOtherDimension 'echo "lattice D3Q19;" >> system/lbmDict' 'lattice' 'D2Q9' 'system/lbmDict'
refuse twoSpacings 'echo "cells 20; cellSize 0.01;" >> system/lbmDict' 'cellSize.* cells|cells.* cellSize'
refuse negativeCellSize 'echo "cellSize -1;" >> system/lbmDict' 'cellSize is -1' 'system/lbmDict'
refuse wordForNumber 'echo "cellSize tiny;" >> system/lbmDict' 'cellSize' 'system/lbmDict'
refuse tooFast 'echo "deltaT 0.002;" >> system/lbmDict' 'Mach number' 'deltaT' 'system/lbmDict'
refuse maxMach 'echo "maxMach 0.4;" >> system/lbmDict' 'maxMach is 0.4' '0.3'
refuse maxTau 'echo "maxTau 0.5;" >> system/lbmDict' 'maxTau is 0.5'
refuse startFlow 'echo "startFlow nonsense;" >> system/lbmDict' 'nonsense' 'divergenceFree' 'system/lbmDict'
refuse steadyTolerance 'echo "steadyTolerance 0;" >> system/lbmDict' 'steadyTolerance is 0' 'system/lbmDict'
refuse wallWord 'echo "wall nonsense;" >> system/lbmDict' 'nonsense' 'interpolated' 'system/lbmDict'
refuse wallName 'echo "wall { nowhere halfway; }" >> system/lbmDict' 'nowhere' 'walls are.*fixedWalls' 'system/lbmDict'
refuse openingName 'echo "openings { nowhere { type nonReflecting; } }" >> system/lbmDict' 'nowhere' 'openings with' \
    'system/lbmDict'
refuse tooLarge 'echo "cellSize 1e-8;" >> system/lbmDict' 'memory' 'cellSize' 'system/lbmDict'
# -- transportProperties
refuse noTransport 'rm constant/transportProperties' 'constant/transportProperties'
refuse negativeNu 'setEntry constant/transportProperties nu -0.01' 'nu is -0.01' 'constant/transportProperties'
refuse zeroNu 'setEntry constant/transportProperties nu 0' 'nu is 0' 'tau <= 0.5'
refuse otherModel 'sed -i "s/^nu /transportModel CrossPowerLaw; nu /" constant/transportProperties' \
    'transportModel is CrossPowerLaw' 'Newtonian'
refuse turbulence 'echo "FoamFile {version 2.0; format ascii; class dictionary; object turbulenceProperties;}
    simulationType RAS;" > constant/turbulenceProperties' 'simulationType is RAS' 'constant/turbulenceProperties'

# -- fields and mesh
refuse noU 'rm 0/U' '0/U'
refuse noP 'rm 0/p' '0/p'
refuse noPatch 'foamDictionary -entry boundaryField/movingWall -remove 0/U > /dev/null' 'movingWall' '0/U'
refuse patchField 'setEntry 0/U boundaryField/movingWall/type partialSlip;
    foamDictionary -entry boundaryField/movingWall/valueFraction -add "uniform 0.5" 0/U > /dev/null' \
    'Patch movingWall' 'partialSlip' '0/U' 'Supported are.*noSlip.*zeroGradient'
refuse pressureField 'setEntry 0/p boundaryField/movingWall/type inletOutlet;
    foamDictionary -entry boundaryField/movingWall/inletValue -add "uniform 0" 0/p > /dev/null' \
    'Patch movingWall' 'inletOutlet of p' '0/p' 'Supported are.*totalPressure'
refuse nothingMoves 'setEntry 0/U boundaryField/movingWall/value "uniform (0 0 0)"' 'referenceSpeed' 'system/lbmDict'
refuse noMesh 'rm -r constant/polyMesh' 'polyMesh'
refuse noControl 'rm system/controlDict' 'controlDict'

# -- other meshes
# A wedge about the y axis
sed -i 's|^scale .*|scale 1;|; /^vertices/,/^);/c\
vertices ((1 0 -0.0437) (2 0 -0.0873) (2 1 -0.0873) (1 1 -0.0437) (1 0 0.0437) (2 0 0.0873) (2 1 0.0873) (1 1 0.0437));
    /^    frontAndBack/,/^    }/c\
    front { type wedge; faces ((4 5 6 7)); }\
    back { type wedge; faces ((0 3 2 1)); }' good/system/blockMeshDict
runIn good blockMesh
for f in U p; do
    foamDictionary -entry boundaryField/front -add '{ type wedge; }' good/0/$f > /dev/null
    foamDictionary -entry boundaryField/back -add '{ type wedge; }' good/0/$f > /dev/null
    foamDictionary -entry boundaryField/frontAndBack -remove good/0/$f > /dev/null
done
refuse wedge : 'Patch (front|back)' 'type wedge' '0/U' 'Supported are.*symmetryPlane.*cyclic'

# The middle of the elbow's bounding box lies outside of it
cloneCase "$tutorials/incompressible/icoFoam/elbow" good
gunzip -c "$tutorials/incompressible/icoFoam/elbow/elbow.msh.gz" > good/elbow.msh
runIn good fluentMeshToFoam elbow.msh
lbmDict good 'cellSize 1000;'
refuse noNode : 'no fluid node' 'cell size is 1000' 'system/lbmDict'

# -- divergence ends with a diagnosis and keeps what was there
freshCavity bad
setEntry bad/constant/transportProperties nu 1e-7
lbmDict bad 'maxMach 0.3; referenceSpeed 0.5; collision bgk; cells 20;'
setEntry bad/0/U boundaryField/movingWall/value 'uniform (1 0 0)'
status=0
"$lbmFoam" -case bad > log.divergence 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "divergence: exit status $status"
expect log.divergence 'The flow diverged' 'time  ' 'position  ' 'nearest patch' 'tau  ' 'Ma  ' 'Advice for system/lbmDict'
! grep -Eiq '\bnan\b|\binf\b' $(ls -d bad/[0-9]*/U) || fail "divergence: fields without meaning were written"

echo "$n bad inputs refused"
