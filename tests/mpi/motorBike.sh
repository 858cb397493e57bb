# OpenFOAM's motorBike by its own Allrun with lbmFoam in simpleFoam's place: surfaceFeatureExtract, blockMesh, decomposePar, and by runParallel
# on six ranks snappyHexMesh, patchSummary, potentialFoam, checkMesh and lbmFoam with its function objects; reconstructParMesh and
# reconstructPar; ParaView's reader takes what both leave. Shorter, ten iterations, and nothing else is changed. Minutes on two cores.
# usage: motorBike.sh BUILD TUTORIALS WORK OURS. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
of=incompressible/simpleFoam/motorBike
mkdir -p tutorials/incompressible/simpleFoam
cp -r "$tutorials/$of" tutorials/incompressible/simpleFoam/
chmod -R u+w tutorials
ln -s "$tutorials/resources" tutorials/resources
sed -i 's/^endTime .*/endTime 10;/; s/^writeInterval .*/writeInterval 5;/' tutorials/$of/system/controlDict
"$python" "$here/../census/census.py" --build "$build" --tutorials "$PWD/tutorials/incompressible" --work "$PWD/census" --budget 3000 --limit 5000 --parallel \
    simpleFoam/motorBike > census.log 2>&1 || { cat census.log; fail "census"; }
grep -q 'motorBike | simpleFoam | ends | time 10' census.log || { cat census.log; fail "motorBike"; }
case=census/cases/simpleFoam/motorBike
log=$(echo $case/census.simpleFoam.*[0-9])
expect "$log" 'nProcs : 6' '^End'
! grep -q 'is left out' "$log" || fail "a field is left out"
for file in U p k omega nut; do
    [ -s "$case/10/$file" ] || fail "no $file put together"
    for of in 0 5; do [ -s "$case/processor$of/10/$file" ] || fail "no $file of processor$of"; done
done
for name in forceCoeffs cuttingPlane streamLines wallBoundedStreamLines; do
    [ -n "$(find $case/postProcessing -path "*$name*" -type f -size +0)" ] || fail "nothing of function object $name"
done
echo "motorBike's own Allrun: lbmFoam on six ranks"

status=0
"$python" "$here/paraview.py" $case $case 10 U p k nut || status=$?
case $status in
    0) ;;
    77) echo "skipped from here"; exit 77 ;;
    *) fail "ParaView's reader" ;;
esac
