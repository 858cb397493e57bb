# Frames that rotate, pressure that jumps, viscosities on the mesh: against exact solutions, and the same flow seen from a frame
# at rest.
# usage: frames.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# run CASE
run()
{
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}

python=$(command -v python3)

# near WHAT FOUND EXACT LIMIT: relative
near()
{
    echo "$1: $2, exact $3"
    echo "$2 $3 $4" | awk '{ d = $1/$2 - 1; exit !(NF == 3 && d < $3 && d > -$3) }' || fail "$1"
}

# pressure CASE TIME [CELL]: of the first cell, which lies at the inlet, or of another one
pressure() { awk -v cell="${3-0}" '/internalField/ { n = NR + 3 + cell } n && NR == n' "$1/$2/p"; }

timing() { setEntry "$1/system/controlDict" deltaT "$2"; setEntry "$1/system/controlDict" endTime "$3"; setEntry "$1/system/controlDict" writeInterval "$4"; }

echo "between cylinders, the inner one turning: seen from outside, and from a frame that turns with it"
cloneCase "$here/../../../tutorials/taylorCouette" atRest
runIn atRest blockMesh
sed -i '/^functions/,$d' atRest/system/controlDict
sed -i 's/^cellSize.*/cellSize 0.0625;/' atRest/system/lbmDict
grep -q '^cellSize' atRest/system/lbmDict || echo 'cellSize 0.0625;' >> atRest/system/lbmDict
echo 'PISO { pRefPoint (1.5 0.05 0.05); pRefValue 0; }' >> atRest/system/fvSolution
cp -r atRest turning
cat > turning/constant/SRFProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object SRFProperties; }
SRFModel rpm; origin (0 0 0); axis (0 0 1); rpmCoeffs { rpm 9.549296586; }
END
sed 's/object *U;/object Urel;/; /rotatingWallVelocity/,/omega/d' turning/0/U |
    sed '/^ *inner/,/}/s/{/{ type noSlip;/; /^ *outer/,/}/s/type .*/type SRFWallVelocity; value uniform (0 0 0);/' > turning/0/Urel
rm turning/0/U
sed -i 's/^referenceSpeed.*/referenceSpeed 2;/' turning/system/lbmDict
# fluid at rest
cat > turning/system/setExprFieldsDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object setExprFieldsDict; }
expressions ( U { field Urel; dimensions [0 1 -1 0 0 0 0]; expression #{ vector(pos().y(), -pos().x(), 0) #}; } );
END
runIn turning setExprFields
run atRest
run turning
expect log.turning 'frame +rotates with .0 0 1[.0-9]*. rad/s' 'Start: Urel and p'
# second order: 0.02 and 0.008 with cells a half and a quarter as wide
"$python" "$here/relativeL2.py" turning/20/Uabs atRest/20/U 0.01 || fail "the flow in a frame that turns"
"$python" "$here/relativeL2.py" turning/20/p atRest/20/p 0.1 || fail "its pressure"

echo "what stays of it: the same bits after a restart"
# resumes CASE DELTAT HALF U: a run to twice HALF, and one that ends there and goes on
resumes()
{
    whole=$1Whole parted=$1Parted end=$(($3*2))
    cp -r "$1" "$whole"
    rm -rf "$whole"/[1-9]*
    timing "$whole" "$2" "$end" "$(awk "BEGIN { print $3/$2 }")"
    setEntry "$whole/system/controlDict" writeControl timeStep
    cp -r "$whole" "$parted"
    run "$whole"
    setEntry "$parted/system/controlDict" endTime "$3"
    run "$parted"
    setEntry "$parted/system/controlDict" endTime "$end"
    setEntry "$parted/system/controlDict" startFrom latestTime
    run "$parted"
    expect "log.$parted" 'continues bit for bit'
    for field in "$4" p; do
        cmp "$whole/$3/$field" "$whole/$end/$field" > /dev/null && fail "$field of $whole does not change"
        cmp "$whole/$end/$field" "$parted/$end/$field" || fail "$field of $1 after a restart"
    done
}
resumes turning 0.5 2 Urel

echo "a jump of p between the ends of a channel drives what OpenFOAM's drives: -J h^2/(12 nu L)"
channelMesh ends
sed -i 's/inlet { type patch/inlet { type cyclic; neighbourPatch outlet/; s/outlet { type patch/outlet { type cyclic; neighbourPatch inlet/' \
    ends/system/blockMeshDict
runIn ends blockMesh
channelField ends U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type cyclic;' 'type cyclic;' 'type noSlip;'
jump='type fixedJump; patchType cyclic; jump uniform 4.8; value uniform 0;'
channelField ends p volScalarField '[0 2 -2 0 0 0 0]' 0 "$jump" "$jump" 'type zeroGradient;'
lbmDict ends 'cells 80; maxMach 0.05;'
run ends
expect log.ends 'jump of p +inlet, fixedJump'
# meanOf FILE: x component over all cells
meanOf() { awk '/^\(/ && NF == 3 { gsub(/[()]/, ""); n++; s += $1 } END { print s/n }' "$1"; }
near 'mean velocity' "$(meanOf ends/4/U)" -1 0.01

echo "a viscosity of OpenFOAM's on the mesh: A + B times the shear rate"
cp -r ends thick
rm -r thick/[1-9]*
sed -i '/^nu/d' thick/constant/transportProperties
echo 'transportModel strainRateFunction; strainRateFunctionCoeffs { function polynomial ((0.05 0) (0.005 1)); }' \
    >> thick/constant/transportProperties
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType laminar;' \
    > thick/constant/turbulenceProperties
run thick
# from f y = A g + B g^2, f = J/L
near 'mean velocity' "$(meanOf thick/4/U)" "$(awk 'BEGIN {
    A = 0.05; B = 0.005; f = 2.4; n = 100000; h = 0.25/n
    for (i = 0; i < n; i++) { y = (i + 0.5)*h; g = (sqrt(A*A + 4*B*f*y) - A)/(2*B); u += g*y*h }
    print -u/0.25 }')" 0.02

echo "a fan within the mesh: p rises by its jump, and U passes as if there were none"
channelMesh fan
channelField fan U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' \
    'type slip;'
channelField fan p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' \
    'type zeroGradient;'
cat > fan/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name disk; type faceSet; action new; source boxToFace; box (0.999 -1 -1) (1.001 1 1); }
    { name upstream; type cellSet; action new; source boxToCell; box (-1 -1 -1) (1 1 1); }
    { name disk; type faceZoneSet; action new; source setsToFaceZone; faceSet disk; cellSet upstream; }
);
END
cat > fan/system/createBafflesDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object createBafflesDict; }
internalFacesOnly true;
baffles { disk { type faceZone; zoneName disk; patchPairs { type cyclic; patchFields { p
    { type fan; patchType cyclic; jump uniform 0; value uniform 0; jumpTable polynomial 1((2 0)); } } } } }
