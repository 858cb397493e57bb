# A plane channel with each kind of opening, and in every orientation of a two-dimensional case.
# usage: channel.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Re 10 with its height: developed, and the sound of its start gone, at its end
channelMesh base
lbmDict base 'cells 80; referenceSpeed 1.5;'

# channel NAME U-INLET U-OUTLET P-INLET P-OUTLET KIND-OF-INLET KIND-OF-OUTLET: runs it
channel()
{
    name=$1
    rm -rf "$name"; cp -r base "$name"
    channelField "$name" U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' "$2" "$3" 'type noSlip;'
    channelField "$name" p volScalarField '[0 2 -2 0 0 0 0]' 0 "$4" "$5" 'type zeroGradient;'
    timeout 300 "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name"; fail "$name"; }
    expect "log.$name" "inlet +$6 " "outlet +$7 " 'End'
    # volume flow of the last step: mean velocity 1 through 0.5 x 0.1
    balance=$(grep '^mass balance' "log.$name" | tail -n 1)
    echo "$name: $balance"
    echo "$balance" | tr -d , | awk -v limit="${8:-0.01}" -v flow=0.05 '
        function off(x) { return x < (1 - limit)*flow || x > (1 + limit)*flow }
        { exit off($4) || off($6) }' || fail "$name: flow rates"
}

zero='type zeroGradient;'
outlet='type fixedValue; value uniform 0;'

channel fixedValue 'type fixedValue; value uniform (1 0 0);' "$zero" "$zero" "$outlet" velocity pressure
channel uniformFixedValue 'type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.2 (1 0 0)) (9 (1 0 0)));' \
    "$zero" "$zero" "$outlet" velocity pressure
channel flowRate 'type flowRateInletVelocity; volumetricFlowRate 0.05; value uniform (0 0 0);' \
    'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);' "$zero" "$outlet" velocity pressure
channel outflow 'type fixedValue; value uniform (1 0 0);' "$zero" "$zero" "$zero" velocity outflow 0.03
# A flow that inletOutlet lets in where p is free is what it gives: once in, nothing turns it (atmBoundaryLayerInletVelocity)
channel entering 'type inletOutlet; inletValue uniform (1 0 0); value uniform (1 0 0);' "$zero" "$zero" "$outlet" velocity pressure
# No equation of p tells these their gradient
channel fixedFlux 'type fixedValue; value uniform (1 0 0);' "$zero" 'type fixedFluxExtrapolatedPressure; value uniform 0;' "$outlet" velocity pressure
channel zeroFlux 'type fixedValue; value uniform (1 0 0);' "$zero" 'type fixedFluxPressure; value uniform 0;' "$outlet" velocity pressure
for name in fixedFlux zeroFlux; do cmp fixedValue/4/U $name/4/U || fail "$name: another flow than that of zeroGradient"; done
# Developed flow: p falls by 12 nu U/h^2 = 2.4 a metre
channel pressures 'type pressureInletOutletVelocity; value uniform (0 0 0);' "$zero" \
    'type uniformFixedValue; uniformValue constant 4.8;' "$outlet" pressure pressure 0.08

# An outlet through which the pressure drives fluid in, as in OpenFOAM's TJunction: it comes from rest, and what speeds it up is part
# of the pressure (0.050 without that; icoFoam's enters without momentum, 0.025)
io='type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);'
channel inletOutlet "$io" "$io" 'type fixedValue; value uniform 4.8;' "$outlet" pressure pressure 0.13
# The patch that is written holds inletValue; the flow rate is that of the cells beside it
"$build/bin/lbmCompare" inletOutlet inletOutlet > log.compare 2>&1 || { tail -n 20 log.compare; fail "lbmCompare"; }
awk '$1 == "inlet" { found = $2 < -0.0435 && $2 > -0.0455 } END { exit !found }' log.compare || fail "flow rate of inletOutlet"
! grep -q 'inletValue' log.inletOutlet || fail "inletOutlet: a velocity of zero is none to warn of"

