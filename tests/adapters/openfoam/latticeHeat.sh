# Temperature on the lattice: cavities in the plane and in space beside OpenFOAM's own equation on the same cells, heat that goes in
# and out, steps of several of the flow's, curved walls between two temperatures, restarts and cut time steps bit for bit, parts, what
# is refused. Openings: heat.sh.
# usage: latticeHeat.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
ours=$here/../../../tutorials/heatedCavity
onLattice='temperatureOn lattice; checkpoint all; threads 1;'

heated() { heatedCavity "$1" "$onLattice"; }

# run CASE: its log is log.CASE
run() { "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }; }

# gradient LOG PATCH: mean gradient at the patch, of the last time that was written
gradient() { sed -n "s/^temperature: .*\b$2 [^ ]* (gradient \([^ ]*\) .*/\1/p" "$1" | tail -n 1; }

heated whole
cp -r whole fv
runIn fv buoyantBoussinesqPimpleFoam
run whole
expect log.whole 'temperature +on the lattice, 5 populations a node' 'buoyancy +g \(0 -9.81 0\)'
if grep 'Solving for T' log.whole; then fail "T is solved for on the mesh, too"; fi
# p_rgh is 1.10e-3 off with 48 lattice steps in a time step, four of them in one of T
"$build/bin/lbmCompare" whole fv -fields '(U T p_rgh)' -noPicture -maxRelL2 U=0.03,T=1.5e-4,p_rgh=0.02 > log.compare ||
    { cat log.compare; fail "lbmFoam and buoyantBoussinesqPimpleFoam"; }
grep -E '^(U|T|p_rgh) ' log.compare
# What goes in comes out, through the other wall alone; Nu 2.245 (Hortmann, Peric & Scheuerer 1990: 2.2448) of a difference of 10 K
# over 1 m
echo "gradients: hot $(gradient log.whole hot), cold $(gradient log.whole cold), insulated $(gradient log.whole insulated)"
awk -v hot="$(gradient log.whole hot)" -v cold="$(gradient log.whole cold)" -v none="$(gradient log.whole insulated)" 'BEGIN {
    exit !(none == 0 && (hot + cold)^2 < 1e-6*hot^2 && (hot/22.45 - 1)^2 < 0.02^2) }' || fail "heat through the walls"

echo "single precision"
cp -r whole single
rm -rf single/[1-9]* single/postProcessing
lbmDict single "$onLattice precision float;"
cases=whole
if "$lbmFoam" -case single > log.single 2>&1; then
    cases='whole single'
    awk -v one="$(gradient log.single hot)" -v two="$(gradient log.whole hot)" 'BEGIN { exit !((one/two - 1)^2 < 1e-3^2) }' ||
        fail "heat by single precision: $(gradient log.single hot)"
elif grep -Eq 'which this build does not have|not built; one configured' log.single; then
    echo "this build has no nodes' forces in single precision"
else
    tail -n 30 log.single
    fail single
fi

for case in $cases; do
    echo "$case restarted half-way"
    cp -r "$case" again
    rm -rf again/100 again/postProcessing
    run again
    expect log.again 'Start: checkpoint' 'bit for bit'
    for file in U T p p_rgh uniform/lbmCheckpoint.h5; do
        cmp "$case/100/$file" "again/100/$file" || fail "$file after the restart"
    done
    rm -r again
done

echo "from a run with temperature on the mesh"
cp -r whole moved
rm -rf moved/[1-9]* moved/postProcessing
lbmDict moved 'checkpoint all; threads 1;'
setEntry moved/system/controlDict endTime 50
run moved
lbmDict moved "$onLattice"
setEntry moved/system/controlDict endTime 100
run moved
expect log.moved 'temperature was on the mesh, is on the lattice'
"$build/bin/lbmCompare" moved whole -fields '(U T)' -noPicture -maxRelL2 U=0.01,T=1e-4 > log.compare || { cat log.compare; fail "moved"; }

