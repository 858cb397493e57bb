# What fvOptions and porous zones add, against exact solutions: a porous plug between two openings, slow and fast against the
# time step, aligned and not; meanVelocityForce in a plane channel; restarts of both; sources in some cells.
# usage: sources.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# run CASE
run()
{
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}

# near WHAT FOUND EXACT LIMIT: relative
near()
{
    echo "$1: $2, exact $3"
    echo "$2 $3 $4" | awk '{ d = $1/$2 - 1; exit !(NF == 3 && d < $3 && d > -$3) }' || fail "$1"
}

# options CASE CONTENT: its constant/fvOptions
options()
{
    { echo 'FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }'; echo "$2"; } > "$1/constant/fvOptions"
}

# pressure CASE TIME: of the first cell, which lies at the inlet
pressure() { awk '/internalField/ { n = NR + 3 } n && NR == n' "$1/$2/p"; }

timing() { setEntry "$1/system/controlDict" deltaT "$2"; setEntry "$1/system/controlDict" endTime "$3"; setEntry "$1/system/controlDict" writeInterval "$4"; }

# a flow of 1 m/s between planes of slip, with a zone over the middle quarter of its 2 m: U is the same everywhere
channelMesh plug
channelField plug U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' \
    'type zeroGradient;' 'type slip;'
channelField plug p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' \
    'type zeroGradient;'
cat > plug/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name plug; type cellSet; action new; source boxToCell; box (0.75 -1 -1) (1.25 1 1); }
    { name plug; type cellZoneSet; action new; source setToCellZone; set plug; }
);
END
runIn plug topoSet

# porous D F: a DarcyForchheimer zone of fvOptions
porous()
{
    echo "plug { type explicitPorositySource; selectionMode cellZone; cellZone plug; explicitPorositySourceCoeffs {
    selectionMode cellZone; cellZone plug; type DarcyForchheimer; d ($1); f ($2);
    coordinateSystem { origin (0 0 0); e1 (1 0 0); e2 (0 1 0); } } }"
}

# the fall of pressure: 0.5 m (nu d U + f U^2/2), nu 0.05
for part in \
    'darcy       0.5 40:80  0.05:40:800  20:20:20      0:0:0' \
    'forchheimer 0.5 40:80  0.05:40:800  0:0:0         2:2:2' \
    'both        50  40:80  0.05:40:800  1980:1980:1980 2:2:2' \
    'across      0.5 40:80  0.05:40:800  20:2e7:2e7    0:0:0' \
    'unfit       0.5 40:127 0.05:40:800  20:20:20      0:0:0'
