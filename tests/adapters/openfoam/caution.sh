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
echo "a flow that creeps through a gap of two nodes: p is 85 times the dynamic pressure of the fastest node"
freshCavity gap
{
    echo 'FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }'
    echo 'vertices ('
    for z in 0 0.1; do for y in 0 0.175 0.2; do for x in 0 0.4 0.8 1.2; do echo "($x $y $z)"; done; done; done
    cat <<'MESH'
);
blocks
(
    hex (0 1 5 4 12 13 17 16) (32 14 1) simpleGrading (1 1 1) hex (4 5 9 8 16 17 21 20) (32 2 1) simpleGrading (1 1 1)
    hex (5 6 10 9 17 18 22 21) (32 2 1) simpleGrading (1 1 1)
    hex (2 3 7 6 14 15 19 18) (32 14 1) simpleGrading (1 1 1) hex (6 7 11 10 18 19 23 22) (32 2 1) simpleGrading (1 1 1)
);
boundary
(
    inlet { type patch; faces ((0 12 16 4) (4 16 20 8)); }
    outlet { type patch; faces ((3 7 19 15) (7 11 23 19)); }
    walls { type wall; faces ((0 1 13 12) (1 5 17 13) (5 6 18 17) (2 6 18 14) (2 3 15 14) (8 20 21 9) (9 21 22 10) (10 22 23 11)); }
    frontAndBack
    {
        type empty;
        faces ((0 4 5 1) (4 8 9 5) (5 9 10 6) (2 6 7 3) (6 10 11 7) (12 13 17 16) (16 17 21 20) (17 18 22 21) (14 15 19 18) (18 19 23 22));
    }
);
MESH
} > gap/system/blockMeshDict
runIn gap blockMesh
for entry in 'startFrom latestTime' 'deltaT 0.5' 'endTime 60' 'writeInterval 60' 'writePrecision 12'; do setEntry gap/system/controlDict ${entry% *} ${entry#* }; done
setEntry gap/constant/transportProperties nu 0.002
channelField gap U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (0.02 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField gap p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
lbmDict gap 'threads 1;'
cp -r gap gapParted
run gap
expect log.gap '^densities apart by .*: the lattice time step follows p'
[ "$(sed -n 's/.*allows for \([0-9]*\).* times the reference.*/\1/p' log.gap | tail -n 1)" -gt 8 ] || fail "gap: steps"
# 12 nu U L/h^2 = 2.458 in the gap, and in entering and leaving as much as in 0.012 m of it
awk '/^[(]$/ { inside = 1; next } inside { print "p at the inlet: " $1; exit !($1 > 2.35 && $1 < 2.75) }' gap/60/p || fail "gap: p"
setEntry gapParted/system/controlDict writeInterval 30
setEntry gapParted/system/controlDict endTime 30
run gapParted
setEntry gapParted/system/controlDict endTime 60
run gapParted
expect log.gapParted 'Start: checkpoint' 'no setting has changed since: continues bit for bit'
for file in U p; do cmp "gap/60/$file" "gapParted/60/$file" >&2 || fail "gapParted: $file"; done
echo passed