# Where a device answers: the same numbers but for rounding, and restarts bit for bit
echo "on a device"
cp -r whole device
rm -rf device/[1-9]* device/postProcessing
lbmDict device "$onLattice device cuda;"
if "$lbmFoam" -case device > log.device 2>&1; then
    expect log.device 'it steps +on the device, beside the flow'
    awk -v one="$(gradient log.device hot)" -v two="$(gradient log.whole hot)" 'BEGIN { exit !((one/two - 1)^2 < 1e-6^2) }' ||
        fail "heat on a device: $(gradient log.device hot)"
    cp -r device again
    rm -rf again/100 again/postProcessing
    run again
    expect log.again 'Start: checkpoint'
    for file in U T p p_rgh; do cmp "device/100/$file" "again/100/$file" || fail "$file after the restart on a device"; done
    rm -r again
elif grep -E 'has no GPU kernels|no NVIDIA driver is loaded|no CUDA device is present' log.device; then
    echo "skipped: a case on a device, for there is none"
else
    tail -n 30 log.device
    fail device
fi

cloned() { cp -r whole "$1"; rm -rf "$1"/[1-9]* "$1"/postProcessing; }
# compared A B U T: both within so much of each other
compared()
{
    "$build/bin/lbmCompare" "$1" "$2" -fields '(U T)' -noPicture -maxRelL2 "U=$3,T=$4" > log.compare || { cat log.compare; fail "$1 and $2"; }
    echo "$1 and $2: $(grep -E '^(U|T) ' log.compare | awk '{ print $1, $5 }' | tr '\n' ' ')"
}

echo "in two parts"
cloned parts
lbmDict parts "$onLattice parts 2;"
run parts
for file in U T p p_rgh; do cmp "whole/100/$file" "parts/100/$file" || fail "$file in two parts"; done

# Lattice steps of 0.009 s and less, of which T takes one, four or eight together
echo "steps of several of the flow's"
small="$onLattice maxMach 0.02; referenceSpeed 0.05;"
for steps in 1 8; do
    cloned "each$steps"
    lbmDict "each$steps" "$small"
    setEntry "each$steps/system/controlDict" deltaT "$(awk "BEGIN { print 0.009*$steps }")"
    setEntry "each$steps/system/controlDict" endTime 36
    setEntry "each$steps/system/controlDict" writeControl runTime
    setEntry "each$steps/system/controlDict" writeInterval 18
    run "each$steps"
    expect "log.each$steps" "once in $steps of the flow's steps" "\($steps in each of"
done
compared each1 each8 0.005 1e-4
# A time step of four leaves none for eight: another one would have T run ahead of the flow
cp -r each8 shorter
rm -rf shorter/36
setEntry shorter/system/controlDict deltaT 0.036
run shorter
expect log.shorter 'Start: checkpoint' "\(4 in each of"
compared each1 shorter 0.005 1e-4

# 89 steps of 0.00962 s and less would leave T to step with each of them
cloned prime
lbmDict prime "$small"
setEntry prime/system/controlDict deltaT 0.85
"$lbmFoam" -case prime -dry-run > log.prime 2>&1 || { tail -n 30 log.prime; fail "prime"; }
expect log.prime '\(92 in each of' "once in 4 of the flow's steps"

echo "a flow that is faster than was expected"
cloned fast
setEntry fast/constant/transportProperties Pr 7.1
setEntry fast/system/controlDict deltaT 5
cp -r fast slow
lbmDict fast "$onLattice maxMach 0.02; referenceSpeed 0.02;"
run fast
expect log.fast "the flow moved 0\.[0-9]* spacings in a step, now once in [0-9]* of the flow's steps"
lbmDict slow "$onLattice maxMach 0.02; referenceSpeed 0.1;"
run slow
compared fast slow 0.005 1e-4
cloned faster
setEntry faster/constant/transportProperties Pr 7.1
setEntry faster/system/controlDict deltaT 100
lbmDict faster "$onLattice maxMach 0.02; referenceSpeed 0.01;"
run faster
expect log.faster 'The flow moved too far in a step of temperature: once more from' "temperature     once in [0-9]* of the flow's steps from now on"

