#!/bin/sh
# streamed.sh FOLDER: on a GPU, the cavity, the cylinder and the aneurysm of the tutorials, on lattices fine enough for slabs, whole on the device
# and streamed through a quarter of that memory. Their fields and coefficients have to agree. lbmFoam on PATH; 77 where there is no
# GPU or no kernel for one. Part of lbmFoam, GPL-3.0-or-later.
set -eu
here=$(cd "${0%/*}" && pwd) work=$1
tutorials=$(cd "$here/../../tutorials" && pwd)
. "$(dirname "$(command -v lbmFoam)")/../share/lbmFoam/RunFunctions"
. "$here/sameDigits.sh"
# Populations are those of the kernels that step the whole to the last bit; files round
bound=1e-12

rm -rf "$work"
mkdir -p "$work"
cd "$work"

# lbmRun CASE ARGUMENT...
lbmRun()
{
    case=$1
    shift
    lbmFoam -case "$case" "$@" > "$case/log.lbmFoam" 2>&1 && return
    tail -n 30 "$case/log.lbmFoam" >&2
    exit 1
}

# needGPU CASE: ends the test where it cannot be made
needGPU()
{
    lbmFoam -case "$1" -dry-run > "$1/log.lbmFoam" 2>&1 && return
    if grep -E 'has no GPU kernels|no NVIDIA driver is loaded|no CUDA device is present' "$1/log.lbmFoam"; then exit 77; fi
    tail -n 30 "$1/log.lbmFoam" >&2
    exit 1
}

# short CASE CELLSIZE DELTAT STEPS: so many time steps on a lattice so fine, all digits written
short()
{
    printf 'device cuda; precision double; storage aa; collision trt; cellSize %s;\n' "$2" >> "$1/system/lbmDict"
    setEntry "$1/system/controlDict" deltaT "$3"
    setEntry "$1/system/controlDict" endTime "$(awk -v t="$3" -v n="$4" 'BEGIN { printf "%.10g", t*n }')"
    setEntry "$1/system/controlDict" writeControl timeStep
    setEntry "$1/system/controlDict" writeInterval "$4"
    setEntry "$1/system/controlDict" writeFormat binary
    setEntry "$1/system/controlDict" writePrecision 15
}

# bothWays CASE
bothWays()
{
    cp -r "$1" "$1.streamed"
    needGPU "$1"
    # Of populations and geometry by the plan, MB
    whole=$(awk '/^Memory/ { on = 1 } /^Units/ { on = 0 } on && /(populations|geometry)/ { sum += $2 } END { print sum }' "$1/log.lbmFoam")
    quarter=$(awk -v all="$whole" 'BEGIN { printf "%.4g", all/4 }')
    echo "deviceMemory $quarter MB;" >> "$1.streamed/system/lbmDict"
    lbmRun "$1"
    ! grep -q 'stream through' "$1/log.lbmFoam" || { echo "$1 was streamed" >&2; exit 1; }
    lbmRun "$1.streamed"
    echo "$1: $whole MB, of which $quarter MB on the device"
    grep 'stream through' "$1.streamed/log.lbmFoam" || { echo "$1 was not streamed" >&2; exit 1; }
    sameDigits "$1.streamed" "$1" "$bound" || { echo "$1: other digits in slabs" >&2; exit 1; }
}

cloneCase "$FOAM_TUTORIALS/incompressible/icoFoam/cavity/cavity" cavity
cp "$tutorials/cavity/system/lbmDict" cavity/system/
sed -i 's/(20 20 1)/(64 64 1)/' cavity/system/blockMeshDict
setEntry cavity/constant/transportProperties nu 1e-4
short cavity 1.30208333333333e-4 0.001 20
runIn cavity blockMesh
bothWays cavity

cloneCase "$tutorials/cylinder2D" cylinder2D
short cylinder2D 0.001 0.01 20
setEntry cylinder2D/system/controlDict functions/pressure/writeInterval 1
runIn cylinder2D blockMesh
bothWays cylinder2D

cloneCase "$tutorials/aneurysm" aneurysm
mkdir -p aneurysm/constant/triSurface
"$python" "$tutorials/aneurysm/makeVessel.py" aneurysm/constant/triSurface/vessel.stl 0.5
runIn aneurysm lbmVoxelize
short aneurysm 0.00005 0.001 3
bothWays aneurysm
