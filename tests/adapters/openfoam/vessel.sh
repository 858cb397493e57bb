# A closed vessel between two cylinders, stirred by heat: walls between nodes take a little of the fluid in each lattice step, and it gets
# that back, the same way after a restart. usage: vessel.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/heatTransfer/buoyantBoussinesqPimpleFoam/hotRoom" vessel
rm -rf vessel/0/* vessel/system/setFieldsDict
cat > vessel/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0.625 0 0) (0 0.625 0) (-0.625 0 0) (0 -0.625 0) (1.625 0 0) (0 1.625 0) (-1.625 0 0) (0 -1.625 0)
    (0.625 0 0.1) (0 0.625 0.1) (-0.625 0 0.1) (0 -0.625 0.1) (1.625 0 0.1) (0 1.625 0.1) (-1.625 0 0.1) (0 -1.625 0.1)
);
blocks
(
    hex (0 4 5 1 8 12 13 9) (12 14 1) simpleGrading (1 1 1) hex (1 5 6 2 9 13 14 10) (12 14 1) simpleGrading (1 1 1)
    hex (2 6 7 3 10 14 15 11) (12 14 1) simpleGrading (1 1 1) hex (3 7 4 0 11 15 12 8) (12 14 1) simpleGrading (1 1 1)
);
edges
(
    arc 0 1 (0.4419417382 0.4419417382 0) arc 1 2 (-0.4419417382 0.4419417382 0) arc 2 3 (-0.4419417382 -0.4419417382 0) arc 3 0 (0.4419417382 -0.4419417382 0)
    arc 4 5 (1.1490485194 1.1490485194 0) arc 5 6 (-1.1490485194 1.1490485194 0) arc 6 7 (-1.1490485194 -1.1490485194 0) arc 7 4 (1.1490485194 -1.1490485194 0)
    arc 8 9 (0.4419417382 0.4419417382 0.1) arc 9 10 (-0.4419417382 0.4419417382 0.1) arc 10 11 (-0.4419417382 -0.4419417382 0.1) arc 11 8 (0.4419417382 -0.4419417382 0.1)
    arc 12 13 (1.1490485194 1.1490485194 0.1) arc 13 14 (-1.1490485194 1.1490485194 0.1) arc 14 15 (-1.1490485194 -1.1490485194 0.1) arc 15 12 (1.1490485194 -1.1490485194 0.1)
);
boundary
(
    inner { type wall; faces ((0 1 9 8) (1 2 10 9) (2 3 11 10) (3 0 8 11)); }
    outer { type wall; faces ((4 5 13 12) (5 6 14 13) (6 7 15 14) (7 4 12 15)); }
    frontAndBack { type empty; faces ((0 4 5 1) (8 12 13 9) (1 5 6 2) (9 13 14 10) (2 6 7 3) (10 14 15 11) (3 7 4 0) (11 15 12 8)); }
);
END
runIn vessel blockMesh
# field NAME CLASS DIMENSIONS VALUE INNER OUTER
field()
{
    cat > "vessel/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { inner { $5 } outer { $6 } frontAndBack { type empty; } }
END
}
field U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type noSlip;' 'type noSlip;'
field T volScalarField '[0 0 0 1 0 0 0]' 300 'type fixedValue; value uniform 301;' 'type fixedValue; value uniform 300;'
flux='type fixedFluxPressure; rho rhok; value uniform 0;'
field p_rgh volScalarField '[0 2 -2 0 0 0 0]' 0 "$flux" "$flux"
field alphat volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;'
setEntry vessel/constant/g value '(0 -95.2381 0)'
setEntry vessel/constant/turbulenceProperties simulationType laminar
for entry in 'nu 0.002' 'beta 0.003' 'TRef 300' 'Pr 0.7' 'Prt 0.85'; do setEntry vessel/constant/transportProperties $entry; done
setEntry vessel/system/controlDict deltaT 0.02
setEntry vessel/system/controlDict endTime 20
setEntry vessel/system/controlDict writeControl runTime
setEntry vessel/system/controlDict writeInterval 10
setEntry vessel/system/controlDict writeFormat binary
setEntry vessel/system/controlDict functions '{}'
lbmDict vessel 'checkpoint all; threads 1;'
cp -r vessel again
runIn vessel "$lbmFoam"
line=$(grep '^mass drift' vessel/log.lbmFoam | tail -n 1)
echo "$line"
echo "$line" | tr -d , | awk '{ exit !($3^2 < 1.1e-3^2 && $10 > 0.005) }' || fail "mass that walls take"
setEntry again/system/controlDict endTime 10
runIn again "$lbmFoam"
setEntry again/system/controlDict endTime 20
setEntry again/system/controlDict startFrom latestTime
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
for field in U T p_rgh; do cmp vessel/20/$field again/20/$field || fail "$field after a restart"; done
[ "$(grep '^mass drift' log.again | tail -n 1)" = "$line" ] || fail "what was brought back is forgotten in a restart"

echo "the magic number of exact walls, at a grid Reynolds number beyond 12, where walls are half-way between nodes alone"
cp -r vessel plan
rm -rf plan/[12]0
for wall in linear halfway; do
    lbmDict plan "referenceSpeed 0.3; maxMach 0.2; collision trt; wall $wall;"
    "$lbmFoam" -case plan -dry-run > log.$wall 2>&1 || { tail -n 20 log.$wall; fail "plan, $wall"; }
done
expect log.linear ' magic 0\.0[0-9]*$'
expect log.halfway ' magic 0\.1875$'