# In each of three time steps, whose conditions are those of the time step as it began
echo "time steps that are cut"
cloned uncut
sed -i '/^functions/,$d' uncut/system/controlDict
foamDictionary -entry boundaryField.hot -set '{ type uniformFixedValue; uniformValue table ((0 305) (1000 315)); value uniform 305; }' \
    uncut/0/T > /dev/null
setEntry uncut/system/controlDict deltaT 250
setEntry uncut/system/controlDict endTime 750
setEntry uncut/system/controlDict writeControl timeStep
setEntry uncut/system/controlDict writeInterval 1
cp -r uncut cut
cp -r uncut onMesh
run uncut
lbmDict onMesh 'checkpoint all; threads 1;'
setEntry onMesh/system/controlDict deltaT 5000
setEntry onMesh/system/controlDict endTime 15000
cp -r onMesh onMeshWhole
run onMeshWhole
for step in 1 2 3; do
    cutShort cut $((250*step))
    cutShort onMesh $((5000*step))
done
run onMesh
for file in U T p p_rgh; do cmp "onMeshWhole/15000/$file" "onMesh/15000/$file" || fail "$file on the mesh after time steps that were cut"; done
run cut
for file in U T p p_rgh; do cmp "uncut/750/$file" "cut/750/$file" || fail "$file after time steps that were cut"; done

# Front and back are insulated walls, too
echo "in space"
heated cube
sed -i '/^functions/,$d' cube/system/controlDict
boxMesh cube '1 1 1' '16 16 16' <<'END'
    hot { type wall; faces ((0 4 7 3)); }
    cold { type wall; faces ((1 2 6 5)); }
    insulated { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type wall; faces ((0 3 2 1) (4 5 6 7)); }
END
sed -i '/^ *frontAndBack/d; s/^ *insulated/    "(insulated|frontAndBack)"/; s/(hot|cold|insulated)/.*/' cube/0/*
cp -r cube cubeFv
runIn cubeFv buoyantBoussinesqPimpleFoam
run cube
expect log.cube 'on the lattice, 7 populations a node'
compared cube cubeFv 0.06 5e-4
awk -v hot="$(gradient log.cube hot)" -v cold="$(gradient log.cube cold)" -v none="$(gradient log.cube frontAndBack)" 'BEGIN {
    exit !(none == 0 && hot > 10 && (hot + cold)^2 < 1e-4*hot^2) }' || fail "heat through the cube's walls"

# Between planes that mirror it, without gravity: 10 K over 1 m
echo "planes of symmetry"
cloned mirrored
sed -i 's/insulated .*/floor { type symmetryPlane; faces ((0 1 5 4)); } ceiling { type symmetryPlane; faces ((3 7 6 2)); }/' \
    mirrored/system/blockMeshDict