do
    set -- $part
    name=$1 exact=$2 cells=${3#*:}
    cp -r plug "$name"
    options "$name" "$(porous "$(echo "$5" | tr : ' ')" "$(echo "$6" | tr : ' ')")"
    lbmDict "$name" "cells $cells; referenceSpeed 1.5;"
    timing "$name" $(echo "$4" | tr : ' ')
    run "$name"
    near "$name" "$(pressure "$name" 40)" "$exact" 0.01
done
expect log.darcy 'source +plug, explicitPorositySource: in 400 cells' "sources' nodes +400,"

# 12 time scales of the drag in a lattice step; sound needs some steps to leave a plug of such resistance
cp -r plug strong
options strong "$(porous '8e7 8e7 8e7' '0 0 0')"
lbmDict strong 'cells 80; referenceSpeed 1.5; maxMach 0.0003;'
timing strong 0.005 0.5 100
run strong
near strong "$(pressure strong 0.5)" 2e6 0.01

echo "oblique to the lattice, with 10^5 times the resistance across, between oblique planes of slip"
cp -r plug oblique
(cd oblique && transformPoints -yawPitchRoll '(45 0 0)' > log.transformPoints)
sed -i 's/(1 0 0)/(0.70710678 0.70710678 0)/' oblique/0/U
options oblique "$(porous '20 2e6 2e6' '0 0 0' | sed 's/e1 (1 0 0); e2 (0 1 0)/e1 (1 1 0); e2 (-1 1 0)/')"
lbmDict oblique 'cellSize 0.025; referenceSpeed 1.5;'
timing oblique 0.05 40 800
run oblique
near oblique "$(pressure oblique 40)" 0.5 0.01

echo "beside walls with a law: as much resists at their nodes as elsewhere"
steadyChannel law
cp plug/system/topoSetDict law/system/
runIn law topoSet
options law "$(porous '0 0 0' '100 100 100') nowhere { type vectorSemiImplicitSource; active yes; selectionMode cellSet; cellSet none; volumeMode specific; injectionRateSuSp { U ((1 0 0) 0); } }"
mkdir -p law/constant/polyMesh/sets
printf 'FoamFile { version 2.0; format ascii; class cellSet; object none; }\n0()\n' > law/constant/polyMesh/sets/none
for entry in 'endTime 200' 'writeInterval 200' 'writeFormat ascii'; do setEntry law/system/controlDict ${entry% *} ${entry#* }; done
rm -f law/system/lbmDict
run law
expect log.law 'FOAM Warning' 'Option nowhere \(vectorSemiImplicitSource\) is in no cell of the mesh, and does nothing' \
    'the lattice time step follows p'
near law "$(pressure law 200)" 25 0.02
# Cells of the column at 1.01 m, from wall to wall
awk '/^\(.* .* .*\)$/ { gsub(/[()]/, ""); if (n++ % 80 == 40) { ++rows; if (rows == 1) least = most = $1; if ($1 < least) least = $1; if ($1 > most) most = $1 } }
    END { print "U in the zone: " least " to " most; exit !(rows == 20 && least > 0.95 && most < 1.03) }' law/200/U || fail "U beside walls with a law"

echo "a honeycomb that turns the flow: resistance K1 along (1 1), 1000 K1 along (-1 1), between periodic sides. No pressure"
echo "acts along y, so that U there is v = (K2 - K1)/(K2 + K1); p falls by 2 K1 K2/(K1 + K2) in a metre, and at the face by"
echo "what turns the flow: along (-1 1) the force has v U along y and as much against x"
cp -r plug turned
sed -i 's/walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }/below { type cyclic; neighbourPatch above; faces ((0 1 5 4)); }\n    above { type cyclic; neighbourPatch below; faces ((3 7 6 2)); }/' \
    turned/system/blockMeshDict
runIn turned blockMesh
runIn turned topoSet
for field in U p; do sed -i 's/^ *walls .*/below { type cyclic; } above { type cyclic; }/' turned/0/$field; done
options turned "$(porous '20 2e4 2e4' '0 0 0' | sed 's/e1 (1 0 0); e2 (0 1 0)/e1 (1 1 0); e2 (-1 1 0)/')"
lbmDict turned 'cells 80; referenceSpeed 1.5;'
timing turned 0.05 40 800
run turned
near turned "$(pressure turned 40)" 1.997 0.01
# the zone's middle: cell 40 of row 10, the first of the zone is 30
near 'turned, U across' "$(awk '/internalField/ { n = NR + 2 + 841 } n && NR == n { print $2 }' turned/40/U)" 0.998 0.01

echo "a sheet one cell thick, 1/32 of a node: the nodes have its whole resistance, nu d L = 0.5"
cp -r plug sheet
sed -i 's/(80 20 1)/(640 20 1)/' sheet/system/blockMeshDict
sed -i 's/box .*; }/box (1 -1 -1) (1.003 1 1); }/' sheet/system/topoSetDict
runIn sheet blockMesh
runIn sheet topoSet
options sheet "$(porous '3200 3200 3200' '0 0 0')"
lbmDict sheet 'cells 20; referenceSpeed 1.5;'
timing sheet 0.05 40 800
run sheet
near sheet "$(pressure sheet 40)" 0.5 0.01

echo "porosityProperties give what fvOptions give"
cp -r plug zone
cat > zone/constant/porosityProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object porosityProperties; }
plug { type fixedCoeff; cellZone plug; alpha (1 1 1); beta (2 2 2); rhoRef 1;
    coordinateSystem { origin (0 0 0); e1 (1 0 0); e2 (0 1 0); } }
END
lbmDict zone 'cells 80; referenceSpeed 1.5;'
timing zone 0.05 40 800
run zone
near zone "$(pressure zone 40)" 1.5 0.01
expect log.zone 'source +plug, fixedCoeff: of constant/porosityProperties'

echo "a source with both parts in some cells: it drives what it brakes"
cp -r plug semi
options semi 'push { type vectorSemiImplicitSource; selectionMode cellZone; cellZone plug; volumeMode absolute;
    injectionRateSuSp { U ((0.05 0 0) -0.1); } }'
