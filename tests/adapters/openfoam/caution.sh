# Flows faster than anything in a case tells: the lattice time step follows them, exactly across restarts, whatever is written
# and in how many parts; what lbmDict fixes stays. usage: caution.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
follows='^Ma = .*: the lattice time step follows the flow'

# run CASE [LOG]: to its end
run() { "$lbmFoam" -case "$1" > "log.${2:-$1}" 2>&1 || { tail -n 30 "log.${2:-$1}" >&2; fail "${2:-$1}"; }; }

# slow LOG: no Mach number of the last third of the run passes 0.3 by more than what comes between two looks at all nodes
slow()
{
    sed -n 's/^lattice: .*, Ma = \([^,]*\),.*/\1/p' "$1" > numbers
    [ "$(wc -l < numbers)" -gt 20 ] || fail "$1: few time steps"
    awk -v from="$(($(wc -l < numbers)*2/3))" 'NR > from && $1 > 0.33 { exit 1 }' numbers || fail "$1: Mach numbers stay large"
}

echo "a throat eight times as fast as the inlet, from the start that fits and from rest"
throatCase throat
# What maxMach is by itself asks for nothing
lbmDict throat 'threads 1; maxMach 0.1;'
cp -r throat rest
lbmDict rest 'threads 1; startFlow given;'
cp -r throat told
lbmDict told 'threads 1; referenceSpeed 8;'
run told
! grep -q "$follows" log.told || fail "told: followed"
for name in throat rest; do
    run $name
    expect log.$name "$follows" 'time step       allows for' 'follows a flow whose Mach number passes'
    slow log.$name
    # Mach 0.26 and 0.1 in the throat, and errors of compressibility with their squares
    "$python" "$here/relativeL2.py" $name/2/U told/2/U 0.1 || fail "$name: U"
    "$python" "$here/relativeL2.py" $name/2/p told/2/p 0.15 || fail "$name: p"
done

echo "a throat that is sixteen times as fast: its start is faster than sound in the time step that the inlet gives"
throatCase sound
sed -i 's/0[.]4375/0.46875/g; s/0[.]5625/0.53125/g; s/(32 14 1)/(32 15 1)/g; s/(32 4 1)/(32 2 1)/g' sound/system/blockMeshDict
runIn sound blockMesh
setEntry sound/system/controlDict endTime 0.2
lbmDict sound 'threads 1;'
run sound
expect log.sound '^Ma = 1[.].*: the lattice time step follows the flow' 'time step       allows for'
! grep -q 'once more' log.sound || fail "sound: the start was lost"

echo "what lbmDict fixes stays"
for entries in 'referenceSpeed 1;' 'maxMach 0.09;' 'deltaT 2e-3;'; do
    cp -r rest fixed
    rm -rf fixed/1 fixed/2
    lbmDict fixed "startFlow given; $entries"
    refused fixed 'FOAM FATAL ERROR' 'The flow diverged' 'the lattice time step is that of system/lbmDict' 'last good state on disk is time 0'
    ! grep -Eq "$follows|once more" log.fixed || fail "$entries: followed"
    rm -r fixed
done

echo "an inlet that a run taken further finds ten times as fast; restarts across the change; parts"
channelMesh ramp
setEntry ramp/constant/transportProperties nu 0.01
setEntry ramp/system/controlDict startFrom latestTime
setEntry ramp/system/controlDict writePrecision 17
setEntry ramp/system/controlDict writeInterval 20
setEntry ramp/system/controlDict endTime 1
lbmDict ramp 'threads 1;'
channelField ramp U volVectorField '[0 1 -1 0 0 0 0]' '(0.25 0 0)' \
    'type uniformFixedValue; uniformValue table ((0 (0.25 0 0)) (1 (0.25 0 0)) (2 (2.5 0 0)));' 'type zeroGradient;' 'type noSlip;'
channelField ramp p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
run ramp
cp -r ramp pressure
setEntry ramp/system/controlDict endTime 4
cp -r ramp stopped
cp -r ramp seldom
cp -r ramp parts
cp -r ramp blocks
run ramp
expect log.ramp "$follows"
[ "$(grep -c "$follows" log.ramp)" -ge 2 ] || fail "a speed that grows is followed once"
slow log.ramp

# sameAs CASE: ends with the bits of ramp
sameAs()
{
    for file in U p uniform/lbmCheckpoint.h5; do cmp "ramp/4/$file" "$1/4/$file" >&2 || fail "$1: $file"; done
}
# Between two changes, and once more
setEntry stopped/system/controlDict endTime 1.75
setEntry stopped/system/controlDict writeInterval 5
run stopped stopped1
expect log.stopped1 "$follows"
setEntry stopped/system/controlDict endTime 4
run stopped stopped2
for time in 1.25 1.5 1.75 2.25 2.5 2.75 3.25 3.5 3.75; do rm -r "stopped/$time"; done
expect log.stopped2 'Start: checkpoint' 'no setting has changed since: continues bit for bit'
for file in U p; do cmp "ramp/4/$file" "stopped/4/$file" >&2 || fail "stopped: $file"; done

setEntry seldom/system/controlDict writeInterval 80
run seldom
for file in U p; do cmp "ramp/4/$file" "seldom/4/$file" >&2 || fail "seldom: $file"; done

lbmDict parts 'threads 1; parts 2;'
run parts
expect log.parts "$follows"
"$python" "$here/relativeL2.py" parts/4/U ramp/4/U 1e-9 || fail "parts"

lbmDict blocks 'threads 2; blocks yes; collision regularized; storage moments;'
run blocks
expect log.blocks "$follows"
"$python" "$here/relativeL2.py" blocks/4/U ramp/4/U 0.02 || fail "blocks"

echo "a pressure difference that grows, taken further"
channelField pressure U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type zeroGradient;' 'type zeroGradient;' 'type noSlip;'
channelField pressure p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type uniformFixedValue; uniformValue table ((0 0.05) (1 0.05) (2 3));' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
rm -r pressure/1
run pressure pressure1
setEntry pressure/system/controlDict endTime 4
run pressure
expect log.pressure "$follows"
slow log.pressure

echo "a body force that has driven the flow for a short time only"
channelMesh force
boxMesh force '2 0.5 0.1' '40 10 1' <<'END'
    inlet { type cyclic; neighbourPatch outlet; faces ((0 4 7 3)); }
    outlet { type cyclic; neighbourPatch inlet; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
END
setEntry force/constant/transportProperties nu 0.01
setEntry force/system/controlDict startFrom latestTime
setEntry force/system/controlDict endTime 0.2
setEntry force/system/controlDict writeInterval 4
channelField force U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type cyclic;' 'type cyclic;' 'type noSlip;'
channelField force p volScalarField '[0 2 -2 0 0 0 0]' 0 'type cyclic;' 'type cyclic;' 'type zeroGradient;'
lbmDict force 'force (0.5 0 0);'
run force force1
setEntry force/system/controlDict endTime 20
setEntry force/system/controlDict writeInterval 396
run force
expect log.force "$follows"
slow log.force
# Poiseuille's flow: g h^2/(8 nu) in the middle, less what 20 s leave of the start
sed -n 's/^lattice: .*max|U| = \([^ ]*\) .*/\1/p' log.force | tail -n 1 |
    awk '{ exit !($1 > 1.5 && $1 < 1.57) }' || fail "force: $(grep 'max|U|' log.force | tail -n 1)"
echo passed
