# Entry threads: with 1 no team of several is formed, neither by the lattice nor for places of probes, fluxes through faces, surfaces
# or pictures of nodes; without it the same work is done by all threads that OpenMP has. OpenMP itself says what teams there were.
# usage: threads.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

zero='type zeroGradient;'
channelMesh channel
sed -i 's/(80 20 1)/(160 40 1)/' channel/system/blockMeshDict
runIn channel blockMesh
channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(0.5 0 0)' 'type fixedValue; value uniform (1 0 0);' "$zero" 'type noSlip;'
channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" 'type fixedValue; value uniform 0;' "$zero"
sed -i '/^functions/,$d' channel/system/controlDict
echo 'functions { probes { type probes; libs (sampling); fields (U p phi); probeLocations ((1.01 0.26 0.05));
    writeControl timeStep; writeInterval 1; } }' >> channel/system/controlDict
setEntry channel/system/controlDict deltaT 0.001
setEntry channel/system/controlDict endTime 0.004
setEntry channel/system/controlDict writeInterval 2
cp -r channel body
bodyInChannel body 0.1 'type fixedValue; value uniform (1 0 0);'

# teams CASE ENTRIES: of several threads, while three are to be had; LBM's tests may run on fewer processors
teams()
{
    lbmDict "$1" "$2"
    rm -rf "$1"/0.0* "$1/postProcessing"
    OMP_NUM_THREADS=3 OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='team of %N' timeout 300 "$lbmFoam" -case "$1" \
        > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1: $2"; }
    grep -c '^team of [2-9]' "log.$1" || true
}

for name in channel body; do
    all=$(teams $name '')
    [ "$all" -gt 0 ] || fail "$name: OpenMP tells no team of three"
    one=$(teams $name 'threads 1;')
    [ "$one" -eq 0 ] || { grep -n -B2 '^team of' "log.$name" | head -n 20; fail "$name: threads 1 has teams of several"; }
done