lbmDict semi 'cells 80; referenceSpeed 1.5;'
timing semi 0.05 40 800
run semi
# over the zone's 0.5 x 0.5 x 0.1 m: (2 - 4 U) m/s2
near semi "$(pressure semi 40)" 1 0.01

echo "an actuation disk: the thrust 2 A U^2 a (1 - a), a = 1 - Cp/Ct, over the channel's 0.05 m2"
cp -r plug disk
options disk 'disk { type actuationDiskSource; fields (U); selectionMode cellZone; cellZone plug; diskDir (1 0 0);
    Cp 0.4; Ct 0.5; diskArea 0.01; upstreamPoint (0.5 0.25 0.05); }'
lbmDict disk 'cells 80; referenceSpeed 1.5;'
timing disk 0.05 40 800
run disk
near disk "$(pressure disk 40)" 0.064 0.01

echo "a rotor between planes of slip: what its blades' lift takes from the stream, pressure and momentum have lost between inlet and outlet"
freshCavity rotor
boxMesh rotor '0.8 1.6 0.8' '12 24 12' <<'END'
    inlet { type patch; faces ((0 1 5 4)); }
    outlet { type patch; faces ((3 7 6 2)); }
    walls { type wall; faces ((0 4 7 3) (1 2 6 5) (0 3 2 1) (4 5 6 7)); }
    frontAndBack { type empty; faces (); }
END
channelField rotor U volVectorField '[0 1 -1 0 0 0 0]' '(0 10 0)' 'type fixedValue; value uniform (0 10 0);' 'type zeroGradient;' 'type slip;'
channelField rotor p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
cp plug/system/topoSetDict rotor/system/
sed -i 's/boxToCell; box .*;/cylinderToCell; p1 (0.4 0.75 0.4); p2 (0.4 0.81 0.4); radius 0.3;/' rotor/system/topoSetDict
runIn rotor topoSet
setEntry rotor/constant/transportProperties nu 0.1
options rotor 'disk { type rotorDisk; selectionMode cellZone; cellZone plug; fields (U); nBlades 3; tipEffect 1; inletFlowType local;
    geometryMode specified; origin (0.4 0.78 0.4); axis (0 1 0); refDirection (0 0 1); rpm 1000; rhoRef 1; rhoInf 1;
    trimModel fixedTrim; fixedTrimCoeffs { theta0 0; theta1c 0; theta1s 0; } flapCoeffs { beta0 0; beta1c 0; beta2s 0; }
    blade { data ((foil (0.1 -6 0.05)) (foil (0.3 -6 0.05))); }
    profiles { foil { type lookup; data ((-90 0.21 1.45) (-18 0.21 1.45) (-6 0.04 0.5) (0 0.02 0) (6 0.04 0.5) (18 0.21 1.45) (90 0.21 1.45)); } } }'
lbmDict rotor 'referenceSpeed 15;'
timing rotor 0.005 1 200
run rotor
expect log.rotor 'source +disk, rotorDisk: in [1-9][0-9]* cells'
lift=$(sed -n 's/^ *Effective lift = *//p' log.rotor | tail -n 1)
# of a layer of cells, over 0.64 m2: mean of p and of the square of U along the stream
for row in 0 23; do
    for field in p U; do
        awk -v row=$row -v field=$field '/^internalField/ { n = NR + 2 } /^boundaryField/ { exit } n && NR > n && gsub(/[()]/, " ") + 1 && NF && /^ *[-0-9]/ {
            at = int(i/12) % 24; ++i; if (at == row) sum += (field == "p" ? $1 : $2^2)/144 } END { print sum }' rotor/1/$field
    done
