# Walls past which the fluid slips let none of it through: OpenFOAM's own turbulent cavity, turned against the lattice, keeps its mass,
# with kEpsilon and with large eddies on the lattice, and goes on bit for bit from a checkpoint; so does a wedge, in whose tip
# the fluid sticks; plans tell which walls the lattice does not resolve. usage: leak.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
rm -rf "$work"; mkdir -p "$work"; cd "$work"

cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" turned
runIn turned blockMesh
runIn turned transformPoints -rollPitchYaw '(0 0 25)'
sed -i 's/uniform (1 0 0)/uniform (0.906308 0.422618 0)/' turned/0/U
setEntry turned/system/controlDict endTime 10
setEntry turned/system/controlDict startFrom latestTime
setEntry turned/system/controlDict writeControl runTime
setEntry turned/system/controlDict writeInterval 5
setEntry turned/system/controlDict writeFormat binary
lbmDict turned 'checkpoint all; threads 1;'
cp -r turned eddies
sed -i 's/nutkWallFunction/nutUSpaldingWallFunction/' eddies/0/nut
cat > eddies/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES { LESModel Smagorinsky; turbulence on; printCoeffs off; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }
END
# turbulenceOn: of walls alone OpenFOAM's model would be taken
lbmDict eddies 'checkpoint all; threads 1; turbulenceOn lattice; collision regularized;'

# keeps CASE MOST LATE FIELDS: share of the mass that it may gain or lose, and in the second half; what it writes
keeps()
{
    name=$1 most=$2 late=$3 fields=$4
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name"; fail "$name"; }
    expect "log.$name" 'fixedWalls +wall law' '^End'
    drifts=$(awk '/^Time = /{ t = $3 } /^mass drift: /{ if (t <= 5) half = $3; end = $3 } END { print half, end }' "log.$name")
    echo "$name: mass at times 5 and 10: $drifts"
    echo "$drifts" | awk -v most="$most" -v late="$late" '{ exit !(NF == 2 && $1^2 < most^2 && ($2 - $1)^2 < late^2) }' ||
        fail "$name: the cavity's mass drifts"

    cp -r "$name" "on.$name"
    rm -rf "on.$name/10"
    "$lbmFoam" -case "on.$name" > "log.on.$name" 2>&1 || { tail -n 30 "log.on.$name"; fail "restart of $name"; }
    expect "log.on.$name" 'bit for bit'
    for file in $fields; do cmp "$name/10/$file" "on.$name/10/$file" || fail "$file of $name after the restart"; done
}
keeps turned 0.005 0.001 'U p k epsilon nut'
keeps eddies 0.005 0.001 'U p nut'

# In a gap between a floor that moves and a roof that comes down on it the fluid sticks. What the floor beside it mirrors brought
# 15 % of the mass, and a velocity faster than the floor's
cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" wedge
cat > wedge/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
scale 0.1;
vertices ((0 0 0) (1 0 0) (1 0.02 0) (0 0.5 0) (0 0 0.1) (1 0 0.1) (1 0.02 0.1) (0 0.5 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (20 10 1) simpleGrading (1 1 1));
boundary
(
    movingWall { type wall; faces ((1 5 4 0)); }
    fixedWalls { type wall; faces ((0 4 7 3) (2 6 5 1) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
runIn wedge blockMesh
lbmDict wedge 'threads 1;'
"$lbmFoam" -case wedge > log.wedge 2>&1 || { tail -n 30 log.wedge; fail "wedge"; }
expect log.wedge 'movingWall +movingWall, law' 'fixedWalls +wall law' 'at [0-9]+ nodes: there the fluid sticks' '^End'
drift=$(sed -n 's/^mass drift: \([^ ]*\) .*/\1/p' log.wedge | tail -n 1)
fastest=$(sed -n 's/^lattice: .*max|U| = \([^ ]*\) m.*/\1/p' log.wedge | tail -n 1)
echo "wedge: mass $drift, fastest $fastest m/s"
echo "$drift $fastest" | awk '{ exit !(NF == 2 && $1^2 < 0.001^2 && $2 < 1) }' || fail "the wedge's mass drifts"

# Where most of the links to such walls stick the plan says so, and with which cells they would not: two of the mesh's, 0.0016 m
# wide. A slit of the same cavity, a tenth as high
cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" slit
runIn slit blockMesh
runIn slit transformPoints -scale '(1 0.1 1)'
runIn slit transformPoints -rollPitchYaw '(0 0 25)'
sed -i 's/uniform (1 0 0)/uniform (0.906308 0.422618 0)/' slit/0/U
plan() { lbmDict slit "cellSize $1; threads 1;"; "$lbmFoam" -case slit -dry-run > "log.plan.$1" 2>&1 || fail "the plan of $1"; }
plan 0.006
expect log.plan.0.006 'walls too fine .* % of the links' 'cells of 0\.00316'
plan 0.003
expect log.plan.0.003 'wall functions'
if grep 'walls too fine' log.plan.0.003; then fail "walls that the lattice resolves"; fi
echo "OK"