sed -i 's/^ *frontAndBack/    "(floor|ceiling)" { type symmetryPlane; }\n&/' mirrored/0/*
setEntry mirrored/constant/g value '(0 0 0)'
lbmDict mirrored "$onLattice referenceSpeed 0.02;"
runIn mirrored blockMesh
run mirrored
awk -v hot="$(gradient log.mirrored hot)" -v cold="$(gradient log.mirrored cold)" -v none="$(gradient log.mirrored floor)" 'BEGIN {
    exit !(none == "0" && (hot/10 - 1)^2 < 1e-3^2 && (cold/10 + 1)^2 < 1e-3^2) }' || fail "heat between planes of symmetry"

# A gradient at the hot wall in place of a temperature: as much heat goes in as comes out of the cold one
echo "a gradient that is fixed"
cp -r whole given
rm -rf given/[1-9]* given/postProcessing
foamDictionary -entry boundaryField.hot -set '{ type fixedGradient; gradient uniform 20; }' given/0/T > /dev/null
setEntry given/system/controlDict endTime 600
setEntry given/system/controlDict writeInterval 600
run given
echo "gradients: hot $(gradient log.given hot), cold $(gradient log.given cold)"
awk -v hot="$(gradient log.given hot)" -v cold="$(gradient log.given cold)" 'BEGIN {
    exit !((hot/20 - 1)^2 < 1e-4^2 && (cold/20 + 1)^2 < 0.005^2) }' || fail "heat of a fixed gradient"

# Between two cylinders, without gravity: T = 300 + 10 log(r/r1)/log(r2/r1), on 12 nodes from one to the other
echo "cylinders"
cloneCase "$ours" rings
rm rings/system/validationDict
sed -i '/^functions/,$d' rings/system/controlDict
cat > rings/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((.5 0 0) (1 0 0) (0 1 0) (0 .5 0) (.5 0 .1) (1 0 .1) (0 1 .1) (0 .5 .1));
blocks (hex (0 1 2 3 4 5 6 7) (12 36 1) simpleGrading (1 1 1));
edges
(
    arc 0 3 (.3535533905932738 .3535533905932738 0) arc 4 7 (.3535533905932738 .3535533905932738 .1)
    arc 1 2 (.7071067811865476 .7071067811865476 0) arc 5 6 (.7071067811865476 .7071067811865476 .1)
);
boundary
(
    hot { type wall; faces ((1 2 6 5)); }
    cold { type wall; faces ((0 4 7 3)); }
    insulated { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
setEntry rings/constant/g value '(0 0 0)'
sed -i 's/uniform 305/uniform 310/; s/uniform 295/uniform 300/' rings/0/T
setEntry rings/constant/transportProperties nu 0.02
setEntry rings/system/controlDict deltaT 0.5
setEntry rings/system/controlDict endTime 60
setEntry rings/system/controlDict writeInterval 60
runIn rings blockMesh
lbmDict rings "$onLattice cellSize 0.0417; referenceSpeed 0.02;"
run rings
runIn rings postProcess -func writeCellCentres -time 60
# numbers FIELD: those of cells, one a line
numbers() { awk '/^boundaryField/ { exit } /^[-0-9.e]+$/ && ++n > 1' "rings/60/$1" > "rings.$1"; }
for field in Cx Cy T; do numbers $field; done
paste rings.Cx rings.Cy rings.T | awk '{ r = sqrt($1*$1 + $2*$2); e = $3 - 300 - 10*log(r/0.5)/log(2); if (e*e > most) most = e*e; ++n }
    END { print n " cells, T off by at most " sqrt(most) " K of 10"; exit !(n == 432 && most < 0.1^2) }' || fail "between cylinders"

# 5 K/m come in at the inner one, whose wall the nodes have as stairs: T = 310 - 5 r1 log(r/r2)
cp -r rings heats
rm -rf heats/[1-9]* heats/postProcessing
sed -i 's/^ *cold .*/    cold { type fixedGradient; gradient uniform 5; }/' heats/0/T
setEntry heats/system/controlDict endTime 200
setEntry heats/system/controlDict writeInterval 200
run heats
awk '/^boundaryField/ { exit } /^[-0-9.e]+$/ && ++n > 1' heats/200/T > heats.T
paste rings.Cx rings.Cy heats.T | awk '{ e = $3 - 310 + 2.5*log(sqrt($1*$1 + $2*$2)); if (e*e > most) most = e*e; ++n }
    END { print n " cells, T off by at most " sqrt(most) " K of 1.7"; exit !(n == 432 && most < 0.03^2) }' || fail "heat through a cylinder"
awk -v given="$(gradient log.heats cold)" 'BEGIN { print "gradient " given " of 5"; exit !((given/5 - 1)^2 < 0.01^2) }' || fail "heat of a cylinder's gradient"