echo "where p is fixed, a velocity for what enters is not used: the same flow, and a warning"
io='type inletOutlet; inletValue uniform (0.3 0 0); value uniform (0 0 0);'
channel inletValue "$io" "$zero" 'type fixedValue; value uniform 4.8;' "$outlet" pressure pressure 0.08
expect log.inletValue 'Patch inlet: the velocity of up to 0.3 m/s that inletOutlet gives what enters is not used, for p is fixed' \
    'Way out: U fixedValue and p zeroGradient' '^file: .*/0/U'
! grep -q 'Patch outlet: the velocity' log.inletValue || fail "inletValue: outlet has none"

echo "conditions are those of the end of a time step: a flow that begins within the first one enters in it"
rm -rf sudden; cp -r base sudden
channelField sudden U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.02 (0 0 0)) (0.03 (1 0 0)) (9 (1 0 0)));' "$zero" 'type noSlip;'
channelField sudden p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" "$outlet" "$zero"
setEntry sudden/system/controlDict endTime 0.05
timeout 300 "$lbmFoam" -case sudden > log.sudden 2>&1 || { tail -n 30 log.sudden; fail "a sudden flow"; }
grep '^mass balance' log.sudden | tr -d , | awk '{ if ($4 < 0.045 || $4 > 0.055) { print; bad = 1 } }
    END { exit bad || NR != 1 }' || fail "a sudden flow: $(grep '^mass balance' log.sudden)"

echo "a flow that sets in within two passages of sound rings in a thin fluid, and the log says so; with a fifth of the Mach number it does not"
# ringing NAME ENTRIES
ringing()
{
    rm -rf "$1"; cp -r base "$1"
    setEntry "$1/constant/transportProperties" nu 1e-3
    # What an inlet gives jumps from time step to time step
    setEntry "$1/system/controlDict" deltaT 0.005
    setEntry "$1/system/controlDict" writeInterval 800
    lbmDict "$1" "cells 80; $2"
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
        'type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.4 (1 0 0)) (9 (1 0 0)));' "$zero" 'type noSlip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" "$outlet" "$zero"
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}
ringing rings ''
expect log.rings 'more fluid (leaves than enters|enters than leaves) through the openings' 'Way out: maxMach 0.01[0-9]; in system/lbmDict'
[ "$(grep -c 'through the openings, after sound' log.rings)" -eq 1 ] || fail "told more than once"
ringing given 'deltaT 1e-3;'
expect log.given 'Way out: deltaT 0.0002; in system/lbmDict'
ringing calm 'maxMach 0.02;'
for name in calm fixedValue pressures; do ! grep -q 'ring with sound' log.$name || fail "$name: warned of sound"; done

echo "a pressure that swings within seven passages of sound is told, with the Mach number that it takes; one of that Mach number is not"
# swings NAME PERIOD ENTRIES: p of the outlet
swings()
{
    rm -rf "$1"; cp -r base "$1"
    setEntry "$1/system/controlDict" deltaT 0.02
    setEntry "$1/system/controlDict" writeInterval 200
    lbmDict "$1" "cells 80; $3"
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' "$zero" 'type slip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" "type uniformFixedValue;
        uniformValue sine; uniformValueCoeffs { frequency $(awk "BEGIN { print 1/$2 }"); amplitude 0.2; scale 1; level 0; }" "$zero"
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}
told='of patch outlet changed by .* % of all its changes so far .*while sound passes along the domain'
swings swift 1 ''
expect log.swift "p $told" 'Way out: maxMach 0.0[2-4][0-9]*; in system/lbmDict'
[ "$(grep -c 'of all its changes' log.swift)" -eq 1 ] || fail "told more than once"
swings slow 1 "$(sed -n 's/.*Way out: \(maxMach [0-9.]*;\).*/\1/p' log.swift)"
swings slower 4 ''
# What rises for long changes by all of itself where it begins
rm -rf ramp; cp -r slower ramp; rm -rf ramp/[1-9]*
channelField ramp p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" 'type uniformFixedValue; uniformValue table ((0 0) (2 0) (4 0.5));' "$zero"
timeout 300 "$lbmFoam" -case ramp > log.ramp 2>&1 || { tail -n 30 log.ramp; fail ramp; }
for name in slow slower ramp rings sudden advective; do [ ! -f log.$name ] || ! grep -q 'of all its changes' log.$name || fail "$name: warned of what it is given"; done

