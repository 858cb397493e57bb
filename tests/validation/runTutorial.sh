#!/bin/sh
# runTutorial.sh TUTORIAL OVERLAY KIND FOLDER [SCRIPT]: runs a copy of the tutorial in FOLDER with the files of OVERLAY, if there
# are any, over it, by SCRIPT (default: Allrun); for KIND moments with moments stored. Part of lbmFoam, GPL-3.0-or-later.
set -eu
tutorial=$1 overlay=$2 kind=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$tutorial/." "$folder"
if [ "$kind" = quick ] || [ -d "$overlay" ]; then
    cp -r "$overlay/." "$folder"
fi
if [ "$kind" = moments ]; then
    echo 'storage moments; collision regularized;' >> "$folder/system/lbmDict"
fi
"$folder/${5:-Allrun}"
