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

# Developed flow: p falls by 12 nu U/h^2 = 2.4 a metre
channel pressures 'type pressureInletOutletVelocity; value uniform (0 0 0);' "$zero" \
    'type uniformFixedValue; uniformValue constant 4.8;' "$outlet" pressure pressure 0.08

# An outlet through which the pressure drives fluid in, as in OpenFOAM's TJunction
io='type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);'
channel inletOutlet "$io" "$io" 'type fixedValue; value uniform 4.8;' "$outlet" pressure pressure 0.08
# The patch that is written holds inletValue; the flow rate is that of the cells beside it

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
for t in 1 2 3 4; do
    awk -v t=$t '/^[(]$/ { inside = 1; next } /^[)]/ { exit } inside { gsub(/[()]/, ""); sum += $1; ++n }
        END { e = exp(t); u = sum/n; exact = 2*(e - 1)/(e + 1); print "at " t ": " u ", exactly " exact
            exit !(n == 1600 && (u - exact)^2 < (0.02*exact)^2) }' motion/$t/U || fail "a flow from rest at $t"
done
echo "restarted half-way"
cp -r motion again
rm -rf again/[34]
timeout 300 "$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
expect log.again 'Start: checkpoint' 'bit for bit'
for file in U p uniform/lbmCheckpoint.h5; do cmp motion/4/$file again/4/$file || fail "$file after the restart"; done

