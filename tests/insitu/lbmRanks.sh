# lbmFoam on several ranks, each of which shows its own nodes: pictures, tables and data are those of one process, and no rank holds the
# cells of all. Images and series of the lattice, which the first rank writes, are the same byte for byte.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }

# solidCavity CASE ENTRIES: as insituCase, a cube
solidCavity()
{
    insituCase "$1" "$2"
    boxMesh "$1" '0.1 0.1 0.1' '32 32 32' <<'END'
    movingWall { type wall; faces ((3 7 6 2)); }
    fixedWalls { type wall; faces ((0 4 7 3) (2 6 5 1) (1 5 4 0) (0 3 2 1) (4 5 6 7)); }
END
}

# share CASE: no rank has more cells than nodes of the largest part, and a layer of 32 by 32 on both sides
share()
{
    part=$(sed -n 's/.*parts of [0-9]* to \([0-9]*\) fluid nodes.*/\1/p' "log.$1")
    most=$(sed -n 's/.*: 32768 lattice cells, at most \([0-9]*\) on a rank.*/\1/p' "log.$1")
    [ "$part" -lt 32768 ] && [ "$most" -le $((part + 2048)) ] || fail "$1: $most cells on a rank, of a part of $part nodes"
}

echo "without a display: data in place of pictures, and tables"
image='libs (lbmFunctionObjects); fields (U p density vorticity Q); writeControl timeStep; writeInterval 10;'
fields="fields (U p density vorticity Q wallShearStress nodeKind patchID)"
solidCavity data "scripts (\"$scripts/slices.py\" \"$scripts/lineAndProbe.py\" \"$scripts/extracts.py\" \"$scripts/wallShearStress.py\");
    arguments (\"--maxSpeed=1\" \"--table=1\"); inputs { input { $fields; } walls { type walls; } }"
setEntry data/system/controlDict functions/vtk "{ type latticeImage; $image }"
setEntry data/system/controlDict functions/xdmf "{ type latticeImage; format xdmf; $image }"
setEntry data/system/controlDict functions/series "{ type latticeSeries; $image }"
(
    unset DISPLAY
    withoutEgl
    for ranks in 1 2 3; do run data $ranks; done
)
for ranks in 2 3; do
    alike data $ranks 'slices_000020.csv U'
    alike data $ranks 'slices_000020.pvtp Q'
    alike data $ranks 'extract_000020.pvtu wallShearStress'
    for of in vtk xdmf series; do
        [ -n "$(ls "data.$ranks/postProcessing/$of")" ] || fail "data: nothing of $of"
        diff -r "data.1/postProcessing/$of" "data.$ranks/postProcessing/$of" >&2 || fail "$of: one process and $ranks ranks"
    done
done
share data.2
share data.3

echo "pictures"
needX
solidCavity pictures "scripts (\"$scripts/slices.py\" \"$scripts/qIsosurface.py\" \"$scripts/wallShearStress.py\");
    arguments (\"--maxSpeed=1\" \"--value=20\");"
for ranks in 1 2 3; do run pictures $ranks xvfb-run -a -s -noreset; done
for ranks in 2 3; do
    alike pictures $ranks 'slices_000020.png'
    alike pictures $ranks 'qIsosurface_000020.png'
done
"$python" "$here/pixels.py" pictures.3/postProcessing/insitu/slices_000020.png || fail "picture"
