# A steady stream over ground with an atmospheric boundary layer's profile: it is steady when the pressure at its outlet, which lets sound
# out, has become the one that is given there, not when U hardly changes any more. usage: ground.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" ground
rm ground/0/*
cat > ground/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (4 0 0) (4 2 0) (0 2 0) (0 0 0.05) (4 0 0.05) (4 2 0.05) (0 2 0.05));
blocks ( hex (0 1 2 3 4 5 6 7) (80 40 1) simpleGrading (1 1 1) );
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 5 6 2)); }
    ground { type wall; faces ((0 1 5 4)); }
    top { type patch; faces ((3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
runIn ground blockMesh
# field NAME CLASS DIMENSIONS VALUE INLET OUTLET GROUND TOP
field()
{
    cat > "ground/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField
{
    inlet { $5 }
    outlet { $6 }
    ground { $7 }
    top { $8 }
    frontAndBack { type empty; }
}
END
}
profile='flowDir (1 0 0); zDir (0 1 0); Uref 10; Zref 1; z0 uniform 0.01; zGround uniform 0;'
field U volVectorField '[0 1 -1 0 0 0 0]' '(8 0 0)' "type atmBoundaryLayerInletVelocity; $profile value uniform (8 0 0);" \
    'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);' 'type noSlip;' 'type slip;'
field p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;' 'type zeroGradient;'
field k volScalarField '[0 2 -2 0 0 0 0]' 1.5 "type atmBoundaryLayerInletK; $profile value uniform 1.5;" \
    'type zeroGradient;' 'type kqRWallFunction; value uniform 1.5;' 'type zeroGradient;'
field epsilon volScalarField '[0 2 -3 0 0 0 0]' 1 "type atmBoundaryLayerInletEpsilon; $profile value uniform 1;" \
    'type zeroGradient;' 'type epsilonWallFunction; value uniform 1;' 'type zeroGradient;'
field nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' \
    'type nutkAtmRoughWallFunction; z0 uniform 0.01; value uniform 0;' 'type calculated; value uniform 0;'
setEntry ground/system/controlDict libs '("libatmosphericModels.so")'
setEntry ground/system/controlDict endTime 3000
setEntry ground/system/controlDict writeInterval 3000
setEntry ground/system/controlDict functions '{ inlet { type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name inlet;
    operation areaAverage; fields (p); writeFields no; log no; } }'
setEntry ground/system/fvSolution SIMPLE/residualControl '{ U 1e-5; p 1e-5; }'
cp -r ground reference
setEntry reference/system/controlDict endTime 600
runIn reference simpleFoam
runIn ground "$lbmFoam"
expect ground/log.lbmFoam '^ *outlet +pressure, non-reflecting' '^change of p at openings .* to come: ' '^The flow is steady'
inlet() { awk '!/^#/ { p = $2 } END { print p }' "$1/postProcessing/inlet/0/surfaceFieldValue.dat"; }
wanted=$(inlet reference) found=$(inlet ground)
echo "pressure of the inlet $found m2/s2, simpleFoam's $wanted"
awk -v found="$found" -v wanted="$wanted" 'BEGIN { d = found/wanted - 1; exit !(wanted > 0.5 && d^2 < 0.15^2) }' || fail "pressure of the inlet"