# Iterations of 0.09 s, to where the transient case has come to rest
echo "a steady case"
cloned steady
sed -i 's/^ddtSchemes.*/ddtSchemes { default steadyState; }/' steady/system/fvSchemes
setEntry steady/system/controlDict application buoyantBoussinesqSimpleFoam
setEntry steady/system/controlDict endTime 1200
setEntry steady/system/controlDict writeInterval 600
run steady
expect log.steady 'steadyState' 'on the lattice, 5 populations a node'
compared steady whole 0.002 3e-5
cp -r steady again
rm -rf again/1200
run again
expect log.again 'Start: checkpoint'
for file in U T p p_rgh; do cmp "steady/1200/$file" "again/1200/$file" || fail "$file after the restart of a steady case"; done
rm -r again
cloned swirls
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType LES;
LES { LESModel Smagorinsky; turbulence on; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }' > swirls/constant/turbulenceProperties
sed 's/alphat/nut/' swirls/0/alphat > swirls/0/nut
lbmDict swirls "$onLattice turbulenceOn mesh;"
cp -r swirls swirlsOnMesh
lbmDict swirlsOnMesh 'checkpoint all; threads 1; turbulenceOn mesh;'
run swirls
run swirlsOnMesh
expect log.swirls 'its eddies +by the model on the mesh'
compared swirls swirlsOnMesh 0.02 1e-4
# Beside a model a time step in which the flow moves too far is made once more, with T of its beginning
rm -rf swirls/[1-9]*
setEntry swirls/constant/transportProperties Pr 7.1
setEntry swirls/system/controlDict deltaT 50
cp -r swirls back
lbmDict back "$onLattice turbulenceOn mesh; maxMach 0.02; referenceSpeed 0.01;"
run back
expect log.back 'The flow moved too far in a step of temperature: once more from the beginning' 'once in [0-9]* of the flow.s steps from now on'
lbmDict swirls "$onLattice turbulenceOn mesh; maxMach 0.02; referenceSpeed 0.1;"
run swirls
if grep 'once more' log.swirls; then fail "slow steps were lost, too"; fi
compared back swirls 0.08 4e-4

# Rooms with a warm spot on the floor, by k-epsilon with wall functions (OpenFOAM's hotRoom): eddies conduct, and walls pass what
# alphat lets pass; 50 s, in which the mesh's T has no more than the wall to give
# heat CASE TIME: mean of T - 300 over cells that are alike
heat()
{
    awk '/^internalField/ { on = 1 } on && /^\($/ { read = 1; next } on && /^\)/ { exit } read { sum += $1 - 300; ++n } END { print sum/n }' "$1/$2/T"
}
echo "eddies of a model on the mesh"
cloneCase "$tutorials/heatTransfer/buoyantBoussinesqPimpleFoam/hotRoom" room
cp room/0/T.orig room/0/T
runIn room blockMesh
runIn room setFields
setEntry room/system/controlDict startFrom latestTime
setEntry room/system/controlDict endTime 200
setEntry room/system/controlDict writeInterval 50
setEntry room/system/controlDict writePrecision 10
moments='collision regularized; storage moments; checkpoint all; threads 1;'
cp -r room roomOnMesh
lbmDict room "$moments temperatureOn lattice;"
lbmDict roomOnMesh "$moments"
run room
run roomOnMesh
expect log.room 'its eddies +by the model on the mesh' 'Solving for epsilon' '% of the volume conductivity is raised'
if grep 'Solving for T' log.room; then fail "T is solved for on the mesh, too"; fi
"$build/bin/lbmCompare" room roomOnMesh -fields '(T)' -noPicture -maxRelL2 T=4e-4 > log.compare || { cat log.compare; fail "room and roomOnMesh"; }
echo "mean rise of T: $(heat room 200) K, on the mesh $(heat roomOnMesh 200) K"
awk -v one="$(heat room 200)" -v two="$(heat roomOnMesh 200)" 'BEGIN { exit !(two > 0.1 && (one/two - 1)^2 < 0.1^2) }' || fail "heat into the room"
cp -r room again
rm -rf again/200
run again
expect log.again 'Start: checkpoint' 'bit for bit'
for file in U T p p_rgh k epsilon alphat; do cmp "room/200/$file" "again/200/$file" || fail "$file after the restart of a room"; done
rm -r again

