# Temperature on the lattice: a cavity beside OpenFOAM's own equation on the same cells, heat that goes in and out, a chimney with
# openings, oblique and interpolated walls between two temperatures, restarts bit for bit, what is refused.
# usage: latticeHeat.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
ours=$here/../../../tutorials/heatedCavity
onLattice='temperatureOn lattice; checkpoint all; threads 1;'

# heated CASE: Ra 10^4, 24 cells a side; 100 time steps
heated()
{
    cloneCase "$ours" "$1"
    rm "$1/system/validationDict"
    sed -i 's/CELLS/24/g; s/writePrecision 10/writePrecision 6/' "$1/system/blockMeshDict" "$1/system/controlDict"
    setEntry "$1/constant/transportProperties" nu 2.639e-3
    setEntry "$1/system/controlDict" deltaT 1
    setEntry "$1/system/controlDict" endTime 100
    setEntry "$1/system/controlDict" writeInterval 50
    setEntry "$1/system/controlDict" startFrom latestTime
    runIn "$1" blockMesh
    lbmDict "$1" "$onLattice"
}

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
"$build/bin/lbmCompare" whole fv -fields '(U T p_rgh)' -noPicture -maxRelL2 U=0.03,T=1.5e-4,p_rgh=1e-3 > log.compare ||
    { cat log.compare; fail "lbmFoam and buoyantBoussinesqPimpleFoam"; }
grep -E '^(U|T|p_rgh) ' log.compare
# What goes in comes out, through the other wall alone; Nu 2.245 (de Vahl Davis: 2.243) of a difference of 10 K over 1 m
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
elif grep -q 'which this build does not have' log.single; then
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

cloned() { cp -r whole "$1"; rm -rf "$1"/[1-9]* "$1"/postProcessing; }
cloned steady
sed -i 's/^ddtSchemes.*/ddtSchemes { default steadyState; }/' steady/system/fvSchemes
refused steady 'steady case'
cloned swirls
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType LES;
LES { LESModel Smagorinsky; turbulence on; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }' > swirls/constant/turbulenceProperties
lbmDict swirls "$onLattice turbulenceOn mesh;"
refused swirls 'model on the mesh'
cloned mixed
sed -i 's/^ *hot .*/hot { type mixed; refValue uniform 305; refGradient uniform 0; valueFraction uniform 0.5; value uniform 305; }/' mixed/0/T
refused mixed 'Patch hot: temperature on the lattice cannot honour type mixed' 'valueFraction is neither'
cloned source
echo 'FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }
heater { type scalarSemiImplicitSource; active yes; selectionMode all; volumeMode specific; injectionRateSuSp { T (1 0); } }' > source/system/fvOptions
refused source 'Option heater is a source of T'
cloned word
lbmDict word 'temperatureOn nodes;'
refused word 'nodes is not in enumeration'
echo passed
