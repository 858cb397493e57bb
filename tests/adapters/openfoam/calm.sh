# A stream between plates, beside a model on the mesh and without one, does not ring across: its rows neither take turns in going up
# and down, nor does it swing by itself where it is calm in truth, between few nodes, behind cells that are long for their height and
# where a total pressure drives it. usage: calm.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# plates CASE LENGTH HEIGHT CELLS SPEED: mesh, U and p
plates()
{
    rm "$1"/0/*
    cat > "$1/system/blockMeshDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) ($2 0 0) ($2 $3 0) (0 $3 0) (0 0 0.01) ($2 0 0.01) ($2 $3 0.01) (0 $3 0.01));
blocks ( hex (0 1 2 3 4 5 6 7) ($4 1) simpleGrading (1 1 1) );
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 5 6 2)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
    runIn "$1" blockMesh
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' "($5 0 0)" "type fixedValue; value uniform ($5 0 0);" \
        'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);' 'type noSlip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
}

# across CASE TIME CELLS SPEED: the largest speed across the stream in its last third, over that of the inlet
across()
{
    awk -v cells="$3" -v speed="$4" '
        /^\(/ && begun { row = n++; x = row % cells; if (x > cells*2/3) { gsub(/[()]/, ""); v = $2 < 0 ? -$2 : $2; if (v > most) most = v } }
        /internalField/ { begun = 1 } /boundaryField/ { begun = 0 }
        END { print most/speed }' "$1/$2/U"
}

echo "k-epsilon, 12 cells high"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" model
plates model 2 0.2 '60 12' 2
channelField model k volScalarField '[0 2 -2 0 0 0 0]' 0.03 'type fixedValue; value uniform 0.03;' 'type zeroGradient;' 'type kqRWallFunction; value uniform 0.03;'
channelField model epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.05 'type fixedValue; value uniform 0.05;' 'type zeroGradient;' 'type epsilonWallFunction; value uniform 0.05;'
channelField model nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
setEntry model/constant/transportProperties nu 1.5e-5
setEntry model/system/controlDict endTime 800
setEntry model/system/controlDict writeInterval 800
setEntry model/system/controlDict functions '{}'
runIn model "$lbmFoam"
expect model/log.lbmFoam 'In two dimensions: collision hybridRegularized, sigma 0\.9[0-9]*, in place of regularized' '^The flow is steady'
last=$(foamListTimes -case model -latestTime)
found=$(across model "$last" 60 2)
echo "across: $found of the stream"
awk -v found="$found" 'BEGIN { exit !(found > 0 && found < 0.01) }' || fail "the stream beside a model rings"

echo "laminar, at a grid Reynolds number of 200 with the mesh's cells"
freshCavity laminar
plates laminar 4 0.4 '160 16' 1
setEntry laminar/constant/transportProperties nu 1.25e-4
setEntry laminar/system/controlDict deltaT 0.05
setEntry laminar/system/controlDict endTime 16
setEntry laminar/system/controlDict writeInterval 320
runIn laminar "$lbmFoam"
expect laminar/log.lbmFoam 'Grid Reynolds number 90: collision hybridRegularized, sigma 0\.9[0-9]*, in place of regularized, with which streams ring above 60'
found=$(across laminar 16 160 1)
echo "across: $found of the stream"
awk -v found="$found" 'BEGIN { exit !(found > 0 && found < 0.03) }' || fail "the laminar stream rings"

# fastest CASE: along the stream, over the mean of 0.05
fastest()
{
    awk '/^\(/ && begun { gsub(/[()]/, ""); if ($1 > most) most = $1 }
        /internalField/ { begun = 1 } /boundaryField/ { begun = 0 } END { print most/0.05 }' \
        "$1/$(foamListTimes -case "$1" -latestTime)/U"
}

# lost CASE: of what enters, at the end
lost() { grep '^mass balance: in' "$1/log.lbmFoam" | tail -n 1 | sed 's/.*relative error -*//'; }

# passes CASE LEAST MOST KNOWN FAILURE: what leaves at the end [m3/s]
passes()
{
    flow=$(grep '^mass balance: in' "$1/log.lbmFoam" | tail -n 1 | sed 's/.*out \([^ ]*\) .*/\1/')
    echo "flow: $flow m3/s, $4"
    awk -v flow="$flow" -v least="$2" -v most="$3" 'BEGIN { exit !(flow > least+0 && flow < most+0) }' || fail "$5"
}

# slow CASE LENGTH CELLS VISCOSITY PATTERN: laminar and steady, 0.05 m/s between plates 0.02 apart
slow()
{
    cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" "$1"
    plates "$1" "$2" 0.02 "$3" 0.05
    setEntry "$1/constant/turbulenceProperties" simulationType laminar
    setEntry "$1/constant/transportProperties" nu "$4"
    setEntry "$1/system/controlDict" endTime 1500
    setEntry "$1/system/controlDict" writeInterval 1500
    setEntry "$1/system/controlDict" functions '{}'
    [ $# -lt 6 ] || lbmDict "$1" "$6"
    runIn "$1" "$lbmFoam"
    expect "$1/log.lbmFoam" "$5" '^The flow is steady'
    found=$(fastest "$1")
    echo "fastest: $found of the mean, of Poiseuille's flow 1.5"
    awk -v found="$found" 'BEGIN { exit !(found > 1.3 && found < 1.7) }' || fail "$1 swings"
}

echo "laminar, 5 nodes between the plates, which trt does not bear"
slow few 1 '250 5' 1.11111e-5 'Grid Reynolds number 18[.0-9]*: collision regularized in place of trt'

echo "laminar, a square duct of 6 nodes"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" duct
plates duct 0.6 0.02 '180 6' 0.05
boxMesh duct '0.6 0.02 0.02' '180 6 6' <<END
inlet { type patch; faces ((0 4 7 3)); }
outlet { type patch; faces ((1 2 6 5)); }
walls { type wall; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
END
for field in U p; do sed -i '/frontAndBack/d' duct/0/$field; done
setEntry duct/constant/turbulenceProperties simulationType laminar
setEntry duct/constant/transportProperties nu 5.95e-6
cp -r duct fast
for entry in 'endTime 600' 'writeInterval 600' 'functions {}'; do setEntry duct/system/controlDict ${entry% *} ${entry#* }; done
runIn duct "$lbmFoam"
expect duct/log.lbmFoam 'Grid Reynolds number 28[.0-9]*: collision cumulant in place of trt' '^The flow is steady'

echo "a duct with cells that are not cubes: walls stay half-way between nodes, and no fluid is lost"
cp -r fast flat
boxMesh flat '1 0.2 0.1' '40 8 8' <<'END'
inlet { type patch; faces ((0 4 7 3)); }
outlet { type patch; faces ((1 2 6 5)); }
walls { type wall; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
END
sed -i 's/0.05 0 0/0.1 0 0/g' flat/0/U
setEntry flat/constant/transportProperties nu 1e-3
for entry in 'endTime 600' 'writeInterval 600' 'functions {}'; do setEntry flat/system/controlDict ${entry% *} ${entry#* }; done
runIn flat "$lbmFoam"
expect flat/log.lbmFoam 'The narrowest opening has faces of 0.0125 m, and 5 nodes' 'cell size +0.0125 m, by which walls' '^The flow is steady'
echo "lost: $(lost flat)"
awk -v lost="$(lost flat)" 'BEGIN { exit !(lost != "" && lost < 1e-4) }' || fail "walls take fluid"

echo "the first one faster: cumulants swing there for good"
setEntry fast/constant/transportProperties nu 2.1375e-6
for entry in 'endTime 800' 'writeInterval 800' 'functions {}'; do setEntry fast/system/controlDict ${entry% *} ${entry#* }; done
runIn fast "$lbmFoam"
expect fast/log.lbmFoam 'Grid Reynolds number 7[.0-9]*: collision hybridRegularized in place of trt' '^The flow is steady'

echo "laminar, cells eight times as long as high, behind whose faces rows of nodes are not told apart"
slow long 0.5 '50 16' 3.96825e-6 'Grid Reynolds number 42' 'cellSize 0.00333333;'

echo "the same: by itself as many nodes between the plates as a stream needs"
slow across 0.5 '50 16' 3.96825e-6 'The narrowest opening has faces of 0.00125 m, and 6[.0-9]* nodes across'

# inTime CASE NU DELTAT END INTERVAL
inTime()
{
    setEntry "$1/constant/transportProperties" nu "$2"
    for entry in "deltaT $3" "endTime $4" "writeInterval $5"; do setEntry "$1/system/controlDict" ${entry% *} ${entry#* }; done
    lbmDict "$1" 'checkpoint all;'
    runIn "$1" "$lbmFoam"
}

# goesOn CASE END: from half of the time, bit for bit
goesOn()
{
    cp -r "$1" "$1.again"
    rm -rf "$1.again/$2" "$1.again/log.lbmFoam"
    setEntry "$1.again/system/controlDict" startFrom latestTime
    runIn "$1.again" "$lbmFoam"
    expect "$1.again/log.lbmFoam" 'continues bit for bit'
    cmp "$1/$2/U" "$1.again/$2/U" || fail "$1 after a restart"
}

echo "driven by a pressure against the friction of plates"
freshCavity friction
plates friction 4 0.02 '320 8' 0
channelField friction U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type pressureInletOutletVelocity; value uniform (0 0 0);' \
    'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);' 'type noSlip;'
channelField friction p volScalarField '[0 2 -2 0 0 0 0]' 0 'type totalPressure; p0 uniform 0.01;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
inTime friction 1e-5 0.05 60 600
passes friction 1.6e-6 1.7e-6 "Poiseuille's 1.667e-6" "the flow that a pressure drives"
goesOn friction 60

echo "k-epsilon, driven by a total pressure, 100 heights long"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" driven
plates driven 10 0.1 '600 12' 0
inlet='type fixedValue; value uniform' outlet='type inletOutlet; inletValue uniform'
channelField driven U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type pressureInletOutletVelocity; value uniform (0 0 0);' \
    "$outlet (0 0 0); value uniform (0 0 0);" 'type noSlip;'
channelField driven p volScalarField '[0 2 -2 0 0 0 0]' 0 'type totalPressure; p0 uniform 1;' "$inlet 0;" 'type zeroGradient;'
channelField driven k volScalarField '[0 2 -2 0 0 0 0]' 0.004 "$inlet 0.004;" "$outlet 0.004; value uniform 0.004;" 'type kqRWallFunction; value uniform 0.01;'
channelField driven epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.01 "$inlet 0.01;" "$outlet 0.01; value uniform 0.01;" 'type epsilonWallFunction; value uniform 0.1;'
channelField driven nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
setEntry driven/constant/transportProperties nu 1e-5
cp "$tutorials"/incompressible/pimpleFoam/RAS/TJunction/system/fvS* driven/system/
gunzip -f driven/system/*.gz 2> /dev/null || true
setEntry driven/system/controlDict application pimpleFoam
setEntry driven/system/controlDict deltaT 0.02
setEntry driven/system/controlDict writeInterval 500
setEntry driven/system/controlDict endTime 20
setEntry driven/system/controlDict functions '{ y { type lbmYPlus; libs (lbmFunctionObjects); writeControl writeTime; } }'
runIn driven "$lbmFoam"
# Told before the first step, and left out
expect driven/log.lbmFoam "Take OpenFOAM's wallShearStress and yPlus"
passes driven 8.6e-4 9.6e-4 "pimpleFoam's 9.2e-4 after 60 s" "the driven stream slides across"

echo "the same between two static pressures, of which the higher one holds"
cloneCase driven static
plates static 10 0.1 '200 12' 0
cp driven/0/* static/0/
channelField static U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type zeroGradient;' 'type zeroGradient;' 'type noSlip;'
channelField static p volScalarField '[0 2 -2 0 0 0 0]' 0 "$inlet 1;" "$inlet 0;" 'type zeroGradient;'
runIn static "$lbmFoam"
expect static/log.lbmFoam '^ *inlet +pressure +[0-9]' '^ *outlet +pressure, non-reflecting +[0-9]'
passes static 1.08e-3 1.22e-3 "pimpleFoam's 1.147e-3" "the stream between static pressures"
fastest=$(grep '^lattice: .*max|U|' static/log.lbmFoam | tail -n 1 | sed 's/.*max|U| = \([^ ]*\) .*/\1/')
echo "fastest $fastest m/s"
awk -v fastest="$fastest" 'BEGIN { exit !(fastest > 0 && fastest < 2) }' || fail "the stream between static pressures slides across"

echo "laminar, driven by a static pressure, with which trt swings from a grid Reynolds number of 8 on"
freshCavity pushed
plates pushed 1 0.2 '96 32' 0
channelField pushed U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type pressureInletOutletVelocity; value uniform (0 0 0);' \
    'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);' 'type noSlip;'
channelField pushed p volScalarField '[0 2 -2 0 0 0 0]' 0 'type fixedValue; value uniform 1;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
inTime pushed 2e-3 0.01 10 500
expect pushed/log.lbmFoam 'collision hybridRegularized in place of trt'
passes pushed 3.2e-3 3.4e-3 "Poiseuille's 3.333e-3" "the flow that a static pressure drives"
goesOn pushed 10

echo "a room between two static pressures, which hold in a fifth of a side each"
freshCavity room
plates room 2 1 '80 40' 0
cat > room/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (2 0 0) (2 0.2 0) (0 0.2 0) (2 0.8 0) (0 0.8 0) (2 1 0) (0 1 0) (0 0 0.1) (2 0 0.1) (2 0.2 0.1) (0 0.2 0.1) (2 0.8 0.1) (0 0.8 0.1) (2 1 0.1) (0 1 0.1));
blocks
(
    hex (0 1 2 3 8 9 10 11) (80 8 1) simpleGrading (1 1 1)
    hex (3 2 4 5 11 10 12 13) (80 24 1) simpleGrading (1 1 1)
    hex (5 4 6 7 13 12 14 15) (80 8 1) simpleGrading (1 1 1)
);
boundary
(
    inlet { type patch; faces ((5 13 15 7)); }
    outlet { type patch; faces ((1 2 10 9)); }
    walls { type wall; faces ((0 1 9 8) (7 15 14 6) (0 8 11 3) (3 11 13 5) (2 4 12 10) (4 6 14 12)); }
    frontAndBack { type empty; faces ((0 3 2 1) (3 5 4 2) (5 7 6 4) (8 9 10 11) (11 10 12 13) (13 12 14 15)); }
);
END
runIn room blockMesh
inlet='type pressureInletOutletVelocity; value uniform (0 0 0);'
channelField room U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' "$inlet" "$inlet" 'type noSlip;'
channelField room p volScalarField '[0 2 -2 0 0 0 0]' 0 'type fixedValue; value uniform 0.02;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
inTime room 1e-3 0.05 40 400
passes room 2.7e-3 3.2e-3 "pimpleFoam's 3.02e-3" "the flow through the room"
goesOn room 40

echo "a passage so narrow that pressure takes longer through it than the run: told, and mended by what the plan says"
freshCavity narrow
plates narrow 4 0.02 '320 8' 0.00833
setEntry narrow/constant/transportProperties nu 1e-5
for entry in 'deltaT 0.25' 'endTime 60' 'writeInterval 240'; do setEntry narrow/system/controlDict ${entry% *} ${entry#* }; done
runIn narrow "$lbmFoam"
expect narrow/log.lbmFoam '^ +pressure +spreads along it in [0-9.]+ s only' 'Way out: maxMach 0\.0[0-9]+;'
cp -r narrow slower
rm -rf slower/60 slower/log.lbmFoam
lbmDict slower "$(sed -n 's/^Way out: \(maxMach 0\.[0-9]*;\).*/\1/p' narrow/log.lbmFoam | head -n 1)"
runIn slower "$lbmFoam"
echo "lost: $(lost narrow), so $(lost slower)"
awk -v before="$(lost narrow)" -v after="$(lost slower)" 'BEGIN { exit !(before > 0.5 && after < 1e-3) }' || fail "what the plan says does not mend it"
echo passed