END
runIn fan topoSet
runIn fan createBaffles -overwrite
lbmDict fan 'cells 80; referenceSpeed 1.5; openings { ".*" { type nonReflecting; } }'
cp -r fan fv
run fan
setEntry fv/system/controlDict deltaT 0.01
setEntry fv/system/controlDict writeInterval 400
(. "$build/env.sh"; icoFoam -case fv > log.fv 2>&1) || fail "icoFoam"
expect log.fan 'jump of p +disk_master, fan'
near 'pressure at the inlet' "$(pressure fan 4)" "$(pressure fv 4)" 0.01
"$python" "$here/relativeL2.py" fan/4/U fv/4/U 0.01 || fail "U through a fan"

echo "a fan in the hole of a plate between two closed chambers: p differs by its jump, and nothing moves"
channelMesh chambers
sed -i 's/type patch/type wall/' chambers/system/blockMeshDict
runIn chambers blockMesh
channelField chambers U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type noSlip;' 'type noSlip;' 'type noSlip;'
channelField chambers p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type zeroGradient;' 'type zeroGradient;'
cat > chambers/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name disk; type faceSet; action new; source boxToFace; box (0.999 0.19 -1) (1.001 0.31 1); }
    { name plate; type faceSet; action new; source boxToFace; box (0.999 -1 -1) (1.001 1 1); }
    { name plate; type faceSet; action subtract; source faceToFace; set disk; }
    { name upstream; type cellSet; action new; source boxToCell; box (-1 -1 -1) (1 1 1); }
    { name disk; type faceZoneSet; action new; source setsToFaceZone; faceSet disk; cellSet upstream; }
    { name plate; type faceZoneSet; action new; source setsToFaceZone; faceSet plate; cellSet upstream; }
);
END
sed '/^baffles/,$d' fan/system/createBafflesDict > chambers/system/createBafflesDict
cat >> chambers/system/createBafflesDict <<'END'
baffles
{
    disk { type faceZone; zoneName disk; patchPairs { type cyclic; patchFields { p
    { type fan; patchType cyclic; jump uniform 0; value uniform 0; jumpTable polynomial 1((2 0)); } } } }
    plate { type faceZone; zoneName plate; patchPairs { type wall; patchFields { U { type noSlip; } p { type zeroGradient; } } } }
}
END
cat > chambers/system/setFieldsDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object setFieldsDict; }
defaultFieldValues ();
regions ( boxToCell { box (1 -1 -1) (9 9 9); fieldValues ( volScalarFieldValue p 2 ); } );
END
cp -r chambers slot
runIn chambers topoSet
runIn chambers createBaffles -overwrite
runIn chambers setFields
lbmDict chambers 'cells 80; referenceSpeed 1.5;'
timing chambers 0.05 1 20
run chambers
# rests CASE: within 1e-5 of the speed sqrt(2 J) that such a pressure drives
rests()
{
    near 'the jump' "$(awk "BEGIN { print $(pressure "$1" 1 79) - $(pressure "$1" 1) }")" 2 1e-4
    awk '/^\(/ && NF == 3 { gsub(/[()]/, ""); if ($1*$1 + $2*$2 > 4e-10) bad = 1; n++ } END { exit bad || n == 0 }' "$1/1/U" || fail "fluid beside a fan moves"
}
rests chambers

