# Fluids with a memory: OpenFOAM's planarPoiseuille with laminarModel Maxwell, whose start overshoots by a factor of three, against its
# exact solution; restart bit for bit. usage: elastic.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
original=$tutorials/incompressible/pimpleFoam/laminar/planarPoiseuille

# started CASE SECONDS
started()
{
    cloneCase "$original" "$1"
    sed "s/END_TIME/$2/" "$original/system/controlDict.template" > "$1/system/controlDict"
    sed 's/LAMINAR_MODEL/Maxwell/' "$original/constant/turbulenceProperties.template" > "$1/constant/turbulenceProperties"
    runIn "$1" blockMesh
}

started start 6
"$lbmFoam" -case start > log.start 2>&1 || { tail -n 30 log.start; fail "start"; }
expect log.start 'stress +Maxwell, OpenFOAM.s on the mesh' 'nu +1.1 m2/s' 'Solving for sigmaxy'
"$python" "$here/maxwell.py" start/postProcessing/probes/0/U 0.01 || fail "differs from the exact solution"

echo "restarted half-way"
started whole 1
sed -i '/^functions/,$d; s/^writeInterval .*/writeInterval 0.5;/; s/^writeFormat .*/writeFormat binary;/; s/^startFrom .*/startFrom latestTime;/' \
    whole/system/controlDict
sed -i 's/backward/Euler/' whole/system/fvSchemes
lbmDict whole 'checkpoint all; threads 1;'
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole; fail "whole"; }
cp -r whole again
rm -r again/1
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
expect log.again 'Start: checkpoint' 'bit for bit'
for file in U p sigma; do cmp whole/1/$file again/1/$file || fail "$file after the restart"; done

echo "what tells a part of the stress"
cat >> again/system/controlDict <<'END'
functions { walls { type lbmWallShearStress; libs (lbmFunctionObjects); } }
END
refused again 'Function object walls of type lbmWallShearStress' 'laminarModel' 'Take type wallShearStress, OpenFOAM' \
    'system/controlDict.functions.walls'
echo passed