done > rotor.means
near "lift" "$(awk '{ v[NR] = $1 } END { print 0.64*(v[1] + v[2] - v[3] - v[4]) }' rotor.means)" "$lift" 0.03

echo "what stays: the same bits after a restart, in a steady flow and before"
cp -r plug whole
options whole "$(porous '1980 1980 1980' '2 2 2')"
lbmDict whole 'cells 80; referenceSpeed 1.5;'
timing whole 0.05 0.4 4
cp -r whole parted
run whole
setEntry parted/system/controlDict endTime 0.2
run parted
setEntry parted/system/controlDict endTime 0.4
setEntry parted/system/controlDict startFrom latestTime
run parted
expect log.parted 'continues bit for bit'
cmp whole/0.4/U parted/0.4/U || fail "U after a restart"
cmp whole/0.4/p parted/0.4/p || fail "p after a restart"

echo "a mean velocity in a plane channel: 12 nu Ubar/h^2 = 2.4 m/s2"
cp -r plug mean
sed -i 's/inlet { type patch/inlet { type cyclic; neighbourPatch outlet/; s/outlet { type patch/outlet { type cyclic; neighbourPatch inlet/' \
    mean/system/blockMeshDict
runIn mean blockMesh
runIn mean topoSet
for field in U p; do sed -i 's/let .*/let { type cyclic; }/; s/type slip/type noSlip/; s/(1 0 0)/(0 0 0)/' mean/0/$field; done
lbmDict mean 'cells 80; maxMach 0.05;'
timing mean 0.05 4 40
cp -r mean inZone
options mean 'drive { type meanVelocityForce; selectionMode all; fields (U); Ubar (1 0 0); }'
cp -r mean meanParted
run mean
last() { grep 'Pressure gradient source' "$1" | tail -n 1; }
near 'gradient' "$(sed -n 's/^gradient *\(.*\);/\1/p' mean/4/uniform/driveProperties)" 2.4 0.01
near 'mean velocity' "$(last log.mean | sed 's/.*Ubar = \([^,]*\),.*/\1/')" 1 0.001
# the tenth time step knows
near 'mean velocity after ten time steps' \
    "$(grep 'Pressure gradient source' log.mean | sed -n '11s/.*Ubar = \([^,]*\),.*/\1/p')" 1 0.01
setEntry meanParted/system/controlDict endTime 2
run meanParted
setEntry meanParted/system/controlDict endTime 4
setEntry meanParted/system/controlDict startFrom latestTime
run meanParted
cmp mean/4/U meanParted/4/U || fail "U after a restart of meanVelocityForce"

echo "the same from 1 s to 2 s alone: at rest before; after it (96/pi^4) sum exp(-n^2 pi^2 nu t/h^2)/n^4 is left"
# meanU CASE TIME: along the channel
meanU() { awk '/^internalField *uniform/ { gsub(/[(]/, ""); sum = $3; cells = 1; exit } /internalField/ { n = NR + 2 } /^boundaryField/ { exit } n && NR > n && gsub(/[()]/, " ") && NF == 3 { sum += $1; ++cells } END { print sum/cells }' "$1/$2/U"; }
cp -r inZone timed
timing timed 0.05 3 20
cp -r timed timedZone
options timed 'drive { type meanVelocityForce; selectionMode all; fields (U); Ubar (1 0 0); timeStart 1.01; duration 1; }'
cp -r timed timedParted
run timed
near 'at rest' "$(meanU timed 1 | awk '{ print 1 + $1 }')" 1 1e-9
near 'driven' "$(meanU timed 2)" 1 0.01
near 'left' "$(meanU timed 3)" 0.1369 0.03
[ "$(grep -c 'Pressure gradient source' log.timed)" -eq 20 ] || fail "time steps with a force"
setEntry timedParted/system/controlDict startFrom latestTime
for end in 1 2 3; do setEntry timedParted/system/controlDict endTime $end; run timedParted; done
cmp timed/3/U timedParted/3/U || fail "U after restarts of meanVelocityForce that acts for a while"
options timedZone 'drive { type meanVelocityForce; selectionMode cellZone; cellZone plug; fields (U); Ubar (1 0 0); timeStart 1.01; duration 1; }'
setEntry timedZone/system/controlDict endTime 1
run timedZone
near 'at rest beside a zone' "$(meanU timedZone 1 | awk '{ print 1 + $1 }')" 1 1e-9

