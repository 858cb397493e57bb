# Radial flow through a ring, from its outside to a given pressure at its inside: the flow at that opening is faster than half a spacing
# before it, and its pressure the one that is given all the same. usage: ring.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
freshCavity ring
rm ring/0/*
cat > ring/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0.0353553391 0.0353553391 0) (-0.0353553391 0.0353553391 0) (-0.0353553391 -0.0353553391 0) (0.0353553391 -0.0353553391 0)
    (0.1414213562 0.1414213562 0) (-0.1414213562 0.1414213562 0) (-0.1414213562 -0.1414213562 0) (0.1414213562 -0.1414213562 0)
    (0.0353553391 0.0353553391 0.01) (-0.0353553391 0.0353553391 0.01) (-0.0353553391 -0.0353553391 0.01) (0.0353553391 -0.0353553391 0.01)
    (0.1414213562 0.1414213562 0.01) (-0.1414213562 0.1414213562 0.01) (-0.1414213562 -0.1414213562 0.01) (0.1414213562 -0.1414213562 0.01)
);
blocks
(
    hex (0 4 5 1 8 12 13 9) (24 24 1) simpleGrading (1 1 1) hex (1 5 6 2 9 13 14 10) (24 24 1) simpleGrading (1 1 1)
    hex (2 6 7 3 10 14 15 11) (24 24 1) simpleGrading (1 1 1) hex (3 7 4 0 11 15 12 8) (24 24 1) simpleGrading (1 1 1)
);
edges
(
    arc 0 1 (0 0.05 0) arc 1 2 (-0.05 0 0) arc 2 3 (0 -0.05 0) arc 3 0 (0.05 0 0)
    arc 4 5 (0 0.2 0) arc 5 6 (-0.2 0 0) arc 6 7 (0 -0.2 0) arc 7 4 (0.2 0 0)
    arc 8 9 (0 0.05 0.01) arc 9 10 (-0.05 0 0.01) arc 10 11 (0 -0.05 0.01) arc 11 8 (0.05 0 0.01)
    arc 12 13 (0 0.2 0.01) arc 13 14 (-0.2 0 0.01) arc 14 15 (0 -0.2 0.01) arc 15 12 (0.2 0 0.01)
);
boundary
(
    inner { type patch; faces ((0 1 9 8) (1 2 10 9) (2 3 11 10) (3 0 8 11)); }
    outer { type patch; faces ((4 5 13 12) (5 6 14 13) (6 7 15 14) (7 4 12 15)); }
    frontAndBack { type empty; faces ((0 4 5 1) (8 12 13 9) (1 5 6 2) (9 13 14 10) (2 6 7 3) (10 14 15 11) (3 7 4 0) (11 15 12 8)); }
);
END
runIn ring blockMesh
cat > ring/0/U <<'END'
FoamFile { version 2.0; format ascii; class volVectorField; object U; }
dimensions [0 1 -1 0 0 0 0];
internalField uniform (0 0 0);
boundaryField
{
    inner { type zeroGradient; }
    outer { type flowRateInletVelocity; volumetricFlowRate 0.000314159; value uniform (0 0 0); }
    frontAndBack { type empty; }
}
END
cat > ring/0/p <<'END'
FoamFile { version 2.0; format ascii; class volScalarField; object p; }
dimensions [0 2 -2 0 0 0 0];
internalField uniform 0;
boundaryField
{
    inner { type fixedValue; value uniform 0; }
    outer { type zeroGradient; }
    frontAndBack { type empty; }
}
END
setEntry ring/constant/transportProperties nu 0.001
setEntry ring/system/controlDict deltaT 0.005
setEntry ring/system/controlDict endTime 4
setEntry ring/system/controlDict writeInterval 800
setEntry ring/system/controlDict functions '{ outer { type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name outer;
    operation areaAverage; fields (p); writeFields no; log no; } }'
cp -r ring reference
runIn reference icoFoam
runIn ring "$lbmFoam"
expect ring/log.lbmFoam '^ *inner +pressure +[0-9]'
outer() { awk '!/^#/ { p = $2 } END { print p }' "$1/postProcessing/outer/0/surfaceFieldValue.dat"; }
found=$(outer ring) wanted=$(outer reference)
echo "pressure outside $found m2/s2, icoFoam's $wanted"
awk -v found="$found" -v wanted="$wanted" 'BEGIN { d = found/wanted - 1; exit !(wanted > 0.004 && d^2 < 0.15^2) }' || fail "pressure outside"
