# Probes of U and p see the same flow whether their cells alone are brought from the lattice or all are; particles, too.
# usage: probes.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

zero='type zeroGradient;'

channelMesh base
setEntry base/system/controlDict endTime 0.5
setEntry base/system/controlDict writeInterval 10
channelField base U volVectorField '[0 1 -1 0 0 0 0]' '(0.5 0 0)' 'type fixedValue; value uniform (1 0 0);' "$zero" 'type noSlip;'
channelField base p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" 'type fixedValue; value uniform 0;' "$zero"

# probed NAME LBMDICT PLACES FIELDS: the channel with probes in each time step
probed()
{
    rm -rf "$1"; cp -r base "$1"
    lbmDict "$1" "$2"
    sed -i '/^functions/,$d' "$1/system/controlDict"
    echo "functions { probes { type probes; libs (sampling); fields ($4); probeLocations ($3);
        writeControl timeStep; writeInterval 1; } }" >> "$1/system/controlDict"
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}

# same LBMDICT PLACES: phi asks for the whole mesh
same()
{
    probed alone "$1" "$2" 'U p'
    probed beside "$1" "$2" 'U p phi'
    for field in U p; do
        cmp "alone/postProcessing/probes/0/$field" "beside/postProcessing/probes/0/$field" || fail "$1: probes of $field differ"
    done
    lines=$(grep -vc '^#' alone/postProcessing/probes/0/U)
    [ "$lines" -ge 8 ] || fail "$1: $lines times"
    # A flow that changes: values that nobody had brought would stay
    [ "$(grep -v '^#' alone/postProcessing/probes/0/p | awk '{ print $2 }' | sort -u | wc -l)" -gt $((lines/2)) ] || fail "$1: p stays"
    for field in U p; do
        last=$(ls alone | grep '^[0-9.]*$' | sort -g | tail -n 1)
        cmp "alone/$last/$field" "beside/$last/$field" || fail "$1: $field of the last time differs"
    done
}

# Two in the middle and one outside; then also at a wall and beside the outlet, where cells draw on what patches say
middle='(1.01 0.26 0.05) (0.3 0.1 0.05) (9 9 9)'
for cells in 40 90; do
    # By a macro of the user's own
    same "along $cells; cells \$along; referenceSpeed 1.5;" "$middle"
    same "cells $cells; referenceSpeed 1.5;" "$middle (1.01 0.002 0.05) (1.99 0.3 0.05)"
done

echo "particles find the fluid, and go with it"
rm -rf parcels; cp -r base parcels
for file in transportProperties turbulenceProperties; do cp "$tutorials/incompressible/pimpleFoam/RAS/TJunction/constant/$file" parcels/constant/; done
setEntry parcels/constant/turbulenceProperties simulationType laminar
setEntry parcels/constant/transportProperties nu 0.01
sed -i '$a rho 1.2;' parcels/constant/transportProperties
cat > parcels/constant/g <<'END'
FoamFile { version 2.0; format ascii; class uniformDimensionedVectorField; object g; }
dimensions [0 1 -2 0 0 0 0];
value (0 0 0);
END
cat > parcels/constant/kinematicCloudProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object kinematicCloudProperties; }
solution
{
    active true; coupled false; transient yes; cellValueSourceCorrection off; maxCo 0.3;
    interpolationSchemes { rho cell; U cellPoint; mu cell; }
    integrationSchemes { U Euler; }
}
constantProperties { rho0 1000; }
subModels
{
    particleForces { sphereDrag; }
    injectionModels
    {
        each { type patchInjection; massTotal 1; SOI 0; parcelBasisType fixed; patch inlet; patchName inlet; duration 10; parcelsPerSecond 100;
            U0 (1 0 0); flowRateProfile constant 1; nParticle 1; sizeDistribution { type fixedValue; fixedValueDistribution { value 1e-3; } } }
    }
    dispersionModel none; patchInteractionModel standardWallInteraction; stochasticCollisionModel none; collisionModel none; surfaceFilmModel none;
    heatTransferModel none; standardWallInteractionCoeffs { type rebound; }
}
cloudFunctions {}
END
sed -i '/^functions/,$d' parcels/system/controlDict
echo 'functions { cloud { type icoUncoupledKinematicCloud; libs (lagrangianFunctionObjects); } }' >> parcels/system/controlDict
setEntry parcels/system/controlDict endTime 3
setEntry parcels/system/controlDict writeInterval 1
runIn parcels "$lbmFoam"
# last WORDS: the last number behind them in the log
last() { sed -n "s/.*$1 *= *//p" parcels/log.lbmFoam | tail -n 1; }
added=$(last 'parcels added') n=$(last 'Current number of parcels')
echo "parcels: ${added:-none}, still there ${n:-none}"
[ "${n:-0}" -gt 50 ] && [ "${added:-0}" -gt $((n + 50)) ] || fail "parcels"
echo passed
