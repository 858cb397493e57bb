# A stream with a given rate through a channel that narrows to its outlet, which lets sound out: the outlet holds its pressure, though
# the flow speeds up to it within half a node spacing, in a steady case and in one that goes to the same flow in time. usage: nozzle.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" nozzle
rm nozzle/0/*
cat > nozzle/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (2 0.375 0) (2 0.625 0) (0 1 0) (0 0 0.1) (2 0.375 0.1) (2 0.625 0.1) (0 1 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (80 32 1) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
runIn nozzle blockMesh
channelField nozzle U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField nozzle p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
setEntry nozzle/constant/transportProperties nu 0.002
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType laminar;' \
    > nozzle/constant/turbulenceProperties
for entry in 'endTime 600' 'writeInterval 600' 'writePrecision 8'; do
    setEntry nozzle/system/controlDict "${entry%% *}" "${entry#* }"
done
setEntry nozzle/system/controlDict functions '{ inlet { type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name inlet;
    operation areaAverage; fields (p); writeFields no; log no; } }'
# To the end: residuals are below the tutorial's bounds before the outlet's gains have settled
cp -r nozzle reference
setEntry nozzle/system/fvSolution SIMPLE/residualControl {}
runIn reference simpleFoam
lbmDict nozzle 'openings { outlet { type nonReflecting; } }'
cp -r nozzle inTime
runIn nozzle "$lbmFoam"
expect nozzle/log.lbmFoam '^ *outlet +pressure, non-reflecting'
inlet() { awk '!/^#/ { p = $2 } END { print p }' "$1/postProcessing/inlet/0/surfaceFieldValue.dat"; }
wanted=$(inlet reference)
# agrees CASE: so does its inlet's pressure with simpleFoam's
agrees()
{
    found=$(inlet "$1")
    echo "$1: pressure of the inlet $found m2/s2, simpleFoam's $wanted"
    awk -v found="$found" -v wanted="$wanted" 'BEGIN { d = found/wanted - 1; exit !(wanted > 1 && d^2 < 0.05^2) }' || fail "pressure of the inlet"
}
agrees nozzle

for entry in 'application pimpleFoam' 'deltaT 0.05' 'endTime 15' 'writeInterval 300'; do
    setEntry inTime/system/controlDict "${entry%% *}" "${entry#* }"
done
setEntry inTime/system/fvSchemes ddtSchemes '{ default Euler; }'
setEntry inTime/system/fvSolution PIMPLE {}
runIn inTime "$lbmFoam"
agrees inTime

echo "an outlet to fluid at rest, in steady cases with a model of turbulence: it holds its pressure, and sound leaves through the inlet"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" rest
setEntry rest/0/U boundaryField.outlet '{ type pressureInletOutletVelocity; value uniform (0 0 0); }'
setEntry rest/0/p boundaryField.outlet '{ type totalPressure; p0 uniform 0; value uniform 0; }'
runIn rest blockMesh
# opens CASE INLET OUTLET: kinds of its openings in the plan
opens()
{
    "$lbmFoam" -case "$1" -dry-run > "log.$1" 2>&1 || { tail -n 20 "log.$1"; fail "$1"; }
    expect "log.$1" "^ *inlet +$2 +[0-9]" "^ *outlet +$3 +[0-9]"
}
opens rest 'velocity, non-reflecting' pressure
cp -r rest asked
lbmDict asked 'openings { outlet { type nonReflecting; } }'
opens asked velocity 'pressure, non-reflecting'
# Where the inlet keeps sound in, it leaves through the outlet
cp -r rest kept
lbmDict kept 'openings { inlet { type reflecting; } }'
opens kept velocity 'pressure, non-reflecting'
# Fluid that is drawn out with a given velocity comes in through the other one: that is no outlet
cp -r rest drawn
setEntry drawn/0/U boundaryField.inlet.value 'uniform (-10 0 0)'
opens drawn velocity 'pressure, non-reflecting'
cp -r rest unsteady
setEntry unsteady/system/fvSchemes ddtSchemes '{ default Euler; }'
setEntry unsteady/system/fvSolution PIMPLE {}
setEntry unsteady/system/controlDict deltaT 1e-4
setEntry unsteady/system/controlDict endTime 0.01
opens unsteady velocity 'pressure, non-reflecting'