echo "a drag in all cells, g - s U, from rest: g/s (1 - tanh(m h/2)/(m h/2)), m^2 = s/nu; with g - s <U> everywhere it would be 0.571"
cp -r inZone drag
options drag 'drag { type vectorSemiImplicitSource; selectionMode all; volumeMode specific; injectionRateSuSp { U ((3.2 0 0) -3.2); } }
nobodys { type vectorSemiImplicitSource; selectionMode all; volumeMode specific; injectionRateSuSp { UU ((1 0 0) 0); } }'
run drag
expect log.drag '^Reference speed: .* what the force' 'source +drag, vectorSemiImplicitSource: in 1600 cells'
near 'U against a drag' "$(meanU drag 4)" 0.518 0.01
echo "an option of a field that there is not"
expect log.drag 'FOAM Warning' 'Source nobodys defined for field UU but never used'
! grep -q 'never used' log.mean || fail "an option that is used"

echo "the same by a force in a quarter of the channel"
options inZone 'drive { type meanVelocityForce; selectionMode cellZone; cellZone plug; fields (U); Ubar (1 0 0); }'
timing inZone 0.05 10 40
run inZone
near 'gradient in the zone' "$(last log.inZone | sed 's/.*gradient = //')" 9.6 0.01

echo "a speed that is not to be passed: a stream whose middle enters at 1.5 m/s, 1.15 m/s in the zone"
cp -r plug free
setEntry free/constant/transportProperties nu 0.003
sed -i 's/inlet { .*/inlet { type fixedValue; value nonuniform List<vector> 20 (INLET); }/; s/nonuniform List<vector> 20 (INLET)/nonuniform List<vector>\n20\n(\nINLET\n)/' free/0/U
awk 'BEGIN { for (i = 0; i < 20; ++i) print (i >= 5 && i < 15 ? "(1.5 0 0)" : "(0.5 0 0)") }' > free.U
sed -i -e '/^INLET/{r free.U' -e 'd}' free/0/U
lbmDict free 'cells 80; referenceSpeed 2;'
timing free 0.02 4 200
cp -r free limited
options limited 'keep { type limitVelocity; active yes; selectionMode cellZone; cellZone plug; max 1.15; }'
cp -r limited limitedParted
run free
run limited
expect log.limited 'source +keep, limitVelocity: in 400 cells nodes are braked at 1.15 m/s'
# largest CASE: speed in the zone, but for its first column of cells, where the stream is braked from one node to the next
largest()
{
    awk '/internalField/ { n = NR + 2 } /^boundaryField/ { exit }
        n && NR > n && gsub(/[()]/, " ") { x = (NR - n - 1) % 80; u = sqrt($1^2 + $2^2); if (x > 30 && x < 50 && u > most) most = u }
        END { print most }' "$1/4/U"
}
# flow CASE COLUMN: mean of U along the channel over a column of cells
flow() { awk -v column="$2" '/internalField/ { n = NR + 2 } /^boundaryField/ { exit } n && NR > n && gsub(/[()]/, " ") && (NR - n - 1) % 80 == column { sum += $1/20 } END { print sum }' "$1/4/U"; }
awk -v u="$(largest free)" 'BEGIN { print "fastest in the zone without it: " u; exit !(u > 1.3) }' || fail "the free stream"
awk -v u="$(largest limited)" 'BEGIN { print "fastest in the zone: " u; exit !(u > 1.1 && u < 1.15*1.002) }' || fail "speed in the zone"
for column in 2 20 40 60 77; do near "flow through column $column" "$(flow limited $column)" 1 0.005; done
setEntry limitedParted/system/controlDict endTime 2
run limitedParted
setEntry limitedParted/system/controlDict endTime 4
setEntry limitedParted/system/controlDict startFrom latestTime
run limitedParted
cmp limited/4/U limitedParted/4/U || fail "U after a restart of limitVelocity"

