# What inlets with a given velocity change by themselves is no sound to openings that let that out, nor a swing that a sponge is to take
# away: a plug that an inlet speeds up and slows down has the pressure of its inertia, with a RAS model and with large eddies, and goes on
# bit for bit from a checkpoint. usage: pulse.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# field NAME CLASS DIMENSIONS VALUE INLET OUTLET
field()
{
    cat > "pulse/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { inlet { $5 } outlet { $6 } sides { type slip; } }
END
}

cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" pulse
rm pulse/0/*
cat > pulse/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (1.5 0 0) (1.5 0.2 0) (0 0.2 0) (0 0 0.2) (1.5 0 0.2) (1.5 0.2 0.2) (0 0.2 0.2));
blocks (hex (0 1 2 3 4 5 6 7) (45 6 6) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    sides { type patch; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
);
END
runIn pulse blockMesh
# 2 +- 0.5 m/s in 2 s
field U volVectorField '[0 1 -1 0 0 0 0]' '(2 0 0)' 'type uniformFixedValue; uniformValue sine;
    uniformValueCoeffs { frequency 0.5; amplitude 0.5; scale (1 0 0); level (2 0 0); } value uniform (2 0 0);' 'type zeroGradient;'
field p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;'
for of in 'k 2 -2 0.015' 'epsilon 2 -3 0.06'; do
    set -- $of
    field $1 volScalarField "[0 $2 $3 0 0 0 0]" $4 "type fixedValue; value uniform $4;" 'type zeroGradient;'
done
field nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;'
for entry in 'application pimpleFoam' 'startFrom latestTime' 'deltaT 0.01' 'endTime 4' 'writeInterval 100' 'writeFormat binary'; do
    setEntry pulse/system/controlDict "${entry%% *}" "${entry#* }"
done
setEntry pulse/system/controlDict functions '{ inlet { type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name inlet;
    operation areaAverage; fields (p); writeFields no; log no; } }'
setEntry pulse/system/fvSchemes ddtSchemes '{ default Euler; }'
setEntry pulse/system/fvSolution PIMPLE {}
lbmDict pulse 'checkpoint all;'
cp -r pulse eddies
cat > eddies/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES { LESModel Smagorinsky; turbulence on; printCoeffs off; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }
END

# swings CASE: p at the inlet is what it takes to speed up 1.5 m of fluid, 2.36 m2/s2 at most, in the second period
swings()
{
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
    expect "log.$1" '^ *outlet +pressure, non-reflecting'
    off=$(awk '!/^#/ && $1 > 2 { wanted = 1.5*0.5*3.14159265*cos(3.14159265*$1); d = $2 - wanted; s += d*d; n++; w += wanted^2 }
        END { print sqrt(s/w) }' "$1/postProcessing/inlet/0/surfaceFieldValue.dat")
    echo "$1: pressure of the inlet is off by $off of its inertia's"
    awk -v off="$off" 'BEGIN { exit !(off != "" && off < 0.15) }' || fail "$1: pressure of a pulse"

    cp -r "$1" "on.$1"
    rm -rf "on.$1/3" "on.$1/4"
    "$lbmFoam" -case "on.$1" > "log.on.$1" 2>&1 || { tail -n 30 "log.on.$1"; fail "on.$1"; }
    expect "log.on.$1" 'Start: checkpoint'
    for field in U p; do
        cmp "$1/4/$field" "on.$1/4/$field" || fail "on.$1: $field"
    done
}
swings pulse
swings eddies
expect log.eddies '^sponge: inlets bring [0-9.]+ % more or less than in the mean'
