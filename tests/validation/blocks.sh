#!/bin/sh
# blocks.sh TUTORIAL FOLDER CASES BOUND OVERLAY...: runs a copy of the tutorial in FOLDER with the files of each OVERLAY that is there over it
# and storage moments in blocks. So many of its cases have to be in blocks; they run once more step by step, and have to
# give the same but for BOUND. lbmFoam on PATH. Part of lbmFoam, GPL-3.0-or-later.
set -eu
tutorial=$1 folder=$2 cases=$3 bound=$4
shift 4
. "${0%/*}/sameDigits.sh"
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$tutorial/." "$folder"
for overlay in "$@"; do [ ! -d "$overlay" ] || cp -r "$overlay/." "$folder"; done
# All digits, of OpenFOAM's own case, too
. "$(dirname "$(command -v lbmFoam)")/../share/lbmFoam/RunFunctions"
cavity=incompressible/icoFoam/cavity
mkdir -p "$folder/tutorials/$cavity"
cp -r "$FOAM_TUTORIALS/$cavity/cavity" "$folder/tutorials/$cavity/"
export FOAM_TUTORIALS="$folder/tutorials"
find "$folder" -name controlDict | while read -r dict; do
    sed -i 's/^writeFormat .*/writeFormat binary;/; s/^writePrecision .*/writePrecision 15;/' "$dict"
done
echo 'storage moments; collision regularized; blocks yes;' >> "$folder/system/lbmDict"
"$folder/Allrun"

found=0
for log in $(find "$folder" -name log.lbmFoam); do
    case=${log%/log.lbmFoam}
    grep -Eq '^ +executor +[0-9]+ steps a pass' "$log" || { grep -E '^ +steps ' "$log"; continue; }
    grep -E '^ +(executor|box) ' "$log"
    ! grep -q 'blocks cannot have them' "$log" || { echo "$case: blocks ended" >&2; exit 1; }
    found=$((found + 1))
    mkdir "$case.plain"
    cp -r "$case/0" "$case/constant" "$case/system" "$case.plain"
    rm -f "$case.plain/system/validationDict" # of the tutorial itself
    sed -i 's/blocks  *yes;/blocks no;/' "$case.plain/system/lbmDict"
    lbmFoam -case "$case.plain" > "$case.plain/log.lbmFoam" 2>&1 || { tail -n 30 "$case.plain/log.lbmFoam" >&2; exit 1; }
    ! grep -Eq '^ +executor' "$case.plain/log.lbmFoam" || { echo "$case.plain was in blocks" >&2; exit 1; }
    sameDigits "$case.plain" "$case" "$bound" || { echo "$case: blocks give other digits" >&2; exit 1; }
done
[ "$found" = "$cases" ] || { echo "$found cases in blocks, not $cases" >&2; exit 1; }
