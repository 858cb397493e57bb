# lbmFoam on two ranks, whose first one draws and writes what the lattice of both has: pictures, tables, data and images of the lattice
# are those of one process. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }

entries="scripts (\"$scripts/slices.py\" \"$scripts/lineAndProbe.py\" \"$scripts/extracts.py\" \"$scripts/wallShearStress.py\");
    arguments (\"--maxSpeed=1\" \"--table=1\");"
image='libs (lbmFunctionObjects); fields (U p density vorticity Q); writeControl timeStep; writeInterval 10;'

# both NAME: NAME and NAME.ranks, cases that are alike, the second one decomposed
both()
{
    insituCase "$1" "$entries"
    setEntry "$1/system/controlDict" functions/vtk "{ type latticeImage; $image }"
    setEntry "$1/system/controlDict" functions/xdmf "{ type latticeImage; format xdmf; $image }"
    setEntry "$1/system/controlDict" functions/series "{ type latticeSeries; $image }"
    cp -r "$1" "$1.ranks"
    twoParts "$1.ranks"
}

# inOne NAME [AROUND...] and inTwo: AROUND: such as xvfb-run with its options
inOne()
{
    name=$1
    shift
    "$@" "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name"; fail "$name"; }
    expect "log.$name" '2 times, .* s in all' 'End'
}
inTwo()
{
    name=$1.ranks
    shift
    "$@" mpirun --oversubscribe -n 2 "$lbmFoam" -parallel -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name"; fail "$name"; }
    expect "log.$name" 'nProcs : 2' '2 times, .* s in all' 'End'
}

# alike NAME PATTERN: all files, and there are some whose names have the pattern
alike()
{
    diff -r "$1/postProcessing" "$1.ranks/postProcessing" >&2 || fail "$1: one process and two ranks"
    for of in vtk xdmf series; do [ -n "$(ls "$1.ranks/postProcessing/$of")" ] || fail "$1: nothing of $of"; done
    ls "$1.ranks/postProcessing/insitu" | grep -q "$2" || fail "$1: no $2: $(ls "$1.ranks/postProcessing/insitu")"
}

echo "without a display: data in place of pictures, and tables"
(
    unset DISPLAY
    withoutEgl
    both data
    inOne data
    inTwo data
)
alike data 'slices_.*csv'
alike data 'slices_.*pvtp'
runIn data.ranks reconstructPar
"$python" "$here/compare.py" data.ranks/postProcessing/insitu/slices_000020.csv data.ranks/0.1 U || fail "values"

echo "pictures"
needX
both pictures
inOne pictures xvfb-run -a -s -noreset
inTwo pictures xvfb-run -a -s -noreset
alike pictures 'slices_.*png'
"$python" "$here/pixels.py" pictures.ranks/postProcessing/insitu/slices_000020.png || fail "picture"
