#!/bin/sh
# streamed.sh FOLDER: on a GPU, the cavity, the cylinder and the aneurysm of the tutorials (their quick sizes), whole on the device and
# streamed through a quarter of that memory. Their fields and coefficients have to agree in the digits that are written. lbmFoam on PATH.
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
here=$(cd "${0%/*}" && pwd) work=$1
tutorials=$(cd "$here/../../tutorials" && pwd)
. "$(dirname "$(command -v lbmFoam)")/../share/lbmFoam/RunFunctions"

# memoryOf CASE: of populations or moments and geometry by the plan, MB
memoryOf()
{
    lbmFoam -case "$1" -dry-run | awk '/^Memory/ { on = 1 } /^Units/ { on = 0 } on && /(populations|moments|geometry)/ { sum += $2 } END { print sum }'
}

# both CASE: runs it whole and in slabs, and compares
both()
{
    echo 'device cuda; precision double; storage aa; collision trt;' >> "$1/system/lbmDict"
    whole=$(memoryOf "$1")
    rm -rf "$1.streamed"
    cp -r "$1" "$1.streamed"
    echo "deviceMemory $(awk -v all="$whole" 'BEGIN { printf "%.3g", all/4 }') MB;" >> "$1.streamed/system/lbmDict"
    for case in "$1" "$1.streamed"; do
        lbmFoam -case "$case" > "$case/log.lbmFoam" 2>&1 || { tail -n 20 "$case/log.lbmFoam"; exit 1; }
    done
    grep 'stream through' "$1.streamed/log.lbmFoam" || { echo "$1 was not streamed"; exit 1; }
    lbmCompare "$1.streamed" "$1" -noPicture -maxRelL2 'U=2e-6,p=2e-5'
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"

cp -r "$FOAM_TUTORIALS/incompressible/icoFoam/cavity/cavity" cavity
cp "$tutorials/cavity/system/lbmDict" cavity/system/
sed -i 's/(20 20 1)/(128 128 1)/' cavity/system/blockMeshDict
sed -i 's/^deltaT .*/deltaT 0.0005;/; s/^writeInterval .*/writeInterval 1000;/' cavity/system/controlDict
blockMesh -case cavity > cavity/log.blockMesh
both cavity

cp -r "$tutorials/cylinder2D" cylinder2D
cp -r "$here/quick/cylinder2D/." cylinder2D
sed -i 's/^endTime .*/endTime 1;/; s/^writeInterval .*/writeInterval 1;/' cylinder2D/system/controlDict
blockMesh -case cylinder2D > cylinder2D/log.blockMesh
both cylinder2D
# As many digits as are written
paste "$(ls cylinder2D/postProcessing/*/*/coefficient.dat)" "$(ls cylinder2D.streamed/postProcessing/*/*/coefficient.dat)" \
    | awk '!/#/ { for (i = 2; i <= NF/2; ++i) { d = $i - $(i + NF/2); if (d*d > 1e-10*(1 + $i*$i)) bad = 1 } } END { exit bad }'

cp -r "$tutorials/aneurysm" aneurysm
cp -r "$here/quick/aneurysm/." aneurysm
mkdir -p aneurysm/constant/triSurface
python3 aneurysm/makeVessel.py aneurysm/constant/triSurface/vessel.stl 0.5
sed -i 's/^cellSize .*/cellSize 0.00025;/' aneurysm/system/lbmVoxelizeDict
sed -i 's/^endTime .*/endTime 0.2;/; s/^writeInterval .*/writeInterval 0.2;/' aneurysm/system/controlDict
lbmVoxelize -case aneurysm > aneurysm/log.lbmVoxelize
both aneurysm
echo "streamed.sh: the same digits"
