#!/bin/sh
# lbmVoxelize on OpenFOAM's closed example surface, on dirty and on bad input.
# Arguments: build tree, OpenFOAM's tutorials, the example dictionary, folder of this test (made anew).
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
build=$1 tutorials=$2 example=$3 work=$4
. "$build/env.sh"
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; else python=python3; fi

fail() { echo "FAILED: $*" >&2; exit 1; }

newCase()
{
    rm -rf "$work"
    mkdir -p "$work/system" "$work/constant/triSurface"
    cd "$work"
    cp "$tutorials"/resources/geometry/flange.stl.gz constant/triSurface/
    system=$tutorials/incompressible/icoFoam/cavity/cavity/system
    for file in controlDict fvSchemes fvSolution; do cp "$system/$file"* system/; done
}

# dictionary ENTRIES: writes system/lbmVoxelizeDict
dictionary()
{
    printf '%s\n' 'FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }' "$1" \
        > system/lbmVoxelizeDict
}

# refuses WHAT PATTERN...: lbmVoxelize ends with an error that has all patterns, and leaves no mesh
refuses()
{
    what=$1
    shift
    if lbmVoxelize > log.bad 2>&1; then fail "$what was accepted"; fi
    grep -q 'FOAM FATAL' log.bad || fail "$what: no fatal error: $(cat log.bad)"
    for pattern; do
        tr '\n' ' ' < log.bad | grep -q "$pattern" || fail "$what: no '$pattern' in: $(cat log.bad)"
    done
    [ ! -e constant/polyMesh ] || fail "$what: left a mesh"
    [ ! -e constant/polyMesh.unfinished ] || fail "$what: left constant/polyMesh.unfinished"
}

newCase
flange='surfaces ( "flange.stl.gz" );'

refuses 'no dictionary' lbmVoxelizeDict
dictionary 'cells 20;'
refuses 'no surfaces' 'surfaces. not found in dictionary.*lbmVoxelizeDict'
dictionary 'surfaces (); cells 20;'
refuses 'an empty list of surfaces' 'surfaces names no file' lbmVoxelizeDict
dictionary "$flange"
refuses 'no cell size' 'either cells or cellSize' lbmVoxelizeDict
dictionary "$flange cells 20; cellSize 0.1;"
refuses 'two cell sizes' 'either cells or cellSize'
dictionary "$flange cells 0;"
refuses 'no cells' cells lbmVoxelizeDict
dictionary "$flange cellSize -1;"
refuses 'a negative cell size' cellSize
dictionary "$flange cells 20; cellsPerLenght 3;"
refuses 'an unknown entry' 'Unknown entry cellsPerLenght' 'Valid entries are.*cellSize' lbmVoxelizeDict
dictionary "$flange cells 20; patches { nose { type wall; } }"
refuses 'a patch without region' 'nose' 'regions are.*patch1'
dictionary "$flange cells 20; patches { patch1 { type wal; } }"
refuses 'an unknown patch type' 'Unknown patch type wal' 'valid are.*wall'
dictionary "$flange cells 20; insidePoint (9 9 9);"
refuses 'a point outside' 'inside point lies outside'
dictionary "$flange cellSize 0.3;"
refuses 'cells larger than the body' 'no fluid node'
dictionary "$flange cellSize 1e-8;"
refuses 'cells beyond memory' 'GB' 'choose larger cells'
dictionary 'surfaces ( "none.stl" ); cells 20;'
refuses 'a missing surface' 'none.stl' 'no such file' lbmVoxelizeDict
: > constant/triSurface/empty.stl
dictionary 'surfaces ( "empty.stl" ); cells 20;'
refuses 'an empty surface' 'empty.stl' 'is empty'
gunzip -c constant/triSurface/flange.stl.gz | head -c 100000 > constant/triSurface/cut.stl
dictionary 'surfaces ( "cut.stl" ); cells 20;'
refuses 'a truncated surface' 'cut.stl' 'cut short'
head -c 10000 constant/triSurface/flange.stl.gz > constant/triSurface/packed.stl.gz
dictionary 'surfaces ( "packed.stl.gz" ); cells 20;'
refuses 'a truncated gzip file' 'packed.stl' 'cut short'
gunzip -c constant/triSurface/flange.stl.gz | awk '
    /^ *facet/ && !done { skip = 1; done = 1 }
    !skip { print }
    /^ *endfacet/ { skip = 0 }' > constant/triSurface/open.stl
