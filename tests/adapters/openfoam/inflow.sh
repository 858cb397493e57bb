# Inlets whose turbulence OpenFOAM makes: turbulentInlet, turbulentDFSEMInlet, turbulentDigitalFilterInlet, and one read from a table of times, evaluated once a time step, which icoFoam
# does with the same random numbers; the flow behind them follows. usage: inflow.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
python=$(command -v python3)

freshCavity base
boxMesh base '1 0.5 0.5' '20 10 10' <<'END'
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
END
setEntry base/constant/transportProperties nu 0.001
setEntry base/system/controlDict deltaT 0.01
setEntry base/system/controlDict writePrecision 12

# inflow NAME INLET: by both; icoFoam goes on for two time steps, for who evaluates a condition at the start, too, is as far ahead
inflow()
{
    name=$1
    echo "$name"
    rm -rf "$name" "$name.ico"; cp -r base "$name"
    channelField "$name" U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' "$2" 'type zeroGradient;' 'type slip;'
    channelField "$name" p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
    sed -i '/frontAndBack/d' "$name"/0/U "$name"/0/p
    cp -r "$name" "$name.ico"
    setEntry "$name/system/controlDict" endTime 0.2
    setEntry "$name/system/controlDict" writeInterval 5
    setEntry "$name.ico/system/controlDict" endTime 0.22
    setEntry "$name.ico/system/controlDict" writeInterval 1
    runIn "$name.ico" icoFoam
    timeout 300 "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name"; fail "$name"; }
    "$python" "$here/inflow.py" "$name" "$name.ico" || fail "$name"
}

inflow turbulentInlet 'type turbulentInlet; referenceField uniform (1 0 0); fluctuationScale (0.1 0.1 0.1); alpha 0.1; value uniform (1 0 0);'
inflow DFSEM 'type turbulentDFSEMInlet; delta 0.25; R uniform (0.01 0 0 0.01 0 0.01); U uniform (1 0 0); L uniform 0.15; d 1; value uniform (1 0 0);'
inflow digitalFilter 'type turbulentDigitalFilterInlet; variant digitalFilter; planeDivisions (10 10); R uniform (0.01 0 0 0.01 0 0.01); UMean uniform (1 0 0);
    L (0.15 0.15 0.15 0.15 0.15 0.15 0.15 0.15 0.15); patchNormalSpeed 1; value uniform (1 0 0);'

# What the times ahead impose is looked at for the reference speed, and this condition looks forward only
data=base/constant/boundaryData/inlet
mkdir -p $data
echo '4 ( (0 0 0) (0 0.5 0) (0 0 0.5) (0 0.5 0.5) )' > $data/points
for sample in '0 1' '0.05 1.2' '0.1 0.8' '0.3 1.5'; do
    mkdir -p "$data/${sample% *}"
    echo "4 ( (${sample#* } 0 0) (0.6 0 0) (0.7 0 0) (${sample#* } 0 0) )" > "$data/${sample% *}/U"
done
inflow table 'type timeVaryingMappedFixedValue; offset (0 0 0); setAverage off; mapMethod nearest; value uniform (1 0 0);'
echo passed