echo "the same where the plate has a wall function, whose edges let half of what they are sent through"
cp -r chambers lawful
rm -r lawful/[1-9]*
setEntry lawful/system/controlDict application pisoFoam
echo 'transportModel Newtonian;' >> lawful/constant/transportProperties
sed -i 's/default  *none;/default Gauss upwind;/' lawful/system/fvSchemes
cat > lawful/system/fvSolution <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSolution; }
solvers { ".*" { solver PBiCGStab; preconditioner DILU; tolerance 1e-12; relTol 0; } }
PISO { nCorrectors 2; pRefCell 0; pRefValue 0; }
END
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType RAS; RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }' \
    > lawful/constant/turbulenceProperties
# lawField NAME DIMENSIONS VALUE WALLFUNCTION
lawField()
{
    cat > "lawful/0/$1" <<END
FoamFile { version 2.0; format ascii; class volScalarField; object $1; }
dimensions $2; internalField uniform $3;
boundaryField
{
    "(inlet|outlet|walls|plate.*)" { type $4; value uniform $3; }
    "disk.*" { type cyclic; }
    frontAndBack { type empty; }
}
END
}
lawField k '[0 2 -2 0 0 0 0]' 1e-4 kqRWallFunction
lawField epsilon '[0 2 -3 0 0 0 0]' 1e-4 epsilonWallFunction
lawField nut '[0 2 -1 0 0 0 0]' 0 nutkWallFunction
run lawful
expect log.lawful 'plate_master +wall law'
rests lawful

echo "the same bits after a restart, with a jump that follows the flow through the hole"
# moving CASE: from fluid at rest, between walls that slide
moving()
{
    cp -r "$1" "$1Moving"
    rm -r "$1Moving"/[1-9]*
    sed -i 's/1((2 0))/2((2 0) (-20 1))/; /^internalField/,/^)/d; /^boundaryField/i internalField uniform 0;' "$1Moving/0/p"
    grep -q '(-20 1)' "$1Moving/0/p" || fail "no other jump in $1Moving"
    sed -i '/^ *walls/,/}/s/noSlip;/fixedValue; value uniform (-1 0 0);/' "$1Moving/0/U"
    # Models on the mesh go on from what they wrote
    setEntry "$1Moving/system/controlDict" writeFormat binary
}
for case in chambers lawful; do
    moving $case
    resumes ${case}Moving 0.05 1 U
    grep -aq 'jump  *nonuniform' ${case}MovingWhole/1/p || fail "the jump does not follow the flow in $case"
done

echo "a hole between two rows of nodes: a sketch passes it over, a lattice is refused"
sed -i 's/(80 20 1)/(80 80 1)/' slot/system/blockMeshDict
sed -i 's/0.999 0.19 -1/0.999 0.2562 -1/; s/1.001 0.31 1/1.001 0.2626 1/' slot/system/topoSetDict
runIn slot blockMesh
runIn slot topoSet
runIn slot createBaffles -overwrite
lbmDict slot 'cells 320; referenceSpeed 1.5;'
"$lbmFoam" -case slot -dry-run -sketch 1000 > log.slotSketch 2>&1 || { tail -n 30 log.slotSketch; fail "sketch of a fan"; }
expect log.slotSketch 'jump of p +disk_master, fan'
lbmDict slot 'cells 64; referenceSpeed 1.5;'
refused slot 'no link of the lattice leads through it'

echo "what is refused"
cp -r turning noAxis
rm -r noAxis/[1-9]*
sed -i 's/axis (0 0 1)/axis (0 0 0)/' noAxis/constant/SRFProperties
refused noAxis 'axis no zero vector' 'constant/SRFProperties'
cp -r atRest noUrel
rm -r noUrel/[1-9]*
cp turning/constant/SRFProperties noUrel/constant/
refused noUrel 'which has no Urel' 'SRFProperties'
cp -r ends unknownModel
rm -r unknownModel/[1-9]*
echo 'transportModel Oldroyd;' >> unknownModel/constant/transportProperties
refused unknownModel 'transportModel is Oldroyd' 'on the mesh.*strainRateFunction' 'constant/transportProperties'
echo passed
