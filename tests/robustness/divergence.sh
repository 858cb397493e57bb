# Flows that diverge between two checks of the lattice: whatever looks at the lattice first ends the run with the
# diagnosis, never with a signal, and names the last folder that holds U.
# usage: divergence.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# A channel twenty times faster than the lattice is told, whose own checks never come
channelMesh channel
setEntry channel/constant/transportProperties nu 0.001
setEntry channel/system/controlDict writeInterval 100000
hasty='referenceSpeed 0.05; collision bgk; maxGridReynolds 1e6; checkEvery 100000; startFlow given;'
lbmDict channel "$hasty"
channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'

# The same without openings
freshCavity cavity
sed -i 's/^nu .*/nu 1e-5;/' cavity/constant/transportProperties
setEntry cavity/system/controlDict writeInterval 100000
setEntry cavity/system/controlDict endTime 2
lbmDict cavity "$hasty"

# diagnosed NAME PATTERN...: the case of that name ends with the diagnosis
diagnosed()
{
    name=$1; shift
    status=0
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 30 "log.$name" >&2; fail "$name: exit status $status"; }
    expect "log.$name" 'FOAM FATAL ERROR' 'The flow diverged' 'time .*, all was well at' 'position .*, node \(.*\)' \
        'Advice for system/lbmDict' "$@"
    ! grep -Eq 'mass balance: .*(e\+[1-9]|nan|inf)' "log.$name" || fail "$name: an absurd rate was printed"
}

echo "openings: the mass balance, and conditions that look at the flow"
cp -r channel openings
diagnosed openings 'the last good state on disk is time 0 in'

echo "a watch for a steady flow"
cp -r cavity steady
lbmDict steady "$hasty steadyTolerance 1e-6;"
diagnosed steady 'the last good state on disk is time 0 in'

echo "a lid nine times as fast as the reference speed: what imposes it is named, and the one change that mends it"
freshCavity fast
sed -i 's/uniform (1 0 0)/uniform (9 0 0)/' fast/0/U
lbmDict fast 'referenceSpeed 1; maxGridReynolds 100;'
diagnosed fast 'Patch movingWall imposes 9 m/s by .*/0/U' '^    referenceSpeed 9;  \(about'
[ "$(grep -c '  (about ' log.fast)" -eq 1 ] || fail "fast: other changes are proposed, too"
lbmDict fast 'referenceSpeed 9; maxGridReynolds 100;'
"$lbmFoam" -case fast > log.mended 2>&1 || fail "fast: what is proposed does not mend it"

# looking NAME CASE ENTRIES: a function object that looks at each time step
looking()
{
    cp -r "$2" "$1"
    printf 'functions { %s { executeControl timeStep; executeInterval 1; writeControl timeStep; writeInterval 1; %s } }\n' \
        "$1" "$3" >> "$1/system/controlDict"
    diagnosed "$1"
}
echo "function objects, on the lattice and on the case's mesh"
looking forcesByLinks cavity \
    'type lbmForces; libs (lbmFunctionObjects); patches (movingWall); rho rhoInf; rhoInf 1; CofR (0 0 0);'
looking stressByNodes cavity 'type lbmWallShearStress; libs (lbmFunctionObjects); patches (fixedWalls);'
looking series cavity 'type latticeSeries; libs (lbmFunctionObjects); fields (U p Q);'
looking meshForces cavity \
    'type forces; libs (forces); patches (movingWall); rho rhoInf; rhoInf 1; CofR (0 0 0); pRef 0;'

echo "a folder of a function object is no state to go on from"
cp -r channel folders
sed -i 's/uniform (1 0 0)/uniformFixedValue; uniformValue table ((0 (0.05 0 0)) (1.01 (0.05 0 0)) (1.02 (1 0 0)))/
    s/type fixedValue; value uniformFixedValue/type uniformFixedValue/' folders/0/U
setEntry folders/system/controlDict writeInterval 10
printf 'functions { squares { type magSqr; libs (fieldFunctionObjects); field U; writeControl timeStep; writeInterval 2; } }\n' \
    >> folders/system/controlDict
diagnosed folders 'the last good state on disk is time 1 in'
[ -e "folders/1/U" ] && [ -e "folders/0.9/magSqr(U)" ] && [ ! -e folders/0.9/U ] || fail "folders: $(timesOf folders)"
[ "$(timesOf folders | wc -w)" -gt 7 ] || fail "folders: $(timesOf folders)"
echo passed