# Its end by residualControl: of U alone long before T is at rest, and by T then
for T in 1e-4 1e-6; do
    cp -r steady "rest$T"
    rm -rf "rest$T"/[1-9]*
    setEntry "rest$T/system/controlDict" endTime 4000
    setEntry "rest$T/system/controlDict" writeInterval 4000
    foamDictionary -entry SIMPLE -set "{ pRefCell 0; pRefValue 0; residualControl { U 1e-4; T $T; } }" "rest$T/system/fvSolution" > /dev/null
    run "rest$T"
    expect "log.rest$T" 'change of T since then: .* of 5 K, to come: ' 'The flow is steady: stopping'
    # Of the last line: what is to come is a number below the tolerance, or so little changed that none is made of it
    awk '/^change of T .* to come: / { tolerance = $NF + 0; rests = $12 ~ /^[0-9]/ && $12 + 0 < tolerance; next }
        /^change of T / { rests = tolerance > 0 && $6 ~ /^[0-9]/ && $6 + 0 < 0.01*tolerance }
        END { exit !rests }' "log.rest$T" || { grep '^change of T' "log.rest$T" | tail -n 1; fail "rest$T: ends before T rests"; }
done
ends() { sed -n 's/^Time = //p' "log.$1" | tail -n 1; }
echo "T within 0.01 and 1e-4 of its rest after $(ends rest1e-4) and $(ends rest1e-6) iterations"
[ "$(ends rest1e-4)" -lt "$(ends rest1e-6)" ] || fail "the tolerance of T decides nothing"
awk -v loose="$(gradient log.rest1e-4 hot)" -v tight="$(gradient log.rest1e-6 hot)" -v rest="$(gradient log.steady hot)" 'BEGIN {
    exit !((loose/rest - 1)^2 < 0.01^2 && (tight/rest - 1)^2 < 1e-3^2) }' || fail "heat of what has come to rest"

cloned mixed
sed -i 's/^ *hot .*/hot { type mixed; refValue uniform 305; refGradient uniform 0; valueFraction uniform 0.5; value uniform 305; }/' mixed/0/T
refused mixed 'Patch hot: temperature on the lattice cannot honour type mixed' 'valueFraction is neither'
cloned source
echo 'FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }
heater { type scalarSemiImplicitSource; active yes; selectionMode all; volumeMode specific; injectionRateSuSp { T (1 0); } }' > source/system/fvOptions
refused source 'Option heater is a source of T'
sed -i 's/active yes/active no/' source/system/fvOptions
"$lbmFoam" -case source -dry-run > log.source 2>&1 || { tail -n 30 log.source; fail "an option that is not active"; }
cloned conducts
sed -i 's/^ *frontAndBack/    hot { type fixedValue; value uniform 1e-3; }\n&/' conducts/0/alphat
refused conducts 'Patch hot: alphat is 0.001'
cloned jump
sed -i 's/insulated .*/floor { type cyclic; neighbourPatch ceiling; faces ((0 1 5 4)); } ceiling { type cyclic; neighbourPatch floor; faces ((3 7 6 2)); }/' \
    jump/system/blockMeshDict
sed -i 's/^ *frontAndBack/    "(floor|ceiling)" { type cyclic; }\n&/' jump/0/*
sed -i 's/"(floor|ceiling)" .*/"(floor|ceiling)" { type fixedJump; patchType cyclic; jump uniform 1; value uniform 300; }/' jump/0/T
runIn jump blockMesh
refused jump 'temperature on the lattice cannot honour type fixedJump'
freshCavity cool
lbmDict cool 'temperatureOn lattice;'
refused cool 'Entry temperatureOn is lattice, and this case has no temperature'
lbmDict cool 'temperatureOn nodes;'
refused cool 'nodes is not in enumeration'
cloned word
lbmDict word 'temperatureOn nodes;'
refused word 'nodes is not in enumeration'
echo passed
