# lbmFoam on two ranks, whose extracts are those of one process: several parts a rank, a side that repeats, a zone that rotates, and an
# image of a part of the lattice. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }
unset DISPLAY
withoutEgl
fields="fields (U p density vorticity Q wallShearStress nodeKind patchID)"

# inSitu CASE: at its tenth and twentieth step
inSitu()
{
    for entry in 'stopAt endTime' 'writeControl timeStep' 'writeInterval 20'; do setEntry "$1/system/controlDict" $entry; done
    deltaT=$(getEntry "$1/system/controlDict" deltaT)
    setEntry "$1/system/controlDict" endTime "$(awk "BEGIN { print 20*$deltaT }")"
    sed -i '/^functions/,$d' "$1/system/controlDict"
    cat >> "$1/system/controlDict" <<END
functions
{
    insitu
    {
        type catalyst; libs (lbmFunctionObjects);
        executeControl timeStep; executeInterval 10;
        scripts ("$scripts/slices.py" "$scripts/extracts.py"); arguments ("--maxSpeed=1" "--table=1");
        inputs { input { $fields; } walls { type walls; } }
    }
}
END
}

echo "two parts a rank"
freshCavity each
inSitu each
run each 1
lbmDict each 'parts 4;'
run each 2
alike each 2 'extract_000020.pvtu wallShearStress'

echo "across a side that repeats"
cloneCase "$here/../../tutorials/planarPoiseuille" periodic
sed -i 's/(16 8 1)/(64 32 1)/' periodic/system/blockMeshDict
runIn periodic blockMesh
inSitu periodic
run periodic 1
division="2 1 1"
run periodic 2
unset division
alike periodic 2 'extract_000020.pvtu vorticity'

echo "nodes that hold the velocity seen from a zone that rotates"
cloneCase "$here/../../tutorials/rotatingFrames" zone
setEntry zone/system/lbmDict cellSize 0.0625
runIn zone blockMesh
runIn zone topoSet
cat > zone/constant/MRFProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object MRFProperties; }
rotor { cellZone rotor; active yes; origin (0 0 0); axis (0 0 1); omega 1; }
END
sed -i '/rotatingWallVelocity/,/omega/d; /^ *inner/,/}/s/{/{ type noSlip;/' zone/0/U
inSitu zone
run zone 1
run zone 2
alike zone 2 'extract_000020.pvtu U'

echo "an image, which the first rank has"
insituCase image "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\" \"--table=1\"); image yes;"
run image 1
run image 2
alike image 2 'slices_000020.csv U'
echo passed