echo "drag of 3.2 in a lattice step, across a zone beside oblique walls past which the fluid slips: no node gets faster and faster"
duct=$tutorials/incompressible/porousSimpleFoam/angledDuct
cloneCase "$duct/explicit" duct
cp -r "$duct/common/0.orig" duct/0
cp -r "$duct/common/constant" duct/constant
cat > duct/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
scale 0.001;
vertices
(
    (-150 0 -25) (-150 35.355339 -25) (-150 0 25) (-150 35.355339 25)
    (0 0 -25) (-35.355339 35.355339 -25) (0 0 25) (-35.355339 35.355339 25)
    (70.710678 70.710678 -25) (35.355339 106.066017 -25) (70.710678 70.710678 25) (35.355339 106.066017 25)
    (141.421356 141.421356 -25) (106.066017 176.776695 -25) (141.421356 141.421356 25) (106.066017 176.776695 25)
);
blocks
(
    hex (0 4 5 1 2 6 7 3) inlet (15 20 20) simpleGrading (1 1 1)
    hex (4 8 9 5 6 10 11 7) porosity (20 20 20) simpleGrading (1 1 1)
    hex (8 12 13 9 10 14 15 11) outlet (20 20 20) simpleGrading (1 1 1)
);
boundary
(
    front { type wall; faces ((2 6 7 3) (10 14 15 11)); }
    back { type wall; faces ((1 5 4 0) (9 13 12 8)); }
    walls { type wall; faces ((2 0 4 6) (7 5 1 3) (10 8 12 14) (15 13 9 11)); }
    porosityWall { type wall; faces ((6 10 11 7) (5 9 8 4) (6 4 8 10) (11 9 5 7)); }
    inlet { type patch; faces ((3 1 0 2)); }
    outlet { type patch; faces ((15 13 12 14)); }
);
END
runIn duct blockMesh
setEntry duct/system/controlDict endTime 120
lbmDict duct 'maxMach 0.15;'
run duct
expect log.duct '^Time = 120'
# 65 m/s after ten iterations, 62 in the end; Mach number 0.3 are 113
! grep -q 'the lattice time step follows the flow' log.duct || fail "duct: too fast"

echo "what is refused"
for part in 'velocityDampingConstraint UMax:1;C:1;' 'vectorFixedValueConstraint fieldValues{U:(0:0:0);}'; do
    set -- $part
    cp -r plug refused
    options refused "keep { type $1; active yes; selectionMode all; $(echo "$2" | tr : ' ') }"
    lbmDict refused 'cells 80; referenceSpeed 1.5;'
    status=0
    "$lbmFoam" -case refused > "log.$1" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$1: exit status $status"
    expect "log.$1" 'constant/fvOptions' "Option keep: lbmFoam cannot honour type $1" 'Way out'
    rm -r refused
done
echo "cells held at rest, in a fluid at rest"
cp -r plug held
sed -i 's/^internalField .*/internalField uniform (0 0 0);/' held/0/U
options held 'keep { type vectorFixedValueConstraint; active yes; selectionMode cellZone; cellZone plug; fieldValues { U (0 0 0); } }'
lbmDict held 'cells 80; referenceSpeed 1.5;'
refused held 'constant/fvOptions' 'Option keep: lbmFoam cannot honour type vectorFixedValueConstraint' 'it fixes U in cells' 'Way out'
cp -r plug refused
options refused "$(porous '20 20 20' '0 0 0')"
lbmDict refused 'cells 80; referenceSpeed 1.5; collision bgk;'
status=0
"$lbmFoam" -case refused > log.collision 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "bgk: exit status $status"
expect log.collision 'forces +that differ from node to node' 'collision trt;'
echo passed
