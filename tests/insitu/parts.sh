# Channels of a part of the lattice: what the channel of all of it has there; coarsened, the means; and what is refused. The slices
# script on them, with a value that the mesh has.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY

insituCase parts "scripts (\"$here/parts.py\");
    inputs
    {
        all { fields (U p density vorticity Q); }
        part { box (0.021 0.033 0) (0.072 0.064 0.01); fields (U p density vorticity Q); }
        coarse { coarsen 4; fields (U p density); }
        pixels { box (0.021 0.033 0) (0.072 0.064 0.01); image yes; fields (U Q fluid); }
    }"
"$lbmFoam" -case parts > log.parts 2>&1 || { tail -n 30 log.parts; fail "parts"; }
expect log.parts 'all: 400 lattice cells' 'part: [0-9]* cells of the lattice' 'coarse: 25 cells of the lattice' 'pixels: an image of \(10 6 1\) points' \
    'parts are as they should be' '2 times' 'End'

echo "entries beside the scripts count for the channel input"
insituCase beside "scripts (\"$here/count.py\"); coarsen 2;"
"$lbmFoam" -case beside > log.beside 2>&1 || { tail -n 30 log.beside; fail "beside"; }
expect log.beside 'cells: 100$' 'End'

# refused NAME ENTRIES PATTERN...
refusedPart()
{
    name=$1
    insituCase "$name" "scripts (\"$here/count.py\"); inputs { input { $2 } }"
    shift 2
    status=0
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 20 "log.$name"; fail "$name: exit status $status"; }
    expect "log.$name" "$@"
}
refusedPart outside 'box (1 1 0) (2 2 0);' 'box: .*meets no node of the lattice' 'input'
refusedPart zero 'coarsen 0;' 'coarsen is 0'
refusedPart stress 'coarsen 2; fields (wallShearStress);' 'no field wallShearStress' 'U p density vorticity Q'

echo "an image of one layer is drawn"
insituCase drawn "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\" \"--table=1\"); image yes;"
inX "$lbmFoam" drawn || { tail -n 30 log.drawn; fail "drawn"; }
"$python" "$here/pixels.py" drawn/postProcessing/insitu/slices_000020.png || fail "drawn: picture"
[ "$(wc -l < drawn/postProcessing/insitu/slices_000020.csv)" -eq 401 ] || fail "drawn: table"
echo passed