dictionary 'surfaces ( "open.stl" ); cells 20; inside exact;'
refuses 'an open surface' 'is not closed: 3 open edges' 'triangle'
dictionary "$flange cells 20; inside outside;"
refuses 'an unknown rule' 'outside' 'automatic' 'windingNumber'
dictionary "$flange cells 20;"
printf '%s\n' 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }' 'device cdua;' > system/lbmDict
refuses 'a misspelt device' "device 'cdua' is none of cpu, cuda" 'system/lbmDict'
printf '%s\n' 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }' 'device cuda;' > system/lbmDict
lbmVoxelize -dry-run > log.device || fail "on a GPU, or without one: $(cat log.device)"
grep -Eq '^Voxelized in .*, rays on (cuda:|the processor.*: )' log.device || fail "rays on what? $(cat log.device)"
rm system/lbmDict

# cells SURFACE: how many the plan has, and how the inside was told
plan()
{
    dictionary "surfaces ( \"$1\" ); cells 20;"
    lbmVoxelize -dry-run > log.plan || fail "$1: $(cat log.plan)"
    awk '$1 == "Cells" { print $2 }' log.plan | tr -d ,
}
closed=$(plan flange.stl.gz)
grep -q 'inside by crossings: the surface is closed' log.plan || fail "closed: $(cat log.plan)"
[ "$(plan open.stl)" = "$closed" ] || fail 'a missing triangle changed the number of cells'
grep -q 'inside by winding number: 3 open' log.plan || fail "open: $(cat log.plan)"

# The report writes no mesh
lbmVoxelize -report > log.report || fail "report: $(cat log.report)"
[ ! -e constant/polyMesh ] || fail '-report wrote a mesh'
grep -q '^ *open edges *3$' log.report || fail "report: $(cat log.report)"
"$python" - "$closed" <<'END' || fail 'the files of the report'
import json, sys, xml.dom.minidom
folder = "postProcessing/lbmVoxelize/"
report = json.load(open(folder + "geometry.json"))
assert report["surface"]["openEdges"] == 3 and report["surface"]["triangles"] == 6467, report["surface"]
assert report["lattice"]["fluidNodes"] == int(sys.argv[1]), report["lattice"]
piece = xml.dom.minidom.parse(folder + "geometry.vtp").getElementsByTagName("Piece")[0]
assert piece.getAttribute("NumberOfPolys") == "6467"
names = {a.getAttribute("Name") for a in piece.getElementsByTagName("CellData")[0].getElementsByTagName("DataArray")}
assert names == {"defects", "shell", "region", "gap", "wall", "wetted"}, names
END
rm -r postProcessing

# The plan alone writes nothing
cp "$example" system/
lbmVoxelize -dry-run > log.dry
[ ! -e constant/polyMesh ] || fail '-dry-run wrote a mesh'
cells=$(awk '$1 == "Cells" { print $2 }' log.dry | tr -d ,)

lbmVoxelize > log.lbmVoxelize
checkMesh -allTopology > log.checkMesh || fail "checkMesh: $(cat log.checkMesh)"
grep -q '^Mesh OK' log.checkMesh || fail "checkMesh: $(cat log.checkMesh)"
grep -q "^ *cells: *$cells\$" log.checkMesh || fail "the plan said $cells cells: $(grep cells: log.checkMesh)"
grep -q "^ *hexahedra: *$cells\$" log.checkMesh || fail 'not all cells are cubes'
for patch in patch1 patch2 patch3 patch4; do
    planned=$(awk -v p=$patch '$1 == p { print $3 }' log.dry)
    found=$(awk -v p=$patch '$1 == p { in_ = 1 } in_ && $1 == "nFaces" { print $2+0; exit }' constant/polyMesh/boundary)
    [ "$planned" -gt 0 ] && [ "$planned" = "$found" ] || fail "$patch: planned $planned faces, found $found"
done
[ "$(awk '$1 == "type" { printf "%s ", $2 }' constant/polyMesh/boundary)" = 'wall; patch; patch; wall; ' ] ||
    fail 'patch types are not those of the dictionary'

# An old mesh stays whole when the new one fails
dictionary "$flange cells 20; insidePoint (9 9 9);"
if lbmVoxelize > log.bad 2>&1; then fail 'a point outside was accepted'; fi
checkMesh | grep -q "^ *cells: *$cells\$" || fail 'a failed run touched the old mesh'

# Around a body: the box's sides, and only the part with the point
dictionary "surfaces ( flange.stl.gz ); cellSize 0.002; insidePoint (-0.04 0 0);
    box { min (-0.05 -0.05 -0.04); max (0.05 0.05 0.03); patches (in out far far far far); }
    patches { in { type patch; } out { type patch; } far { type symmetry; } }"
lbmVoxelize > log.around
checkMesh -allTopology > log.checkMesh
grep -q '^Mesh OK' log.checkMesh || fail "around a body: $(cat log.checkMesh)"
[ "$(grep -c nFaces constant/polyMesh/boundary)" = 7 ] || fail 'around a body: not 7 patches'
