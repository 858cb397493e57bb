# OpenFOAM's planarPoiseuille: cyclic patches, a symmetry plane, a graded mesh, a body force from fvOptions,
# function objects from include files. Compared with pimpleFoam on the same mesh.
# usage: planarPoiseuille.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

original=$tutorials/incompressible/pimpleFoam/laminar/planarPoiseuille
cloneCase "$original" fv
sed 's/END_TIME/5/' "$original/system/controlDict.template" > fv/system/controlDict
sed 's/LAMINAR_MODEL/Stokes/' "$original/constant/turbulenceProperties.template" > fv/constant/turbulenceProperties
runIn fv blockMesh
cp -r fv lattice
runIn fv pimpleFoam

lbmDict lattice 'cellsPerLength { length 1; cells 40; } referenceSpeed 25;'
timeout 300 "$lbmFoam" -case lattice > log.lattice 2>&1 || { tail -n 30 log.lattice; fail "run"; }
expect log.lattice 'left +- ' 'centreline +slip ' 'Time = 5$'
[ "$(grep -vc '^#' lattice/postProcessing/probes/0/U)" -ge 1000 ] || fail "probes"
[ -s lattice/postProcessing/singleGraph/5/line_U.xy ] || fail "singleGraph"
"$python" "$here/relativeL2.py" lattice/5/U fv/5/U 0.01 || fail "differs from pimpleFoam"

echo "a spacing that does not fit the period"
lbmDict lattice 'cellsPerLength { length 1; cells 41; } referenceSpeed 25;'
status=0
"$lbmFoam" -case lattice > log.unfit 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "unfit spacing: exit status $status"
# a period of 0.2 between 8 and 9 cells
expect log.unfit 'Patch (left|right) repeats after 0.2' '0.0222222?2* and 0.025$' 'constant/polyMesh/boundary'

echo "a source that corrects U"
lbmDict lattice 'cellsPerLength { length 1; cells 40; } referenceSpeed 25;'
cat >> lattice/constant/fvOptions <<'END'
limit { type velocityDampingConstraint; active yes; selectionMode all; UMax 30; C 1; }
END
rm -rf lattice/[1-5]*
status=0
"$lbmFoam" -case lattice > log.source 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "velocityDampingConstraint: exit status $status"
expect log.source 'constant/fvOptions' 'Option limit: lbmFoam cannot honour type velocityDampingConstraint' 'Way out'
echo passed
