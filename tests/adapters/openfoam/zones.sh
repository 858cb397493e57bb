# Zones that rotate (constant/MRFProperties): the flow between cylinders is the same from whatever frame parts of it are seen.
# usage: zones.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

python=$(command -v python3)

# run CASE
run()
{
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}

# same WHAT CASE LIMIT [FIELD]: relative L2
same() { "$python" "$here/relativeL2.py" "$2/20/${4-U}" "exact/0/${4-U}" "$3" || fail "$1"; }

echo "between cylinders, the inner one turning"
cloneCase "$here/../../../tutorials/taylorCouette" plain
sed -i '/^functions/,$d' plain/system/controlDict
sed -i 's/^cellSize.*/cellSize 0.0625;/' plain/system/lbmDict
echo 'PISO { pRefPoint (1.5 0.05 0.05); pRefValue 0; }' >> plain/system/fvSolution
cat > plain/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name within; type cellSet; action new; source cylinderToCell; p1 (0 0 -1); p2 (0 0 1); radius 1.375; }
    { name ring; type cellSet; action new; source cylinderToCell; p1 (0 0 -1); p2 (0 0 1); radius 1.75; }
    { name ring; type cellSet; action delete; source cellToCell; set within; }
    { name all; type cellSet; action new; source boxToCell; box (-9 -9 -9) (9 9 9); }
    { name within; type cellZoneSet; action new; source setToCellZone; set within; }
    { name ring; type cellZoneSet; action new; source setToCellZone; set ring; }
    { name all; type cellZoneSet; action new; source setToCellZone; set all; }
);
END
runIn plain blockMesh
runIn plain topoSet

# zones CASE ENTRIES: a case of its own with these zones
zones()
{
    cp -r plain "$1"
    echo "FoamFile { version 2.0; format ascii; class dictionary; object MRFProperties; } $2" > "$1/constant/MRFProperties"
}
# still CASE: the inner wall has no velocity of its own
still() { sed -i '/rotatingWallVelocity/,/omega/d; /^ *inner/,/}/s/{/{ type noSlip;/' "$1/0/U"; }
axis='origin (0 0 0); axis (0 0 1);'

cp -r plain exact
run plain
rm -r exact/0
cp -r plain/20 exact/0

echo "a zone that carries the inner wall"
zones within "one { cellZone within; $axis omega 1; }"
still within
run within
expect log.within 'zone +one of .* rotates with .0 0 1. rad/s' 'nodes hold the velocity seen from' '^ *inner +movingWall'
same "U beside a wall of a zone" within 0.01
# p jumps at the edge of a zone by what vanishes with the cells' width: 0.02 m2/s2 of 0.2 here
same "its p" within 0.25 p

echo "zones that carry nothing, one beside the other, with and against the flow"
zones rings "one { cellZone within; $axis omega 0.7; } two { cellZone ring; $axis omega -0.5; }"
sed -i 's/cellZone within/& ; nonRotatingPatches (inner)/' rings/constant/MRFProperties
run rings
expect log.rings 'zone +one' 'zone +two'
same "U through zones" rings 0.01

echo "all of it a zone, the outer wall at rest"
zones all "one { cellZone all; $axis omega 1; nonRotatingPatches (outer); }"
still all
# the outer wall passes the frame with 2 m/s
sed -i 's/^referenceSpeed.*/referenceSpeed 2;/' all/system/lbmDict
run all
same "U in a zone with a wall at rest" all 0.01
same "its p" all 0.1 p

echo "a zone that is not active is none"
zones inactive "one { active no; cellZone nowhere; $axis omega 1; }"
run inactive
cmp inactive/20/U plain/20/U || fail "U with a zone that is not active"

echo "the same bits after a restart"
cp -r within whole
rm -r whole/20
setEntry whole/system/controlDict writeInterval 2
setEntry whole/system/controlDict endTime 4
cp -r whole parted
run whole
setEntry parted/system/controlDict endTime 2
run parted
setEntry parted/system/controlDict endTime 4
setEntry parted/system/controlDict startFrom latestTime
run parted
expect log.parted 'continues bit for bit'
cmp whole/4/U parted/4/U || fail "U after a restart"
cmp whole/4/p parted/4/p || fail "p after a restart"

echo "what is refused"
zones faster "one { cellZone within; $axis omega table ((0 1) (1 2)); }"
refused faster 'Zone one rotates, and its omega is of type table' 'constant/MRFProperties'
zones twice "one { cellZone all; $axis omega 1; } two { cellZone ring; $axis omega 1; }"
refused twice 'Zone two rotates, and shares cells with one'
zones tilted "one { cellZone within; origin (0 0 0); axis (0 1 1); omega 1; }"
refused tilted 'axis is not across the plane of the mesh'
zones open "one { cellZone within; $axis omega 1; }"
sed -i '/^ *inner/,/}/{/rotatingWallVelocity/,/omega/d; s/{/{ type fixedValue; value uniform (1 0 0);/}' open/0/U
refused open 'patch inner lets fluid pass'
zones twoFrames "one { cellZone within; $axis omega 1; }"
cat > twoFrames/constant/SRFProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object SRFProperties; }
SRFModel rpm; origin (0 0 0); axis (0 0 1); rpmCoeffs { rpm 9; }
END
cp twoFrames/0/U twoFrames/0/Urel
refused twoFrames 'lbmFoam has one or the other'
echo passed
