#!/bin/sh
# streamed.sh FOLDER [VESSEL]: on a GPU, the cavity, the cylinder and the aneurysm of the tutorials, on lattices fine enough for slabs, whole on the device
# and streamed through a quarter of that memory. Their fields and coefficients have to agree. lbmFoam on PATH; 77 where there is no
# GPU or no kernel for one. VESSEL: the aneurysm's surface, if there is no python with numpy. Part of lbmFoam, GPL-3.0-or-later.
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

# solve CASE: ends the test where it cannot be made
solve()
{
    lbmFoam -case "$1" > "$1/log.lbmFoam" 2>&1 && return
    if grep -E 'has no GPU kernels|no NVIDIA driver is loaded|no CUDA device is present' "$1/log.lbmFoam"; then exit 77; fi
    tail -n 30 "$1/log.lbmFoam" >&2
    exit 1
}

# short CASE CELLSIZE DELTAT STEPS: so many time steps on a lattice so fine, all digits written
short()
{
    printf 'device cuda; precision double; storage aa; collision trt; cellSize %s;\n' "$2" >> "$1/system/lbmDict"
    end=$(awk -v t="$3" -v n="$4" 'BEGIN { printf "%.10g", t*n }')
    for entry in "deltaT $3" "endTime $end" 'writeControl timeStep' "writeInterval $4" 'writeFormat binary' 'writePrecision 15'; do
        sed -i "s/^${entry%% *} .*/$entry;/" "$1/system/controlDict"
    done
}

# bothWays CASE: streamed through a quarter of its memory
bothWays()
{
    cp -r "$1" "$1.streamed"
    rm -f "$1.streamed/system/validationDict" # of the tutorial itself
    solve "$1"
    ! grep -q 'stream through' "$1/log.lbmFoam" || { echo "$1 was streamed" >&2; exit 1; }
    # Of populations and geometry by the plan, MB
    whole=$(awk '/^Memory/ { on = 1 } /^Units/ { on = 0 } on && /(populations|geometry) .* MB/ { sum += $2 } END { print sum }' \
        "$1/log.lbmFoam")
    budget=$(awk -v all="$whole" 'BEGIN { printf "%.4g", all/4 }')
    echo "deviceMemory $budget MB;" >> "$1.streamed/system/lbmDict"
    solve "$1.streamed"
    echo "$1: $whole MB, of which $budget MB on the device"
    grep 'stream through' "$1.streamed/log.lbmFoam" || { echo "$1 was not streamed" >&2; exit 1; }
    sameDigits "$1.streamed" "$1" "$bound" || { echo "$1: other digits in slabs" >&2; exit 1; }
}

cloneCase "$FOAM_TUTORIALS/incompressible/icoFoam/cavity/cavity" cavity
cp "$tutorials/cavity/system/lbmDict" cavity/system/
sed -i 's/(20 20 1)/(64 64 1)/' cavity/system/blockMeshDict
sed -i 's/ 0.01;/ 1e-4;/' cavity/constant/transportProperties
short cavity 1.30208333333333e-4 0.001 20
runIn cavity blockMesh
bothWays cavity

cloneCase "$tutorials/cylinder2D" cylinder2D
short cylinder2D 0.001 0.01 20
sed -i 's/writeInterval *100;/writeInterval 1;/' cylinder2D/system/controlDict
runIn cylinder2D blockMesh
bothWays cylinder2D

cloneCase "$tutorials/aneurysm" aneurysm
mkdir -p aneurysm/constant/triSurface
if [ -n "${2:-}" ]; then cp "$2" aneurysm/constant/triSurface/vessel.stl
else "$python" "$tutorials/aneurysm/makeVessel.py" aneurysm/constant/triSurface/vessel.stl 0.5; fi
runIn aneurysm lbmVoxelize
short aneurysm 0.00005 0.001 3
bothWays aneurysm
