# Stress on walls by lbmWallShearStress and lbmYPlus, and averages of forces: flow between plates, whose stress is known.
# usage: wallStress.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

cloneCase "$here/../../../tutorials/planarPoiseuille" case
setEntry case/system/lbmDict collision trt
cat >> case/system/controlDict <<'END'
forceEntries
{
    type lbmForces; libs (lbmFunctionObjects); patches (walls); rho rhoInf; rhoInf 1; CofR (0 0 0); log no;
    writeControl timeStep;
}
functions
{
    stress      { type lbmWallShearStress; libs (lbmFunctionObjects); writeControl writeTime; }
    distance    { type lbmYPlus; libs (lbmFunctionObjects); patches (walls); writeControl writeTime; }
    each        { $forceEntries; writeInterval 1; }
    means       { $forceEntries; writeInterval 20; average yes; }
}
END
runIn case blockMesh
cp -r case refused
runIn case "$lbmFoam"

# Body force 4, height 1: 2 on each wall, against the flow; nodes at 1/16 from it, nu = 0.5
tail -n 1 case/postProcessing/stress/0/wallShearStress.dat | tr -d '()' > stress
awk '{ exit !($2 == "walls" && ($3 + 2)^2 < 1e-16 && ($6 + 2)^2 < 1e-16 && $4 == 0) }' stress || fail "stress $(cat stress)"
tail -n 1 case/postProcessing/distance/0/yPlus.dat > distance
awk -v y="0.176776695" '{ exit !(($3 - y)^2 < 1e-16 && ($4 - y)^2 < 1e-16 && ($5 - y)^2 < 1e-16) }' distance ||
    fail "distance $(cat distance)"
[ "$(foamDictionary -entry boundaryField/walls/type -value case/5/wallShearStress)" = calculated ] || fail "field"
[ -s case/5/yPlus ] || fail "no field yPlus"

# Each mean is that of the 20 steps before it; in the end the walls' area of 0.4 carries 0.8
force() { grep -v '^#' "case/postProcessing/$1/0/force.dat" | tr -d '()' | awk '{ print $1, $2 }'; }
force each | awk '{ sum += $2 } NR % 20 == 0 { print $1, sum/20; sum = 0 }' > expected
force means > means
[ "$(wc -l < means)" -eq 5 ] || fail "means: $(cat means)"
paste expected means | awk '{ if ($1 != $3 || ($2 - $4)^2 > 1e-10) bad = 1 } END { exit bad || ($4 - 0.8)^2 > 1e-10 }' ||
    fail "means: $(paste expected means)"

echo "bad input"
sed -i 's/patches (walls); writeControl/patches (inlet); writeControl/' refused/system/controlDict
! "$lbmFoam" -case refused > log.refused 2>&1 || fail "a patch that is no wall"
expect log.refused 'Entry patches: inlet is not of type wall' 'controlDict.functions.distance'

echo "where collisions leave no stress, velocities tell it: tau = 1/2 + 3 nu dt/dx2 = 1, nearly, with dt = dx2/3"
cp -r refused one
cp case/system/controlDict one/system/
setEntry one/system/controlDict deltaT 0.0052083333333333333
setEntry one/system/controlDict writeInterval 1
setEntry one/system/lbmDict maxTau 1.1
"$lbmFoam" -case one > log.one 2>&1 || { tail -n 20 log.one; fail "tau = 1"; }
expect log.one ' tau +(1|0.999[0-9]*) '
tail -n 1 one/postProcessing/stress/0/wallShearStress.dat | tr -d '()' > stress
awk '{ exit !($2 == "walls" && ($3 + 2)^2 < 1e-8 && ($6 + 2)^2 < 1e-8) }' stress || fail "stress at tau = 1: $(cat stress)"
echo passed

echo "what function objects cannot do is told when they are read, and the run goes on without them"
cp -r case careful
rm -rf careful/[1-9]* careful/0.[0-9]* careful/postProcessing careful/log.lbmFoam
sed -i '/^forceEntries/,$d' careful/system/controlDict
cat >> careful/system/controlDict <<'END'
functions
{
    heat        { type lbmWallHeatFlux; libs (lbmFunctionObjects); writeControl writeTime; }
    sides       { type lbmForces; libs (lbmFunctionObjects); patches (inlet); rho rhoInf; rhoInf 1; CofR (0 0 0); log no; timeStart 1e9; }
    averages    { type lbmFieldAverage; libs (lbmFunctionObjects); fields ( U { mean on; prime2Mean off; base time; } Q { mean on; prime2Mean off; base time; } ); }
}
END
runIn careful "$lbmFoam"
expect careful/log.lbmFoam 'no temperature T of a Boussinesq fluid' 'Patch inlet is no wall to the lattice' 'U: averages begin' 'Field Q, .* left out' '^End'