# Sound leaves; the means stay what the conditions say
channel advective 'type fixedValue; value uniform (1 0 0);' 'type advective;' "$zero" \
    'type waveTransmissive; gamma 1; fieldInf 0; lInf 20; value uniform 0;' velocity 'pressure, non-reflecting'
echo "far away the pressure is another one: the mean goes there at the speed of sound, 15 m/s, over lInf"
rm -rf far; cp -r base far
channelField far U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type advective;' 'type slip;'
channelField far p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" \
    'type waveTransmissive; gamma 1; fieldInf 3; lInf 20; value uniform 0;' "$zero"
setEntry far/system/controlDict writeInterval 10
timeout 300 "$lbmFoam" -case far > log.far 2>&1 || { tail -n 30 log.far; fail "far field"; }
# excess TIME: of the mean pressure over the one far away
excess()
{
    awk '/^[(]$/ { inside = 1; next } /^[)]/ { exit } inside { sum += $1; ++n } END { print sum/n - 3 }' "far/$1/p"
}
echo "far field: $(excess 0.5), $(excess 1), $(excess 4)"
echo "$(excess 0.5) $(excess 1) $(excess 4)" | awk '{ kept = exp(-0.5*15/20)
    exit !($1 > 0.1 && $2 > 0.9*kept*$1 && $2 < 1.1*kept*$1 && $3^2 < 0.05^2) }' || fail "far field"

lbmDict base 'cells 80; referenceSpeed 1.5; openings { ".*let" { type nonReflecting; lInf 4; } }'
channel nonReflecting 'type fixedValue; value uniform (1 0 0);' "$zero" "$zero" "$outlet" 'velocity, non-reflecting' 'pressure, non-reflecting'
lbmDict base 'cells 80; referenceSpeed 1.5;'

echo "another time step: the flow goes through openings as before, and so does what they remember of it"
cp -r nonReflecting shorter
lbmDict shorter 'cells 80; referenceSpeed 1.5; maxMach 0.05; openings { ".*let" { type nonReflecting; lInf 4; } }'
setEntry shorter/system/controlDict startFrom latestTime
setEntry shorter/system/controlDict endTime 4.5
timeout 300 "$lbmFoam" -case shorter > log.shorter 2>&1 || { tail -n 30 log.shorter; fail "another time step"; }
expect log.shorter 'lattice time step was .*, is ' '^deltaT = 0.05: '
grep '^mass balance' log.shorter | tr -d , | awk '
    { for (i = 4; i <= 6; i += 2) if ($i < 0.0495 || $i > 0.0505) { print; bad = 1 } }
    END { exit bad || NR != 10 }' || fail "flow rates after another time step"

# A total pressure sets no flow rate in advance: icoFoam's is the measure
channel totalPressure 'type pressureInletOutletVelocity; value uniform (0 0 0);' "$zero" \
    'type totalPressure; p0 uniform 5.8; value uniform 5.8;' "$outlet" pressure pressure 0.25
cloneCase totalPressure totalPressureFv
setEntry totalPressureFv/system/controlDict deltaT 0.01
setEntry totalPressureFv/system/controlDict writeInterval 400
runIn totalPressureFv icoFoam
"$python" "$here/relativeL2.py" totalPressure/4/U totalPressureFv/4/U 0.03 || fail "totalPressure differs from icoFoam"

