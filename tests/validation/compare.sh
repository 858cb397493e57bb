#!/bin/sh
# compare.sh FOLDER: lbmCompare on OpenFOAM's cavity: equal and different meshes, limits, bad input.
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
folder=$1
. "$(dirname "$(command -v lbmCompare)")/../share/lbmFoam/RunFunctions"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# Two fields whose difference is known: u = y on 20x20 cells, and u = 1.1 y, on equal and on finer cells
field()
{
    cloneCase "$FOAM_TUTORIALS/incompressible/icoFoam/cavity/cavity" "$1"
    sed -i "s/(20 20 1)/($2 $2 1)/" "$1/system/blockMeshDict"
    cat > "$1/system/setExprFieldsDict" <<DICT
FoamFile { version 2.0; format ascii; class dictionary; object setExprFieldsDict; }
expressions
(
    U { field U; dimensions [0 1 -1 0 0 0 0]; expression #{ vector($3*pos().y(), 0, 0) #}; }
);
DICT
    # Interpolation uses values of patches: those of the cells next to them
    sed -i 's/fixedValue/zeroGradient/; s/noSlip/zeroGradient/' "$1/0/U"
    runIn "$1" blockMesh
    runIn "$1" setExprFields
}
field a 20 1.1
field b 20 1
field fine 40 1

fails()     # fails WHAT STATUS TEXT command...: ends with this status and says this
{
    what=$1 status=$2 text=$3
    shift 3
    got=0
    "$@" > log.fails 2>&1 || got=$?
    [ "$got" = "$status" ] || { cat log.fails; stop "$what: status $got, not $status"; }
    grep -q "$text" log.fails || { cat log.fails; stop "$what: says nothing of '$text'"; }
    echo "ok: $what"
}
value()     # value KIND NAME MEASURE FOLDER
{
    awk -F, -v k="$1" -v n="$2" -v m="$3" '$1 == k && $2 == n && $3 == m { print $4 }' \
        "$4/comparison.csv"
}
near()      # near WHAT VALUE EXPECTED TOLERANCE
{
    awk -v v="$2" -v e="$3" -v t="$4" 'BEGIN { d = v - e; exit !(v != "" && d <= t && -d <= t) }' ||
        stop "$1: $2, not $3"
    echo "ok: $1"
}

# 1.1 y against y: 10 % in every norm
lbmCompare a b -fields '(U)' -output same
for norm in relL1 relL2 relLinf; do near "$norm" "$(value field U $norm same)" 0.1 1e-5; done
near "no cell is unmatched" "$(value cells unmatched number same)" 0 0

lbmCompare a fine -fields '(U)' -output finer
# A linear field keeps its values but in the outermost half cell, where patch values count
near "relL1 by interpolation" "$(value field U relL1 finer)" 0.1 0.02
near "cells of the reference" "$(value cells reference number finer)" 1600 0

# Means over 2 x 2 cells of a linear field are its values at the coarse centres, whichever case is the finer one
lbmCompare a fine -means -fields '(U)' -output means
for norm in relL1 relL2 relLinf; do near "$norm by means" "$(value field U $norm means)" 0.1 1e-5; done
near "cells of the coarser case" "$(value cells reference number means)" 400 0
lbmCompare fine a -means -fields '(U)' -output meansOfA
near "relL2 by means of A" "$(value field U relL2 meansOfA)" 0.090909 1e-5

# A pressure that no patch fixes may differ by a constant
sed 's/object  *p;/object p_rgh;/' b/0/p > b/0/p_rgh
for name in p p_rgh; do
    sed 's/uniform 0;/uniform 7;/' b/0/$name > a/0/$name
    lbmCompare a b -fields "($name)" -output level
    near "constant $name is no difference" "$(value field $name Linf level)" 0 1e-9
done

# Points of the linear profile lie on the line u = 1.1 y, and the data say u = y
cat > a/system/lbmCompareDict <<'DICT'
FoamFile { version 2.0; format ascii; class dictionary; object lbmCompareDict; }
lines
{
    up
    {
        start (0.05 0.01 0.005); end (0.05 0.09 0.005); nPoints 9; components (Ux magU);
        data { file "<case>/data.csv"; distance d; component Ux; value u; }
    }
}
DICT
printf '# distance from start, u\nd,u\n0,0.01\n0.04,0.05\n0.08,0.09\n' > a/data.csv
lbmCompare a b -fields '(U)' -output lines
near "profile" "$(value line up Ux.relL2 lines)" 0.1 1e-4
near "tabulated data" "$(value line up Ux.data.Linf lines)" 0.009 1e-5
[ -s lines/up.csv ] && [ -s lines/up.data.csv ] || stop "no profiles"

# Without python3 there are no pictures, and all else. It is hidden in a namespace of this command's own, where the system has these.
program=$(command -v lbmCompare)
hide='mount --bind /dev/null /usr/bin/python3'
if unshare -rm sh -c "$hide" 2> /dev/null; then
    unshare -rm sh -c "$hide && PATH=/nowhere exec \"\$@\"" sh "$program" a b -fields '(U)' -output noPython > log.noPython 2>&1 ||
        { cat log.noPython; stop "without python3: ends badly"; }
    grep -q 'No picture of the profiles' log.noPython && grep -q '^End' log.noPython || { cat log.noPython; stop "without python3"; }
    [ -s noPython/up.csv ] && [ -s noPython/comparison.csv ] || stop "no results without python3"
    ! ls noPython/*.png > /dev/null 2>&1 || stop "a picture without python3"
    echo "ok: without python3"
else
    echo "not tested: without python3, which cannot be hidden here"
fi

fails "limit exceeded" 2 'FAILED.*relL2' lbmCompare a b -fields '(U)' -noPicture -maxRelL2 U=0.05
lbmCompare a b -fields '(U)' -noPicture -maxRelL2 U=0.15 > log.met || stop "a limit that is met fails"
fails "limit on an unknown field" 1 'was not measured' \
    lbmCompare a b -fields '(U)' -noPicture -maxRelL2 W=0.1
fails "malformed limit" 1 'expected field=value' lbmCompare a b -maxRelL2 U
fails "no case" 1 'Not an OpenFOAM case' lbmCompare a nowhere
fails "no time" 1 'No time' lbmCompare a b -time 3
fails "no field" 1 'No field T' lbmCompare a b -fields '(T)'
printf 'd,u\n0,zero\n' > a/data.csv
fails "malformed data" 1 'line 2: expected 2 numbers' lbmCompare a b -noPicture
rm a/data.csv
fails "missing data" 1 'No file.*data.csv' lbmCompare a b -noPicture