echo "a total pressure of 2 sets fluid of length 2 in motion, past no walls: U = 2 tanh(t/2), though openings let sound out"
rm -rf motion; cp -r base motion
channelField motion U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type pressureInletOutletVelocity; value uniform (0 0 0);' "$zero" 'type slip;'
channelField motion p volScalarField '[0 2 -2 0 0 0 0]' 0 'type totalPressure; p0 uniform 2; value uniform 2;' "$outlet" "$zero"
setEntry motion/system/controlDict writeInterval 20
setEntry motion/system/controlDict writePrecision 12
setEntry motion/system/controlDict startFrom latestTime
lbmDict motion 'cells 80; referenceSpeed 2; checkpoint all; threads 1; openings { ".*let" { type nonReflecting; } }'
timeout 300 "$lbmFoam" -case motion > log.motion 2>&1 || { tail -n 30 log.motion; fail "a flow from rest"; }
expect log.motion 'inlet +pressure, non-reflecting' 'outlet +pressure, non-reflecting'
# Means at openings follow the flow over the time that sound takes, which at the beginning is some of it
for t in 1 2 3 4; do
    awk -v t=$t -v limit="$([ $t -gt 1 ] && echo 0.03 || echo 0.2)" '/^[(]$/ { inside = 1; next } /^[)]/ { exit } inside { gsub(/[()]/, ""); sum += $1; ++n }
        END { e = exp(t); u = sum/n; exact = 2*(e - 1)/(e + 1); print "at " t ": " u ", exactly " exact
            exit !(n == 1600 && (u - exact)^2 < (limit*exact)^2) }' motion/$t/U || fail "a flow from rest at $t"
done
echo "restarted half-way"
cp -r motion again
rm -rf again/[34]
timeout 300 "$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
expect log.again 'Start: checkpoint' 'bit for bit'
for file in U p uniform/lbmCheckpoint.h5; do cmp motion/4/$file again/4/$file || fail "$file after the restart"; done

echo "an inlet that repeats the flow within"
cp -r base mapped
sed -i 's/inlet { type patch;/inlet { type mappedPatch; sampleMode nearestCell; sampleRegion region0; offset (1 0 0);/' mapped/system/blockMeshDict
runIn mapped blockMesh
channelField mapped U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type mapped; interpolationScheme cell; setAverage true; average (1 0 0); value uniform (1 0 0);' "$zero" 'type noSlip;'
channelField mapped p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" "$outlet" "$zero"
cloneCase mapped mappedFv
timeout 300 "$lbmFoam" -case mapped > log.mapped 2>&1 || fail "mapped"
setEntry mappedFv/system/controlDict deltaT 0.01
setEntry mappedFv/system/controlDict writeInterval 400
runIn mappedFv icoFoam
"$python" "$here/relativeL2.py" mapped/4/U mappedFv/4/U 0.01 || fail "mapped differs from icoFoam"

echo "orientations"
# permute EXPRESSION FILE: rewrites every triple of numbers
permute() { sed -E "s/\(([-0-9.e]+) ([-0-9.e]+) ([-0-9.e]+)\)/$1/g" "$2" > "$2.new" && mv "$2.new" "$2"; }
for order in '(\3 \1 \2)' '(\2 \3 \1)'; do
    rm -rf turned; cp -r fixedValue turned
    rm -rf turned/4 turned/constant/polyMesh
    sed -E -i "/^vertices/s/\(([0-9.]+) ([0-9.]+) ([0-9.]+)\)/$order/g" turned/system/blockMeshDict
    permute "$order" turned/0/U
    runIn turned blockMesh
    timeout 300 "$lbmFoam" -case turned > log.turned 2>&1 || fail "orientation $order"
    cp fixedValue/4/U expected
    permute "$order" expected
    "$python" "$here/relativeL2.py" turned/4/U expected 1e-5 || fail "orientation $order changes the flow"
done

echo "an inlet whose nodes stand for another area than its faces is told"
cp -r fixedValue narrow
rm -rf narrow/[1-9]* narrow/0.[0-9]*
setEntry narrow/system/controlDict endTime 0.05
lbmDict narrow 'cellSize 0.111; referenceSpeed 1.5;'
"$lbmFoam" -case narrow > log.narrow 2>&1 || { tail -n 30 log.narrow; fail "narrow"; }
expect log.narrow 'Patch inlet: nodes stand for [01].[0-9]* of its area, so that what enters is [01].[0-9]* times as fast' 'Way out: entry cellSize'
! grep -q 'nodes stand for' log.fixedValue || fail "an inlet that nodes fit is told of"

echo passed
